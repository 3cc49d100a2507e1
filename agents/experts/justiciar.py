"""A rule-based expert of The Justiciar.

It plans its hand as the cheapest partition into sets and runs: the price of a set or run is how hard it is to get rid
of, less what it is worth for winning the lead. A play is judged by how much it cheapens the plan, how many cards it
sheds, whether it will win the lead, and whether the rest can then run out. It keeps cards of the Commission's suit to
refute with, and accuses rather than freeze an Ace.

The weights below were tuned by simulation: perturbed at random in self-play, moved where the scores pointed, and then
compared with the weights before on the same deals from every seat.
"""

import numpy as np

from handfast.agents.experts.justiciar_plan import (
    SHORTEST_RUN,
    beaters,
    cards_of_suit,
    chance_to_run_out,
    control,
    empty_desk,
    lay_out,
    plan,
    take,
    urgency,
)
from handfast.envs.core.cards import count
from handfast.envs.core.compiling import kernel, rule
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.seats import at_left
from handfast.envs.justiciar.rules import (
    ACCEPT,
    ACCUSE,
    ACCUSED,
    CARD,
    FROZEN_ACE,
    PASS,
    PLAY_RUN,
    PLAY_SET,
    RANK_COUNT,
    REFUTE,
    RUN,
    RUN_NUMBER,
    aces,
    can_beat,
    cards_of_rank,
    commission_suit,
)
from handfast.envs.justiciar.view import hidden_cards

# The worth of a play, in the unit of prices.
CARD_LED = 1.34  # each card shed by leading
CARD_FOLLOWED = 0.48  # each card shed by beating a play
CARD_IN_HASTE = 18.49  # each card shed, times the urgency
WIN_WHEN_LEADING = 0.27
WIN_WHEN_FOLLOWING = 0.62
WIN_WITH_COMMISSION = 0.26  # the holder's leads are worth more: it may accuse from strength
STOP_OWNER = 1.49  # for each card left in hand, where the owner has one card
LET_OUT = 0.8  # for each card left in hand, where another seat can go out on this play
RUN_OUT = 4.83  # where the rest of the hand can then be played out
PASS_WORTH = -2.93
PASSED_WILLINGNESS = 0.17  # how far a seat that passed still counts among those who may beat
LOOK_AHEAD_FROM = 8  # cards left from which on running out is considered

# The worth of holding a first, second and third card to refute with.
REFUTER_WORTH = (2.82, 0.62, 0.43)
REFUTER_WITH_COMMISSION = -0.41  # how much more they are worth to the holder

# Accusing and answering.
GIVE_AWAY = 0.41  # passing on the Commission
GIVE_AWAY_IN_HASTE = 1.66  # more, times the urgency
GIVE_AWAY_FAR = 1.55  # more, to the seat that moves last
GIVE_TO_LEADER = 0.21  # more, for every ten points a seat is better off than the average
ACCEPTS_ANYWAY = 0.59  # the part of its answers in which a seat of unknown cards is taken to accept
ACCEPTS_THOUGH_KNOWN = 0.06  # the same for a seat that is known to hold the suit
ACCUSE_BIG_HAND = 0.26  # for a seat with twelve cards: its refutation does not bring it near the end
ACCUSE_LAST_CARD = 0.15  # for each own card, where refuting would end the round
LOSE_LEAD_BY_ACCUSING = 0.58
ACCUSE_BEFORE_GOING_OUT = 0.19  # chance to be rid of the Commission for which the last play waits
TAKE_COMMISSION = 0.45  # the price of accepting
TAKE_COMMISSION_IN_HASTE = 5.97  # more, times the urgency

IMPOSSIBLE = -1e9
NO_ACTION = -1


# --- The Commission's suit ------------------------------------------------------------------------------------


@rule
def suits_to_play(view, rank, each):
    """Which suits of a rank to play, a bit a suit: the Commission's last, it serves to refute."""
    held = cards_of_rank(view.hands[view.seat], rank)
    refuter = held & (np.int64(1) << np.int64(commission_suit(view)))
    others = held & ~refuter
    while count(others) > each:
        others &= others - np.int64(1)
    return others if count(others) == each else others | refuter


@rule
def refuters_worth(number):
    """The worth of holding so many cards of the Commission's suit."""
    worth = 0.0
    for i in range(min(number, len(REFUTER_WORTH))):
        worth += REFUTER_WORTH[i]
    return worth


@rule
def refuters_lost(view, low, high, each):
    """The worth of the refuting cards that a play spends."""
    suit = commission_suit(view)
    before = cards_of_suit(view.hands[view.seat], suit)
    after = before
    for rank in range(low, high + 1):
        after -= (suits_to_play(view, rank, each) >> np.int64(suit)) & 1
    lost = refuters_worth(before) - refuters_worth(after)
    return lost * (1.0 + REFUTER_WITH_COMMISSION) if view.holder == view.seat else lost


