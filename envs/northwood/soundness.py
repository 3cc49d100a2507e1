"""Which records of For Northwood! the rules can reach, between any two moves.

Whatever `check` lets pass can be played on: every choice and every luck leads to a record that it lets pass again. It
takes any record whose numbers are in the ranges of the table of fields, and whose options go together.
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has, highest
from handfast.envs.core.compiling import rule
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON, NONE
from handfast.envs.core.tricks import of_suit
from handfast.envs.northwood.abilities import (
    answers_to_ability,
    deck_as_set,
    open_cards,
    refreshable,
    trump,
    up_to_three,
    values_held,
)
from handfast.envs.northwood.cards import (
    ALL_CARDS,
    ALL_FIEFS,
    BC,
    BE,
    BF,
    BL,
    CALL,
    CARDS,
    DEAL,
    DRAW_ON,
    EXCHANGE,
    FIEFS,
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
    MOVE,
    NAME,
    PC,
    PE,
    PF,
    PICK,
    PL,
    QL,
    REFRESH,
    REPLACE,
    RESPOND,
    SETUP,
    SHUFFLE,
    USE,
    VALUE,
    VISIT,
    of_value,
    value_of,
)
from handfast.envs.northwood.rules import (
    CUSTOM,
    INTRODUCTORY,
    PLAYER,
    can_call,
    has_next_fief,
    replaceable,
    usable,
)

JACKS = 0b000001_000001_000001_000001
ONE_HOUSE = 0b111111  # the characters of claws
# Abilities that ask once cards have been drawn; with the others the deck still is what it was before the trick.
DRAWING = sum(1 << text for text in (JE, PE, LE, LL, KE, BE))


@rule
def check(game):
    """Whether the rules can reach this game; nothing truncates one."""
    if game.ended != (ENDED if game.seat == FINISHED else GOING_ON):
        return False
    if game.phase == SETUP:
        return before_first_visit(game)
    return (
        visits_fit(game)
        and characters_are_drawn(game)
        and rulers_fit(game)
        and characters_in_play_fit(game)
        and deck_is_as_known(game)
        and moment_fits(game)
    )


# --- Fiefs and characters -------------------------------------------------------------------------------------


@rule
def before_first_visit(game):
    """Nothing is there but the options, and perhaps the characters that luck has just drawn."""
    empty = game.hand | game.visited | game.won | game.friendly | game.active | game.exhausted
    counts = game.visit_no + game.deck_count + game.discard_count + game.score_count + game.shuffles
    undrawn = game.own == 0
    for fief in range(FIEFS):
        undrawn &= game.ruler[fief] == 0
    return (
        game.seat == CHANCE
        and game.barred == named(game.off)
        and (undrawn or characters_are_drawn(game))
        and empty == 0
        and counts == 0
        and game.fief == NONE
        and nothing_is_known(game)
        and nothing_is_under_way(game)
    )


@rule
def named(option):
    """The set of the characters that an option names."""
    characters = np.int64(0)
    for place in range(len(option)):
        if option[place] > 0:
            characters |= bit(option[place] - 1)
    return characters


@rule
def rulers_of(game, fiefs):
    """The rulers of some fiefs."""
    rulers = np.int64(0)
    for fief in range(FIEFS):
        if has(fiefs, fief):
            rulers |= bit(game.ruler[fief])
    return rulers


@rule
def characters_are_drawn(game):
    """Allies and rulers are those of the setup, and all differ; JL may have changed the rulers' places."""
    rulers = rulers_of(game, np.int64(ALL_FIEFS))
    if game.setup == CUSTOM:
        return game.own == named(game.allies) and rulers == named(game.rulers)
    if game.setup == INTRODUCTORY:
        return game.own == JACKS and rulers == (JACKS << 1 | JACKS << 2)
    for suit in range(4):
        house = np.int64(ONE_HOUSE) << np.int64(6 * suit)
        if count(game.own & house) != 1 or count(rulers & house) != 2:
            return False
    return rulers & game.own == 0


@rule
def visits_fit(game):
    """Each visit that is over was to another fief, and the one that is visited now is none of them; no fief was won unvisited."""
    over = game.visit_no - (0 if game.seat == FINISHED else 1)
    return (
        1 <= game.visit_no <= game.visits
        and count(game.visited) == over
        and game.won & ~game.visited == 0
        and (game.fief == NONE or (game.fief >= 0 and not has(game.visited, game.fief)))
    )


