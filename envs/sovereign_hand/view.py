"""What a seat knows of The Sovereign Hand: secrets, guesses and features."""

import numpy as np

from handfast.envs.core.cards import RANKS, bit, count, deck, has, lowest, mark
from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets, relative
from handfast.envs.core.guessing import fill_places
from handfast.envs.core.luck import luck, shuffle
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import of_suit, rank_of, suit_of
from handfast.envs.sovereign_hand.rules import (
    CARDS,
    CLAIM,
    DEAL,
    DECK,
    HOUSE,
    HOUSES,
    MOST_SEALS,
    MOST_TRICKS,
    PLAYER_COUNTS,
    ROUNDS,
    SEATS,
    TO_ACE,
    TRICK,
    claimed,
    count_hands,
    count_houses,
    hand_size,
    strongest,
    tricks_left,
)
from handfast.envs.sovereign_hand.soundness import check as check  # where the core asks for it

RELATIVE = relative(SEATS)

FEATURES_VERSION = 1  # raised by any change in what the features or actions mean: networks for another are refused
FEATURES = {
    "hand": block(deck(CARDS), "cards in hand"),
    "house": block(deck(CARDS), "cards in the own House"),
    "hidden": block(deck(CARDS), "cards that may be in another hand, in another House, or undealt"),
    "housed": block(deck(CARDS), "cards that may be in another House, after all that was ever seen of them"),
    "players": block(PLAYER_COUNTS, "how many players"),
    "present": block(RELATIVE, "whether the seat takes part"),
    "to move": block(RELATIVE, "who is to move"),
    "phase": block(("claim", "trick", "debt", "clearing"), "what is to be decided"),
    "round": block(range(1, ROUNDS + 1), "the round"),
    "dealer": block(RELATIVE, "who deals"),
    "sovereign": block("HSDC", "the Sovereign suit"),
    "tricks left": block((), "tricks of this round that nobody has taken yet", MOST_TRICKS),
    "claimed": block(RELATIVE, "who has claimed"),
    "claim": block(RELATIVE, "tricks claimed", MOST_TRICKS),
    "total": block((), "the total of all claims", SEATS * MOST_TRICKS),
    "taken": block(RELATIVE, "tricks taken this round", MOST_TRICKS),
    "needs": block([f"{seat} {tricks}" for seat in RELATIVE for tricks in ("fewer", *range(MOST_TRICKS + 1))], "tricks that a seat still needs for its claim"),
    "cards": block(RELATIVE, "cards in each hand", MOST_TRICKS),
    "house cards": block(RELATIVE, "cards in each House", HOUSE),
    "called": block(RELATIVE, "who called on its House this round"),
    "void": block([f"{seat} {suit}" for seat in RELATIVE for suit in "HSDC"], "the hand was seen this round not to hold the suit"),
    "leader": block(RELATIVE, "who leads, or led, the trick"),
    "led": block("HSDC", "the suit led"),
    "trick": block([f"{seat} {card}" for seat in RELATIVE for card in deck(CARDS)], "the card of each seat in the trick"),
    "winning": block(RELATIVE, "who takes the trick as it lies"),
    "takes": block(deck(CARDS), "cards of the own hand and House that would take the trick as it lies"),
    "highest": block(deck(CARDS), "cards of the own hand and House above all hidden ones of their suit"),
    "sovereign hand": block(RANKS, "Sovereign cards in hand"),
    "sovereign house": block(RANKS, "Sovereign cards in the own House"),
    "sovereign hidden": block(RANKS, "Sovereign cards among the hidden"),
    "seals": block(RELATIVE, "Seals", MOST_SEALS),
    "marks": block(RELATIVE, "Marks", ROUNDS),
    "owing": block(RELATIVE, "who owes a Debt"),
}  # fmt: skip
AT = offsets(FEATURES)

