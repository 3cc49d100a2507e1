"""A rule-based expert of The Covenant.

A card is judged by the Trump cards that it may capture in this trick, by who then leads (the leader of a trick can
capture nothing in it, unless its whole hand is Trump), and by the hand that is left: Trump that few unseen cards can
beat, suits it is void of or soon will be, cards too low to escape the lead. At the Covenant Table every choice is
judged by what the hand left over is worth under each Trump, times the chance of that Trump, and by what it does for
the own Signer.
"""

from typing import NamedTuple

import numpy as np

from handfast.agents.experts.covenant_tricks import (
    ACE,
    HANDS,
    IMPOSSIBLE,
    LEFT,
    NO_ACTION,
    TABLE,
    choose_card,
    empty_desk,
    worth_of_hand,
)
from handfast.envs.core.cards import bit, count, lowest
from handfast.envs.core.compiling import kernel, rule
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import of_suit, rank_of, suit_of
from handfast.envs.covenant.rules import (
    ABSTAIN,
    BELIEVE,
    COVENANT,
    CUBE_COST,
    DECK,
    ROUNDS,
    SEAL,
    SEALING,
    SIGNER_BONUS,
    SUBSCRIBE,
    SUIT_COUNT,
    TRICK,
    table_cards,
)

HEARTS = 0


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


@kernel()
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