@rule
def rulers_fit(game):
    """Only rulers of fiefs won are friendly or were called in, and each is called in once."""
    friends, called = rulers_of(game, game.won), game.active & ~game.own
    if (game.friendly | called) & ~friends != 0 or game.friendly & called != 0:
        return False
    return game.calls or game.friendly == friends


@rule
def characters_in_play_fit(game):
    """Each ally or a ruler in its place is in play; those whose ability is off have not used it.

    BC has shuffled the deck no oftener than it can have acted: once, and anew after LL. One of them may be in the act.
    """
    unfinished = 1 if game.phase in (VALUE, REFRESH) else 0
    return (
        game.barred == named(game.off)
        and count(game.active) == count(game.own)
        and game.exhausted & ~(game.active & ~game.barred) == 0
        and game.shuffles + unfinished <= may_have_acted(game, BC) + may_have_acted(game, LL)
    )


@rule
def may_have_acted(game, text):
    """1 if this ability can have been carried out in this visit, by its character or else by QL; 0 if not."""
    return 1 if has(game.exhausted, text if has(game.active, text) else QL) else 0


@rule
def has_just_acted(game, text):
    """Whether the last ability can have been this one; the ruler is the same since."""
    by_ruler = game.ruler[game.fief] == text and has(game.exhausted, QL)
    return not has(game.barred, text) and (has(game.exhausted, text) or by_ruler)


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def cards_are_dealt(game):
    """Every card is in exactly one place."""
    places = count(game.hand) + game.deck_count + game.discard_count + game.score_count
    return open_cards(game) | deck_as_set(game) == ALL_CARDS and places == CARDS


@rule
def visit_is_fresh(game):
    """A full hand and the rest in the deck, of which nothing is known; nobody has acted."""
    return (
        count(game.hand) == game.hand_size
        and game.deck_count == CARDS - game.hand_size
        and game.exhausted == 0
        and nothing_is_known(game)
    )


@rule
def nothing_is_known(game):
    """No card of the deck is known to lie in some place."""
    known = 0
    for place in range(CARDS):
        known |= game.known[place]
    return known == 0


@rule
def deck_is_as_known(game):
    """What is known of the deck is so."""
    for place in range(CARDS):
        card = game.known[place] - 1
        if card >= 0 and (place >= game.deck_count or game.deck[place] != card):
            return False
    return True


# --- Moments of a visit ---------------------------------------------------------------------------------------


@rule
def nothing_is_under_way(game):
    """No ruler is being called in, and no ability is carried out or is to act after the response."""
    return game.calling == NONE and game.ability_used == 0 and game.delayed == 0 and no_ability_asks(game)


@rule
def no_ability_asks(game):
    return game.ability == NONE and game.acting == NONE and game.to_go == 0 and game.sought == 0


@rule
def moment_fits(game):
    """Who is to move fits the phase, and the phase fits all else."""
    if game.phase == DEAL:
        return deal_is_due(game)
    if not cards_are_dealt(game):
        return False
    if game.phase == SHUFFLE:
        return shuffle_is_due(game)
    if game.seat == FINISHED:
        return game_is_over(game)
    if game.seat != PLAYER:
        return False
    if game.phase == VISIT:
        return fief_is_to_be_chosen(game)
    if game.fief == NONE:
        return False
    if game.phase == CALL:
        return can_call(game) and visit_is_fresh(game) and nothing_is_under_way(game)
    if game.phase == REPLACE:
        return ally_is_to_make_way(game)
    if game.phase == USE:
        return usable(game) != 0 and game.hand != 0 and game.deck_count > 0 and nothing_is_under_way(game)
    if game.phase == RESPOND:
        return response_is_due(game)
    return ability_asks(game)


@rule
def deal_is_due(game):
    """All cards are gathered, or luck has just dealt."""
    gathered = game.hand == 0 and game.deck_count == 0
    return (
        game.seat == CHANCE
        and game.fief == NONE
        and game.active == game.own
        and game.discard_count == 0
        and game.score_count == 0
        and (gathered or (cards_are_dealt(game) and visit_is_fresh(game)))
        and game.exhausted == 0
        and nothing_is_under_way(game)
    )


@rule
def shuffle_is_due(game):
    """BC has just acted, before a trick."""
    return (
        game.seat == CHANCE
        and game.fief != NONE
        and game.shuffles > 0
        and has_just_acted(game, BC)
        and game.ability_used == 1
        and game.hand != 0
        and game.calling == NONE
        and game.delayed == 0
        and nothing_is_known(game)
        and no_ability_asks(game)
    )


