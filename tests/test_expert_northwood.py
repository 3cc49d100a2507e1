"""The expert of For Northwood!: what it does in positions where the right move is plain, and how it weighs a hand."""

import itertools
from typing import Any

import numpy as np
import pytest

from handfast.agents.experts.northwood import expert
from handfast.agents.experts.northwood_outlook import OUTLOOK, chance_of, look_ahead
from handfast.envs.core.compiling import boxed, rule
from handfast.envs.core.decisions import Decisions
from handfast.envs.core.table import NONE
from handfast.envs.northwood.cards import CALL, NAMES, RESPOND, VISIT
from tests.northwood.table import GAME, Position, cards, choose, position


def choice(game: Position) -> str:
    """What the expert does."""
    views, masks, features = GAME.look(game.games, 0)
    action = int(expert(Decisions(GAME, views, np.zeros(1, np.int32), masks, features, np.ones(1, np.uint64)))[0])
    assert masks[0, action] == 1
    return GAME.choice(action, 0, 1)


def responding(hand: str, stated: str, **where: Any) -> Position:
    """A statement waits for a response; no ability is left."""
    return position(hand, discards=stated, phase=RESPOND, exhausted="JC", **where)


def dealt(hand: str, **where: Any) -> Position:
    """A fief is to be chosen, with this hand."""
    return position(hand, phase=VISIT, fief=NONE, **where)


# --- Responses ------------------------------------------------------------------------------------------------


def test_it_ducks_where_it_wants_no_trick() -> None:
    assert choice(responding("1C 8C", "5C", fief=0)) == "play 1C"


def test_it_loses_with_the_highest_card_that_loses_where_it_wants_no_trick() -> None:
    assert choice(responding("1F 6F", "7F", fief=0)) == "play 6F"


def test_it_takes_the_trick_of_which_it_is_sure() -> None:
    assert choice(responding("1F 8F", "5F", fief=1, ruler="KE")) == "play 8F"


def test_it_throws_away_its_trumps_where_it_wants_no_trick_and_may() -> None:
    assert choice(responding("8F 1C", "8C", fief=0, ruler="KF")) == "play 1C"
    assert choice(responding("2F 8E", "8C", fief=0, ruler="KF")) == "play 8E"


def test_it_trumps_for_the_last_trick_that_it_needs() -> None:
    assert choice(responding("1F 2E", "8C", fief=1, ruler="KF")) == "play 1F"


def test_it_keeps_the_sure_card_for_the_trick_to_come() -> None:
    assert choice(responding("8L 8E", "8C", deck="5L", fief=1, ruler="KF", known=1)) == "play 8E"


# --- Abilities ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("character", "hand", "fief", "ruler"),
    [
        ("KC", "1C", 1, "KE"),  # the card goes to the score pile
        ("JF", "7E 8E", 0, "KE"),  # all trumps are discarded
        ("KF", "8E 1E", 0, "KE"),  # 8 + 1 = 9
        ("LF", "1E", 0, "KE"),  # one card in hand: the 1 goes
        ("BF", "1E 2E 3E", 0, "KE"),
        ("PF", "8E 8F", 0, "KE"),
    ],
)
def test_it_uses_an_ability_that_wins_the_visit(character: str, hand: str, fief: int, ruler: str) -> None:
    assert choice(position(hand, in_play=character, ruler=ruler, fief=fief)) == f"use {character}"


def test_it_does_not_move_a_card_to_the_score_pile_where_it_wants_no_trick() -> None:
    assert choice(position("1C 2C", in_play="KC", ruler="QF", fief=0)) == "listen"


def test_it_takes_back_a_trick_too_many() -> None:
    assert choice(position("1C", in_play="QF", ruler="KE", fief=1, scored="2L 3L")) == "use QF"


def test_it_does_not_give_back_a_trick_that_it_needs() -> None:
    assert choice(position("1C", in_play="QF", ruler="KE", fief=1, scored="2L")) == "listen"


# --- Fiefs and friends ----------------------------------------------------------------------------------------