# --- A turn ---------------------------------------------------------------------------------------------------


@rule
def chance_to_win(view, desk, low, high, each):
    """Chance that a play is not beaten; seats that passed on the current play are less likely to beat the next."""
    expected = 0.0
    for other in range(view.players):
        if other != view.seat:
            willing = PASSED_WILLINGNESS if view.passed >> other & 1 else 1.0
            expected += willing * beaters(view, desk, other, low, high, each)
    return control(expected)


@rule
def chance_to_let_out(view, desk, low, high, each):
    """Expected number of seats that can beat a play with exactly their last cards."""
    expected = 0.0
    for other in range(view.players):
        if other != view.seat and view.counts[other] == each * (high - low + 1):
            expected += min(1.0, beaters(view, desk, other, low, high, each))
    return expected


@rule
def worth_of_play(view, desk, before, haste, low, high, each):
    """The worth of playing `each` cards of every rank from `low` to `high`; `before` is the price of the whole hand."""
    cards = each * (high - low + 1)
    left = view.counts[view.seat] - cards
    win = chance_to_win(view, desk, low, high, each)
    take(desk.held, low, high, each)
    worth = before - plan(desk)
    if left <= LOOK_AHEAD_FROM:
        worth += RUN_OUT * win * chance_to_run_out(desk)
    take(desk.held, low, high, -each)
    worth += cards * CARD_IN_HASTE * haste
    if view.play_size == 0:
        worth += cards * CARD_LED + win * WIN_WHEN_LEADING
    else:
        worth += cards * CARD_FOLLOWED + win * WIN_WHEN_FOLLOWING
        worth += STOP_OWNER * win * left / view.counts[view.play_owner]
    if view.holder == view.seat:
        worth += win * WIN_WITH_COMMISSION
    worth -= LET_OUT * left * chance_to_let_out(view, desk, low, high, each)
    return worth - refuters_lost(view, low, high, each)


@rule
def best_set(view, desk, before, haste):
    """The set most worth playing: its worth and its action, NO_ACTION where none is legal."""
    best, action = IMPOSSIBLE, NO_ACTION
    leading = view.play_size == 0
    if not leading and view.play_run:
        return best, action
    for rank in range(0 if leading else view.play_rank + 1, RANK_COUNT):
        for size in range(1, desk.held[rank] + 1):
            if leading or size == view.play_size:
                worth = worth_of_play(view, desk, before, haste, rank, rank, size)
                if worth > best:
                    best, action = worth, set_action(view, rank, size)
    return best, action


@rule
def best_run(view, desk, before, haste):
    """The run most worth playing: its worth and its action, NO_ACTION where none is legal."""
    best, action = IMPOSSIBLE, NO_ACTION
    leading = view.play_size == 0
    if not leading and not view.play_run:
        return best, action
    for low in range(RANK_COUNT):
        for high in range(low, RANK_COUNT):
            if desk.held[high] == 0:
                break
            length = high - low + 1
            if length >= SHORTEST_RUN and (leading or (length == view.play_size and high > view.play_rank)):
                worth = worth_of_play(view, desk, before, haste, low, high, 1)
                if worth > best:
                    best, action = worth, PLAY_RUN + RUN_NUMBER[low, high]
    return best, action


@rule
def set_action(view, rank, size):
    return PLAY_SET + 15 * rank + suits_to_play(view, rank, size) - 1


@rule
def going_out(view, desk):
    """The play that empties the hand, NO_ACTION where there is none."""
    cards = view.counts[view.seat]
    leading = view.play_size == 0
    if not leading and cards != view.play_size:
        return NO_ACTION
    low, high, ranks = RANK_COUNT, 0, 0
    for rank in range(RANK_COUNT):
        if desk.held[rank] > 0:
            low, high, ranks = min(low, rank), rank, ranks + 1
    if not leading and high <= view.play_rank:
        return NO_ACTION
    if ranks == 1 and (leading or not view.play_run):
        return set_action(view, high, cards)
    if ranks == cards and ranks >= SHORTEST_RUN and high - low + 1 == ranks and (leading or view.play_run):
        return PLAY_RUN + RUN_NUMBER[low, high]
    return NO_ACTION


@rule
def take_turn(view, desk):
    """Go out, else do what is worth most: a play, a pass or an accusation."""
    haste = urgency(view)
    accusing, accusation, acceptance = IMPOSSIBLE, NO_ACTION, 0.0
    if view.holder == view.seat:
        accusing, accusation, acceptance = best_accusation(view, haste)
    if view.play_size > 0 and not can_beat(view.hands[view.seat], view.play_size, view.play_run, view.play_rank):
        return accusation if accusing > PASS_WORTH else PASS
    lay_out(view, desk)
    out = going_out(view, desk)
    if out != NO_ACTION:
        return accusation if acceptance > ACCUSE_BEFORE_GOING_OUT else out
    best, action = IMPOSSIBLE, NO_ACTION
    if view.play_size > 0:
        best, action = PASS_WORTH, PASS
    before = plan(desk)
    worth, choice = best_set(view, desk, before, haste)
    if worth > best:
        best, action = worth, choice
    worth, choice = best_run(view, desk, before, haste)
    if worth > best:
        best, action = worth, choice
    return accusation if accusing > best else action


