"""The Sovereign Hand. Trick-taking with exact claims, 3-5 players, up to ten rounds, the highest score or the crown wins.

Source: the published draft rules v0.1. Where they leave a point open, these rulings hold:
R1  the duty to follow suit is judged by the hand alone: a House card may be called where it would be legal in the
    hand; the spare hand card after a call stays in the hand, and counts, until the round ends
R2  spent House cards, called or discarded, go back into the deck at the next shuffle; Houses are never refilled
R3  a claim is bold from 4 on, with 8 cards and with 7
R4  the dealer's bar matters only where the barred number lies between 0 and the hand size
R5  Marks are cleared after all Debts, clockwise from the dealer's left; a seat may clear several, a House card each
R6  Seals and Marks have no supply limit; each Mark costs 2 Seals at the end of the tenth round, once
R7  the scores are Seals - 2 x Marks; at a crowning the crowned win whatever the scores say
R8  "fewer Seals than you" is judged when that Debt is settled; the only way to pay is still presented
R9  the crown is tested before the count of rounds: a crown in round ten is a crown
R10 the spare hand card is discarded face down (ours: the published rules do not say)
"""

import numpy as np

from handfast.envs.core.cards import bit, has, mark
from handfast.envs.core.compiling import rule
from handfast.envs.core.dealing import deal_hands
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
    NONE,
    Field,
    Option,
    table,
)
from handfast.envs.core.tricks import answers, of_suit, strength, suit_of

SEATS = 5
PLAYER_COUNTS = (3, 4, 5)
SCORE_SIGN = 1
ROUNDS = 10
CARDS = 52
DECK = (1 << CARDS) - 1
HOUSE = 3  # cards in a House at first
MOST_TRICKS = 8  # with five players 7
BOLD = 4
CROWN = 5  # Seals
MARK = 2  # Seals that a Mark costs in the end
MOST_SEALS = 2 * ROUNDS
EVERY_SEAT = (1 << SEATS) - 1  # a bit a seat

# The 2 and the Ace of a suit: the 2 is a Usurper beside its Ace, then above it.
TWOS = 15
TO_ACE = 48
ABOVE_ACE = 52

# Phases: the first three are luck.
DEALER, HOUSES, DEAL, CLAIM, TRICK, DEBT, CLEARING = 0, 1, 2, 3, 4, 5, 6

# Purposes of luck. NumPy numbers, since the rules of luck are compiled anew for every plain number that they are called with.
FOR_DEALER, FOR_HOUSES, FOR_DEAL = np.int64(1), np.int64(2), np.int64(3)

OPTIONS: dict[str, Option] = {}

# Actions.
CLAIMS = 0  # the number of tricks
PLAY = CLAIMS + MOST_TRICKS + 1  # a hand card
CALL = PLAY + CARDS  # a House card
ANSWER = CALL + CARDS  # the House card that pays
SACRIFICE = ANSWER + CARDS  # the seat 1, 2, … to the debtor's left
CLEAR = SACRIFICE + SEATS - 1  # the House card that clears a Mark
KEEP = CLEAR + CARDS
ACTIONS = KEEP + 1

TABLE = table(
    SEATS,
    OPTIONS,
    Field("round_no", "i4", (), EVERYONE, "the round, from 1", 1, ROUNDS),
    Field("dealer", "i4", (), EVERYONE, "who deals this round, and claims last", 0, SEATS - 1),
    Field("sign", "i4", (), EVERYONE, "the card turned up: its suit is Sovereign", 0, CARDS - 1),
    Field("houses", "i8", (SEATS,), ITS_SEAT, "the cards in each House", 0, DECK),
    Field("house_counts", "i4", (SEATS,), EVERYONE, "how many cards each House holds", 0, HOUSE),
    Field("hands", "i8", (SEATS, ROUNDS), ITS_SEAT, "the cards in hand; of earlier rounds the spare card", 0, DECK),
    Field(
        "counts", "u1", (ROUNDS, SEATS), EVERYONE, "how many cards each hand holds, by round likewise", 0, MOST_TRICKS
    ),
    Field(
        "voids",
        "u1",
        (ROUNDS, SEATS),
        EVERYONE,
        "suits that each hand was seen not to hold, a bit a suit, by round",
        0,
        15,
    ),
    Field("seen", "i8", (ROUNDS,), EVERYONE, "cards that all know to have been left in no hand, by round", 0, DECK),
    Field("claims", "i4", (SEATS,), EVERYONE, "the claim of each seat, NONE before it is made", NONE, MOST_TRICKS),
    Field("taken", "i4", (SEATS,), EVERYONE, "tricks taken this round", 0, MOST_TRICKS),
    Field("called", "i4", (), EVERYONE, "who called on its House this round, a bit a seat", 0, EVERY_SEAT),
    Field("leader", "i4", (), EVERYONE, "who leads, or led, the trick", 0, SEATS - 1),
    Field("led", "i4", (), EVERYONE, "the suit led, NONE before the lead", NONE, 3),
    Field(
        "trick", "i4", (SEATS,), EVERYONE, "the card of each seat in the trick, NONE before it plays", NONE, CARDS - 1
    ),
    Field("seals", "i4", (SEATS,), EVERYONE, "Seals", 0, MOST_SEALS),
    Field("marks", "i4", (SEATS,), EVERYONE, "Marks", 0, ROUNDS),
    Field("owing", "i4", (), EVERYONE, "who owes a Debt, a bit a seat", 0, EVERY_SEAT),
    Field("clearing", "i4", (), EVERYONE, "who may still clear Marks at this Reckoning, a bit a seat", 0, EVERY_SEAT),
    phases=CLEARING + 1,
)