HIDDEN_FEATURES = {
    "hand": block([f"{seat} {card}" for seat in RELATIVE[1:] for card in deck(CARDS)], "cards in the other hands"),
    "house": block([f"{seat} {card}" for seat in RELATIVE[1:] for card in deck(CARDS)], "cards in the other Houses"),
}
HIDDEN_AT = offsets(HIDDEN_FEATURES)

# Purposes of luck in a guess; hands of each round have one of their own, from FOR_HANDS on.
FOR_SUITS, FOR_HOUSES, FOR_OWNERS, FOR_HANDS = np.int64(11), np.int64(12), np.int64(13), np.int64(20)

SUIT_GROUPS = 16  # every set of suits, a bit a suit

# How many ways there are to choose k cards of n, [n, k].
WAYS = np.zeros((14, 14), np.float64)
WAYS[:, 0] = 1
for _n in range(1, 14):
    WAYS[_n, 1:] = WAYS[_n - 1, 1:] + WAYS[_n - 1, :-1]


@rule
def conceal(view, seat):
    """The table of fields says it all."""


# --- Guesses --------------------------------------------------------------------------------------------------


@rule
def hidden_cards(view, seat, past):
    """The cards of a round that this seat has not located: in other hands, in other Houses, or undealt."""
    return np.int64(DECK) & ~(view.seen[past] | view.hands[seat, past] | view.houses[seat])


@rule
def perhaps_housed(view, seat):
    """The cards that may be in another House: those that this seat has located in no round, since a card never comes there again."""
    located = view.houses[seat]
    for past in range(view.round_no):
        located |= view.seen[past] | view.hands[seat, past]
    return np.int64(DECK) & ~located


@rule
def of_suits(cards, suits):
    """The cards of some suits, a bit a suit, in a set."""
    chosen = np.int64(0)
    for suit in range(4):
        if suits >> suit & 1:
            chosen |= of_suit(cards, suit)
    return chosen


@rule
def limit_houses(view, seat, limits):
    """How many cards of each group of suits the other Houses may hold, so that the other hands of every round can be filled.

    A hand that was seen void holds cards of the other suits alone. So by Hall's condition a round leaves to the
    Houses, of every group of suits, as many hidden cards as are not needed by the hands that hold nothing else.
    """
    for suits in range(SUIT_GROUPS):
        limits[suits] = CARDS
        for past in range(view.round_no):
            left = count(of_suits(hidden_cards(view, seat, past), suits))
            for other in range(view.players):
                if other != seat and view.voids[past, other] | suits == SUIT_GROUPS - 1:
                    left -= view.counts[past, other]
            limits[suits] = min(limits[suits], left)


@rule
def is_within(held, total, limits):
    """Whether these numbers of cards of each suit, `total` in all, keep to the limits of every group of suits."""
    for suits in range(SUIT_GROUPS):
        if limits[suits] < total:
            cards = 0
            for suit in range(4):
                if suits >> suit & 1:
                    cards += held[suit]
            if cards > limits[suits]:
                return False
    return True


@rule
def draw_suits(cards, total, limits, key, drawn):
    """Draw how many of `total` House cards are of each suit, each way as likely as there are such choices among `cards`."""
    most = np.empty(4, np.int64)
    for suit in range(4):
        most[suit] = count(of_suit(cards, suit))
    held = np.empty(4, np.int64)
    weight = 0.0
    for hearts in range(min(most[0], total) + 1):
        for spades in range(min(most[1], total - hearts) + 1):
            for diamonds in range(min(most[2], total - hearts - spades) + 1):
                held[0], held[1], held[2] = hearts, spades, diamonds
                held[3] = total - hearts - spades - diamonds
                if held[3] <= most[3] and is_within(held, total, limits):
                    ways = 1.0
                    for suit in range(4):
                        ways *= WAYS[most[suit], held[suit]]
                    weight += ways
                    number = luck(key, FOR_SUITS, 16 * hearts + spades, diamonds)
                    if (number >> np.uint64(11)) * 2.0**-53 * weight < ways:
                        for suit in range(4):
                            drawn[suit] = held[suit]


