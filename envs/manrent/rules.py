"""Manrent: Sworn & Sold, by David McDougal. Market and set collection, four players, four rounds, the highest score wins.

Source: the designer's published rules overview. Where it leaves a point open, these rulings hold:
R1  a card taken from the Row is in hand before its place is refilled: it can pay tribute to an Ace met there
R2  an Occupation asks Royal by Royal, J Q K and H S D C within a rank; compensation comes after the seat's last one
R3  payments and Row picks are seen by everyone, and the whole Market Discard; draws from the Stock by the drawer alone
R4  overpaying is allowed, card by card: `done` may be chosen from the moment the cost is met
R5  an action may be begun only where the hand can pay for it
R6  empty Row places are filled at the start of every Draw phase and after every Row pick, the lowest place first
R7  truncated after `max_turns` turns, skipped draws and turns that end a round included; Court Royals then count 5
R8  only Invite and Secure end a round, whatever an Occupation returns
R9  the Aces of a round are drawn at random from all four each round
R10 the Market Discard becomes the Stock only when a card is needed; an Ace met does not use up the draw; `stock` is
    offered also where only Aces may be left
R11 cards offered as payment leave the hand at `done`
R12 that the Aces met while the Row is laid are in the Stock is known to everyone for the round
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.dealing import as_set, deal_hands
from handfast.envs.core.luck import below, luck, shuffle
from handfast.envs.core.seats import at_left
from handfast.envs.core.standing import mark_highest
from handfast.envs.core.table import (
    CHANCE,
    ENDED,
    EVERYONE,
    FINISHED,
    GOING_ON,
    ITS_SEAT,
    NOBODY,
    NONE,
    TRUNCATED,
    Field,
    Option,
    table,
)
from handfast.envs.core.tricks import of_suit, rank_of, suit_of

SEATS = 4
PLAYER_COUNTS = (4,)
SCORE_SIGN = 1
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
ACES = 0xF << FIRST_ACE
KINGS = (44, 46, 45, 47)  # KH KD KS KC arrive in rounds 1 to 4
STOCK_MOST = COMMON_COUNT
BATCHES = COMMON_COUNT  # a batch that is remembered has a card in a hand, and a card lies in the Market Discard

# By rank: J, Q, K.
INVITE_COST = (15, 20, 25)
SECURE_COST = (8, 10, 13)
HOUSED_SCORE = (15, 20, 25)
COURT_SCORE = 5

# Phases: three of luck, one that goes on of itself, six of choices.
FIRST, DEAL, RESHUFFLE, BETWEEN, DRAWING, ACTING, PAYING, DISCARDING, OCCUPIED, PAYING_TRIBUTE = range(10)

# What the active player's turn needs cards of the Stock for; an Occupation may interrupt it.
FILL, BLIND, REFILL = 0, 1, 2

# Purposes of luck.
FOR_FIRST, FOR_DEAL, FOR_STOCK = 1, 2, 3

OPTIONS = {"max_turns": Option(1000, range(1, 2**31), "turns after which a game is truncated")}

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
ACTIONS = TRIBUTE + COMMON_COUNT

TABLE = table(
    SEATS,
    OPTIONS,
    Field("turns", "i4", (), EVERYONE, "turns taken in the game"),
    Field("round_no", "i4", (), EVERYONE, "the round, from 1; so many Aces take part"),
    Field("first_player", "i4", (), EVERYONE, "who has the First Player marker"),
    Field("active", "i4", (), EVERYONE, "whose turn it is"),
    Field("hands", "i8", (SEATS,), ITS_SEAT, "the Commons in hand"),
    Field("counts", "i4", (SEATS,), EVERYONE, "how many cards each hand holds"),
    Field("known", "i8", (SEATS,), EVERYONE, "cards that everyone has seen come into a hand, or be offered from it"),
    Field("row", "i4", (PLACES,), EVERYONE, "the Row, NONE for an empty place"),
    Field("stock", "u1", (STOCK_MOST,), NOBODY, "the Stock, its top card last"),
    Field("stock_left", "i4", (), EVERYONE, "how many cards the Stock holds"),
    Field("discard", "i8", (), EVERYONE, "the Market Discard"),
    Field("market", "i8", (), EVERYONE, "the Royal Market"),
    Field("courts", "i8", (SEATS,), EVERYONE, "the Royals in each Court"),
    Field("houses", "i8", (SEATS,), EVERYONE, "the Royals in each House"),
    Field("upright", "i8", (), EVERYONE, "Royals Secured this round"),
    Field("shown", "i8", (), EVERYONE, "Aces met while the Row was laid"),
    Field("out", "i8", (), EVERYONE, "Aces drawn or revealed this round"),
    Field("target", "i4", (), EVERYONE, "the Royal that is being paid for, NONE where none is"),
    Field("offered", "i8", (), EVERYONE, "cards offered as payment so far, still in hand"),
    Field("errand", "i4", (), EVERYONE, "what the turn draws cards for: FILL, BLIND or REFILL"),
    Field("depth", "i4", (), EVERYONE, "how many Occupations are under way, each interrupting the one before"),
    Field("aces", "i4", (ACE_COUNT + 1,), EVERYONE, "the Ace of each Occupation under way, from 1"),
    Field("asked", "i4", (ACE_COUNT + 1,), EVERYONE, "how far left of the active player each Occupation has come"),
    Field("owed", "i4", (ACE_COUNT + 1,), EVERYONE, "cards still to draw: 0 for the errand, from 1 compensation"),
    Field("pending", "i8", (), EVERYONE, "Royals that the last Occupation has yet to ask its seat about"),
    Field("tributes_left", "i4", (), EVERYONE, "cards still to discard for the Royal being protected"),
    Field("reshuffles", "i4", (), EVERYONE, "how often the Market Discard became the Stock this round"),
    Field(
        "stock_batch", "i4", (), EVERYONE, "the batch of the Stock's Commons: what was shuffled together, unseen since"
    ),
    Field("batch", "u1", (COMMON_COUNT,), EVERYONE, "the batch of each Common that not everyone has located"),
    Field("hidden", "u1", (SEATS, BATCHES), EVERYONE, "by batch, cards in each hand that are not `known`"),
)


# --- The course of play ---------------------------------------------------------------------------------------


@rule
def deal(game, seed):
    """Begin a game on a record of zeroes and options: the first player of round 1 is drawn."""
    game.seed = seed
    game.ended = GOING_ON
    game.round_no = 1
    game.market = JACKS_AND_QUEENS
    game.target = NONE
    game.seat = CHANCE
    game.phase = FIRST


@rule
def begin_round(game):
    """The round's King joins the Royal Market; the Commons are shuffled and dealt."""
    game.market |= bit(KINGS[game.round_no - 1])
    game.upright = 0
    game.seat = CHANCE
    game.phase = DEAL


