"""What the expert of The Justiciar reckons: what the other hands are likely to hold, and the plan of its own.

The plan is the cheapest partition of the hand into sets and runs: the price of each is how hard it is to get rid of,
less what it is worth for winning the lead. Its weights were tuned together with those of the play.
"""

from typing import NamedTuple

import numpy as np

from handfast.envs.core.cards import count
from handfast.envs.core.compiling import rule
from handfast.envs.core.seats import at_left
from handfast.envs.justiciar.rules import RANK_COUNT, SEATS, cards_of_rank
from handfast.envs.justiciar.view import hidden_cards

# The price of a set by its size, of a run, and what makes them cheaper: rank, length and control of the table.
SET_PRICE = (0.0, 2.29, 2.53, 2.4, 0.64)
SET_RANK_DISCOUNT = (0.0, 0.49, 0.0, 0.31, 0.0)  # for a set of Kings
RUN_PRICE = 1.88
RUN_RANK_DISCOUNT = 0.36  # for a run up to the King
RUN_LENGTH_DISCOUNT = 1.33  # for each card beyond three
CONTROL_DISCOUNT = 2.98  # for what nobody can beat
BEATEN = 2.22  # how surely a better play in another hand is made

KING = RANK_COUNT - 1
SHORTEST_RUN = 3
SUIT_IN_EVERY_RANK = 0x111111111111  # the hearts; shifted by a suit, the cards of that suit


class Desk(NamedTuple):
    """Working space for one decision, allocated once for all.

    `held` [rank] cards in hand; `holds` [unseen, need] what `share_out` fills in for one seat; `has_rank` [seat, rank]
    chance that a seat holds the rank; `higher` [seat, size, rank] expected number of higher sets of this size in its
    hand; prices of sets [size, rank] and runs [low, high], 0 for no cards; looseness of the same, 1 where another seat
    is sure to beat it and 0 where none can.
    """

    held: np.ndarray
    holds: np.ndarray
    has_rank: np.ndarray
    higher: np.ndarray
    set_price: np.ndarray
    run_price: np.ndarray
    set_looseness: np.ndarray
    run_looseness: np.ndarray


@rule
def empty_desk():
    return Desk(
        np.zeros(RANK_COUNT, np.int64),
        np.zeros((5, 5)),
        np.zeros((SEATS, RANK_COUNT)),
        np.zeros((SEATS, 5, RANK_COUNT)),
        np.zeros((5, RANK_COUNT)),
        np.zeros((RANK_COUNT, RANK_COUNT)),
        np.zeros((5, RANK_COUNT)),
        np.zeros((RANK_COUNT, RANK_COUNT)),
    )


# --- The other hands ------------------------------------------------------------------------------------------


@rule
def cards_of_suit(cards, suit):
    """How many cards of a suit a set holds."""
    return count(cards & (np.int64(SUIT_IN_EVERY_RANK) << np.int64(suit)))


@rule
def share_out(holds, share):
    """Fill `holds` [unseen, need]: the chance that at least `need` of so many unseen cards are in a hand that got this share of all."""
    for unseen in range(5):
        holds[unseen, 0] = 1.0
        for need in range(1, 5):
            holds[unseen, need] = 0.0
            if unseen > 0:  # the last of the cards is in the hand, or it is not
                holds[unseen, need] = share * holds[unseen - 1, need - 1] + (1.0 - share) * holds[unseen - 1, need]


@rule
def weigh_others(view, desk):
    """Work out what the other seats are likely to hold, from the cards not yet located and from those known."""
    unseen = hidden_cards(view, view.seat)
    for other in range(view.players):
        if other == view.seat:
            continue
        shown = view.shown[other]
        share_out(desk.holds, (view.counts[other] - count(shown)) / max(count(unseen), 1))
        for size in range(1, 5):
            desk.higher[other, size, KING] = 0.0
        for rank in range(KING, -1, -1):
            left = count(cards_of_rank(unseen, rank))
            known = count(cards_of_rank(shown, rank))
            desk.has_rank[other, rank] = desk.holds[left, max(0, 1 - known)]
            for size in range(1, 5):
                if rank > 0:
                    enough = desk.holds[left, max(0, size - known)] if view.counts[other] >= size else 0.0
                    desk.higher[other, size, rank - 1] = desk.higher[other, size, rank] + enough


@rule
def higher_runs(view, desk, seat, length, high):
    """Expected number of runs of this length above `high` in a seat's hand."""
    if view.counts[seat] < length:
        return 0.0
    expected = 0.0
    for top in range(high + 1, RANK_COUNT):
        chance = 1.0
        for rank in range(top - length + 1, top + 1):
            chance *= desk.has_rank[seat, rank]
        expected += chance
    return expected