def test_it_goes_for_no_trick_with_the_lowest_cards_and_for_all_with_the_highest() -> None:
    rulers = {0: "KE", 1: "QE", 6: "QF", 7: "KF"}
    low = dealt("1C 1F 1L 1E 2C 2L 2E 3C", visited=(1, 2, 3, 4, 5, 6), rulers=rulers)
    high = dealt("8C 8F 8L 8E 7F 6F 5F 7L", visited=(1, 2, 3, 4, 5, 6), rulers=rulers)
    assert (choice(low), choice(high)) == ("visit 0", "visit 7")


def test_it_calls_in_a_friend_in_the_last_visit_for_the_ally_that_helps_least() -> None:
    game = position(
        "1C 3C 5F 7L 8E 2E 4L 6F", in_play="BE BF", ruler="KE", fief=7, won=range(7), friendly="BC", phase=CALL,
        rulers={0: "BC"},
    )  # fmt: skip
    assert choice(game) == "call BC"
    assert choice(choose(game, "call BC")) == "replace BE"


def test_it_calls_nobody_in_whose_ability_is_off() -> None:
    game = position(
        "1C 3C 5F 7L 8E 2E 4L 6F", in_play="BE BF", ruler="KE", fief=7, won=range(7), friendly="BC", phase=CALL,
        rulers={0: "BC"}, off=["BC"],
    )  # fmt: skip
    assert choice(game) == "begin"


# --- The outlook of a hand ------------------------------------------------------------------------------------


@rule
def outlook_of(outlook: Any, view: Any, trumps: int, hand: int, most: int, chances: np.ndarray) -> None:
    look_ahead(outlook, view, trumps, most)
    for tricks in range(most + 1):
        chances[tricks] = chance_of(outlook, hand, tricks)


def outlook(game: Position, trumps: int, most: int = 8) -> np.ndarray:
    """The chances of 0, 1, … tricks with the hand of a position."""
    chances = np.zeros(most + 1)
    games = boxed(game.games)
    outlook_of(boxed(np.zeros(1, OUTLOOK))[0], games[0], trumps, game.hand, most, chances)
    return chances


def backwards(hand: frozenset[int], needed: int, unseen: list[int], trumps: int) -> float:
    """The chance of exactly `needed` tricks, told plainly: the mean over statements of the best response."""
    if not hand:
        return float(needed == 0)
    total = 0.0
    for stated in unseen:
        following = [card for card in hand if card % 4 == stated % 4] or list(hand)
        total += max(
            backwards(hand - {card}, needed - (card > stated if card % 4 == stated % 4 else card % 4 == trumps), unseen, trumps)
            for card in following
        )  # fmt: skip
    return total / len(unseen)


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["5C", "1F 8E", "3C 4C 6L", "2C 5C 8C", "1L 2L 8F"])
def test_the_chances_of_a_hand_are_those_of_the_best_responses(hand: str) -> None:
    game = position(hand, discards="1C 2E 7C", ruler="KC")
    unseen = [card for card in range(32) if card not in game.discards[:3] and NAMES[card] not in hand]
    for trumps in range(4):
        found = outlook(game, trumps, 3)
        for needed in range(4):
            told = backwards(
                frozenset(np.flatnonzero([cards(hand) >> i & 1 for i in range(32)])), needed, unseen, trumps
            )
            assert found[needed] == pytest.approx(told)


def test_known_statements_are_counted_on() -> None:
    game = position("8C 1F", "7C 2F", known=2)
    assert outlook(game, 3, 2).tolist() == [0, 1, 0]


def test_a_short_deck_ends_the_visit() -> None:
    game = position("8C 8F 8L", "7E", rest="discards", discards="1C", known=1)
    assert outlook(game, 0, 3).tolist() == [1, 1, 0, 0]  # one trick: trumped or not


def test_a_large_hand_has_chances_too() -> None:
    everything = [f"{value}{suit}" for value, suit in itertools.product("12345678", "CFLE")]
    chances = outlook(position(" ".join(everything[::2] + everything[1:9:2])), 1)
    assert (chances >= 0).all()
    assert 0 < chances.max() <= 1