@rule
def fill_houses(view, seat, key):
    """Give the other Houses cards that may be there; returns them all.

    First how many of each suit, then which, then whose: so every set of cards that leaves enough for the hands of
    all rounds is as likely.
    """
    cards, total = perhaps_housed(view, seat), np.int64(0)
    for other in range(view.players):
        if other != seat:
            total += view.house_counts[other]
    limits, wanted = np.empty(SUIT_GROUPS, np.int64), np.zeros(4, np.int64)
    limit_houses(view, seat, limits)
    draw_suits(cards, total, limits, key, wanted)
    order = np.empty(CARDS, np.int64)
    n = shuffle(cards, key, FOR_HOUSES, view.round_no, order)
    housed = np.int64(0)
    for i in range(n):
        if wanted[suit_of(order[i])] > 0:
            wanted[suit_of(order[i])] -= 1
            housed |= bit(order[i])
    n = shuffle(housed, key, FOR_OWNERS, view.round_no, order)
    at = 0
    for other in range(view.players):
        if other != seat:
            view.houses[other] = 0
            for _ in range(view.house_counts[other]):
                if at < n:  # a view of no sound game may have too few
                    view.houses[other] |= bit(order[at])
                    at += 1
    return housed


@rule
def fill_hands(view, seat, past, cards, key):
    """Deal the hidden cards of a round to the other hands; what the seat's own place gets was not dealt."""
    room = np.zeros(SEATS, np.int64)[: view.players]
    allowed = np.empty(SEATS, np.int64)[: view.players]
    hands = np.zeros(SEATS, np.int64)[: view.players]
    room[seat] = count(cards)
    for other in range(view.players):
        allowed[other] = cards
        if other != seat:
            allowed[other] = of_suits(cards, 15 - np.int64(view.voids[past, other]))
            room[other] = view.counts[past, other]
            room[seat] -= room[other]
    if 0 <= room[seat] < count(cards):  # below 0 only in a view of no sound game
        fill_places(cards, room, allowed, key, FOR_HANDS + past, hands)
    for other in range(view.players):
        if other != seat:
            view.hands[other, past] = hands[other]


@rule
def guess(view, seat, seed):
    """Complete a view to one full game that it could be: the other Houses, then the other hands, the spare cards of earlier rounds too.

    Every set of cards that the Houses could hold is as likely, then the hands are dealt at random as far as the suits
    shown void allow. Every game that fits has a chance; where nothing was shown void, all have the same.
    """
    view.seed = seed
    filled = view.phase == HOUSES and view.houses[seat] != 0  # by luck just now, as nobody has been told yet
    dealt = view.phase == DEAL and view.round_no > 0 and view.hands[seat, view.round_no - 1] != 0
    if filled:
        count_houses(view, HOUSE)
    if dealt:
        count_hands(view, hand_size(view), bit(view.sign))
    housed = fill_houses(view, seat, seed)
    for past in range(view.round_no):
        fill_hands(view, seat, past, hidden_cards(view, seat, past) & ~housed, seed)
    if filled:
        count_houses(view, 0)
    if dealt:
        count_hands(view, 0, np.int64(0))


# --- Features -------------------------------------------------------------------------------------------------


@rule
def takers(view, cards):
    """Those of some cards that would take the trick as it lies."""
    best = np.int64(view.trick[strongest(view)])
    suit, sovereign = suit_of(best), suit_of(view.sign)
    laid = np.int64(0)
    for seat in range(view.players):
        if view.trick[seat] != NONE:
            laid |= bit(view.trick[seat])
    two, ace = np.int64(suit), np.int64(suit + TO_ACE)
    higher = np.int64(0)
    if not (best == two and has(laid, ace)):  # nothing of its suit is above a Usurper
        higher = of_suit(cards, suit) & ~((np.int64(2) << best) - np.int64(1))
    if has(laid, two):
        higher &= ~bit(ace)  # that would make the 2 a Usurper
    if best == ace:
        higher |= cards & bit(two)
    return higher if suit == sovereign else higher | of_suit(cards, sovereign)


