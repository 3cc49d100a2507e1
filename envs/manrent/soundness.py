"""Which records of Manrent the rules can reach.

All that everyone can see is held against the rules, and the cards against what everyone can see. Whatever these rules
let pass can be played on: every choice and every luck leads to a record that they let pass again. They may be asked
about any record whose numbers are in the ranges of the table of fields.
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has
from handfast.envs.core.compiling import rule
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON, NONE
from handfast.envs.manrent.cards import (
    ACE_COUNT,
    ACES,
    ACTING,
    BATCHES,
    BLIND,
    COMMON_COUNT,
    COMMONS,
    DEAL,
    DISCARDING,
    DRAWING,
    FILL,
    FIRST,
    FIRST_ACE,
    FIRST_ROYAL,
    HAND,
    JACKS_AND_QUEENS,
    KINGS,
    OCCUPIED,
    PAYING,
    PAYING_TRIBUTE,
    PLACES,
    RESHUFFLE,
    ROUND_GOAL,
    ROUNDS,
    SEATS,
    STOCK_MOST,
)
from handfast.envs.manrent.rules import dealt_stock, price, worth
from handfast.envs.manrent.stock import asked_seat, of_batch, row_cards, stock_can_give, tribute_cards


@rule
def check(game):
    """Whether the rules can reach this game; safe for all records whose fields are in their ranges."""
    if game.phase == FIRST or game.phase == DEAL:
        return royals_fit(game) and table_is_bare(game) and deal_is_due(game) and occupations_fit(game)
    return (
        commons_fit(game)
        and royals_fit(game)
        and aces_fit(game)
        and hands_fit(game)
        and errand_fits(game)
        and occupations_fit(game)
        and payment_fits(game)
        and stage_fits(game)
    )


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def stock_cards(game, size):
    """The first `size` cards of the Stock as a set, -1 where one is there twice, is a Royal, or lies above them."""
    cards = np.int64(0)
    for i in range(STOCK_MOST):
        card = game.stock[i]
        if i >= size:
            if card != 0:
                return np.int64(-1)
        elif has(cards, card) or FIRST_ROYAL <= card < FIRST_ACE:
            return np.int64(-1)
        else:
            cards |= bit(card)
    return cards


@rule
def row_fits(game):
    """The places of the Row are empty or hold a Common each, none twice."""
    filled = 0
    for place in range(PLACES):
        if game.row[place] != NONE:
            if game.row[place] < 0:
                return False
            filled += 1
    return count(row_cards(game)) == filled


@rule
def are_all_commons(game, stock):
    """Whether hands, Row, Market Discard and this Stock hold all 36 Commons, each once."""
    stock &= COMMONS
    everywhere = row_cards(game) | stock | game.discard
    cards = count(row_cards(game)) + count(stock) + count(game.discard)
    for seat in range(SEATS):
        everywhere |= game.hands[seat]
        cards += count(game.hands[seat])
    return everywhere == COMMONS and cards == COMMON_COUNT


@rule
def commons_fit(game):
    """Every Common is in one place; those of the Stock are of its batch; luck may just have made one of the Market Discard."""
    if not row_fits(game):
        return False
    stock = stock_cards(game, game.stock_left)
    if game.phase == RESHUFFLE and stock < 0:
        return stock_cards(game, count(game.discard)) == game.discard and are_all_commons(game, np.int64(0))
    return (
        stock >= 0
        and are_all_commons(game, stock)
        and of_batch(game, stock & COMMONS, game.stock_batch) == stock & COMMONS
    )


@rule
def royals_fit(game):
    """The Royals that have entered are there, each once; those Secured this round lie in Houses."""
    entered = np.int64(JACKS_AND_QUEENS)
    for arrival in range(game.round_no - 1 if game.phase == FIRST else game.round_no):
        entered |= bit(KINGS[arrival])
    everywhere, royals, housed = game.market, count(game.market), np.int64(0)
    for seat in range(SEATS):
        everywhere |= game.courts[seat] | game.houses[seat]
        royals += count(game.courts[seat]) + count(game.houses[seat])
        housed |= game.houses[seat]
    return everywhere == entered and royals == count(entered) and game.upright & ~housed == 0


@rule
def aces_fit(game):
    """As many Aces as the round has are in the Stock or out, those shown among them; a Stock made anew has none."""
    if game.phase == RESHUFFLE:
        aces = np.int64(0)
    else:
        aces = stock_cards(game, game.stock_left) & ACES
    return (
        game.out & ~ACES == 0
        and aces & game.out == 0
        and count(aces | game.out) == game.round_no
        and game.shown & ~(aces | game.out) == 0
        and (game.reshuffles == 0 or aces == 0)
    )


@rule
def hands_fit(game):
    """Hands have their sizes, hold what is known of them, and so many cards of each batch unseen."""
    for seat in range(SEATS):
        hand = game.hands[seat]
        if count(hand) != game.counts[seat] or game.known[seat] & ~hand != 0:
            return False
        unseen = hand & ~game.known[seat]
        for batch in range(BATCHES):
            if count(of_batch(game, unseen, batch)) != game.hidden[seat, batch]:
                return False
    return True


# --- Before a deal --------------------------------------------------------------------------------------------


@rule
def table_is_bare(game):
    """Nobody knows of a card, in a hand or elsewhere, no Royal is in a Court, and nothing is under way."""
    bare = game.stock_left == 0 and game.discard == 0 and game.out == 0 and game.upright == 0
    bare &= game.stock_batch == 0 and game.reshuffles == 0
    bare &= game.target == NONE and game.offered == 0
    for seat in range(SEATS):
        bare &= game.counts[seat] == 0 and game.known[seat] == 0 and game.courts[seat] == 0
        for batch in range(BATCHES):
            bare &= game.hidden[seat, batch] == 0
    for card in range(COMMON_COUNT):
        bare &= game.batch[card] == 0
    return bare


@rule
def deal_is_due(game):
    """Luck has yet to draw the first player, or to deal; or it has just dealt whole hands, a Row and a Stock."""
    if game.ended != GOING_ON or game.seat != CHANCE or not turns_fit(game) or game.depth != 0 or game.owed[0] != 0:
        return False
    if game.phase == FIRST and (game.round_no != 1 or game.turns != 0):
        return False
    held, filled = 0, 0
    for seat in range(SEATS):
        held += count(game.hands[seat])
    for place in range(PLACES):
        filled += game.row[place] != NONE
    if held == 0:
        return filled == 0 and game.shown == 0 and stock_cards(game, 0) == 0
    for seat in range(SEATS):
        if count(game.hands[seat]) != HAND:
            return False
    stock = stock_cards(game, dealt_stock(game))
    return (
        game.phase == DEAL
        and stock >= 0
        and row_fits(game)
        and filled == PLACES
        and are_all_commons(game, stock)
        and count(stock & ACES) == game.round_no
        and game.shown & ~(stock & ACES) == 0
    )


# --- The turn -------------------------------------------------------------------------------------------------


@rule
def turns_fit(game):
    """A turn is left, and every round before took one at least."""
    return game.round_no - 1 <= game.turns < game.max_turns


@rule
def is_interrupted(game):
    """Whether the errand waits for an Occupation or for a new Stock."""
    return game.phase == RESHUFFLE or game.phase == OCCUPIED or game.phase == PAYING_TRIBUTE


@rule
def errand_fits(game):
    """What the errand still owes is what it is for; when it is over, the Row has gaps only where the Stock gave out."""
    gaps = PLACES - count(row_cards(game))
    if is_interrupted(game):
        owed = 1 if game.errand == BLIND else gaps
        if game.errand == BLIND and gaps > 0:
            return False
        at_errand = game.phase == RESHUFFLE and game.depth == 0
        return game.owed[0] == owed and (owed > 0 or not (at_errand or game.depth > 0))
    if game.owed[0] != 0 or (gaps > 0 and (game.errand == BLIND or game.stock_left > 0)):
        return False
    if game.phase == DRAWING:
        return game.errand == FILL and (gaps == 0 or not stock_can_give(game))
    return game.errand != FILL or (gaps == PLACES and game.stock_left == 0)


@rule
def occupations_fit(game):
    """Each Occupation under way has an Ace of its own that is out, and was interrupted in a compensation by the next.

    Compensation is owed for Royals yielded in this turn, which are in the Royal Market. Only the last Occupation asks.
    """
    aces, compensation = np.int64(0), 0
    for level in range(1, game.depth + 1):
        ace = game.aces[level]
        if not has(game.out, ace) or has(aces, ace) or game.asked[level] >= SEATS:
            return False
        if level < game.depth and game.owed[level] == 0:
            return False
        aces |= bit(ace)
        compensation += game.owed[level]
    for level in range(game.depth + 1, ACE_COUNT + 1):
        if game.owed[level] != 0:
            return False
    if compensation > count(game.market) or (game.depth > 0 and not is_interrupted(game)):
        return False
    return question_fits(game)


@rule
def question_fits(game):
    """A seat is asked about the Royals of its Court from one on, and pays tribute for that one only if it can."""
    if game.phase != OCCUPIED and game.phase != PAYING_TRIBUTE:
        return game.pending == 0 and game.tributes_left == 0
    if game.depth == 0 or game.pending == 0:
        return False
    asked_or_later = -(game.pending & -game.pending)
    if game.seat != asked_seat(game) or game.pending != game.courts[game.seat] & asked_or_later:
        return False
    if game.phase == OCCUPIED:
        return game.tributes_left == 0
    return 0 < game.tributes_left <= count(tribute_cards(game, game.seat))


@rule
def payment_fits(game):
    """Who pays does so for a Royal in the Market or in a Court, can pay for it, and all have seen what is offered."""
    if game.phase != PAYING:
        return game.target == NONE and game.offered == 0
    if game.target < FIRST_ROYAL or game.seat != game.active or game.offered & ~game.known[game.seat] != 0:
        return False
    to_win = game.market
    for seat in range(SEATS):
        to_win |= game.courts[seat]
    return has(to_win, game.target) and can_pay(game)


@rule
def can_pay(game):
    """Whether the hand of who is paying counts as much as the Royal costs (R5)."""
    return worth(game.hands[game.seat], game.target) >= price(game, game.seat, game.target)


# --- Stages ---------------------------------------------------------------------------------------------------


@rule
def round_is_over(game):
    """Whether the Royal Market is empty, or a seat has Secured three Royals this round."""
    over = game.market == 0
    for seat in range(SEATS):
        over |= count(game.houses[seat] & game.upright) >= ROUND_GOAL
    return over


@rule
def stage_fits(game):
    """Who is to move fits the phase, and the round and the game go on as long as they may."""
    if game.ended != GOING_ON:
        return game_is_over(game)
    if not turns_fit(game) or round_is_over(game):
        return False
    if game.phase == RESHUFFLE:
        return game.seat == CHANCE and game.stock_left == 0 and game.discard != 0 and game.owed[game.depth] > 0
    if game.phase == OCCUPIED or game.phase == PAYING_TRIBUTE:
        return True  # see `question_fits`
    if game.phase < DRAWING or game.seat != game.active:
        return False
    if game.phase == DRAWING:
        return row_cards(game) != 0 or stock_can_give(game)
    return game.phase != DISCARDING or game.counts[game.active] > HAND


@rule
def game_is_over(game):
    """The fourth round is over, or the turns are; one that ends in a fourth round's last turn is not truncated (R7)."""
    if game.seat != FINISHED or game.phase != ACTING:
        return False
    for seat in range(SEATS):
        if count(game.houses[seat] & game.upright) > ROUND_GOAL:
            return False
    if game.ended == ENDED:
        return game.round_no == ROUNDS and round_is_over(game) and ROUNDS <= game.turns <= game.max_turns
    if game.turns != game.max_turns or game.turns < game.round_no:
        return False
    if round_is_over(game):
        return game.round_no < ROUNDS
    return game.counts[game.active] <= HAND