@rule
def roll(game):
    """Fill in what luck decides in this phase, and nothing else."""
    if game.phase == FIRST:
        game.first_player = below(luck(game.seed, FOR_FIRST, 0, 0), SEATS)
    elif game.phase == DEAL:
        roll_deal(game)
    else:
        shuffle_stock(game, game.discard, game.seed, 2 + game.reshuffles)


@rule
def roll_deal(game):
    """Seven Commons each; the others with the round's Aces (R9) give the Row and the Stock, Aces met shuffled back."""
    order = np.empty(COMMON_COUNT, np.int64)
    turn = np.int64(game.round_no)
    shuffle(np.int64(COMMONS), game.seed, FOR_DEAL, turn, order)
    dealt = deal_hands(order, HAND, SEATS, game.hands)
    cards = as_set(order, dealt, COMMON_COUNT)
    shuffle(np.int64(ACES), game.seed, FOR_DEAL, turn, order)
    for i in range(game.round_no):
        cards |= bit(order[i])
    shuffle(cards, game.seed, FOR_STOCK, turn, order)
    game.shown = 0
    met, place = 0, 0
    while place < PLACES:
        if order[met] >= FIRST_ACE:
            game.shown |= bit(order[met])
        else:
            game.row[place] = order[met]
            cards &= ~bit(order[met])
            place += 1
        met += 1
    shuffle_stock(game, cards, game.seed, 1)