# --- Setup and deal -------------------------------------------------------------------------------------------


@rule
def deal(game, seed):
    """Begin a game on a record of zeroes: luck decides who deals first, what the Houses hold, and the first hands."""
    game.seed = seed
    game.ended = GOING_ON
    game.round_no = 1
    clear_table(game)
    game.seat = CHANCE
    game.phase = DEALER


@rule
def roll(game):
    """Fill in what luck decides in this phase, and nothing else."""
    if game.phase == DEALER:
        game.dealer = below(luck(game.seed, FOR_DEALER, game.round_no, np.int64(0)), game.players)
        return
    order = np.empty(CARDS, np.int64)
    if game.phase == HOUSES:
        shuffle(np.int64(DECK), game.seed, FOR_HOUSES, game.round_no, order)
        deal_hands(order, HOUSE, game.players, game.houses)
    else:
        shuffle(outside_houses(game), game.seed, FOR_DEAL, game.round_no, order)
        dealt = deal_hands(order, hand_size(game), game.players, game.hands[:, game.round_no - 1])
        game.sign = order[dealt]


@rule
def outside_houses(game):
    """The deck of a round: every card that is not in a House (R2)."""
    cards = np.int64(DECK)
    for seat in range(game.players):
        cards &= ~game.houses[seat]
    return cards


@rule
def hand_size(game):
    """Cards dealt to each hand, and tricks in a round."""
    return MOST_TRICKS - 1 if game.players == SEATS else MOST_TRICKS


@rule
def after_chance(game):
    """Go on after luck: from the dealer to the Houses, from them to the deal, from the deal to the claims."""
    if game.phase == DEALER:
        game.phase = HOUSES
    elif game.phase == HOUSES:
        count_houses(game, HOUSE)
        game.phase = DEAL
    else:
        count_hands(game, hand_size(game), bit(game.sign))
        game.leader = at_left(game.dealer, 1, game.players)
        game.seat = game.leader
        game.phase = CLAIM


@rule
def count_houses(game, each):
    """Everyone knows of so many cards in each House."""
    for seat in range(game.players):
        game.house_counts[seat] = each


@rule
def count_hands(game, each, seen):
    """Everyone knows of so many cards in each hand of the round, and sees these."""
    for seat in range(game.players):
        game.counts[game.round_no - 1, seat] = each
    game.seen[game.round_no - 1] = seen


@rule
def clear_table(game):
    """No claims, no tricks taken, no House called."""
    for seat in range(SEATS):
        game.claims[seat] = NONE
        game.taken[seat] = 0
    game.called = 0
    clear_trick(game)


@rule
def clear_trick(game):
    game.led = NONE
    for seat in range(SEATS):
        game.trick[seat] = NONE


# --- Claims ---------------------------------------------------------------------------------------------------


@rule
def claimed(game):
    """The total of the claims so far."""
    total = 0
    for seat in range(game.players):
        if game.claims[seat] != NONE:
            total += game.claims[seat]
    return total


@rule
def legal_claim(view, mask):
    """Any number of tricks; the dealer may not make the total equal the hand size (R4)."""
    for tricks in range(hand_size(view) + 1):
        mask[CLAIMS + tricks] = 1
    barred = hand_size(view) - claimed(view)
    if view.seat == view.dealer and barred >= 0:
        mask[CLAIMS + barred] = 0


