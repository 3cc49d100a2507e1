"""How likely a hand of For Northwood! is to take exactly so many tricks, played as well as can be without abilities.

The statements to come are taken as drawn afresh from the unseen cards each time, those known to lie on top as they
lie. Then the best response to each is found backwards, from the empty hand on. Cards of a suit between which no card of the
deck lies are as good as each other, so what is left of a hand is a number in a mixed radix: how many cards are left of
each such group.
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has
from handfast.envs.core.compiling import rule
from handfast.envs.northwood.cards import ALL_CARDS, CARDS, MOST_VALUE, RESPOND
from handfast.envs.northwood.view import known_cards, open_cards

MOST_STATES = 9**4  # of a hand with one group a suit
FINE_STATES = 512  # groups of a hand with more are joined
MOST_NEEDED = 8
COLUMNS = MOST_NEEDED + 2  # column j: j - 1 tricks are needed; column 0 is for a trick too many


# What may become of a hand. Groups of like cards are numbered low before high, suit by suit.
OUTLOOK = np.dtype(
    [
        ("chances", "f8", (MOST_STATES, COLUMNS)),
        ("is_rough", "i8"),  # whether groups were joined
        ("columns", "i8"),  # columns that are asked for
        ("groups", "i8"),
        ("states", "i8"),
        ("suit", "i8", (CARDS,)),  # by group, like the next four
        ("cards", "i8", (CARDS,)),  # the set
        ("held", "i8", (CARDS,)),  # how many, at first and while states are counted through
        ("stride", "i8", (CARDS,)),  # what one card of it adds to the number of a state
        ("gap", "i8", (CARDS,)),  # unseen cards between it and the next lower group of its suit
        ("above", "i8", (4,)),  # by suit: unseen cards above the highest group
        ("first", "i8", (5,)),  # by suit: the first group
        ("to_come", "i8", (CARDS,)),  # by place in the deck from the top: the statement known to come, or -1
        ("best", "f8", (COLUMNS,)),  # working space
    ]
)


@rule
def look_ahead(outlook, view, trumps, needed):
    """Fill in the chances of the hand, or of what a response leaves of it, and of all that may be left later.

    They are chances to take up to `needed` tricks more.
    """
    outlook.columns = min(max(needed, 0), MOST_NEEDED) + 2
    known = known_cards(view)
    unseen = np.int64(ALL_CARDS) & ~open_cards(view) & ~known
    for place in range(view.deck_count):
        outlook.to_come[place] = view.known[view.deck_count - 1 - place] - 1
    outlook.is_rough = 0
    group_cards(outlook, view.hand, unseen, known)
    while number_states(outlook) > FINE_STATES and outlook.groups > 4:
        join_nearest(outlook)
        outlook.is_rough = 1
    responding = 1 if view.phase == RESPOND else 0
    find_chances(outlook, count(view.hand) - responding, view.deck_count, count(unseen), trumps)


@rule
def group_cards(outlook, hand, unseen, known):
    """Part the hand into groups of like cards."""
    groups = 0
    for suit in range(4):
        outlook.first[suit] = groups
        gap = 0
        open_group = False
        for rank in range(MOST_VALUE):
            card = 4 * rank + suit
            if has(unseen | known, card):
                gap += 1 if has(unseen, card) else 0
                open_group = False
            elif has(hand, card):
                if not open_group:
                    outlook.suit[groups] = suit
                    outlook.cards[groups] = 0
                    outlook.gap[groups] = gap
                    groups += 1
                    gap = 0
                    open_group = True
                outlook.cards[groups - 1] |= bit(card)
        outlook.above[suit] = gap
    outlook.first[4] = groups
    outlook.groups = groups


@rule
def number_states(outlook):
    """Give each group its place in the number of a state; returns how many states there are."""
    states = 1
    for group in range(outlook.groups):
        outlook.held[group] = count(outlook.cards[group])
        outlook.stride[group] = states
        states *= outlook.held[group] + 1
    outlook.states = states
    return states


@rule
def join_nearest(outlook):
    """Take the two neighbours with the fewest unseen cards between them for one group."""
    nearest, fewest = -1, CARDS
    for group in range(1, outlook.groups):
        if outlook.suit[group] == outlook.suit[group - 1] and outlook.gap[group] < fewest:
            nearest, fewest = group, outlook.gap[group]
    suit = outlook.suit[nearest]
    outlook.cards[nearest - 1] |= outlook.cards[nearest]
    outlook.gap[nearest - 1] += fewest // 2
    if nearest + 1 < outlook.first[suit + 1]:
        outlook.gap[nearest + 1] += fewest - fewest // 2
    else:
        outlook.above[suit] += fewest - fewest // 2
    outlook.groups -= 1
    for group in range(nearest, outlook.groups):
        outlook.suit[group] = outlook.suit[group + 1]
        outlook.cards[group] = outlook.cards[group + 1]
        outlook.gap[group] = outlook.gap[group + 1]
    for later in range(suit + 1, 5):
        outlook.first[later] -= 1


@rule
def find_chances(outlook, in_hand, in_deck, unseen, trumps):
    """The chances of every state, from the empty hand up."""
    groups = outlook.groups
    for group in range(groups):
        outlook.held[group] = 0
    left = 0
    for state in range(outlook.states):
        if state > 0:  # count on in the mixed radix
            group = 0
            while outlook.held[group] == count(outlook.cards[group]):
                left -= outlook.held[group]
                outlook.held[group] = 0
                group += 1
            outlook.held[group] += 1
            left += 1
        for column in range(outlook.columns):
            outlook.chances[state, column] = 0.0
        played = in_hand - left
        if played < 0:
            continue  # a card is still to be played
        if left == 0 or played >= in_deck:
            outlook.chances[state, 1] = 1.0
        elif outlook.to_come[played] >= 0:
            add_known(outlook, state, outlook.to_come[played], trumps)
        else:
            for suit in range(4):
                add_suit(outlook, state, suit, trumps, 1.0 / unseen)


@rule
def add_suit(outlook, state, suit, trumps, each):
    """Add to a state's chances those of all unseen statements of a suit; `each` is the chance of one."""
    cards = 0
    followed = False
    for group in range(outlook.first[suit], outlook.first[suit + 1]):
        cards += outlook.gap[group]
        if outlook.held[group] > 0:
            if cards > 0:
                outlook.best[:] = 0.0
                follow(outlook, state, suit, group)
                add_best(outlook, state, cards * each)
            cards = 0
            followed = True
    cards += outlook.above[suit]
    if cards > 0:
        outlook.best[:] = 0.0
        if followed:
            follow(outlook, state, suit, CARDS)
        else:
            discard_or_trump(outlook, state, suit, trumps)
        add_best(outlook, state, cards * each)


