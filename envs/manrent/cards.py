"""Manrent by numbers: cards, costs, phases and actions."""

SEATS = 4
ROUNDS = 4
HAND = 7  # dealt to each, and the most that a hand holds after its own turn
PLACES = 4  # of the Row
TRIBUTE_CARDS = 2
ROUND_GOAL = 3  # Royals Secured by one seat end the round

# Cards: the ranks 2 to T are Commons, J Q K Royals, A the Aces.
COMMON_COUNT, ROYAL_COUNT, ACE_COUNT = 36, 12, 4
FIRST_ROYAL = COMMON_COUNT
FIRST_ACE = FIRST_ROYAL + ROYAL_COUNT
COMMONS = (1 << COMMON_COUNT) - 1
JACKS_AND_QUEENS = 0xFF << FIRST_ROYAL
ROYALS = 0xFFF << FIRST_ROYAL
ACES = 0xF << FIRST_ACE
KINGS = (44, 46, 45, 47)  # KH KD KS KC arrive in rounds 1 to 4
STOCK_MOST = COMMON_COUNT
MOST_RESHUFFLES = 2**28  # that are counted
BATCHES = COMMON_COUNT  # a batch that is remembered has a card in a hand, and a card lies in the Market Discard

# By rank: J, Q, K.
INVITE_COST = (15, 20, 25)
SECURE_COST = (8, 10, 13)
HOUSED_SCORE = (15, 20, 25)
COURT_SCORE = 5

# Phases: three of luck, one that goes on of itself, six of choices.
PHASES = 10
FIRST, DEAL, RESHUFFLE, BETWEEN, DRAWING, ACTING, PAYING, DISCARDING, OCCUPIED, PAYING_TRIBUTE = range(PHASES)

# What the active player's turn needs cards of the Stock for; an Occupation may interrupt it.
FILL, BLIND, REFILL = 0, 1, 2

# Purposes of luck.
FOR_FIRST, FOR_DEAL, FOR_STOCK = 1, 2, 3

# Actions, by Common or by Royal.
ROW = 0
STOCK = ROW + COMMON_COUNT
INVITE = STOCK + 1
SECURE = INVITE + ROYAL_COUNT
ENTICE = SECURE + ROYAL_COUNT
PASS = ENTICE + ROYAL_COUNT
PAY = PASS + 1
DONE = PAY + COMMON_COUNT
DISCARD = DONE + 1
PROTECT = DISCARD + COMMON_COUNT
YIELD = PROTECT + ROYAL_COUNT
TRIBUTE = YIELD + ROYAL_COUNT
