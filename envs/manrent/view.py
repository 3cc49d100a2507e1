"""What a seat knows of Manrent: secrets, guesses and features."""

import numpy as np

from handfast.envs.core.cards import STANDARD, SUIT_WORDS, bit, count, has, lowest, mark
from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets, relative
from handfast.envs.core.luck import luck, shuffle
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import of_suit, suit_of
from handfast.envs.manrent.cards import (
    ACE_COUNT,
    ACES,
    BATCHES,
    COMMON_COUNT,
    COMMONS,
    DEAL,
    DRAWING,
    FIRST_ACE,
    FIRST_ROYAL,
    HAND,
    PAYING,
    PAYING_TRIBUTE,
    ROUND_GOAL,
    ROUNDS,
    ROYAL_COUNT,
    SEATS,
)
from handfast.envs.manrent.rules import count_deal, dealt_stock, pips, price, score, worth
from handfast.envs.manrent.soundness import can_pay
from handfast.envs.manrent.soundness import check as check  # where the core asks for it
from handfast.envs.manrent.stock import of_batch, row_cards, shuffle_stock, tribute_cards, tribute_suit

COMMON_NAMES = STANDARD[:COMMON_COUNT]
ROYAL_NAMES = STANDARD[FIRST_ROYAL:FIRST_ACE]
ACE_NAMES = STANDARD[FIRST_ACE:]
RELATIVE = relative(SEATS)
ALWAYS = 100  # percent
MOST = 127
SCORE_UNIT = 5  # divides every score

FEATURES_VERSION = 1  # raised by any change in what the features or actions mean: networks for another are refused
FEATURES = {
    "hand": block(COMMON_NAMES, "Commons in hand, less those offered"),
    "open": block(COMMON_NAMES, "own Commons that everyone knows to be in this hand"),
    "row": block(COMMON_NAMES, "Commons in the Row"),
    "discard": block(COMMON_NAMES, "Commons in the Market Discard"),
    "where": block([f"{place} {card}" for place in (*RELATIVE[1:], "Stock") for card in COMMON_NAMES], "the chance, in percent, that the Common is in that hand or in the Stock; 100: it is known to be", ALWAYS),
    "worth": block(SUIT_WORDS, "what the hand, less what is offered, counts toward a Royal of the suit, at most 127 shown", MOST),
    "cards": block(RELATIVE, "cards in each hand", COMMON_COUNT),
    "market": block(ROYAL_NAMES, "Royals in the Royal Market"),
    "court": block([f"{seat} {royal}" for seat in RELATIVE for royal in ROYAL_NAMES], "Royals in each Court"),
    "house": block([f"{seat} {royal}" for seat in RELATIVE for royal in ROYAL_NAMES], "Royals in each House"),
    "secured": block(RELATIVE, "Royals that the seat Secured this round", ROUND_GOAL),
    "score": block(RELATIVE, "points that the table shows, divided by 5", 48),
    "to move": block(RELATIVE, "who is to move"),
    "phase": block(("draw", "act", "pay", "discard", "occupation", "tribute"), "what is to be decided"),
    "active": block(RELATIVE, "whose turn it is"),
    "first player": block(RELATIVE, "who began the round; the seat to its left begins the next"),
    "round": block(range(1, ROUNDS + 1), "the round; so many Aces take part"),
    "target": block(ROYAL_NAMES, "the Royal that is being paid for"),
    "offered": block(COMMON_NAMES, "Commons offered for it"),
    "cost": block((), "what it costs", 25),
    "paid": block((), "what the cards offered count, at most 127 shown", MOST),
    "tribute suit": block(SUIT_WORDS, "the suit of the Occupation being resolved"),
    "occupation at": block([f"{suit} {seat}" for suit in SUIT_WORDS for seat in RELATIVE], "the seat that each Occupation under way has come to"),
    "compensation": block(SUIT_WORDS, "cards that this seat has still to draw in it", ROYAL_COUNT),
    "asked": block(ROYAL_NAMES, "the Royal to protect or to yield"),
    "pending": block(ROYAL_NAMES, "Royals that it is asked about in this Occupation from now on"),
    "tributes left": block((), "cards to discard for the Royal being protected", 2),
    "interrupted": block(("fill", "draw", "refill"), "what the Occupation interrupted: filling the Row, a blind draw, refilling the Row after a pick"),
    "stock": block((), "cards in the Stock, its Aces included", COMMON_COUNT),
    "aces left": block((), "Aces in the Stock", ACE_COUNT),
    "ace out": block(ACE_NAMES, "Aces met this round"),
    "ace in stock": block(ACE_NAMES, "Aces known to be in the Stock"),
    "turns left": block((), "turns until the game is truncated, at most 127 shown", MOST),
}  # fmt: skip
AT = offsets(FEATURES)

