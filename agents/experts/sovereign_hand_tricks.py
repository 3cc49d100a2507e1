"""What the rule-based agents of The Sovereign Hand reckon: who takes a trick, and how many tricks a hand takes.

A card's part in the rest of the round is two chances to take a trick with it: while its seat wants tricks, and while
it ducks. Both were fitted by logistic regression to rounds that these agents played among themselves. A seat leans
between the two as its claim asks, so the chance of exactly so many tricks is that of the leaning cards, each by itself.
"""

import math
from typing import NamedTuple

import numpy as np

from handfast.envs.core.cards import bit, count, has, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import of_suit, rank_of, strength, suit_of
from handfast.envs.sovereign_hand.rules import (
    ABOVE_ACE,
    CARDS,
    MOST_TRICKS,
    SEATS,
    TO_ACE,
    TWOS,
    hand_size,
    tricks_left,
)
from handfast.envs.sovereign_hand.view import hidden_cards, of_suits

# How surely a later seat that holds a stronger card lays it.
WANTS_AND_FOLLOWS = 0.8
WANTS_AND_RUFFS = 0.8
DUCKS = 0.1  # where it could stay below
MISSED = 0.5  # where its claim is lost already

RANKS = 13
ALL_SUITS = 15

# What the chance of a card is fitted to, and the weights [Sovereign, wants, what].
CARD_FACTS = (
    "always",
    "no higher card of the suit in another hand",
    "higher cards of the suit in other hands",
    "lower cards of the suit in other hands",
    "own cards of the suit",
    "tricks left",
    "tricks that the seats need beyond those left",
    "its Ace in another hand, where it is a 2; where it is an Ace, less its 2",
    "other Sovereign cards in other hands",
    "own Sovereign cards",
)
CARD_WEIGHTS = np.array(
    (
        (
            (-2.44, 1.09, -0.17, 0.17, -0.32, 0.23, -0.20, 2.53, -0.27, 0.31),
            (-2.50, 1.89, -0.27, 0.30, -0.12, 0.22, -0.15, 2.55, -0.23, -0.02),
        ),
        (
            (-2.41, 2.40, -0.31, 0.20, 0.29, 0.12, -0.13, 2.59, -0.11, 0.29),
            (-0.48, 2.19, -0.20, 0.14, 0.17, -0.02, -0.05, 1.73, -0.06, 0.17),
        ),
    )
)


class Desk(NamedTuple):
    """Working space for one decision, allocated once for all.

    `lacks` [seat, suit, cards] chance that a hand holds none of so many hidden cards of a suit; `spread` [suit] how
    many other hands a hidden card of the suit is in, on average; `takes` [seat] who takes the trick, by chance; `low`,
    `high` [card] the chance of taking a trick with it while ducking and while wanting tricks; `facts` of one card;
    `chances` [tricks] of taking so many.
    """

    lacks: np.ndarray
    spread: np.ndarray
    takes: np.ndarray
    low: np.ndarray
    high: np.ndarray
    facts: np.ndarray
    chances: np.ndarray


@rule
def empty_desk():
    return Desk(
        np.zeros((SEATS, 4, RANKS + 1)),
        np.zeros(4),
        np.zeros(SEATS),
        np.zeros(CARDS),
        np.zeros(CARDS),
        np.zeros(len(CARD_FACTS)),
        np.zeros(MOST_TRICKS + 1),
    )


@rule
def hidden(view):
    """The cards that the seat to move has not located."""
    return hidden_cards(view, view.seat, view.round_no - 1)


@rule
def needs(view, seat):
    """Tricks that a seat still needs for its claim, below zero where it took too many."""
    return view.claims[seat] - view.taken[seat]


# --- The other hands ------------------------------------------------------------------------------------------


@rule
def weigh_others(view, desk):
    """Share the hidden cards out to the other hands, as far as the suits shown void allow."""
    now = view.round_no - 1
    cards = hidden(view)
    for suit in range(4):
        desk.spread[suit] = 0.0
    for other in range(view.players):
        if other == view.seat:
            continue
        void = np.int64(view.voids[now, other])
        share = min(1.0, view.counts[now, other] / max(1, count(of_suits(cards, ALL_SUITS - void))))
        for suit in range(4):
            part = 0.0 if void >> suit & 1 else share
            desk.spread[suit] += part
            chance = 1.0
            for n in range(RANKS + 1):
                desk.lacks[other, suit, n] = chance
                chance *= 1.0 - part


