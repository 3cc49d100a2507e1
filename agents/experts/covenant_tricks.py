"""What the expert of The Covenant reckons in tricks: where the unseen cards are, what a hand is worth, and a card.

The weights were fitted to the outcome of many rounds played on from positions of the expert's own games, and then
compared with the weights before on the same deals from every seat.
"""

from typing import NamedTuple

import numpy as np

from handfast.envs.core.cards import bit, count, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.seats import at_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import answers, of_suit, rank_of, strength, suit_of
from handfast.envs.covenant.rules import PLAY, SEATS, SUIT_COUNT, leads
from handfast.envs.covenant.view import unseen_cards

ACE = 12
NO_ACTION = -1
IMPOSSIBLE = -1e9


class HandWeights(NamedTuple):
    """What a hand is worth, in points of this round."""

    trump: float  # each Trump card
    pair: float  # each pair of Trump cards
    height: float  # each Trump card, times `falls` for each unseen one above it
    falls: float  # what part of that is left with each of those
    master: float  # each Trump card with no unseen one above it
    void: float  # each suit it lacks, by the part of the suit that is unseen, if it has Trump
    void_trump: float  # the same for each Trump card
    single: float  # each suit of which it has one card, by the part that is unseen, if it has Trump
    double: float  # the same of two cards
    low: float  # each other card, by the part of its suit's unseen cards that are above it
    dead: float  # each other card of a suit of which nothing is unseen


class Weights(NamedTuple):
    """What speaks for a card in a trick, besides the hand that is left."""

    captured: float  # each Trump card that it is expected to capture
    given: float  # each Trump card thrown under another
    lead_next: float  # the chance to lead the next trick
    lead_trump: float  # the same, for each Trump card in hand
    ruffers: float  # leading: each seat that is likely void of the suit and holds Trump
    lead_long: float  # leading: each unseen card of the suit


HANDS = (  # before the tricks, of three players on
    HandWeights(
        trump=0.39,
        pair=-0.08,
        height=2.18,
        falls=0.75,
        master=1.26,
        void=1.96,
        void_trump=-0.33,
        single=0.54,
        double=0.49,
        low=-0.09,
        dead=0.0,
    ),
    HandWeights(
        trump=-0.05,
        pair=0.04,
        height=1.73,
        falls=0.75,
        master=1.92,
        void=1.55,
        void_trump=-0.09,
        single=0.98,
        double=0.49,
        low=-0.01,
        dead=0.0,
    ),
    HandWeights(
        trump=-0.18,
        pair=0.13,
        height=1.48,
        falls=0.75,
        master=2.36,
        void=1.07,
        void_trump=-0.09,
        single=0.39,
        double=0.01,
        low=-0.05,
        dead=0.0,
    ),
)
LEFT = HandWeights(
    trump=0.25,
    pair=0.15,
    height=2.06,
    falls=0.63,
    master=1.28,
    void=0.15,
    void_trump=-0.04,
    single=0.02,
    double=0.03,
    low=-0.08,
    dead=0.1,
)
TABLE = Weights(captured=1.48, given=0.27, lead_next=-0.04, lead_trump=0.02, ruffers=-0.02, lead_long=0.01)

OVER = 0.8  # how surely a seat that can ruff over a card does
DISCARDS_LOWER = 0.5  # how surely a seat that cannot follow discards something below an Ace that was discarded
RUFFS = 0.6  # how surely a seat that cannot follow and has Trump ruffs, and so is not lowest


class Desk(NamedTuple):
    """Working space for one decision, allocated once for all.

    `unseen` [suit] the cards of each suit that are in other hands or face down; `share` [seat, suit] the chance that
    such a card is in this seat's hand; `votes` [seat, suit] the chance that the seat subscribes the suit; `trumps` [suit]
    the chance of each Trump, but for the ties that the own card decides: `tied` [ties, suit] is the chance that the own
    suit is tied with so many others, and in its row how it falls to the others.
    """

    unseen: np.ndarray
    share: np.ndarray
    votes: np.ndarray
    trumps: np.ndarray
    tied: np.ndarray


@rule
def empty_desk():
    return Desk(
        np.zeros(SUIT_COUNT, np.int64),
        np.zeros((SEATS, SUIT_COUNT)),
        np.zeros((SEATS, SUIT_COUNT)),
        np.zeros(SUIT_COUNT),
        np.zeros((SUIT_COUNT, SUIT_COUNT)),
    )


# --- The other hands ------------------------------------------------------------------------------------------


@rule
def weigh_others(view, desk):
    """Work out where the unseen cards of each suit are likely to be."""
    unseen = unseen_cards(view, view.seat)
    face_down = count(unseen)
    for other in range(view.players):
        if other != view.seat:
            face_down -= view.counts[other]
    for suit in range(SUIT_COUNT):
        desk.unseen[suit] = of_suit(unseen, suit)
        room = face_down
        for other in range(view.players):
            if other != view.seat and of_suit(view.lacks[other], suit) == 0:
                room += view.counts[other]
        for other in range(view.players):
            holds = other != view.seat and of_suit(view.lacks[other], suit) == 0
            desk.share[other, suit] = view.counts[other] / max(1, room) if holds else 0.0


@rule
def chance_of_any(share, cards):
    """Chance that a hand with this share of the unseen cards holds one of these."""
    return 1.0 - (1.0 - share) ** count(cards)


