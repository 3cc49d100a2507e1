"""The rule-based agents of The Sovereign Hand: an expert, and the four rivals that the published rules name.

All reckon alike (sovereign_hand_tricks.py) and differ by character. A claim is worth its Seals by the chance to make
it exactly, less a Debt by the chance to miss it. A card is worth the chance of the exact claim after the trick, over
who may take the trick, and what it spoils for seats near the crown. A House card has a price, the higher the fewer are
left beyond the Marks that they must clear.
"""

from typing import NamedTuple

import numpy as np

from handfast.agents.experts.sovereign_hand_tricks import (
    demand_of_others,
    empty_desk,
    exactly,
    exactly_with_call,
    exactly_with_spare,
    lay,
    needs,
    weigh_cards,
    weigh_others,
)
from handfast.envs.core.cards import bit, lowest
from handfast.envs.core.compiling import boxed, kernel, rule
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.seats import at_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import answers, rank_of
from handfast.envs.sovereign_hand.rules import (
    ANSWER,
    BOLD,
    CALL,
    CLAIM,
    CLAIMS,
    CLEAR,
    CROWN,
    DEBT,
    KEEP,
    PLAY,
    ROUNDS,
    SACRIFICE,
    TRICK,
    callable_cards,
    can_be_made_to_pay,
    claimed,
    hand_size,
    tricks_left,
)

# Worth in Seals.
COVER_PRICE = (1.2, 0.9, 0.5, 0.35)  # of a House card, by how many are left beyond the Marks, it included
BLEEDING = 1.0  # losing a Seal
SPOIL = 0.1  # another seat's exact claim, for each Seal that it takes
SPOIL_CROWN = 1.0  # more, where it would be crowned
BEYOND_CROWN = 0.3  # a Seal that the crown does not need
STEP = 0.25  # part of its exact claim that a seat gains with a trick that it needs
VICTIM_COVER = 0.01  # sacrificing a seat, for each of its House cards beyond its Marks
SHARPNESS = 0.5  # play can be steered: chances of an exact claim are better than cards each by itself say

IMPOSSIBLE = -1e9
NO_ACTION = -1
MIDDLE_RANK = 6


class Character(NamedTuple):
    """What one agent makes of its chances; in Seals, where nothing else is said."""

    second_seal: float  # the second Seal of a bold claim
    reach: float  # each trick of an exact claim
    call_price: float  # factor on the price of a House card called
    call_hope: float  # how far a claim counts on the House, 0 to 1
    sacrifice: float  # making another pay, beyond what it hurts that seat
    clears_early: float  # 1: clears Marks at once; 0: only for the crown, and at the end


EXPERT = Character(1.0, 0.0, 1.0, 0.3, 0.0, 0.0)
ARCHIVIST = Character(0.3, -0.05, 1.5, 0.1, -100.0, 1.0)
GAMBLER = Character(1.6, 0.1, 0.5, 0.6, 0.0, 0.0)
HEIR = Character(1.0, 0.0, 0.7, 0.3, 100.0, 0.0)
CHARACTERS = boxed(np.array([EXPERT, ARCHIVIST, GAMBLER, HEIR], [(field, np.float64) for field in Character._fields]))


# --- Prices ---------------------------------------------------------------------------------------------------


@rule
def cover(view, seat):
    """House cards beyond the Marks that they must clear before a crown."""
    return view.house_counts[seat] - view.marks[seat]


@rule
def house_price(view):
    """What the next House card spent is worth to the seat to move."""
    return COVER_PRICE[max(0, min(3, cover(view, view.seat)))]


@rule
def debt_price(view):
    """What missing a claim costs."""
    if view.house_counts[view.seat] > 0:
        return house_price(view)
    for other in range(view.players):
        if can_be_made_to_pay(view, view.seat, other):
            return COVER_PRICE[0]
    return BLEEDING if view.seals[view.seat] > 0 else 0.0


@rule
def seals_of(claim):
    return 2 if claim >= BOLD else 1


@rule
def worth_of_exact(view, character, claim):
    """What Seals an exact claim is worth: those beyond the crown are worth less."""
    first = 1.0 if view.seals[view.seat] < CROWN else BEYOND_CROWN
    if claim < BOLD:
        return first
    return first + character.second_seal * (1.0 if view.seals[view.seat] + 1 < CROWN else BEYOND_CROWN)


@rule
def stake(view, other):
    """What it is worth that another seat misses its claim."""
    worth = SPOIL * seals_of(view.claims[other])
    if view.seals[other] + seals_of(view.claims[other]) >= CROWN and cover(view, other) >= 0:
        worth += SPOIL_CROWN
    return worth


# --- Claims ---------------------------------------------------------------------------------------------------


@rule
def chance_of_exact(desk, character, hand, house, needed):
    """Chance to take just so many tricks more with this hand, part of it by a House card that may yet be called."""
    alone = exactly(desk, hand, needed)
    if house != 0:
        alone += character.call_hope * (exactly_with_call(desk, hand, house, needed) - alone)
    return alone**SHARPNESS


@rule
def choose_claim(view, desk, character):
    """The claim of most worth; the dealer's barred number is left out."""
    hand, house = view.hands[view.seat, view.round_no - 1], view.houses[view.seat]
    barred = hand_size(view) - claimed(view) if view.seat == view.dealer else NONE
    others = demand_of_others(view) - hand_size(view)
    debt = debt_price(view)
    best, action = IMPOSSIBLE, NO_ACTION
    for claim in range(hand_size(view) + 1):
        if claim == barred:
            continue
        weigh_cards(view, desk, others + claim)
        chance = chance_of_exact(desk, character, hand, house, claim)
        worth = chance * (worth_of_exact(view, character, claim) + character.reach * claim) - (1.0 - chance) * debt
        if worth > best:
            best, action = worth, CLAIMS + claim
    return action