@rule
def game_is_over(game):
    """The last visit has ended, with the hand or the deck empty."""
    return (
        game.phase == VISIT
        and game.visit_no == game.visits
        and game.fief == NONE
        and (game.hand == 0 or game.deck_count == 0)
        and nothing_is_under_way(game)
    )


@rule
def fief_is_to_be_chosen(game):
    """No order says which fief is next, nobody has been called in, and the cards are as they were dealt."""
    return (
        game.fief == NONE
        and not has_next_fief(game)
        and game.active == game.own
        and visit_is_fresh(game)
        and nothing_is_under_way(game)
    )


@rule
def ally_is_to_make_way(game):
    """A friendly ruler is being called in, before the first trick, for one of several allies."""
    return (
        game.calling >= 0
        and game.calls
        and has(game.friendly, game.calling)
        and count(replaceable(game)) > 1
        and visit_is_fresh(game)
        and game.ability_used == 0
        and game.delayed == 0
        and no_ability_asks(game)
    )


@rule
def response_is_due(game):
    """A statement lies on the discard pile; BE may have acted before it."""
    return (
        game.hand != 0
        and game.discard_count > 0
        and (game.delayed == 0 or has_just_acted(game, BE))
        and game.calling == NONE
        and game.ability_used == 0
        and no_ability_asks(game)
    )


# --- Abilities that ask ---------------------------------------------------------------------------------------


@rule
def ability_asks(game):
    """An ability is carried out by a character in play, before a trick, or BE's after the response; it leaves a choice."""
    if game.ability < 0 or game.calling != NONE or game.delayed != 0 or game.hand == 0:
        return False
    if game.acting == NONE:
        if game.ability != BE or game.ability_used != 0 or not has_just_acted(game, BE):
            return False
    elif game.ability == BE or game.ability_used != 1 or not is_acting(game):
        return False
    if game.deck_count == 0 and not has(np.int64(DRAWING), game.ability):
        return False
    answers = answers_to_ability(game) if question_fits(game) else np.int64(0)
    return count(answers) > 1 or (answers != 0 and game.phase == EXCHANGE)


@rule
def is_acting(game):
    """Whether a character carries out its own ability, or QL the ruler's."""
    if game.acting < 0 or not has(game.exhausted, game.acting) or has(game.barred, game.ability):
        return False
    return game.ability == (game.ruler[game.fief] if game.acting == QL else game.acting)


@rule
def question_fits(game):
    """Whether the phase, what is to come of the ability, and what is sought are such as its text brings them."""
    text = game.ability
    if game.phase == PICK and text in (KC, KE, KF):
        return sought_fits(game)
    if game.sought != 0:
        return False
    if game.phase == PICK:
        return cards_to_go_fit(game)
    if game.phase == EXCHANGE:
        return text == BL and 1 <= game.to_go <= 2
    if game.to_go != 1:
        return False
    if game.phase == MOVE:
        return text in (JL, PL)
    if game.phase == VALUE:
        return text == BC
    if game.phase == NAME:
        return text == KE
    if game.phase == REFRESH:
        return text == LL
    return game.phase == DRAW_ON and text == PC


@rule
def sought_fits(game):
    """KC seeks the highest value held, KE a suit, and KF what makes 9 with its first card, once that is discarded."""
    if game.ability == KC:
        return game.sought == value_of(highest(game.hand)) and game.to_go == count(of_value(game.hand, game.sought))
    if game.ability == KE:
        return game.sought < 4 and game.to_go == count(of_suit(game.hand, game.sought))
    return game.to_go == (2 if game.sought == 0 else 1)


@rule
def cards_to_go_fit(game):
    """The cards that an ability has yet to pick are those that it can still be said to ask for."""
    text, to_go = game.ability, game.to_go
    if text == JF:
        return to_go == count(of_suit(game.hand, trump(game)))
    if text == BF:
        return to_go == count(up_to_three(game.hand))
    if text == PF:
        return to_go == count(game.hand) - count(values_held(game.hand))
    if text == JE:
        return 1 <= to_go <= 2
    if text == PE:
        return 1 <= to_go <= 1 + count(refreshable(game))
    if text == LE:
        return 1 <= to_go <= 16
    if text == KL:
        return to_go == 1 and game.known[game.deck_count - 1] > 0
    return to_go == 1 and text in (LC, LF, BE)