@rule
def beaters(view, desk, seat, low, high, each):
    """Expected number of plays in a seat's hand that beat `each` cards of every rank from `low` to `high`."""
    if high > low:
        return higher_runs(view, desk, seat, high - low + 1, high)
    return desk.higher[seat, each, high]


@rule
def threat(view, desk, low, high, each):
    """Expected number of plays that beat it, in all other hands together."""
    expected = 0.0
    for other in range(view.players):
        if other != view.seat:
            expected += beaters(view, desk, other, low, high, each)
    return expected


@rule
def control(threat):
    """Chance that a play under this threat is not beaten."""
    return np.exp(-BEATEN * threat)


@rule
def urgency(view):
    """How near the round's end is, by the smallest other hand: 1 where it is one card."""
    fewest = view.counts[at_left(view.seat, 1, view.players)]
    for other in range(view.players):
        if other != view.seat:
            fewest = min(fewest, view.counts[other])
    return fewest**-1.5


# --- The plan of the hand -------------------------------------------------------------------------------------


@rule
def lay_out(view, desk):
    """Count the own hand by ranks and price every set and run that could be in a plan."""
    hand = view.hands[view.seat]
    for rank in range(RANK_COUNT):
        desk.held[rank] = count(cards_of_rank(hand, rank))
    weigh_others(view, desk)
    price_sets(view, desk)
    price_runs(view, desk)


@rule
def price_sets(view, desk):
    """A set costs less the higher it is; where its parts cost less together it counts as played in parts."""
    for rank in range(RANK_COUNT):
        for size in range(1, desk.held[rank] + 1):
            danger = threat(view, desk, rank, rank, size)
            price = SET_PRICE[size] - SET_RANK_DISCOUNT[size] * rank / KING - CONTROL_DISCOUNT * control(danger)
            loose = min(1.0, danger)
            for part in range(1, size // 2 + 1):
                price = min(price, desk.set_price[part, rank] + desk.set_price[size - part, rank])
                loose = min(loose, desk.set_looseness[part, rank] + desk.set_looseness[size - part, rank])
            desk.set_price[size, rank] = price
            desk.set_looseness[size, rank] = loose


@rule
def price_runs(view, desk):
    """A run costs less the longer and the higher it is."""
    for low in range(RANK_COUNT):
        for high in range(low, RANK_COUNT):
            if desk.held[high] == 0:
                break
            longer = high - low + 1 - SHORTEST_RUN
            if longer >= 0:
                danger = threat(view, desk, low, high, 1)
                discount = RUN_RANK_DISCOUNT * high / KING + RUN_LENGTH_DISCOUNT * longer
                desk.run_price[low, high] = RUN_PRICE - discount - CONTROL_DISCOUNT * control(danger)
                desk.run_looseness[low, high] = min(1.0, danger)


@rule
def take(held, low, high, each):
    """Take `each` cards of every rank from `low` to `high` out of the hand, or put them back where `each` is negative."""
    for rank in range(low, high + 1):
        held[rank] -= each


@rule
def no_more_runs(held, set_price, run_price, first):
    return 0.0


def with_a_run(save_more):
    """The search that takes one run more than `save_more` does. Not a recursion: Numba cannot keep those on disk."""

    @rule
    def save_by_runs(held, set_price, run_price, first):
        """What the best runs from rank `first` up save against playing the hand as sets."""
        best = 0.0
        for low in range(first, RANK_COUNT):
            saved = 0.0
            for high in range(low, RANK_COUNT):
                if held[high] == 0:
                    break
                saved += set_price[held[high], high] - set_price[held[high] - 1, high]
                if high - low + 1 >= SHORTEST_RUN:
                    take(held, low, high, 1)
                    more = save_more(held, set_price, run_price, low)
                    take(held, low, high, -1)
                    best = max(best, saved - run_price[low, high] + more)
        return best

    return save_by_runs


save_by_runs = with_a_run(with_a_run(no_more_runs))


@rule
def cheapest(held, set_price, run_price):
    """The price of the cheapest partition of a hand into sets and at most two runs."""
    price = 0.0
    for rank in range(RANK_COUNT):
        price += set_price[held[rank], rank]
    return price - save_by_runs(held, set_price, run_price, 0)


@rule
def plan(desk):
    """How hard the hand on the desk is to get rid of."""
    return cheapest(desk.held, desk.set_price, desk.run_price)


@rule
def chance_to_run_out(desk):
    """Roughly, the chance that whoever leads with this hand plays it out: at most one part of it may be beaten."""
    loose = cheapest(desk.held, desk.set_looseness, desk.run_looseness)
    return min(1.0, max(0.0, 2.0 - loose))
