"""A rule-based expert of Manrent.

It reckons in points. A Common is worth as many points as its pips times PIP, what pips turn into when all goes well;
a Royal in a Court what it will score once Secured, as likely as that is, less the pips that it still costs. It draws,
acts and pays where the sum is best: it pays the least that meets a price, with its lowest cards, protects a Royal
where that is cheaper than its loss, and draws from the Stock in the hope of the unseen cards' mean and in fear, or
hope, of an Ace.

The weights were tuned by duplicate matches of each change against the expert before it.
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has, lowest
from handfast.envs.core.compiling import kernel, rule
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.seats import at_left
from handfast.envs.core.table import NONE
from handfast.envs.core.tricks import of_suit, suit_of
from handfast.envs.manrent.cards import (
    ACTING,
    COMMON_COUNT,
    COURT_SCORE,
    DISCARD,
    DISCARDING,
    DONE,
    DRAWING,
    ENTICE,
    FIRST_ACE,
    FIRST_ROYAL,
    HAND,
    HOUSED_SCORE,
    INVITE,
    INVITE_COST,
    OCCUPIED,
    PASS,
    PAY,
    PAYING,
    PLACES,
    PROTECT,
    ROUND_GOAL,
    ROUNDS,
    ROW,
    SEATS,
    SECURE,
    SECURE_COST,
    STOCK,
    TRIBUTE,
    TRIBUTE_CARDS,
    YIELD,
)
from handfast.envs.manrent.rules import owner, pips, price, royal_rank, score, worth
from handfast.envs.manrent.stock import row_cards, stock_can_give, tribute_cards
from handfast.envs.manrent.view import aces_left, unlocated

PIP = 0.35  # points that a pip in hand is worth
FULL_HAND = 0.6  # as much of it where the hand holds more cards than it may keep
LOYAL_PIP = 0.5  # part of a pip more for a card of the suit of a Royal in one's own Court
RIVAL = 0.33  # the worth of a point that one rival loses
ENTICE_BAR = 3.0  # by how much to Entice must seem better than to pass: who is paid can Entice in turn
LEFT_ALONE = 0.6  # the chance that a rival who could Entice a Royal does not, before its turn to be Secured
REFUND = 0.7  # the chance that a Royal which is not Secured is Enticed, and so paid for
SLOWER = 0.08  # less for each turn of drawing that the hand still needs
HURRY = 0.25  # less where a rival needs one more Royal to end the round
MEAN_PIPS = 6.0  # of a Common
TURN_PIPS = 7.0  # pips that a turn brings
LAST_ROYAL = 6.0  # for ending the last round in the lead, or against it
KEEP_TWO = 0.6  # for two cards of a suit that could pay tribute, where the Court holds a Royal
ACE_FEAR = 0.8  # how much of what an Occupation takes is counted when drawing from the Stock

NO_ACTION = -1
NOTHING = -1e9
MOST_SUM = 62


# --- Payments -------------------------------------------------------------------------------------------------


@rule
def sums(cards, royal):
    """Which totals some of these cards can make toward a Royal, a bit each, up to 62."""
    reached = np.int64(1)
    while cards != 0:
        card = lowest(cards)
        reached |= (reached << worth(bit(card), royal)) & np.int64(0x7FFFFFFFFFFFFFFF)
        cards &= cards - np.int64(1)
    return reached


@rule
def least_payment(cards, royal, cost):
    """The least total of some of these cards that meets a cost, NONE where all of them do not."""
    reached = sums(cards, royal)
    for total in range(cost, MOST_SUM + 1):
        if has(reached, total):
            return total
    return cost if worth(cards, royal) >= cost else NONE


@rule
def choose_payment(view):
    """Done as soon as the cost is met; until then the lowest card of a least payment."""
    left = price(view, view.seat, view.target) - worth(view.offered, view.target)
    if left <= 0:
        return DONE
    cards = view.hands[view.seat] & ~view.offered
    total = least_payment(cards, view.target, left)
    rest = cards
    while rest != 0:
        card = lowest(rest)
        others = total - worth(bit(card), view.target)
        if others <= 0 or has(sums(cards & ~bit(card), view.target), others):
            return PAY + card
        rest &= rest - np.int64(1)
    return PAY + lowest(cards)


# --- What things are worth ------------------------------------------------------------------------------------


@rule
def chance_to_secure(view, seat, royal, left_pips):
    """How likely a seat Secures a Royal in its Court, with so many pips in hand that it can use for it."""
    missing = SECURE_COST[royal_rank(royal)] - left_pips
    chance = 1.0
    for other in range(SEATS):
        if other != seat and MEAN_PIPS * view.counts[other] >= INVITE_COST[royal_rank(royal)]:
            chance *= LEFT_ALONE
    if missing > 0:
        chance -= SLOWER * (1 + missing / TURN_PIPS)
    for other in range(SEATS):
        if other != seat and count(view.houses[other] & view.upright) == ROUND_GOAL - 1:
            chance -= HURRY
            break
    return max(chance, 0.05)


@rule
def worth_in_court(view, seat, royal, left_pips):
    """Points to expect of a Royal in a seat's Court."""
    chance = chance_to_secure(view, seat, royal, left_pips)
    secured = HOUSED_SCORE[royal_rank(royal)] - PIP * SECURE_COST[royal_rank(royal)]
    unsecured = REFUND * PIP * INVITE_COST[royal_rank(royal)]
    if view.round_no == ROUNDS:
        unsecured += (1 - REFUND) * COURT_SCORE
    return chance * secured + (1 - chance) * unsecured