# --- The trick ------------------------------------------------------------------------------------------------


@rule
def power(card, laid, led, sovereign):
    """Orders the cards of a trick: a 2 is above its Ace where both are laid."""
    if has(np.int64(TWOS), card) and has(laid, card + TO_ACE):
        return strength(card + ABOVE_ACE, led, sovereign)
    return strength(card, led, sovereign)


@rule
def count_beaters(cards, best, laid, led, sovereign):
    """How many of these cards would beat the best card of the trick."""
    beaters = 0
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        with_it = laid | bit(card)
        if power(card, with_it, led, sovereign) > power(best, with_it, led, sovereign):
            beaters += 1
    return beaters


@rule
def chance_to_beat(view, desk, seat, led, sovereign, following, above, ruffing):
    """Chance that a later seat beats the trick: of so many hidden cards `following` suit so many are `above`, or it ruffs."""
    lacks = desk.lacks[seat]
    has_above = 1.0 - lacks[led, above]
    ruffs = 0.0
    if sovereign != led:
        ruffs = lacks[led, following] * (1.0 - lacks[sovereign, ruffing])
    needed = needs(view, seat)
    if needed > 0:
        return WANTS_AND_FOLLOWS * has_above + WANTS_AND_RUFFS * ruffs
    if needed < 0:
        return MISSED * (has_above + ruffs)
    forced = lacks[led, following - above] * has_above
    return forced + DUCKS * (has_above - forced + ruffs)


@rule
def lay(view, desk, card):
    """Fill `desk.takes`: who takes the trick, by chance, when the seat to move lays this card."""
    sovereign = np.int64(suit_of(view.sign))
    led = np.int64(suit_of(card) if view.led == NONE else view.led)
    laid = bit(card)
    for seat in range(view.players):
        desk.takes[seat] = 0.0
        if view.trick[seat] != NONE:
            laid |= bit(view.trick[seat])
    best, taker = np.int64(card), np.int64(view.seat)
    for seat in range(view.players):
        other = np.int64(view.trick[seat])
        if other != NONE and power(other, laid, led, sovereign) > power(best, laid, led, sovereign):
            best, taker = other, np.int64(seat)
    after = view.players - 1
    if view.seat != view.leader:
        after = steps_left(view.seat, view.leader, view.players) - 1
    standing = 1.0
    if after > 0:
        follow, trumps = of_suit(hidden(view), led), of_suit(hidden(view), sovereign)
        above = count_beaters(follow, best, laid, led, sovereign)
        ruffing = count_beaters(trumps, best, laid, led, sovereign)
        for left in range(1, after + 1):
            seat = at_left(np.int64(view.seat), left, view.players)
            beats = chance_to_beat(view, desk, seat, led, sovereign, count(follow), above, ruffing)
            desk.takes[seat] = standing * beats
            standing *= 1.0 - beats
    desk.takes[taker] += standing


# --- The rest of the round ------------------------------------------------------------------------------------


@rule
def weigh_fact(view, desk, cards, card, demand):
    """Fill `desk.facts` for one of the own cards, as CARD_FACTS names them."""
    suit, sovereign = suit_of(card), suit_of(view.sign)
    unseen = of_suit(hidden(view), suit)
    above = count(unseen & ~((np.int64(2) << np.int64(card)) - np.int64(1)))
    part = desk.spread[suit]
    partner = np.int64(0)  # the 2 of an Ace, the Ace of a 2
    if rank_of(card) == 0:
        partner = bit(card + TO_ACE)
    elif rank_of(card) == RANKS - 1:
        partner = bit(card - TO_ACE)
    none_above = 1.0
    for other in range(view.players):
        if other != view.seat:
            none_above *= desk.lacks[other, suit, above]
    facts = desk.facts
    facts[0] = 1.0
    facts[1] = none_above
    facts[2] = above * part
    facts[3] = (count(unseen) - above) * part
    facts[4] = count(of_suit(cards, suit))
    facts[5] = tricks_left(view)
    facts[6] = demand
    facts[7] = 0.0
    if unseen & partner != 0:
        facts[7] = part if rank_of(card) == 0 else -part
    facts[8] = count(of_suit(hidden(view), sovereign)) * desk.spread[sovereign]
    facts[9] = count(of_suit(cards, sovereign))