@rule
def shuffle_stock(game, cards, seed, number):
    """These cards in random order as this number of the round's Stocks, from 1."""
    order = np.empty(STOCK_MOST, np.int64)
    n = shuffle(cards, seed, FOR_STOCK, np.int64(ROUNDS * number + game.round_no), order)
    for i in range(n):
        game.stock[i] = order[i]


@rule
def after_chance(game):
    """Go on after luck: to the deal, to the first turn, to the draw that needed a new Stock."""
    if game.phase == FIRST:
        begin_round(game)
    elif game.phase == DEAL:
        lay_out(game)
        begin_turn(game, game.first_player)
    else:
        game.stock_left = count(game.discard)
        game.reshuffles += 1
        hide_batch(game)
        game.discard = 0
        game.phase = BETWEEN
    go_on(game)


@rule
def lay_out(game):
    """The table right after a deal: nobody knows more than its own hand, the Row and the Aces shown."""
    for seat in range(SEATS):
        game.counts[seat] = HAND
        game.known[seat] = 0
        for batch in range(BATCHES):
            game.hidden[seat, batch] = 0
        game.hidden[seat, 0] = HAND
    for card in range(COMMON_COUNT):
        game.batch[card] = 0
    game.stock_batch = 0
    game.stock_left = COMMON_COUNT - HAND * SEATS - PLACES + game.round_no
    game.reshuffles = 0
    game.discard = 0
    game.out = 0


@rule
def begin_turn(game, seat):
    """Empty Row places are filled before the seat draws (R6)."""
    game.active = seat
    send_for(game, FILL)


@rule
def end_turn(game):
    """The turn is over and the round goes on: the turn goes left, unless the limit is reached (R7)."""
    game.turns += 1
    if game.turns >= game.max_turns:
        finish(game, TRUNCATED)
    else:
        begin_turn(game, at_left(game.active, 1, SEATS))


@rule
def end_round(game):
    """The round ends at once; Court Royals go back to the Market, the marker passes left, and the next King arrives."""
    game.turns += 1
    if game.round_no == ROUNDS:
        finish(game, ENDED)
    elif game.turns >= game.max_turns:  # R7: before any cleanup
        finish(game, TRUNCATED)
    else:
        for seat in range(SEATS):
            game.market |= game.courts[seat]
            game.courts[seat] = 0
        game.round_no += 1
        game.first_player = at_left(game.first_player, 1, SEATS)
        begin_round(game)


@rule
def finish(game, how):
    game.ended = how
    game.seat = FINISHED
    game.phase = ACTING


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def row_cards(game):
    """The Row as a set of cards."""
    cards = np.int64(0)
    for place in range(PLACES):
        if game.row[place] != NONE:
            cards |= bit(game.row[place])
    return cards


@rule
def stock_can_give(game):
    """Whether a card can be drawn: there is a Stock, or a Market Discard to make one of (R10)."""
    return game.stock_left > 0 or game.discard != 0


@rule
def show(game, seat, card):
    """Everyone sees a card in this hand."""
    if not has(game.known[seat], card):
        game.hidden[seat, game.batch[card]] -= 1
        game.known[seat] |= bit(card)


@rule
def take_from_hand(game, seat, cards):
    """These cards, which everyone has seen, leave the hand."""
    game.hands[seat] &= ~cards
    game.known[seat] &= ~cards
    game.counts[seat] -= count(cards)


@rule
def put_in_hand(game, seat, cards):
    """These cards come into the hand, and everyone sees it (R3)."""
    game.hands[seat] |= cards
    game.known[seat] |= cards
    game.counts[seat] += count(cards)


