"""A rule-based expert of The Covenant.

A card is judged by the Trump cards that it may capture in this trick, by who then leads (the leader of a trick can
capture nothing in it, unless its whole hand is Trump), and by the hand that is left: Trump that few unseen cards can
beat, suits it is void of or soon will be, cards too low to escape the lead. At the Covenant Table every choice is
judged by what the hand left over is worth under each Trump, times the chance of that Trump, and by what it does for
the own Signer.

The weights were fitted to the outcome of many rounds played on from positions of the expert's own games, and
then compared with the weights before on the same deals from every seat.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from handfast.envs.core import compiling
from handfast.envs.core.cards import bit, count, lowest
from handfast.envs.core.compiling import kernel, rule
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import answers, of_suit, rank_of, strength, suit_of
from handfast.envs.covenant import rules
from handfast.envs.covenant.rules import (
    ABSTAIN,
    BELIEVE,
    COVENANT,
    CUBE_COST,
    DECK,
    PLAY,
    ROUNDS,
    SEAL,
    SEALING,
    SEATS,
    SIGNER_BONUS,
    SUBSCRIBE,
    SUIT_COUNT,
    TRICK,
    leads,
    table_cards,
)
from handfast.envs.covenant.view import unseen_cards

HEARTS = 0
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


class Outlook(NamedTuple):
    """How the others are expected to subscribe, and what makes a suit likely to be Ratified."""

    unseen: float  # how much likelier, in powers of e, a seat subscribes a suit for each unseen card of it
    ace: float  # the same where its Ace is unseen
    before: float  # how much likelier for each time that it has subscribed the suit
    ahead: float  # how surely a pile that is ahead by a card is Ratified in the end
    own_votes: float  # how far each own subscription to come counts
    needed: float  # how many cards ahead are as good as even
    even: float  # chance that a tie in the end falls to the own Signer


OUTLOOK = Outlook(unseen=0.18, ace=0.85, before=0.3, ahead=0.8, own_votes=0.5, needed=0.5, even=0.4)


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


# --- The Covenant Table ---------------------------------------------------------------------------------------


@rule
def foresee_votes(view, desk, outlook):
    """How likely each other seat is to subscribe each suit: what it has subscribed before, and what it may hold."""
    for other in range(view.players):
        total = 0.0
        for suit in range(SUIT_COUNT):
            before = count(of_suit(view.subscribed[other], suit))
            ace = count(desk.unseen[suit] >> np.int64(4 * ACE))
            may_hold = outlook.unseen * count(desk.unseen[suit]) + outlook.ace * ace
            desk.votes[other, suit] = np.exp(may_hold) * (1.0 + outlook.before * before)
            total += desk.votes[other, suit]
        for suit in range(SUIT_COUNT):
            desk.votes[other, suit] /= total


@rule
def most_other(numbers, suit):
    """The highest of these numbers [suit] but for one suit's."""
    most = 0
    for other in range(SUIT_COUNT):
        if other != suit:
            most = max(most, numbers[other])
    return most


@rule
def chance_ratified(view, piles, outlook):
    """Chance that the own Signer's suit is Ratified in the end, where the piles hold so many cards after this round."""
    signer = view.signers[view.seat] - 1
    ahead = piles[signer] - most_other(piles, signer)
    if view.round_no == ROUNDS:
        return 1.0 if ahead > 0 else (outlook.even if ahead == 0 else 0.0)
    ahead += outlook.own_votes * (ROUNDS - view.round_no) - outlook.needed
    return 1.0 / (1.0 + np.exp(-outlook.ahead * ahead))