@rule
def apply_claim(game, action):
    """From the dealer's left round to the dealer; then the dealer's left leads."""
    game.claims[game.seat] = action - CLAIMS
    if game.seat == game.dealer:
        game.phase = TRICK
    game.seat = at_left(game.seat, 1, game.players)


# --- Tricks ---------------------------------------------------------------------------------------------------


@rule
def callable_cards(house, hand, led):
    """The cards of a House that would be legal if they were in the hand (R1)."""
    return of_suit(house, led) if led != NONE and of_suit(hand, led) != 0 else house


@rule
def legal_trick(view, mask):
    """A card of the suit led if the hand holds one, else any; once a round a House card in its place."""
    hand = view.hands[view.seat, view.round_no - 1]
    playable = hand if view.led == NONE else answers(hand, view.led)
    house = np.int64(0)
    if not view.called >> view.seat & 1:
        house = callable_cards(view.houses[view.seat], hand, view.led)
    mark(mask, PLAY, playable)
    mark(mask, CALL, house)


@rule
def apply_trick(game, action):
    """A card from the hand or the House; after the last seat's the trick is taken."""
    seat, now = game.seat, game.round_no - 1
    if action < CALL:
        card = action - PLAY
        game.hands[seat, now] &= ~bit(card)
        game.counts[now, seat] -= 1
        game.seen[now] |= bit(card)
    else:
        card = action - CALL
        game.called |= 1 << seat
        spend(game, seat, card)
    game.trick[seat] = card
    if game.led == NONE:
        game.led = suit_of(card)
    elif suit_of(card) != game.led:  # R1: only a hand without the suit may answer so
        game.voids[now, seat] |= 1 << game.led
    game.seat = at_left(seat, 1, game.players)
    if game.seat == game.leader:
        take_trick(game)


@rule
def spend(game, seat, card):
    """A House card is spent. It was in no hand before, and will be in no House again (R2)."""
    game.houses[seat] &= ~bit(card)
    game.house_counts[seat] -= 1
    for past in range(game.round_no):
        game.seen[past] |= bit(card)


@rule
def strongest(game):
    """Who takes the trick as it lies, NONE before the lead: the highest Sovereign card, else the highest of the suit led."""
    laid = np.int64(0)
    for seat in range(game.players):
        if game.trick[seat] != NONE:
            laid |= bit(game.trick[seat])
    best, taker = -1, NONE
    for seat in range(game.players):
        card = game.trick[seat]
        if card != NONE:
            if has(np.int64(TWOS), card) and has(laid, card + TO_ACE):  # the Usurper: above every card of its suit
                card += ABOVE_ACE
            power = strength(card, game.led, suit_of(game.sign))
            if power > best:
                best, taker = power, seat
    return taker


@rule
def tricks_left(game):
    """Tricks of the round that nobody has taken yet."""
    left = hand_size(game)
    for seat in range(game.players):
        left -= game.taken[seat]
    return left


@rule
def take_trick(game):
    """The winner leads the next trick; after the last comes the Reckoning."""
    game.leader = strongest(game)
    game.taken[game.leader] += 1
    game.seat = game.leader
    clear_trick(game)
    if tricks_left(game) == 0:
        begin_reckoning(game)


# --- The Reckoning --------------------------------------------------------------------------------------------


@rule
def begin_reckoning(game):
    """An exact claim takes a Seal, a bold one two (R3); whoever missed its claim owes a Debt."""
    for seat in range(game.players):
        if game.taken[seat] == game.claims[seat]:
            game.seals[seat] += 2 if game.claims[seat] >= BOLD else 1
        else:
            game.owing |= 1 << seat
        game.clearing |= 1 << seat
    go_on_reckoning(game)


@rule
def go_on_reckoning(game):
    """All Debts, then the clearing of Marks (R5), each clockwise from the dealer's left, then the crown; up to the next choice."""
    for left in range(1, game.players + 1):
        seat = at_left(game.dealer, left, game.players)
        if game.owing >> seat & 1:
            if can_pay(game, seat):
                game.seat = seat
                game.phase = DEBT
                return
            bleed(game, seat)
    for left in range(1, game.players + 1):
        seat = at_left(game.dealer, left, game.players)
        if may_clear(game, seat):
            game.seat = seat
            game.phase = CLEARING
            return
    game.clearing = 0
    end_round(game)