@rule
def pip_price(hand):
    """Points that it costs to pay a pip from this hand."""
    return PIP * FULL_HAND if count(hand) > HAND else PIP


@rule
def worth_of_securing(view, hand, royal, paid):
    """Points to expect of Securing a Royal now, less what it is worth unsecured."""
    seat = view.seat
    gain = HOUSED_SCORE[royal_rank(royal)] - pip_price(hand) * paid
    if view.round_no == ROUNDS:
        gain -= COURT_SCORE
        if count(view.houses[seat] & view.upright) == ROUND_GOAL - 1:
            best = NOTHING
            for other in range(SEATS):
                if other != seat:
                    best = max(best, score(view, other))
            ahead = score(view, seat) - COURT_SCORE + HOUSED_SCORE[royal_rank(royal)] > best
            gain += LAST_ROYAL if ahead else -LAST_ROYAL
    return gain


@rule
def worth_of_gaining(view, hand, royal, paid, court):
    """Points to expect of bringing a Royal into one's own Court, from the Market or from the rival's whose `court` it is in."""
    gain = worth_in_court(view, view.seat, royal, pips(hand) - paid) - pip_price(hand) * paid
    if court != NONE:  # the rival loses the Royal and gets the payment
        lost = worth_in_court(view, court, royal, TURN_PIPS * view.counts[court]) - PIP * paid
        gain += RIVAL * lost - ENTICE_BAR
    return gain


@rule
def best_act(view, hand):
    """The action most worth taking with this hand, and what it is worth; to pass is worth nothing."""
    seat = view.seat
    best, action = 0.0, PASS
    for royal in range(FIRST_ROYAL, FIRST_ACE):
        court = owner(view, royal)
        if court == NONE and not has(view.market, royal):
            continue
        if court != NONE and court != seat and not stock_can_give(view) and row_cards(view) == 0:
            continue  # all Commons are in hands: the same payment would go round for ever
        paid = least_payment(hand, royal, price(view, seat, royal))
        if paid == NONE:
            continue
        if court == seat:
            gain, chosen = worth_of_securing(view, hand, royal, paid), SECURE
        else:
            gain = worth_of_gaining(view, hand, royal, paid, court)
            chosen = INVITE if court == NONE else ENTICE
        if gain > best:
            best, action = gain, chosen + royal - FIRST_ROYAL
    return best, action


@rule
def keep_worth(view, hand, card):
    """Points that a card in hand is worth."""
    suit = suit_of(card)
    court = view.courts[view.seat]
    worth_of_it = PIP * pips(bit(card))
    if of_suit(court, suit) != 0:
        worth_of_it += PIP * LOYAL_PIP
    if court != 0 and count(of_suit(hand | bit(card), suit)) <= TRIBUTE_CARDS:
        worth_of_it += KEEP_TWO * count(of_suit(hand | bit(card), suit)) / TRIBUTE_CARDS
    return worth_of_it