@rule
def discard_card(game, seat, card):
    """One card goes from the hand to the Market Discard."""
    show(game, seat, card)
    take_from_hand(game, seat, bit(card))
    game.discard |= bit(card)


@rule
def hide_batch(game):
    """The Market Discard goes out of sight as one batch, under a number that no hidden card bears."""
    number = 0
    while hidden_of_batch(game, number) > 0:
        number += 1
    game.stock_batch = number
    for card in range(COMMON_COUNT):
        if has(game.discard, card):
            game.batch[card] = number


@rule
def hidden_of_batch(game, batch):
    """How many cards of a batch the hands hold unseen."""
    cards = 0
    for seat in range(SEATS):
        cards += game.hidden[seat, batch]
    return cards


# --- What follows of itself -----------------------------------------------------------------------------------


@rule
def send_for(game, errand):
    """The turn needs cards: one unseen card, or one for each empty Row place."""
    game.errand = errand
    game.owed[0] = 1 if errand == BLIND else PLACES - count(row_cards(game))
    game.phase = BETWEEN


@rule
def go_on(game):
    """What follows of itself up to the next choice, luck or the end.

    The last Occupation comes first, then those that it interrupted, then the errand that they interrupted.
    """
    while game.phase == BETWEEN:
        if game.pending != 0:  # R2
            game.seat = asked_seat(game)
            game.phase = OCCUPIED
        elif game.owed[game.depth] > 0:
            draw_owed_card(game)
        elif game.depth > 0:
            ask_next_seat(game)
        else:
            end_errand(game)


@rule
def draw_owed_card(game):
    """Turn up the Stock's top card, made of the Market Discard where there is none; without either the draw is lost."""
    if game.stock_left > 0:
        turn_up(game)
    elif game.discard != 0:
        game.seat = CHANCE
        game.phase = RESHUFFLE
    else:
        game.owed[game.depth] = 0


@rule
def turn_up(game):
    """The Stock's top card goes to whoever, or wherever, it was drawn for; an Ace begins an Occupation instead (R10)."""
    game.stock_left -= 1
    card = np.int64(game.stock[game.stock_left])
    if card >= FIRST_ACE:
        game.out |= bit(card)
        game.depth += 1
        game.aces[game.depth] = card
        game.asked[game.depth] = -1
        return
    game.owed[game.depth] -= 1
    if game.depth > 0:
        draw_unseen(game, asked_seat(game), card)
    elif game.errand == BLIND:
        draw_unseen(game, game.active, card)
    else:
        place = 0
        while game.row[place] != NONE:  # R6
            place += 1
        game.row[place] = card


@rule
def draw_unseen(game, seat, card):
    """A card of the Stock comes into the hand; only its seat sees which."""
    game.hands[seat] |= bit(card)
    game.counts[seat] += 1
    game.hidden[seat, game.stock_batch] += 1


@rule
def end_errand(game):
    """The Row is filled: the active player draws, where anything is left. Or the draw is done: it acts."""
    game.seat = game.active
    if game.errand == FILL and (row_cards(game) != 0 or stock_can_give(game)):
        game.phase = DRAWING
    else:
        game.phase = ACTING


# --- Draw -----------------------------------------------------------------------------------------------------


@rule
def legal_draw(view, mask):
    """A card of the Row, or the Stock's top card unseen."""
    for place in range(PLACES):
        if view.row[place] != NONE:
            mask[ROW + view.row[place]] = 1
    if stock_can_give(view):
        mask[STOCK] = 1


@rule
def apply_draw(game, action):
    if action == STOCK:
        send_for(game, BLIND)
        return
    card = action - ROW
    for place in range(PLACES):
        if game.row[place] == card:
            game.row[place] = NONE
    put_in_hand(game, game.seat, bit(card))  # R1
    send_for(game, REFILL)


# --- Act ------------------------------------------------------------------------------------------------------


