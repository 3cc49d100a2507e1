"""The piles of cards, and the 24 abilities.

An ability first does what leaves no choice (`begin_ability`), then asks question after question: `answers_to_ability`
says what may be answered, `answer_ability` carries the answer out. A question with one answer is not asked, and where
there is none, the ability is over (R1).
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has, highest, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.dealing import as_set
from handfast.envs.core.table import CHANCE, NONE
from handfast.envs.core.tricks import of_suit, suit_of
from handfast.envs.northwood.cards import (
    ALL_FIEFS,
    BC,
    BE,
    BETWEEN,
    BF,
    BL,
    CARDS,
    DRAW_ON,
    EXCHANGE,
    FIEFS,
    JC,
    JE,
    JF,
    JL,
    KC,
    KE,
    KF,
    KL,
    LC,
    LE,
    LF,
    LL,
    MOST_VALUE,
    MOVE,
    NAME,
    PC,
    PE,
    PF,
    PICK,
    PL,
    QC,
    QE,
    QF,
    QL,
    REFRESH,
    SHUFFLE,
    VALUE,
    of_value,
    suit_of_character,
    value_of,
)

# --- Piles ----------------------------------------------------------------------------------------------------


@rule
def take_from_deck(game):
    """The deck's top card, which leaves the deck."""
    game.deck_count -= 1
    game.known[game.deck_count] = 0
    return np.int64(game.deck[game.deck_count])


@rule
def put_on_deck(game, card):
    """A card that the player has seen goes face down on the deck (R10)."""
    game.deck[game.deck_count] = card
    game.known[game.deck_count] = card + 1
    game.deck_count += 1


@rule
def look_at_deck(game, cards):
    """The player looks at so many cards from the top, and knows them until they move (R10)."""
    for place in range(max(game.deck_count - cards, 0), game.deck_count):
        game.known[place] = game.deck[place] + 1


@rule
def forget_deck(game):
    """Nothing is known of the deck's order any more."""
    for place in range(CARDS):
        game.known[place] = 0


@rule
def draw(game, cards):
    """So many cards go from the deck to the hand, or as many as there are (R1)."""
    for _ in range(min(cards, game.deck_count)):
        game.hand |= bit(take_from_deck(game))


@rule
def put_on_discards(game, card):
    game.discards[game.discard_count] = card
    game.discard_count += 1


@rule
def take_from_discards(game):
    game.discard_count -= 1
    return np.int64(game.discards[game.discard_count])


@rule
def put_on_scored(game, card):
    game.scored[game.score_count] = card
    game.score_count += 1


@rule
def take_from_scored(game):
    game.score_count -= 1
    return np.int64(game.scored[game.score_count])


@rule
def discard(game, card):
    """A card goes from the hand to the discard pile."""
    game.hand &= ~bit(card)
    put_on_discards(game, card)


# --- What an ability may work on ------------------------------------------------------------------------------


@rule
def trump(view):
    """The suit of the current ruler."""
    return suit_of_character(view.ruler[view.fief])


@rule
def refreshable(view):
    """The other exhausted characters in play (R4, R5)."""
    return view.exhausted & ~bit(view.acting)


@rule
def fiefs_within_two(view):
    """JL: unvisited fiefs at most two away from the current one (R6)."""
    fiefs = np.int64(0)
    for fief in range(max(view.fief - 2, 0), min(view.fief + 3, FIEFS)):
        if fief != view.fief and not has(view.visited, fief):
            fiefs |= bit(fief)
    return fiefs


@rule
def nearest_fiefs(view):
    """PL: the nearest unvisited fief below the current one, and the nearest above (R6)."""
    others = ~view.visited & np.int64(ALL_FIEFS) & ~bit(view.fief)
    below = others & (bit(view.fief) - 1)
    above = others & ~below
    fiefs = above & -above
    return fiefs | bit(highest(below)) if below != 0 else fiefs


@rule
def values_held(hand):
    """Which values a hand holds, bit 0 for the value 1."""
    values = np.int64(0)
    for value in range(1, MOST_VALUE + 1):
        if of_value(hand, value) != 0:
            values |= bit(value - 1)
    return values


@rule
def lowest_cards(hand):
    """All cards of the lowest value in a hand that is not empty."""
    return of_value(hand, value_of(lowest(hand)))


@rule
def up_to_three(hand):
    """The cards of the values 1, 2 and 3."""
    return hand & np.int64(0xFFF)


@rule
def duplicates(hand):
    """The cards whose value is held at least twice."""
    cards = np.int64(0)
    for value in range(1, MOST_VALUE + 1):
        same = of_value(hand, value)
        if count(same) > 1:
            cards |= same
    return cards