@rule
def logistic(facts, weights):
    total = 0.0
    for i in range(len(facts)):
        total += facts[i] * weights[i]
    return 1.0 / (1.0 + math.exp(-total))


@rule
def weigh_cards(view, desk, demand):
    """Fill `desk.low` and `desk.high` for the cards of hand and House; `demand`: tricks needed by all beyond those left."""
    hand = view.hands[view.seat, view.round_no - 1]
    cards = hand | view.houses[view.seat]
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        weigh_fact(view, desk, hand | bit(card), card, demand)
        is_sovereign = 1 if suit_of(card) == suit_of(view.sign) else 0
        desk.low[card] = logistic(desk.facts, CARD_WEIGHTS[is_sovereign, 0])
        desk.high[card] = max(desk.low[card], logistic(desk.facts, CARD_WEIGHTS[is_sovereign, 1]))


@rule
def demand_of_others(view):
    """Tricks that the other seats still need; of a seat that has not claimed, an equal share."""
    demand = 0.0
    for other in range(view.players):
        if other != view.seat:
            if view.claims[other] == NONE:
                demand += hand_size(view) / view.players
            else:
                demand += max(0, needs(view, other))
    return demand


@rule
def exactly(desk, cards, needed):
    """Chance that just so many of these cards take tricks, each leaning as its seat's need asks."""
    if needed < 0 or needed > count(cards):
        return 0.0
    low, high = 0.0, 0.0
    left = cards
    while left != 0:
        card = lowest(left)
        left &= left - np.int64(1)
        low += desk.low[card]
        high += desk.high[card]
    lean = min(1.0, max(0.0, (needed - low) / max(1e-6, high - low)))
    chances = desk.chances
    for tricks in range(needed + 1):
        chances[tricks] = 0.0
    chances[0] = 1.0
    left = cards
    while left != 0:
        card = lowest(left)
        left &= left - np.int64(1)
        takes = desk.low[card] + lean * (desk.high[card] - desk.low[card])
        for tricks in range(needed, 0, -1):
            chances[tricks] += takes * (chances[tricks - 1] - chances[tricks])
        chances[0] *= 1.0 - takes
    return chances[needed]


@rule
def most_likely(desk, cards):
    """The card of a set most likely to take a trick; NONE of an empty one."""
    best, found = -1.0, np.int64(NONE)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        if desk.low[card] + desk.high[card] > best:
            best, found = desk.low[card] + desk.high[card], card
    return found


@rule
def least_likely(desk, cards):
    """The card of a set least likely to take a trick; NONE of an empty one."""
    best, found = 3.0, np.int64(NONE)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        if desk.low[card] + desk.high[card] < best:
            best, found = desk.low[card] + desk.high[card], card
    return found


@rule
def expected(desk, cards):
    """Tricks that these cards take of themselves, half wanting and half ducking."""
    total = 0.0
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        total += (desk.low[card] + desk.high[card]) / 2
    return total


@rule
def exactly_with_spare(desk, cards, needed):
    """The same for a hand with one card more than there are tricks: the one that serves least is never played."""
    if cards == 0:
        return 1.0 if needed == 0 else 0.0
    spare = most_likely(desk, cards) if expected(desk, cards) > needed else least_likely(desk, cards)
    return exactly(desk, cards & ~bit(spare), needed)


@rule
def exactly_with_call(desk, cards, house, needed):
    """The same where one House card takes the place of the card that serves least, if that is better."""
    alone = exactly(desk, cards, needed)
    if house == 0 or cards == 0:
        return alone
    if expected(desk, cards) > needed:
        out, joker = most_likely(desk, cards), least_likely(desk, house)
    else:
        out, joker = least_likely(desk, cards), most_likely(desk, house)
    return max(alone, exactly(desk, cards & ~bit(out) | bit(joker), needed))
