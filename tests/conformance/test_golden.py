"""Golden records: games that must replay, and be played again from their seeds, to the letter.

A record that changes needs a line in CHANGELOG.md; `python -m tests.conformance.test_golden` writes them anew.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handfast.agents.arena.play import play
from handfast.envs import GAMES
from handfast.envs.core import records
from handfast.envs.core.decisions import random_agent
from handfast.envs.core.files import write_whole

FOLDER = Path(__file__).parents[1] / "golden"
OPTIONS: dict[str, dict[int, dict[str, Any]]] = {
    "covenant": {3: {"top_card": "highest"}, 4: {}, 5: {"landslide": True}},
    "justiciar": {3: {"first_commission": "any_pass"}, 4: {}, 5: {"uneven_deal": True}},
    "manrent": {4: {}},
    "northwood": {1: {}},
    "sovereign_hand": {3: {}, 4: {}, 5: {}},
}
CASES = [(name, players) for name, game in GAMES.items() for players in game.player_counts]


def played(name: str, players: int) -> str:
    """The game of random players on seed 7."""
    game, options, seed = GAMES[name], OPTIONS[name][players], 7
    tables, seeds = np.zeros((1, players), int), np.array([seed], np.uint64)
    actions = play(game, [random_agent], tables, seeds, options, keep_actions=True).actions[0]
    return records.to_text(records.transcript(game, players, options, seed, actions))


def path(name: str, players: int) -> Path:
    return FOLDER / f"{name}-{players}p.jsonl"


@pytest.mark.parametrize(("name", "count"), CASES)
def test_a_golden_game_is_played_again_to_the_letter(name: str, count: int) -> None:
    text = path(name, count).read_text()
    assert played(name, count) == text
    records.verify(text, lambda found: GAMES[found])


def test_every_golden_record_belongs_to_a_game_and_player_count() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {path(*case).name for case in CASES}
    heads = [json.loads(file.read_text().split("\n", 1)[0]) for file in FOLDER.iterdir()]
    assert all(head["options"] == GAMES[head["game"]].changed_options(head["options"]) for head in heads)


if __name__ == "__main__":
    for case in CASES:
        write_whole(path(*case), played(*case))