@rule
def add_known(outlook, state, statement, trumps):
    """A state's chances where it is known which statement comes."""
    suit = statement & 3
    followed = False
    higher = CARDS
    for group in range(outlook.first[suit + 1] - 1, outlook.first[suit] - 1, -1):
        followed = followed or outlook.held[group] > 0
        if outlook.cards[group] > bit(statement):
            higher = group
    outlook.best[:] = 0.0
    if followed:
        follow(outlook, state, suit, higher)
    else:
        discard_or_trump(outlook, state, suit, trumps)
    add_best(outlook, state, 1.0)


@rule
def follow(outlook, state, suit, higher):
    """The best of all responses of the suit, of which those from the group `higher` on win."""
    for group in range(outlook.first[suit], outlook.first[suit + 1]):
        if outlook.held[group] > 0:
            keep_better(outlook, state - outlook.stride[group], group >= higher)


@rule
def discard_or_trump(outlook, state, suit, trumps):
    """The best of all responses of other suits."""
    for group in range(outlook.groups):
        if outlook.held[group] > 0:
            keep_better(outlook, state - outlook.stride[group], outlook.suit[group] == trumps and suit != trumps)


@rule
def keep_better(outlook, rest, wins):
    """Column by column, the better of the best response so far and of one that leaves the state `rest`."""
    for column in range(1, outlook.columns):
        chance = outlook.chances[rest, column - wins]
        if chance > outlook.best[column]:
            outlook.best[column] = chance


@rule
def add_best(outlook, state, weight):
    for column in range(1, outlook.columns):
        outlook.chances[state, column] += weight * outlook.best[column]


@rule
def state_of(outlook, hand):
    """The state of a part of the hand."""
    state = 0
    for group in range(outlook.groups):
        state += outlook.stride[group] * count(outlook.cards[group] & hand)
    return state


@rule
def chance_of(outlook, hand, needed):
    """The chance that this part of the hand takes exactly `needed` tricks more."""
    if needed < 0 or needed + 1 >= outlook.columns:
        return 0.0
    return outlook.chances[state_of(outlook, hand), needed + 1]
