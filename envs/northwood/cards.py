"""The cards of For Northwood!, its characters, and the choices and phases by number."""

import numpy as np

from handfast.envs.core.compiling import rule

SUITS = "CFLE"  # claws, flowers, leaves, eyes
MOST_VALUE = 8
CARDS = 32  # a card is 4 * (value - 1) + suit
ALL_CARDS = (1 << CARDS) - 1
NAMES = tuple(f"{value}{suit}" for value in range(1, MOST_VALUE + 1) for suit in SUITS)

# Characters: Jack, Queen, King, Prince, Lady and Baron of each suit. A set of them has one bit each.
RANKS = "JQKPLB"
CHARACTERS = tuple(rank + suit for suit in SUITS for rank in RANKS)
CHARACTER_COUNT = len(CHARACTERS)
ALL_CHARACTERS = (1 << CHARACTER_COUNT) - 1
JC, QC, KC, PC, LC, BC = range(6)
JF, QF, KF, PF, LF, BF = range(6, 12)
JL, QL, KL, PL, LL, BL = range(12, 18)
JE, QE, KE, PE, LE, BE = range(18, 24)

FIEFS = 8
ALL_FIEFS = (1 << FIEFS) - 1

# Phases: three of luck, those of the course of play, those in which an ability asks, and one that passes by itself.
SETUP, DEAL, SHUFFLE = 0, 1, 2
VISIT, CALL, REPLACE, USE, RESPOND = 3, 4, 5, 6, 7
PICK, EXCHANGE, MOVE, VALUE, NAME, REFRESH, DRAW_ON = 8, 9, 10, 11, 12, 13, 14
BETWEEN = 15  # after an ability or a response

# Actions.
VISIT_FIEF = 0
CALL_RULER = VISIT_FIEF + FIEFS
REPLACE_ALLY = CALL_RULER + CHARACTER_COUNT
BEGIN = REPLACE_ALLY + CHARACTER_COUNT
USE_ABILITY = BEGIN + 1
LISTEN = USE_ABILITY + CHARACTER_COUNT
PLAY_CARD = LISTEN + 1
PICK_CARD = PLAY_CARD + CARDS
SKIP = PICK_CARD + CARDS
MOVE_TO_FIEF = SKIP + 1
TAKE_VALUE = MOVE_TO_FIEF + FIEFS
NAME_SUIT = TAKE_VALUE + MOST_VALUE
REFRESH_CHARACTER = NAME_SUIT + 4
DRAW = REFRESH_CHARACTER + CHARACTER_COUNT
STOP = DRAW + 1
ACTIONS = STOP + 1

# By phase: the action that stands for the first of what may be chosen, a fief, character, card, value or suit.
FIRST_ACTION = np.zeros(BETWEEN, np.int64)
FIRST_ACTION[VISIT:] = (
    VISIT_FIEF, CALL_RULER, REPLACE_ALLY, USE_ABILITY, PLAY_CARD,
    PICK_CARD, PICK_CARD, MOVE_TO_FIEF, TAKE_VALUE, NAME_SUIT, REFRESH_CHARACTER, DRAW,
)  # fmt: skip


@rule
def value_of(card):
    """The value of a card, 1 to 8."""
    return (card >> 2) + 1


@rule
def of_value(cards, value):
    """The cards of one value in a set."""
    return cards & (np.int64(15) << np.int64(4 * (value - 1)))


@rule
def suit_of_character(character):
    """The suit of a character, trump where it rules."""
    return character // 6