@rule
def with_partner(hand, total):
    """The cards with which another card of the hand sums to `total`, which is odd."""
    cards = np.int64(0)
    for value in range(1, MOST_VALUE + 1):
        if 0 < total - value <= MOST_VALUE and of_value(hand, total - value) != 0:
            cards |= of_value(hand, value)
    return cards


@rule
def parts_of_sum(hand, total):
    """The cards of a hand that belong to some set of its cards with values that sum to exactly `total`."""
    cards = np.int64(0)
    for value in range(1, min(total, MOST_VALUE) + 1):
        same = of_value(hand, value)
        if same != 0:
            rest = hand & ~(same & -same)
            sums = np.int64(1)  # bit s: cards of the rest can sum to s
            while rest != 0:
                sums |= sums << np.int64(value_of(lowest(rest)))
                rest &= rest - 1
            if has(sums, total - value):
                cards |= same
    return cards


@rule
def value_sum(cards):
    """The sum of the values of a set of cards."""
    total = np.int64(0)
    while cards != 0:
        total += value_of(lowest(cards))
        cards &= cards - 1
    return total


# --- Carrying out ---------------------------------------------------------------------------------------------


@rule
def use_ability(game, character):
    """A character is exhausted and carries out its ability; QL that of the current ruler, as its own (R5)."""
    game.exhausted |= bit(character)
    text = game.ruler[game.fief] if character == QL else character
    if has(game.barred, text):
        game.phase = BETWEEN
    else:
        game.acting = character
        game.ability = text
        begin_ability(game)


@rule
def begin_ability(game):
    """What an ability does at once, and how it goes on: the kind of question, and how often or for how much."""
    text = game.ability
    game.phase = PICK
    game.to_go = 1
    if text == JC:
        draw(game, game.hand_size - count(game.hand))
    elif text == QC:
        draw(game, 1)
        if game.discard_count > 0:
            game.hand |= bit(take_from_discards(game))
        if game.score_count > 0:
            game.hand |= bit(take_from_scored(game))
    elif text == KC:
        game.sought = value_of(highest(game.hand))
        game.to_go = count(of_value(game.hand, game.sought))
    elif text == PC:
        game.phase = DRAW_ON
        draw_one_of_many(game)
    elif text == BC:
        game.phase = VALUE
    elif text == JF:
        game.to_go = count(of_suit(game.hand, trump(game)))
    elif text == QF:
        if game.score_count > 0:
            put_on_deck(game, take_from_scored(game))
    elif text == KF:
        game.to_go = 2
    elif text == PF:
        game.to_go = count(game.hand) - count(values_held(game.hand))
    elif text == BF:
        game.to_go = count(up_to_three(game.hand))
    elif text == JE:
        draw(game, 2)
        game.to_go = 2
    elif text == QE:
        look_at_deck(game, 3)
    elif text == KE:
        game.phase = NAME
    elif text == PE:
        game.to_go = 1 + count(refreshable(game))
    elif text == LE:
        before = game.hand
        draw(game, 2)
        game.to_go = value_sum(game.hand & ~before)  # R7
    elif text == BE:
        game.delayed = 1
        game.to_go = 0  # nothing before the response
    elif text in (JL, PL):
        game.phase = MOVE
    elif text == KL:
        look_at_deck(game, 1)
    elif text == LL:
        draw(game, 1)
        game.phase = REFRESH
    elif text == BL:
        game.phase = EXCHANGE
        game.to_go = 2  # the discard pile, then the score pile


@rule
def go_on_with_ability(game):
    """One step of an ability; whether it was a question to the player, which is not asked where one answer is possible."""
    answers = answers_to_ability(game)
    if answers == 0:
        end_step(game)
    elif count(answers) > 1 or game.phase == EXCHANGE:
        return True
    else:
        answer_ability(game, lowest(answers))
    return False


@rule
def end_step(game):
    """Nothing more can be answered: the ability is over, unless BL has a second pile to look at."""
    if game.ability == BL and game.to_go == 2:
        game.to_go = 1
    else:
        end_ability(game)


@rule
def end_ability(game):
    game.ability = NONE
    game.acting = NONE
    game.to_go = 0
    game.sought = 0
    game.phase = BETWEEN


@rule
def answers_to_ability(view):
    """What may be answered to the question at hand: cards, fiefs, characters, values, suits, or 0 for draw and 1 for stop."""
    if view.to_go == 0:
        return np.int64(0)
    if view.phase == PICK:
        return cards_to_pick(view)
    if view.phase == EXCHANGE:
        return cards_to_exchange(view)
    if view.phase == MOVE:
        return fiefs_within_two(view) if view.ability == JL else nearest_fiefs(view)
    if view.phase == REFRESH:
        return refreshable(view)
    if view.phase == VALUE:
        return values_held(view.hand)
    return np.int64(0b1111) if view.phase == NAME else np.int64(0b11)