NEXT_CARDS = 4
HIDDEN_FEATURES = {
    "hand": block([f"{seat} {card}" for seat in RELATIVE[1:] for card in COMMON_NAMES], "cards in the other hands"),
    "stock": block([f"{place} {card}" for place in range(1, NEXT_CARDS + 1) for card in (*COMMON_NAMES, *ACE_NAMES)], "the Stock's next four cards"),
}  # fmt: skip
HIDDEN_AT = offsets(HIDDEN_FEATURES)
STOCK_CARDS = COMMON_COUNT + ACE_COUNT

FOR_GUESS = 11  # a purpose of luck

PLAIN_TRIES = 100


@rule
def conceal(view, seat):
    """The table of fields says it all."""


# --- What everyone knows --------------------------------------------------------------------------------------


@rule
def unlocated(game):
    """The Commons that not everyone has located: in a hand or in the Stock."""
    cards = np.int64(COMMONS) & ~(row_cards(game) | game.discard)
    for seat in range(SEATS):
        cards &= ~game.known[seat]
    return cards


@rule
def aces_left(game):
    """How many Aces the Stock holds."""
    return game.round_no - count(game.out)


@rule
def aces_in_stock(game):
    """The Aces that everyone knows to be in the Stock: shown and not drawn since (R12), and in the last round all."""
    return (np.int64(ACES) if game.round_no == ROUNDS else game.shown) & ~game.out


@rule
def can_go_through(game):
    """Whether who is paying can finish: a payment may be begun, and a Royal protected, only with a hand that can (R5)."""
    if game.seat < 0:
        return True
    if game.phase == PAYING and game.target >= FIRST_ROYAL:
        return can_pay(game)
    if game.phase == PAYING_TRIBUTE:
        return count(tribute_cards(game, game.seat)) >= game.tributes_left
    return True


# --- Guesses --------------------------------------------------------------------------------------------------


@rule
def use(game, card):
    """What a card is worth to who is paying."""
    if game.phase == PAYING:
        return worth(bit(card), game.target)
    return np.int64(suit_of(card) == tribute_suit(game))


@rule
def fill_hands(view, seat, cards, attempt):
    """Deal the cards that `seat` has not located to the room that the other hands have for each batch; returns the rest.

    At random; in the last attempt who is paying gets the most useful cards that it could hold.
    """
    order = np.empty(COMMON_COUNT, np.int64)
    n = shuffle(cards, view.seed, FOR_GUESS, attempt, order)
    best_first = attempt == PLAIN_TRIES
    room = np.empty((SEATS, BATCHES), np.int64)
    for other in range(SEATS):
        for batch in range(BATCHES):
            room[other, batch] = 0 if other == seat else view.hidden[other, batch]
        if other != seat:
            view.hands[other] = view.known[other]
    for least in range(11 if best_first else 0, 0, -1):
        for i in range(n):
            batch = view.batch[order[i]]
            if has(cards, order[i]) and room[view.seat, batch] > 0 and use(view, order[i]) >= least:
                view.hands[view.seat] |= bit(order[i])
                room[view.seat, batch] -= 1
                cards &= ~bit(order[i])
    for i in range(n):
        batch = view.batch[order[i]]
        for other in range(SEATS):
            if has(cards, order[i]) and room[other, batch] > 0:
                view.hands[other] |= bit(order[i])
                room[other, batch] -= 1
                cards &= ~bit(order[i])
    return cards


@rule
def fill_stock(view, commons):
    """These Commons and the Aces that are left, some known and the others at random, in random order."""
    aces = aces_in_stock(view)
    order = np.empty(ACE_COUNT, np.int64)
    n = shuffle(np.int64(ACES) & ~view.out & ~aces, view.seed, FOR_GUESS, np.int64(0), order)
    for i in range(min(aces_left(view) - count(aces), n)):
        aces |= bit(order[i])
    if count(commons | aces) == view.stock_left:  # always so in a view of a sound game whose cards are dealt
        shuffle_stock(view, commons | aces, luck(view.seed, FOR_GUESS, np.int64(0), np.int64(COMMON_COUNT)), 1)


@rule
def guess(view, seat, seed):
    """Complete a view to one full game that it could be.

    The Commons that the seat has not located are dealt at random, each to a hand that took so many of its batch
    unseen, or to the Stock: uniform over all games that fit. Where another seat is paying, up to 100 deals are tried
    until it can finish; after that, and not uniformly, it gets the most useful cards that it could hold.
    """
    view.seed = seed
    dealt = view.phase == DEAL and view.hands[seat] != 0  # by luck just now, as nobody has been told yet
    if dealt:
        count_deal(view, HAND, dealt_stock(view))
    cards = unlocated(view) & ~view.hands[seat]
    attempt = np.int64(0)
    rest = fill_hands(view, seat, cards, attempt)
    while attempt < PLAIN_TRIES and not can_go_through(view):
        attempt += 1
        rest = fill_hands(view, seat, cards, attempt)
    fill_stock(view, rest)
    if dealt:
        count_deal(view, 0, 0)


