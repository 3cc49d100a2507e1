"""Dealing from a shuffled order of cards."""

import numpy as np

from handfast.envs.core.cards import bit
from handfast.envs.core.compiling import rule


@rule
def as_set(order, first, end):
    """The set of the cards from place `first` up to, not including, place `end` of an order."""
    cards = np.int64(0)
    for i in range(first, end):
        cards |= bit(order[i])
    return cards


@rule
def deal_hands(order, each, players, hands):
    """Give every seat, from seat 0 on, `each` cards from the top of an order; returns how many were dealt."""
    for seat in range(players):
        hands[seat] = as_set(order, seat * each, (seat + 1) * each)
    return each * players