@rule
def foresee_table(view, desk, outlook, own):
    """Go through all the suits that the others may subscribe: fill in the chances of each Trump, where the own card
    is of suit `own` or NONE; returns the expected bonus for the Signer."""
    desk.trumps[:] = 0.0
    desk.tied[:] = 0.0
    table = table_cards(view)
    piles = np.zeros(SUIT_COUNT, np.int64)
    fresh = np.zeros(SUIT_COUNT, np.int64)
    bonus = 0.0
    signer = view.signers[view.seat] - 1
    for number in range(1 << (2 * (view.players - 1))):
        fresh[:] = 0
        if own != NONE:
            fresh[own] = 1
        on_top = True
        chance = 1.0
        for steps in range(1, view.players):
            suit = (number >> (2 * steps - 2)) & 3
            other = at_left(view.seat, steps, view.players)
            chance *= desk.votes[other, suit]
            fresh[suit] += 1
            on_top &= suit != own or steps > steps_left(view.seat, view.dealer, view.players)
        note_trump(desk, fresh, own, on_top, chance)
        for suit in range(SUIT_COUNT):
            piles[suit] = fresh[suit] + count(of_suit(table, suit))
        points = max(1, piles[signer] // 2) if view.landslide else SIGNER_BONUS
        bonus += chance * points * chance_ratified(view, piles, outlook)
    return bonus


@rule
def note_trump(desk, fresh, own, on_top, chance):
    """Add the chance of these numbers of new subscriptions [suit] to the chances of each Trump."""
    most = 0
    for suit in range(SUIT_COUNT):
        most = max(most, fresh[suit])
    tied = 0
    for suit in range(SUIT_COUNT):
        tied += fresh[suit] == most
    if tied == 1 or own == NONE or fresh[own] < most or not on_top:
        for suit in range(SUIT_COUNT):
            if fresh[suit] == most:
                desk.trumps[suit] += chance / tied
        return
    for suit in range(SUIT_COUNT):
        if fresh[suit] == most:
            desk.tied[tied - 1, suit] += chance if suit == own else chance / (tied - 1)


@rule
def chance_of_trump(desk, trump, card):
    """Chance of a Trump where this card is subscribed: a tie goes to the higher top card."""
    chance = desk.trumps[trump]
    for others in range(1, SUIT_COUNT):
        decides = ((rank_of(card) + 0.5) / (ACE + 1)) ** others
        chance += desk.tied[others, trump] * (decides if suit_of(card) == trump else 1.0 - decides)
    return chance


@rule
def cards_not_seen(view, desk):
    """Before the tricks, all cards of a suit that are neither in the own hand nor on the Table are unseen."""
    unseen = np.int64(DECK) & ~(table_cards(view) | view.hands[view.seat])
    for suit in range(SUIT_COUNT):
        desk.unseen[suit] = of_suit(unseen, suit)


@rule
def choose_at_table(view, desk, weights, outlook):
    """Subscribe the card, or abstain, with the best prospect."""
    hand = view.hands[view.seat]
    cards_not_seen(view, desk)
    foresee_votes(view, desk, outlook)
    best, action = worth_of_abstaining(view, desk, weights, outlook), ABSTAIN
    for suit in range(SUIT_COUNT):
        cards = of_suit(hand, suit)
        if cards == 0:
            continue
        bonus = foresee_table(view, desk, outlook, suit)
        while cards:
            card = lowest(cards)
            worth = bonus
            for trump in range(SUIT_COUNT):
                left = worth_of_hand(hand & ~bit(card), trump, desk.unseen, weights)
                worth += chance_of_trump(desk, trump, card) * left
            if worth > best:
                best, action = worth, SUBSCRIBE + card
            cards &= cards - np.int64(1)
    return action


@rule
def worth_of_abstaining(view, desk, weights, outlook):
    """The prospect of a seat that abstains, and then seals the card that it misses least."""
    worth = foresee_table(view, desk, outlook, NONE) - CUBE_COST
    for trump in range(SUIT_COUNT):
        hand = view.hands[view.seat]
        card = least_missed(hand, trump, desk.unseen, weights)
        worth += desk.trumps[trump] * worth_of_hand(hand & ~bit(card), trump, desk.unseen, weights)
    return worth


@rule
def least_missed(hand, trump, unseen, weights):
    """The card without which a hand is worth most."""
    best, found = IMPOSSIBLE, NO_ACTION
    cards = hand
    while cards:
        card = lowest(cards)
        worth = worth_of_hand(hand & ~bit(card), trump, unseen, weights)
        if worth > best:
            best, found = worth, card
        cards &= cards - np.int64(1)
    return found


@rule
def choose_seal(view, desk, weights):
    """Seal the card that the hand misses least."""
    hand = view.hands[view.seat]
    if view.trump == NONE:
        return SEAL + lowest(hand)
    cards_not_seen(view, desk)
    return SEAL + least_missed(hand, view.trump, desk.unseen, weights)


# --- The agent ------------------------------------------------------------------------------------------------


@rule
def choose(view, desk, hands, weights, left, outlook):
    """The action of the seat to move."""
    if view.phase == TRICK:
        return choose_card(view, desk, weights, left)
    if view.phase == COVENANT:
        return choose_at_table(view, desk, hands[view.players - 3], outlook)
    if view.phase == SEALING:
        return choose_seal(view, desk, hands[view.players - 3])
    return BELIEVE + HEARTS


@kernel(Path(compiling.__file__).parent, Path(rules.__file__).parent, Path(__file__).parent)
def decide_covenant(views, actions, hands, weights, left, outlook):
    desk = empty_desk()
    for i in range(len(views)):
        actions[i] = choose(views[i], desk, hands, weights, left, outlook) if views[i].seat >= 0 else NO_ACTION


def expert(decisions: Decisions) -> np.ndarray:
    """Choose an action for each decision, int64 [n], from the views alone; it uses no luck. -1 where nobody is to move."""
    actions = np.zeros(len(decisions), np.int64)
    decisions.game.call(decide_covenant, decisions.views, actions, HANDS, TABLE, LEFT, OUTLOOK)
    return actions


AGENTS: dict[str, Agent] = {"expert": expert}