# --- Draw, discard, Occupation --------------------------------------------------------------------------------


@rule
def worth_of_hand_with(view, card):
    """What a card is worth to the hand: kept, and for the action that it makes possible."""
    hand = view.hands[view.seat]
    return keep_worth(view, hand, card) + best_act(view, hand | bit(card))[0]


@rule
def loss_by_occupation(view, seat):
    """Points that an Occupation of any suit is likely to cost a seat."""
    loss = 0.0
    court = view.courts[seat]
    while court != 0:
        loss += 0.5 * worth_in_court(view, seat, lowest(court), TURN_PIPS)
        court &= court - np.int64(1)
    return loss


@rule
def worth_of_stock(view):
    """What an unseen card is worth on average, and what the Ace that may come instead does to all."""
    cards = unlocated(view) & ~view.hands[view.seat]
    n = count(cards)
    total = 0.0
    while cards != 0:
        total += worth_of_hand_with(view, lowest(cards))
        cards &= cards - np.int64(1)
    mean = total / n if n > 0 else 0.0
    if view.stock_left == 0:
        return mean
    swing = -loss_by_occupation(view, view.seat)
    for left in range(1, SEATS):
        swing += RIVAL * loss_by_occupation(view, at_left(view.seat, left, SEATS))
    return mean + ACE_FEAR * swing * aces_left(view) / view.stock_left


@rule
def choose_draw(view):
    """The best of the Row, or the Stock."""
    best, action = NOTHING, STOCK
    if stock_can_give(view):
        best = worth_of_stock(view)
    for place in range(PLACES):
        card = view.row[place]
        if card != NONE:
            gain = worth_of_hand_with(view, card)
            if gain > best:
                best, action = gain, ROW + card
    return action


@rule
def choose_discard(view):
    """The card of least worth."""
    hand = view.hands[view.seat]
    best, action = -NOTHING, NO_ACTION
    for card in range(COMMON_COUNT):
        if has(hand, card):
            worth_of_it = keep_worth(view, hand, card)
            if worth_of_it < best:
                best, action = worth_of_it, DISCARD + card
    return action


@rule
def choose_protection(view):
    """Protect a Royal where its two lowest cards of tribute cost less than its loss, for which a card is drawn."""
    royal = lowest(view.pending)
    tribute = tribute_cards(view, view.seat)
    if count(tribute) >= TRIBUTE_CARDS:
        first = bit(lowest(tribute))
        second = bit(lowest(tribute & ~first))
        left = pips(view.hands[view.seat] & ~(first | second))
        loss = worth_in_court(view, view.seat, royal, left) - PIP * TURN_PIPS
        if PIP * pips(first | second) < loss:
            return PROTECT + royal - FIRST_ROYAL
    return YIELD + royal - FIRST_ROYAL


# --- The agent ------------------------------------------------------------------------------------------------


@kernel()
def decide_manrent(views, actions):
    for i in range(len(views)):
        view = views[i]
        if view.seat < 0:
            actions[i] = NO_ACTION
        elif view.phase == DRAWING:
            actions[i] = choose_draw(view)
        elif view.phase == ACTING:
            actions[i] = best_act(view, view.hands[view.seat])[1]
        elif view.phase == PAYING:
            actions[i] = choose_payment(view)
        elif view.phase == DISCARDING:
            actions[i] = choose_discard(view)
        elif view.phase == OCCUPIED:
            actions[i] = choose_protection(view)
        else:
            actions[i] = TRIBUTE + lowest(tribute_cards(view, view.seat))


def expert(decisions: Decisions) -> np.ndarray:
    """Choose an action for each decision, int64 [n], from the views alone; it uses no luck. -1 where nobody is to move."""
    actions = np.zeros(len(decisions), np.int64)
    decisions.game.call(decide_manrent, decisions.views, actions)
    return actions


AGENTS: dict[str, Agent] = {"expert": expert}