@rule
def cards_to_pick(view):
    """The hand cards with which the ability can still be carried out."""
    text = view.ability
    hand = view.hand
    if text == JF:
        return of_suit(hand, trump(view))
    if text in (JE, PE, KL, BE):
        return hand
    if text == KC:
        return of_value(hand, view.sought)
    if text == KF:
        return with_partner(hand, 9) if view.to_go == 2 else of_value(hand, view.sought)
    if text == KE:
        return of_suit(hand, view.sought)
    if text == PF:
        return duplicates(hand)
    if text == LC:
        return lowest_cards(hand)
    if text == LF:
        return of_value(hand, count(hand)) if count(hand) <= MOST_VALUE else np.int64(0)
    if text == LE:
        return parts_of_sum(hand, view.to_go)
    if text == BF:
        return up_to_three(hand)
    return np.int64(0)


@rule
def cards_to_exchange(view):
    """BL: the hand cards of the same value as the top card of the pile that it looks at."""
    cards = view.discard_count if view.to_go == 2 else view.score_count
    if cards == 0:
        return np.int64(0)
    top = view.discards[cards - 1] if view.to_go == 2 else view.scored[cards - 1]
    return of_value(view.hand, value_of(top))


@rule
def answer_ability(game, answer):
    """Carry out an answer."""
    if game.phase == PICK:
        pick(game, answer)
    elif game.phase == EXCHANGE:
        exchange(game, answer)
    elif game.phase == MOVE:
        move_visit(game, answer)
    elif game.phase == REFRESH:
        game.exhausted &= ~bit(answer)
        end_ability(game)
    elif game.phase == VALUE:
        take_value(game, answer + 1)
    elif game.phase == NAME:
        draw(game, 2)
        game.sought = answer
        game.to_go = count(of_suit(game.hand, answer))
        game.phase = PICK
    elif answer == 0:
        draw_one_of_many(game)
    else:
        game.to_go = 0


@rule
def pick(game, card):
    """The picked card moves where the ability says (R3); what the ability does once for each pick follows."""
    text = game.ability
    if text == KL:  # R12: the card looked at is not in the hand yet
        game.hand |= bit(take_from_deck(game))
        game.hand &= ~bit(card)
        put_on_deck(game, card)
    elif text == KC:
        game.hand &= ~bit(card)
        put_on_scored(game, card)
    else:
        discard(game, card)
    if text == PE:  # R12
        draw(game, 1)
    elif text == LC:
        draw(game, value_of(card))
    elif text == KF:
        game.sought = 9 - value_of(card)
    game.to_go -= value_of(card) if text == LE else 1


@rule
def exchange(game, card):
    """BL: a hand card changes places with the top of the discard pile, or of the score pile."""
    game.hand &= ~bit(card)
    if game.to_go == 2:
        game.hand |= bit(take_from_discards(game))
        put_on_discards(game, card)
    else:
        game.hand |= bit(take_from_scored(game))
        put_on_scored(game, card)
    game.to_go -= 1


@rule
def move_visit(game, fief):
    """JL: the current ruler changes places with another; PL: the visit moves on, and this fief stays unvisited (R6)."""
    if game.ability == JL:
        ruler = game.ruler[fief]
        game.ruler[fief] = game.ruler[game.fief]
        game.ruler[game.fief] = ruler
    else:
        game.fief = fief
    end_ability(game)


@rule
def take_value(game, value):
    """BC: every card of a value goes from the deck to the hand, and luck shuffles the rest (R8)."""
    left = 0
    for place in range(game.deck_count):
        card = np.int64(game.deck[place])
        if value_of(card) == value:
            game.hand |= bit(card)
        else:
            game.deck[left] = card
            left += 1
    game.deck_count = left
    forget_deck(game)
    game.shuffles += 1
    end_ability(game)
    game.seat = CHANCE
    game.phase = SHUFFLE


@rule
def draw_one_of_many(game):
    """PC: one card more; the drawing ends with a card of the ruler's suit or with the deck (R9)."""
    card = take_from_deck(game)
    game.hand |= bit(card)
    if suit_of(card) == trump(game) or game.deck_count == 0:
        game.to_go = 0


@rule
def deck_as_set(game):
    """The cards of the deck."""
    return as_set(game.deck, 0, game.deck_count)


@rule
def open_cards(view):
    """The cards in the hand and in the open piles."""
    return view.hand | as_set(view.discards, 0, view.discard_count) | as_set(view.scored, 0, view.score_count)