# --- Tricks ---------------------------------------------------------------------------------------------------


@rule
def spoils(view, desk):
    """What the likely takers of the trick are worth: a trick too many spoils a claim, a needed one helps it."""
    worth = 0.0
    for other in range(view.players):
        if other != view.seat:
            needed = needs(view, other)
            if needed == 0:
                worth += desk.takes[other] * stake(view, other)
            elif needed > 0:
                worth -= desk.takes[other] * stake(view, other) * STEP
    return worth


@rule
def worth_of_card(view, desk, character, card, called):
    """The worth of laying a card, from the hand or `called` from the House."""
    lay(view, desk, card)
    needed = needs(view, view.seat)
    hand, house = view.hands[view.seat, view.round_no - 1] & ~bit(card), view.houses[view.seat]
    if called or view.called >> view.seat & 1:
        after_taking = exactly_with_spare(desk, hand, needed - 1) ** SHARPNESS
        after_losing = exactly_with_spare(desk, hand, needed) ** SHARPNESS
    else:
        after_taking = chance_of_exact(desk, character, hand, house, needed - 1)
        after_losing = chance_of_exact(desk, character, hand, house, needed)
    takes = desk.takes[view.seat]
    exact = takes * after_taking + (1.0 - takes) * after_losing
    worth = exact * (worth_of_exact(view, character, view.claims[view.seat]) + debt_price(view)) + spoils(view, desk)
    if called:
        worth -= character.call_price * house_price(view)
    return worth


@rule
def choose_card(view, desk, character):
    """The card of most worth, from the hand or called from the House."""
    weigh_cards(view, desk, demand_of_others(view) + max(0, needs(view, view.seat)) - tricks_left(view))
    hand, house = view.hands[view.seat, view.round_no - 1], view.houses[view.seat]
    best, action = IMPOSSIBLE, NO_ACTION
    cards = hand if view.led == NONE else answers(hand, view.led)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        worth = worth_of_card(view, desk, character, card, False)
        if worth > best:
            best, action = worth, PLAY + card
    if view.called >> view.seat & 1:
        return action
    cards = callable_cards(house, hand, view.led)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - np.int64(1)
        worth = worth_of_card(view, desk, character, card, True)
        if worth > best:
            best, action = worth, CALL + card
    return action


# --- The Reckoning --------------------------------------------------------------------------------------------


@rule
def least_useful(house):
    """The House card to give up: high and low cards make the better jokers."""
    best, found = IMPOSSIBLE, np.int64(0)
    while house != 0:
        card = lowest(house)
        house &= house - np.int64(1)
        middling = -abs(rank_of(card) - MIDDLE_RANK)
        if middling > best:
            best, found = middling, card
    return found


@rule
def worth_of_sacrifice(view, other):
    """What it is worth that a seat loses a Seal: the nearer it is to the crown, the more."""
    return SPOIL * view.seals[other] + VICTIM_COVER * cover(view, other)


@rule
def pay(view, character):
    """Let the House answer, or sacrifice the seat whose loss is worth most. A Mark costs a House card too, but later."""
    best, action = IMPOSSIBLE, NO_ACTION
    house = view.houses[view.seat]
    if house != 0:
        best, action = 0.0, ANSWER + least_useful(house)
    for left in range(1, view.players):
        other = at_left(view.seat, left, view.players)
        if can_be_made_to_pay(view, view.seat, other):
            worth = character.sacrifice + worth_of_sacrifice(view, other)
            if worth > best:
                best, action = worth, SACRIFICE + left - 1
    return action


@rule
def clear(view, character):
    """Clear a Mark where that leads to the crown, and at the end; else keep the House card for a call."""
    crowns = view.seals[view.seat] >= CROWN and cover(view, view.seat) >= 0
    if crowns or view.round_no == ROUNDS or character.clears_early > 0.0:
        return CLEAR + least_useful(view.houses[view.seat])
    return KEEP


# --- The agents -----------------------------------------------------------------------------------------------


@kernel()
def decide_sovereign_hand(views, characters, who, actions):
    desk = empty_desk()
    for i in range(len(views)):
        view = views[i]
        character = characters[who[i]]
        if view.seat < 0:
            actions[i] = NO_ACTION
        elif view.phase == CLAIM:
            weigh_others(view, desk)
            actions[i] = choose_claim(view, desk, character)
        elif view.phase == TRICK:
            weigh_others(view, desk)
            actions[i] = choose_card(view, desk, character)
        elif view.phase == DEBT:
            actions[i] = pay(view, character)
        else:
            actions[i] = clear(view, character)


def act(decisions: Decisions, who: np.ndarray) -> np.ndarray:
    """Choose an action for each decision, int64 [n], as the character numbered `who` [n]; -1 where nobody is to move."""
    actions = np.zeros(len(decisions), np.int64)
    decisions.game.call(decide_sovereign_hand, decisions.views, CHARACTERS, who, actions)
    return actions


def of_character(number: int) -> Agent:
    """The agent of one character; it uses no luck."""

    def agent(decisions: Decisions) -> np.ndarray:
        return act(decisions, np.full(len(decisions), number))

    return agent


def masked_guest(decisions: Decisions) -> np.ndarray:
    """Any of the characters, each as likely, drawn anew for every decision from its key."""
    with np.errstate(over="ignore"):
        who = (decisions.keys >> np.uint64(32)) * np.uint64(len(CHARACTERS)) >> np.uint64(32)
    return act(decisions, who.astype(np.int64))


AGENTS: dict[str, Agent] = {
    "expert": of_character(0),
    "archivist": of_character(1),
    "gambler": of_character(2),
    "heir": of_character(3),
    "masked_guest": masked_guest,
}