@rule
def pips(cards):
    """The values of Commons added up."""
    total = 0
    for rank in range(COMMON_COUNT // 4):
        total += (rank + 2) * count(cards & (np.int64(15) << np.int64(4 * rank)))
    return total


@rule
def worth(cards, royal):
    """What Commons count toward a Royal: one more for each of its suit."""
    return pips(cards) + count(of_suit(cards, suit_of(royal)))


@rule
def royal_rank(royal):
    """0, 1, 2 for J, Q, K."""
    return rank_of(royal - FIRST_ROYAL)


@rule
def price(game, seat, royal):
    """What a seat pays for a Royal: to Secure one of its own Court, to Invite or Entice any other."""
    if has(game.courts[seat], royal):
        return SECURE_COST[royal_rank(royal)]
    return INVITE_COST[royal_rank(royal)]


@rule
def owner(game, royal):
    """Whose Court this Royal is in, NONE where it is in none."""
    for seat in range(SEATS):
        if has(game.courts[seat], royal):
            return seat
    return NONE


@rule
def legal_act(view, mask):
    """Invite from the Royal Market, Secure from one's own Court, Entice from another's, where the hand can pay (R5); or pass."""
    seat = view.seat
    hand = view.hands[seat]
    total = pips(hand)
    for royal in range(FIRST_ROYAL, FIRST_ACE):
        if total + count(of_suit(hand, suit_of(royal))) < price(view, seat, royal):
            continue
        court = owner(view, royal)
        if court == seat:
            mask[SECURE + royal - FIRST_ROYAL] = 1
        elif court != NONE:
            mask[ENTICE + royal - FIRST_ROYAL] = 1
        elif has(view.market, royal):
            mask[INVITE + royal - FIRST_ROYAL] = 1
    mask[PASS] = 1


@rule
def apply_act(game, action):
    """A Royal to pay for; where it lies tells whether it is Invited, Secured or Enticed."""
    if action == PASS:
        end_action(game)
        return
    game.target = FIRST_ROYAL + (action - INVITE) % ROYAL_COUNT
    game.offered = 0
    game.phase = PAYING


@rule
def legal_payment(view, mask):
    """Any card that is not offered yet (R4); done once the cost is met."""
    seat = view.seat
    mark(mask, PAY, view.hands[seat] & ~view.offered)
    if worth(view.offered, view.target) >= price(view, seat, view.target):
        mask[DONE] = 1


@rule
def apply_payment(game, action):
    if action == DONE:
        strike_bargain(game)
    else:
        show(game, game.seat, action - PAY)  # R3
        game.offered |= bit(action - PAY)  # R11: still in hand


@rule
def strike_bargain(game):
    """The payment changes hands and the Royal moves; an empty Royal Market or a third Royal Secured ends the round (R8)."""
    seat = game.seat
    royal = bit(game.target)
    court = owner(game, game.target)
    take_from_hand(game, seat, game.offered)
    if court == NONE:  # Invite
        game.discard |= game.offered
        game.market &= ~royal
        game.courts[seat] |= royal
    elif court == seat:  # Secure
        game.discard |= game.offered
        game.courts[seat] &= ~royal
        game.houses[seat] |= royal
        game.upright |= royal
    else:  # Entice
        put_in_hand(game, court, game.offered)
        game.courts[court] &= ~royal
        game.courts[seat] |= royal
    game.target = NONE
    game.offered = 0
    if game.market == 0 or count(game.houses[seat] & game.upright) == ROUND_GOAL:
        end_round(game)
    else:
        end_action(game)


# --- Discard --------------------------------------------------------------------------------------------------


@rule
def end_action(game):
    """The active player discards down to seven, then its turn is over."""
    if game.counts[game.active] > HAND:
        game.phase = DISCARDING
    else:
        end_turn(game)


@rule
def apply_discard(game, action):
    discard_card(game, game.seat, action - DISCARD)
    end_action(game)


# --- Occupation -----------------------------------------------------------------------------------------------


@rule
def asked_seat(game):
    """The seat that the last Occupation has come to."""
    return at_left(game.active, game.asked[game.depth], SEATS)


@rule
def tribute_suit(game):
    """The Tribute Suit of the last Occupation."""
    return suit_of(game.aces[game.depth])


@rule
def tribute_cards(game, seat):
    """The cards in a hand that pay tribute."""
    return of_suit(game.hands[seat], tribute_suit(game))


@rule
def ask_next_seat(game):
    """The Occupation moves on clockwise; after the fourth seat it is over, and what it interrupted goes on."""
    game.asked[game.depth] += 1
    if game.asked[game.depth] == SEATS:
        game.depth -= 1
    else:
        game.pending = game.courts[asked_seat(game)]


@rule
def legal_occupation(view, mask):
    """Protect the Royal asked about with two cards of the Tribute Suit, or yield it."""
    royal = lowest(view.pending) - FIRST_ROYAL
    if count(tribute_cards(view, view.seat)) >= TRIBUTE_CARDS:
        mask[PROTECT + royal] = 1
    mask[YIELD + royal] = 1


@rule
def apply_occupation(game, action):
    if action < YIELD:
        game.tributes_left = TRIBUTE_CARDS
        game.phase = PAYING_TRIBUTE
        return
    royal = bit(FIRST_ROYAL + action - YIELD)
    game.pending &= ~royal
    game.courts[game.seat] &= ~royal
    game.market |= royal
    game.owed[game.depth] += 1
    game.phase = BETWEEN


@rule
def apply_tribute(game, action):
    """One card of the Tribute Suit is discarded; with the last one the Royal is safe."""
    discard_card(game, game.seat, action - TRIBUTE)
    game.tributes_left -= 1
    if game.tributes_left == 0:
        game.pending &= game.pending - 1
        game.phase = BETWEEN


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def mark(mask, first, cards):
    """Mark the action of each of these cards, in a run of actions by card."""
    while cards != 0:
        mask[first + lowest(cards)] = 1
        cards &= cards - 1


@rule
def legal(view, mask):
    """Mark the choices of the seat to move."""
    if view.phase == DRAWING:
        legal_draw(view, mask)
    elif view.phase == ACTING:
        legal_act(view, mask)
    elif view.phase == PAYING:
        legal_payment(view, mask)
    elif view.phase == DISCARDING:
        mark(mask, DISCARD, view.hands[view.seat])
    elif view.phase == OCCUPIED:
        legal_occupation(view, mask)
    else:
        mark(mask, TRIBUTE, tribute_cards(view, view.seat))


@rule
def decide(game, action):
    """One choice, then all that follows of itself."""
    if game.phase == DRAWING:
        apply_draw(game, action)
    elif game.phase == ACTING:
        apply_act(game, action)
    elif game.phase == PAYING:
        apply_payment(game, action)
    elif game.phase == DISCARDING:
        apply_discard(game, action)
    elif game.phase == OCCUPIED:
        apply_occupation(game, action)
    else:
        apply_tribute(game, action)
    go_on(game)


@rule
def housed(game, seat, rank):
    """How many Royals of a rank, 0, 1, 2 for J, Q, K, a House holds."""
    return count(game.houses[seat] & (np.int64(15) << np.int64(FIRST_ROYAL + 4 * rank)))


@rule
def score(game, seat):
    """What the table shows: Housed Royals by rank, and 5 for each in Court."""
    total = COURT_SCORE * count(game.courts[seat])
    for rank in range(3):
        total += HOUSED_SCORE[rank] * housed(game, seat, rank)
    return total


@rule
def scores(game, out):
    for seat in range(SEATS):
        out[seat] = score(game, seat)


@rule
def winners(game, out):
    """The highest score; then most Housed Kings, Queens, Jacks. Who is equal in all has as many Royals, too, and shares."""
    keys = np.empty(SEATS, np.int64)
    for seat in range(SEATS):
        keys[seat] = score(game, seat)
        for rank in (2, 1, 0):
            keys[seat] = 5 * keys[seat] + housed(game, seat, rank)
    mark_highest(keys, SEATS, out)
