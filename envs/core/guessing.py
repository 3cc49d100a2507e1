"""Hidden cards dealt to where they could be: what completes a view of most games."""

import numpy as np

from handfast.envs.core.cards import bit, count, has
from handfast.envs.core.compiling import rule
from handfast.envs.core.luck import below, luck, shuffle

MOST_PLACES = 12


@rule
def fill_places(cards, room, allowed, seed, purpose, out):
    """Deal a set of cards at random to places: `room` [places] free slots, `allowed` [places] the cards that may lie there.

    Adds the cards to `out` [places]; `room` is used up. As many slots as cards; at most MOST_PLACES places. Returns
    whether it could be done.

    In random order each card goes to one of the places open to it, each as likely as it has free slots, among those
    that leave room for the rest. So every way to deal has a chance, and where all places are open to all cards each
    has the same. Without such a way nothing more is dealt.
    """
    order = np.empty(64, np.int64)
    n = shuffle(cards, seed, purpose, 0, order)
    for i in range(n):
        card = order[i]
        cards &= ~bit(card)
        place = draw_place(card, cards, room, allowed, luck(seed, purpose, 1, card))
        if place < 0:
            return False
        room[place] -= 1
        out[place] |= bit(card)
    return True


@rule
def draw_place(card, rest, room, allowed, key):
    """A place for one card, drawn by free slots among those that leave room for the `rest`; -1 where there is none."""
    closed = np.int64(0)  # places that turned out to leave no room
    while True:
        slots = 0
        for place in range(len(room)):
            if has(allowed[place], card) and not has(closed, place):
                slots += room[place]
        if slots == 0:
            return -1
        left = below(key, slots)
        chosen = 0
        for place in range(len(room)):
            if has(allowed[place], card) and not has(closed, place):
                left -= room[place]
                if left < 0:
                    chosen = place
                    break
        room[chosen] -= 1
        fits = leaves_room(rest, room, allowed)
        room[chosen] += 1
        if fits:
            return chosen
        closed |= bit(chosen)


@rule
def leaves_room(cards, room, allowed):
    """Whether these cards can be dealt to the places: Hall's condition, for every choice of places that may be closed."""
    for group in range(1 << len(room)):
        elsewhere = np.int64(0)  # cards that need none of this group's places
        slots = 0
        for place in range(len(room)):
            if has(np.int64(group), place):
                slots += room[place]
            else:
                elsewhere |= allowed[place]
        if count(cards & ~elsewhere) > slots:
            return False
    return True