@rule
def choose_run_card(view):
    """A card for the run being laid: not of the Commission's suit where there is another."""
    suits = suits_to_play(view, view.run_rank, 1)
    return CARD + 4 * view.run_rank + count(suits - np.int64(1))


# --- Accusing and answering -----------------------------------------------------------------------------------


@rule
def chance_without_suit(view, seat, unseen):
    """Chance that a seat holds no card of the Commission's suit, so that it must accept."""
    if view.shown[seat] != 0:  # cards get there by refutation only
        return 0.0
    total = count(unseen)
    others = total - cards_of_suit(unseen, commission_suit(view))
    chance = 1.0
    for i in range(view.counts[seat]):
        chance *= max(0, others - i) / max(1, total - i)
    return chance


@rule
def points_so_far(view, seat):
    return view.points[seat] + FROZEN_ACE * aces(view, seat)


@rule
def ahead_of_average(view, seat):
    """How many points fewer a seat has than the seats have on average."""
    total = 0
    for other in range(view.players):
        total += points_so_far(view, other)
    return total / view.players - points_so_far(view, seat)


@rule
def worth_of_accusing(view, seat, left, haste, must_accept):
    """The worth of accusing the seat that sits `left` steps to the left."""
    gain = GIVE_AWAY + GIVE_AWAY_IN_HASTE * haste + GIVE_AWAY_FAR * (left - 1) / (view.players - 2)
    gain += GIVE_TO_LEADER * ahead_of_average(view, seat) / 10
    accepts = ACCEPTS_ANYWAY + (1.0 - ACCEPTS_ANYWAY) * must_accept
    if view.shown[seat] != 0:
        accepts = ACCEPTS_THOUGH_KNOWN
    worth = accepts * gain + ACCUSE_BIG_HAND * view.counts[seat] / 12
    if view.counts[seat] == 1:
        worth -= ACCUSE_LAST_CARD * (1.0 - must_accept) * view.counts[view.seat]
    if view.play_size == 0:
        worth -= LOSE_LEAD_BY_ACCUSING
    return worth


@rule
def best_accusation(view, haste):
    """The accusation most worth making: its worth, its action, and the chance that the accused cannot refute."""
    unseen = hidden_cards(view, view.seat)
    best, action, chance = IMPOSSIBLE, NO_ACTION, 0.0
    for left in range(1, view.players):
        other = at_left(view.seat, left, view.players)
        if view.counts[other] == 1 and view.shown[other] != 0:
            continue  # it would refute with its last card, and the round would end (R5)
        must_accept = chance_without_suit(view, other, unseen)
        worth = worth_of_accusing(view, other, left, haste, must_accept)
        if worth > best:
            best, action, chance = worth, ACCUSE + left - 1, must_accept
    return best, action, chance


@rule
def answer(view, desk):
    """Refute with the card that the plan misses least, unless it is worth more than being free of the Commission."""
    suit = commission_suit(view)
    if cards_of_suit(view.hands[view.seat], suit) == 0:
        return ACCEPT
    lay_out(view, desk)
    before = plan(desk)
    best, action = -(TAKE_COMMISSION + TAKE_COMMISSION_IN_HASTE * urgency(view)), ACCEPT
    for rank in range(RANK_COUNT):
        if (cards_of_rank(view.hands[view.seat], rank) >> np.int64(suit)) & 1:
            if view.counts[view.seat] == 1:  # R5: the round ends with an empty hand
                return REFUTE + 4 * rank + suit
            take(desk.held, rank, rank, 1)
            worth = before - plan(desk)
            take(desk.held, rank, rank, -1)
            if worth > best:
                best, action = worth, REFUTE + 4 * rank + suit
    return action


# --- The agent ------------------------------------------------------------------------------------------------


@kernel()
def decide_justiciar(views, actions):
    desk = empty_desk()
    for i in range(len(views)):
        view = views[i]
        if view.seat < 0:
            actions[i] = NO_ACTION
        elif view.phase == RUN:
            actions[i] = choose_run_card(view)
        elif view.phase == ACCUSED:
            actions[i] = answer(view, desk)
        else:
            actions[i] = take_turn(view, desk)


def expert(decisions: Decisions) -> np.ndarray:
    """Choose an action for each decision, int64 [n], from the views alone; it uses no luck. -1 where nobody is to move."""
    actions = np.zeros(len(decisions), np.int64)
    decisions.game.call(decide_justiciar, decisions.views, actions)
    return actions


AGENTS: dict[str, Agent] = {"expert": expert}