@rule
def above_all(cards, others):
    """Those of some cards above which there is none of their suit among the others."""
    below = others
    for ranks in (1, 2, 4, 8):  # and so all ranks below each of the others
        below |= below >> (4 * ranks)
    return cards & ~below


@rule
def mark_ranks(features, first, cards):
    """Set to 1 the place of the rank of each card of a set."""
    while cards != 0:
        features[first + rank_of(lowest(cards))] = 1
        cards &= cards - np.int64(1)


@rule
def encode(view, seat, features):
    """Features of what `seat` knows, by the table FEATURES; seats are relative to it."""
    now = view.round_no - 1
    mark(features, AT.hand, view.hands[seat, now])
    mark(features, AT.house, view.houses[seat])
    own, hidden = view.hands[seat, now] | view.houses[seat], hidden_cards(view, seat, now)
    mark(features, AT.hidden, hidden)
    mark(features, AT.highest, above_all(own, hidden))
    sovereign = suit_of(view.sign)
    mark_ranks(features, AT.sovereign_hand, of_suit(view.hands[seat, now], sovereign))
    mark_ranks(features, AT.sovereign_house, of_suit(view.houses[seat], sovereign))
    mark_ranks(features, AT.sovereign_hidden, of_suit(hidden, sovereign))
    mark(features, AT.housed, perhaps_housed(view, seat))
    features[AT.players + view.players - PLAYER_COUNTS[0]] = 1
    if view.seat >= 0:
        features[AT.to_move + steps_left(seat, view.seat, view.players)] = 1
        features[AT.phase + view.phase - CLAIM] = 1
    features[AT.round + now] = 1
    features[AT.dealer + steps_left(seat, view.dealer, view.players)] = 1
    features[AT.sovereign + sovereign] = 1
    features[AT.tricks_left] = tricks_left(view)
    features[AT.total] = claimed(view)
    if view.phase == TRICK:
        features[AT.leader + steps_left(seat, view.leader, view.players)] = 1
    if view.led != NONE:
        features[AT.led + view.led] = 1
        features[AT.winning + steps_left(seat, strongest(view), view.players)] = 1
        if view.trick[seat] == NONE:
            mark(features, AT.takes, takers(view, own))
    for left in range(view.players):
        encode_seat(view, at_left(seat, left, view.players), left, features)


@rule
def encode_seat(view, other, left, features):
    """What everyone knows of a seat `left` of the one that looks."""
    now = view.round_no - 1
    features[AT.present + left] = 1
    if view.claims[other] != NONE:
        features[AT.claimed + left] = 1
        features[AT.claim + left] = view.claims[other]
        needs = view.claims[other] - view.taken[other]
        features[AT.needs + left * (MOST_TRICKS + 2) + max(needs, -1) + 1] = 1
    features[AT.taken + left] = view.taken[other]
    features[AT.cards + left] = view.counts[now, other]
    features[AT.house_cards + left] = view.house_counts[other]
    features[AT.called + left] = view.called >> other & 1
    for suit in range(4):
        features[AT.void + 4 * left + suit] = view.voids[now, other] >> suit & 1
    if view.trick[other] != NONE:
        features[AT.trick + CARDS * left + view.trick[other]] = 1
    features[AT.seals + left] = view.seals[other]
    features[AT.marks + left] = view.marks[other]
    features[AT.owing + left] = view.owing >> other & 1


@rule
def encode_hidden(game, seat, features):
    """The other hands and Houses, in the order in which they sit to the left of `seat`."""
    for left in range(1, game.players):
        other = at_left(seat, left, game.players)
        mark(features, HIDDEN_AT.hand + (left - 1) * CARDS, game.hands[other, game.round_no - 1])
        mark(features, HIDDEN_AT.house + (left - 1) * CARDS, game.houses[other])