@rule
def may_clear(game, seat):
    """Whether a seat may still clear Marks at this Reckoning, and has a Mark and a House card for it."""
    return game.clearing >> seat & 1 and game.marks[seat] > 0 and game.house_counts[seat] > 0


@rule
def can_be_made_to_pay(game, debtor, seat):
    """Whether a debtor may sacrifice a seat: one with a Seal, and fewer than the debtor has now (R8)."""
    return 0 < game.seals[seat] < game.seals[debtor]


@rule
def can_pay(game, seat):
    """Whether a debtor has a House card, or someone to sacrifice."""
    possible = game.house_counts[seat] > 0
    for other in range(game.players):
        possible |= can_be_made_to_pay(game, seat, other)
    return possible


@rule
def bleed(game, seat):
    """Nothing else is possible: the debtor loses a Seal of its own, or is forgiven where it has none."""
    game.owing &= ~(1 << seat)
    if game.seals[seat] > 0:
        game.seals[seat] -= 1


@rule
def legal_debt(view, mask):
    """Discard a House card, or sacrifice a seat (R8: also where there is but one way)."""
    mark(mask, ANSWER, view.houses[view.seat])
    for left in range(1, view.players):
        if can_be_made_to_pay(view, view.seat, at_left(view.seat, left, view.players)):
            mask[SACRIFICE + left - 1] = 1


@rule
def apply_debt(game, action):
    """The House answers, or another seat loses a Seal and the debtor takes a Mark."""
    seat = game.seat
    game.owing &= ~(1 << seat)
    if action < SACRIFICE:
        spend(game, seat, action - ANSWER)
    else:
        game.seals[at_left(seat, action - SACRIFICE + 1, game.players)] -= 1
        game.marks[seat] += 1
    go_on_reckoning(game)


@rule
def legal_clearing(view, mask):
    """Discard a House card to clear a Mark, or keep the Marks that are left."""
    mark(mask, CLEAR, view.houses[view.seat])
    mask[KEEP] = 1


@rule
def apply_clearing(game, action):
    """A Mark goes, or its bearer is asked no more at this Reckoning (R5)."""
    if action == KEEP:
        game.clearing &= ~(1 << game.seat)
    else:
        game.marks[game.seat] -= 1
        spend(game, game.seat, action - CLEAR)
    go_on_reckoning(game)


@rule
def is_crowned(game, seat):
    """Five Seals and no Mark: the crown, if this is the end of a Reckoning."""
    return game.seals[seat] >= CROWN and game.marks[seat] == 0


@rule
def end_round(game):
    """A crown ends the game, and so does the tenth round (R9); else the deal passes left."""
    crowned = False
    for seat in range(game.players):
        crowned |= is_crowned(game, seat)
    if crowned or game.round_no == ROUNDS:
        game.ended = ENDED
        game.seat = FINISHED
    else:
        game.round_no += 1
        game.dealer = at_left(game.dealer, 1, game.players)
        clear_table(game)
        game.seat = CHANCE
        game.phase = DEAL


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def legal(view, mask):
    """Mark the choices of the seat to move."""
    if view.phase == CLAIM:
        legal_claim(view, mask)
    elif view.phase == TRICK:
        legal_trick(view, mask)
    elif view.phase == DEBT:
        legal_debt(view, mask)
    else:
        legal_clearing(view, mask)


@rule
def decide(game, action):
    """One choice, then all that follows of itself."""
    if game.phase == CLAIM:
        apply_claim(game, action)
    elif game.phase == TRICK:
        apply_trick(game, action)
    elif game.phase == DEBT:
        apply_debt(game, action)
    else:
        apply_clearing(game, action)


@rule
def score(game, seat):
    """Seals, less two for each Mark (R6)."""
    return game.seals[seat] - MARK * game.marks[seat]


@rule
def scores(game, out):
    """Seals less two for each Mark, at any time (R7)."""
    for seat in range(game.players):
        out[seat] = score(game, seat)


@rule
def winners(game, out):
    """The crowned before all others (R7), then the highest score, then the most House cards; those still tied share."""
    keys = np.empty(SEATS, np.int64)
    for seat in range(game.players):
        crowned = 1 if is_crowned(game, seat) else 0
        keys[seat] = 10_000 * crowned + 10 * score(game, seat) + game.house_counts[seat]
    mark_highest(keys, game.players, out)