@rule
def above(cards, card):
    """The cards of a set that are higher numbers than this one: of one suit, the higher ranks."""
    return cards & ~((bit(card) << np.int64(1)) - np.int64(1))


@rule
def part_above(cards, card):
    """Which part of a suit's cards are above this one."""
    return count(above(cards, card)) / max(1, count(cards))


# --- What a hand is worth -------------------------------------------------------------------------------------


@rule
def worth_of_hand(hand, trump, unseen, weights):
    """What a hand is worth under a Trump, where these cards [suit] are unseen."""
    trumps = of_suit(hand, trump)
    number = count(trumps)
    worth = weights.trump * number + weights.pair * (number * (number - 1) / 2)
    while trumps:
        card = lowest(trumps)
        over = count(above(unseen[trump], card))
        worth += weights.height * weights.falls**over + weights.master * (over == 0)
        trumps &= trumps - np.int64(1)
    for suit in range(SUIT_COUNT):
        if suit != trump:
            worth += worth_of_suit(of_suit(hand, suit), unseen[suit], number, weights)
    return worth


@rule
def worth_of_suit(cards, unseen, trumps, weights):
    """What the cards of a suit that is not Trump add to a hand with so many Trump cards."""
    length, missing = count(cards), count(unseen)
    part = missing / 13
    worth = 0.0
    if trumps > 0 and length == 0:
        worth += part * (weights.void + weights.void_trump * trumps)
    if trumps > 0 and length == 1:
        worth += part * weights.single
    if trumps > 0 and length == 2:
        worth += part * weights.double
    if missing == 0:
        return worth + weights.dead * length
    while cards:
        worth += weights.low * part_above(unseen, lowest(cards))
        cards &= cards - np.int64(1)
    return worth


# --- Tricks ---------------------------------------------------------------------------------------------------


@rule
def is_void(view, desk, other, suit):
    """Chance that a seat cannot follow this suit."""
    return 1.0 - chance_of_any(desk.share[other, suit], desk.unseen[suit])


@rule
def chance_beaten_by(view, desk, other, card, led):
    """Chance that a seat yet to play beats this card, which is Trump."""
    higher = chance_of_any(desk.share[other, view.trump], above(desk.unseen[view.trump], card))
    return higher if led == view.trump else OVER * is_void(view, desk, other, led) * higher


@rule
def chance_below(view, desk, other, card, led):
    """Chance that a seat yet to play plays a card lower than this one."""
    void = is_void(view, desk, other, led)
    suit = suit_of(card)
    if suit == view.trump and led != view.trump:
        return 1.0
    ruffs = 0.0
    if led != view.trump and view.trump != NONE:
        ruffs = RUFFS * chance_of_any(desk.share[other, view.trump], desk.unseen[view.trump])
    if suit == led:
        return void * (1.0 - ruffs) + (1.0 - void) * (1.0 - part_above(desk.unseen[suit], card))
    return void * (1.0 - ruffs) * DISCARDS_LOWER * rank_of(card) / ACE


@rule
def worth_of_card(view, desk, card, weights, left):
    """The worth of playing a card, where `left` weighs the hand that is left."""
    trump = view.trump
    leading = view.trick == 0
    led = suit_of(card) if leading else view.led
    height = strength(card, led, trump)
    wins, is_lowest = 1.0, 1.0
    number = count(of_suit(view.trick, trump))  # of Trump cards in the trick
    number += suit_of(card) == trump
    more = 0.0
    played = view.trick
    while played:
        other = strength(lowest(played), led, trump)
        if other > height:
            wins = 0.0
        else:
            is_lowest = 0.0
        played &= played - np.int64(1)
    for steps in range(1, view.players - count(view.trick)):
        other = at_left(view.seat, steps, view.players)
        if suit_of(card) == trump:
            wins *= 1.0 - chance_beaten_by(view, desk, other, card, led)
            if led == trump:
                more += chance_of_any(desk.share[other, trump], desk.unseen[trump])
        is_lowest *= 1.0 - chance_below(view, desk, other, card, led)
    hand = view.hands[view.seat] & ~bit(card)
    worth = weights.lead_next * is_lowest + weights.lead_trump * is_lowest * count(of_suit(hand, trump))
    if suit_of(card) == trump:
        worth += weights.captured * wins * (number + more) + weights.given * (1.0 - wins)
    if leading and led != trump:
        worth += weights.lead_long * count(desk.unseen[led])
        for other in range(view.players):
            if other != view.seat:
                has_trump = chance_of_any(desk.share[other, trump], desk.unseen[trump])
                worth += weights.ruffers * is_void(view, desk, other, led) * has_trump
    return worth + worth_of_hand(hand, trump, desk.unseen, left)


@rule
def choose_card(view, desk, weights, left):
    """The card most worth playing."""
    hand = view.hands[view.seat]
    cards = leads(hand, view.trump) if view.trick == 0 else answers(hand, view.led)
    if view.trump == NONE or cards & (cards - np.int64(1)) == 0:
        return PLAY + lowest(cards)
    weigh_others(view, desk)
    best, action = IMPOSSIBLE, NO_ACTION
    while cards:
        card = lowest(cards)
        worth = worth_of_card(view, desk, card, weights, left)
        if worth > best:
            best, action = worth, PLAY + card
        cards &= cards - np.int64(1)
    return action