# --- Features -------------------------------------------------------------------------------------------------


@rule
def encode(view, seat, features):
    """Features of what `seat` knows, by the table FEATURES; seats are relative to it."""
    hand = view.hands[seat]
    if view.active == seat:
        hand &= ~view.offered
    mark(features, AT.hand, hand)
    mark(features, AT.open, view.known[seat])
    mark(features, AT.row, row_cards(view))
    mark(features, AT.discard, view.discard)
    encode_places(view, seat, features)
    total = pips(hand)
    for suit in range(4):
        features[AT.worth + suit] = min(total + count(of_suit(hand, suit)), MOST)
    mark(features, AT.market - FIRST_ROYAL, view.market)
    for left in range(SEATS):
        other = at_left(seat, left, SEATS)
        features[AT.cards + left] = view.counts[other]
        mark(features, AT.court + ROYAL_COUNT * left - FIRST_ROYAL, view.courts[other])
        mark(features, AT.house + ROYAL_COUNT * left - FIRST_ROYAL, view.houses[other])
        features[AT.secured + left] = count(view.houses[other] & view.upright)
        features[AT.score + left] = score(view, other) // SCORE_UNIT
    if view.seat >= 0:
        features[AT.to_move + steps_left(seat, view.seat, SEATS)] = 1
        features[AT.phase + view.phase - DRAWING] = 1
    features[AT.active + steps_left(seat, view.active, SEATS)] = 1
    features[AT.first_player + steps_left(seat, view.first_player, SEATS)] = 1
    features[AT.round + view.round_no - 1] = 1
    if view.target != NONE:
        features[AT.target + view.target - FIRST_ROYAL] = 1
        mark(features, AT.offered, view.offered)
        features[AT.cost] = price(view, view.active, view.target)
        features[AT.paid] = min(worth(view.offered, view.target), MOST)
    if view.depth > 0:
        encode_occupations(view, seat, features)
    features[AT.stock] = view.stock_left
    features[AT.aces_left] = aces_left(view)
    mark(features, AT.ace_out - FIRST_ACE, view.out)
    mark(features, AT.ace_in_stock - FIRST_ACE, aces_in_stock(view))
    features[AT.turns_left] = min(view.max_turns - view.turns, MOST)


@rule
def encode_places(view, seat, features):
    """Where the Commons are that lie neither open nor in one's own hand: known places, then chances batch by batch."""
    for left in range(1, SEATS):
        give(features, AT.where + COMMON_COUNT * (left - 1), view.known[at_left(seat, left, SEATS)], ALWAYS)
    cards = unlocated(view) & ~view.hands[seat]
    while cards != 0:
        batch = np.int64(view.batch[lowest(cards)])
        together = of_batch(view, cards, batch)
        n = count(together)
        in_hands = 0
        for left in range(1, SEATS):
            held = np.int64(view.hidden[at_left(seat, left, SEATS), batch])
            in_hands += held
            give(features, AT.where + COMMON_COUNT * (left - 1), together, ALWAYS * held // n)
        give(features, AT.where + COMMON_COUNT * (SEATS - 1), together, ALWAYS * (n - in_hands) // n)
        cards &= ~together


@rule
def give(features, first, cards, value):
    """Set the feature of each of these cards, in a run of features by card."""
    while cards != 0:
        features[first + lowest(cards)] = value
        cards &= cards - 1


@rule
def encode_occupations(view, seat, features):
    """Each Occupation under way, what the last one asks, and what the first one interrupted."""
    for level in range(1, view.depth + 1):
        suit = suit_of(view.aces[level])
        other = at_left(view.active, view.asked[level], SEATS)
        features[AT.occupation_at + SEATS * suit + steps_left(seat, other, SEATS)] = 1
        features[AT.compensation + suit] = view.owed[level]
    features[AT.tribute_suit + tribute_suit(view)] = 1
    if view.pending != 0:
        features[AT.asked + lowest(view.pending) - FIRST_ROYAL] = 1
    mark(features, AT.pending - FIRST_ROYAL, view.pending)
    if view.phase == PAYING_TRIBUTE:
        features[AT.tributes_left] = view.tributes_left
    features[AT.interrupted + view.errand] = 1


@rule
def encode_hidden(game, seat, features):
    """The other hands, in the order in which they sit to the left of `seat`, and the Stock's next cards."""
    for left in range(1, SEATS):
        mark(features, HIDDEN_AT.hand + COMMON_COUNT * (left - 1), game.hands[at_left(seat, left, SEATS)])
    for i in range(min(NEXT_CARDS, game.stock_left)):
        card = np.int64(game.stock[game.stock_left - 1 - i])
        label = card if card < COMMON_COUNT else card - FIRST_ACE + COMMON_COUNT
        features[HIDDEN_AT.stock + STOCK_CARDS * i + label] = 1
