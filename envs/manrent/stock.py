"""The Stock of Manrent: the hands and the Row that it fills, and the Occupations that its Aces begin.

An Occupation interrupts the draw or refill that met the Ace, and another one's compensation. Each keeps what it still
owes; what was interrupted goes on when the Occupation is over.
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.luck import shuffle
from handfast.envs.core.seats import at_left
from handfast.envs.core.table import CHANCE, NONE
from handfast.envs.core.tricks import of_suit, suit_of
from handfast.envs.manrent.cards import (
    ACTING,
    BETWEEN,
    BLIND,
    COMMON_COUNT,
    DRAWING,
    FILL,
    FIRST_ACE,
    FIRST_ROYAL,
    FOR_STOCK,
    OCCUPIED,
    PAYING_TRIBUTE,
    PLACES,
    PROTECT,
    RESHUFFLE,
    ROUNDS,
    SEATS,
    STOCK_MOST,
    TRIBUTE,
    TRIBUTE_CARDS,
    YIELD,
)

# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def row_cards(game):
    """The Row as a set of cards."""
    cards = np.int64(0)
    for place in range(PLACES):
        if game.row[place] != NONE:
            cards |= bit(game.row[place])
    return cards


@rule
def stock_can_give(game):
    """Whether a card can be drawn: there is a Stock, or a Market Discard to make one of (R10)."""
    return game.stock_left > 0 or game.discard != 0


@rule
def show(game, seat, card):
    """Everyone sees a card in this hand."""
    if not has(game.known[seat], card):
        game.hidden[seat, game.batch[card]] -= 1
        game.known[seat] |= bit(card)


@rule
def take_from_hand(game, seat, cards):
    """These cards, which everyone has seen, leave the hand."""
    game.hands[seat] &= ~cards
    game.known[seat] &= ~cards
    game.counts[seat] -= count(cards)


@rule
def put_in_hand(game, seat, cards):
    """These cards come into the hand, and everyone sees it (R3)."""
    game.hands[seat] |= cards
    game.known[seat] |= cards
    game.counts[seat] += count(cards)


@rule
def discard_card(game, seat, card):
    """One card goes from the hand to the Market Discard."""
    show(game, seat, card)
    take_from_hand(game, seat, bit(card))
    game.discard |= bit(card)


@rule
def shuffle_stock(game, cards, seed, number):
    """These cards in random order as this number of the round's Stocks, from 1. The Stock was empty."""
    order = np.empty(STOCK_MOST, np.int64)
    n = shuffle(cards, seed, FOR_STOCK, np.int64(ROUNDS * number + game.round_no), order)
    for i in range(n):
        game.stock[i] = order[i]


@rule
def hide_batch(game):
    """The Market Discard goes out of sight as one batch, under a number that no hidden card bears."""
    number = 0
    while hidden_of_batch(game, number) > 0:
        number += 1
    game.stock_batch = number
    for card in range(COMMON_COUNT):
        if has(game.discard, card):
            game.batch[card] = number


@rule
def of_batch(game, cards, batch):
    """The cards of a set that were last hidden in this batch."""
    found = np.int64(0)
    while cards != 0:
        card = lowest(cards)
        if game.batch[card] == batch:
            found |= bit(card)
        cards &= cards - 1
    return found


@rule
def hidden_of_batch(game, batch):
    """How many cards of a batch the hands hold unseen."""
    cards = 0
    for seat in range(SEATS):
        cards += game.hidden[seat, batch]
    return cards


# --- What follows of itself -----------------------------------------------------------------------------------


@rule
def send_for(game, errand):
    """The turn needs cards: one unseen card, or one for each empty Row place."""
    game.errand = errand
    game.owed[0] = 1 if errand == BLIND else PLACES - count(row_cards(game))
    game.phase = BETWEEN


