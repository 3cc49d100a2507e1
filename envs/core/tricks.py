"""Tricks: following suit, and which card is above which."""

import numpy as np

from handfast.envs.core.compiling import rule
from handfast.envs.core.table import NONE

ONE_SUIT = np.int64(0x1111111111111111)  # every fourth card: the suit of number 0


@rule
def rank_of(card):
    """The rank of a card, from 0."""
    return card >> 2


@rule
def suit_of(card):
    """The suit of a card, 0 to 3."""
    return card & 3


@rule
def of_suit(cards, suit):
    """The cards of one suit in a set."""
    return cards & (ONE_SUIT << np.int64(suit))


@rule
def answers(hand, led):
    """The cards of a hand that may answer the suit led: those of the suit, or all where it holds none."""
    following = of_suit(hand, led)
    return following if following != 0 else hand


@rule
def strength(card, led, trump):
    """Orders the cards of a trick, the strongest highest: trump over the suit led over the rest, then rank, then suit.

    `trump` may be NONE. Among suits of one rank the order is that of their numbers, 0 the highest.
    """
    suit = suit_of(card)
    tier = 2 if suit == trump and trump != NONE else (1 if suit == led else 0)
    return tier * 64 + (card | 3) - suit
