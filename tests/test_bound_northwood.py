"""The bound of For Northwood!: a player who knows every deck reaches what it says, and no less than one who does not."""

from typing import Any

import numpy as np
import pytest

from handfast.agents.arena.play import play
from handfast.agents.bounds.northwood import (
    Way,
    best_plan,
    dealt_game,
    find_ways,
    known_luck_line,
    play_plan,
    upper_bound,
    ways_alone,
)
from handfast.agents.names import built_in, find
from handfast.envs import get
from handfast.envs.core.records import replay, to_text, transcript
from handfast.envs.core.table import NONE
from handfast.envs.northwood.cards import CHARACTERS

pytestmark = pytest.mark.slow  # the search compiles for half a minute

GAME = get("northwood")
JACKS = ["JC", "JF", "JL", "JE"]
RULERS = ["QC", "KC", "QF", "KF", "QL", "KL", "QE", "KE"]
MANY: list[dict[str, Any]] = [
    {},
    {"setup": "introductory"},
    {"setup": "custom", "allies": [], "rulers": RULERS},
    {"setup": "custom", "allies": ["BC", "LL", "PE", "QC"], "rulers": ["QL", *RULERS[1:4], "JL", *RULERS[5:]]},
    {"hand_size": 14, "numbers": [0, 1, 2, 3, 4, 5, 6, 8]},
    {"visits": 3, "stars": [9, 0, 0, 1, 0, 0, 2, 5]},
    {"order": [7, 6, 5, 4, 3, 2, 1, 0], "calls": False, "off": ["QC", "JF"]},
]


@pytest.mark.parametrize("options", MANY, ids=range(len(MANY)))
def test_a_record_of_the_line_reaches_its_stars(options: dict[str, Any]) -> None:
    for seed in range(2):
        line = known_luck_line(seed, options)
        text = to_text(transcript(GAME, 1, options, seed, line.actions))
        _, games = replay(text, {"northwood": GAME}.__getitem__)
        assert games["seat"][0] == -2
        assert GAME.judge(games)[0][0, 0] == line.score <= upper_bound(options)


def test_each_way_wins_its_visit() -> None:
    dealt = dealt_game(5, {})
    ways = ways_alone(dealt)
    for (visit_no, fief), (way,) in ways.items():
        others = [other for other in range(8) if other != fief]
        plan: list[tuple[int, Way | None]] = [(other, None) for other in others]
        plan.insert(visit_no - 1, (fief, way))
        assert play_plan(5, {}, plan).score >= GAME.check_options({})["stars"][fief]


def test_without_characters_only_the_responses_matter() -> None:
    """One card in hand: it takes the first trick or it does not."""
    options = {"setup": "custom", "allies": [], "rulers": RULERS, "hand_size": 1}
    ways = ways_alone(dealt_game(3, options))
    assert {fief for _, fief in ways} <= {0, 1}
    for visit_no in range(1, 9):
        assert ((visit_no, 0) in ways) != ((visit_no, 1) in ways)  # the trump is the same


def test_a_known_ability_wins_at_once() -> None:
    """With KC a hand of one card wins fief 1 in every visit."""
    options = {"setup": "custom", "allies": ["KC"], "rulers": ["QC", *RULERS[2:], "PC"], "hand_size": 1}
    assert all((visit_no, 1) in ways_alone(dealt_game(3, options)) for visit_no in range(1, 9))


def test_a_friend_may_be_called_in_once_its_fief_is_won() -> None:
    rulers = list(range(8))
    alone, friend = Way(NONE, NONE, []), Way(3, 20, [])
    ways = {(1, 3): [alone], (2, 0): [friend], (1, 0): [friend]}
    assert best_plan(ways, [4, 3, 2, 1, 1, 2, 3, 4], rulers, 2, [])[:2] == [(3, alone), (0, friend)]


def test_a_friend_wins_what_the_allies_alone_do_not() -> None:
    options = {"setup": "custom", "allies": ["BE"], "rulers": ["KC", "QC", *RULERS[2:]], "hand_size": 1}
    dealt = dealt_game(3, options)
    king, baron = CHARACTERS.index("KC"), CHARACTERS.index("BE")
    assert all(find_ways(dealt, [(visit_no, 1, king, baron)]) for visit_no in range(2, 9))


def test_it_is_no_agent() -> None:
    assert built_in(GAME) == ["random", "expert"]


def test_it_is_never_below_the_expert() -> None:
    seeds = np.arange(10, dtype=np.uint64)
    reached = play(GAME, [find("expert", GAME)], np.zeros((10, 1), int), seeds).scores[:, 0]
    assert all(known_luck_line(int(seed)).score >= score for seed, score in zip(seeds, reached, strict=True))