@rule
def go_on(game):
    """What follows of itself up to the next choice, luck or the end.

    The last Occupation comes first, then those that it interrupted, then the errand that they interrupted.
    """
    while game.phase == BETWEEN:
        if game.pending != 0:  # R2
            game.seat = asked_seat(game)
            game.phase = OCCUPIED
        elif game.owed[game.depth] > 0:
            draw_owed_card(game)
        elif game.depth > 0:
            ask_next_seat(game)
        else:
            end_errand(game)


@rule
def draw_owed_card(game):
    """Turn up the Stock's top card, made of the Market Discard where there is none; without either the draw is lost."""
    if game.stock_left > 0:
        turn_up(game)
    elif game.discard != 0:
        game.seat = CHANCE
        game.phase = RESHUFFLE
    else:
        game.owed[game.depth] = 0


@rule
def turn_up(game):
    """The Stock's top card goes to whoever, or wherever, it was drawn for; an Ace begins an Occupation instead (R10)."""
    game.stock_left -= 1
    card = np.int64(game.stock[game.stock_left])
    game.stock[game.stock_left] = 0
    if card >= FIRST_ACE:
        game.out |= bit(card)
        game.depth += 1
        game.aces[game.depth] = card
        game.asked[game.depth] = -1
        return
    game.owed[game.depth] -= 1
    if game.depth > 0:
        draw_unseen(game, asked_seat(game), card)
    elif game.errand == BLIND:
        draw_unseen(game, game.active, card)
    else:
        place = 0
        while game.row[place] != NONE:  # R6
            place += 1
        game.row[place] = card


@rule
def draw_unseen(game, seat, card):
    """A card of the Stock comes into the hand; only its seat sees which."""
    game.hands[seat] |= bit(card)
    game.counts[seat] += 1
    game.hidden[seat, game.stock_batch] += 1


@rule
def end_errand(game):
    """The Row is filled: the active player draws, where anything is left. Or the draw is done: it acts."""
    game.seat = game.active
    if game.errand == FILL and (row_cards(game) != 0 or stock_can_give(game)):
        game.phase = DRAWING
    else:
        game.phase = ACTING


# --- Occupation -----------------------------------------------------------------------------------------------


@rule
def asked_seat(game):
    """The seat that the last Occupation has come to."""
    return at_left(game.active, game.asked[game.depth], SEATS)


@rule
def tribute_suit(game):
    """The Tribute Suit of the last Occupation."""
    return suit_of(game.aces[game.depth])


@rule
def tribute_cards(game, seat):
    """The cards in a hand that pay tribute."""
    return of_suit(game.hands[seat], tribute_suit(game))


@rule
def ask_next_seat(game):
    """The Occupation moves on clockwise; after the fourth seat it is over, and what it interrupted goes on."""
    game.asked[game.depth] += 1
    if game.asked[game.depth] == SEATS:
        game.depth -= 1
    else:
        game.pending = game.courts[asked_seat(game)]


@rule
def legal_occupation(view, mask):
    """Protect the Royal asked about with two cards of the Tribute Suit, or yield it."""
    royal = lowest(view.pending) - FIRST_ROYAL
    if count(tribute_cards(view, view.seat)) >= TRIBUTE_CARDS:
        mask[PROTECT + royal] = 1
    mask[YIELD + royal] = 1


@rule
def apply_occupation(game, action):
    if action < YIELD:
        game.tributes_left = TRIBUTE_CARDS
        game.phase = PAYING_TRIBUTE
        return
    royal = bit(FIRST_ROYAL + action - YIELD)
    game.pending &= ~royal
    game.courts[game.seat] &= ~royal
    game.market |= royal
    game.owed[game.depth] += 1
    game.phase = BETWEEN


@rule
def apply_tribute(game, action):
    """One card of the Tribute Suit is discarded; with the last one the Royal is safe."""
    discard_card(game, game.seat, action - TRIBUTE)
    game.tributes_left -= 1
    if game.tributes_left == 0:
        game.pending &= game.pending - 1
        game.phase = BETWEEN
