"""Golden records: games that must replay, and be played again from their seeds, to the letter.

A record that changes needs a line in CHANGELOG.md; `python -m tests.conformance.test_golden` writes them anew.
"""

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handfast.agents.arena.play import play
from handfast.envs import GAMES
from handfast.envs.core import records
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.decisions import Decisions, random_agent
from handfast.envs.core.files import write_whole
from handfast.envs.core.luck import CHOICE, luck

SEED = 7
FOLDER = Path(__file__).parents[1] / "golden"
OPTIONS: dict[str, dict[int, dict[str, Any]]] = {
    "covenant": {3: {"top_card": "highest"}, 4: {}, 5: {"landslide": True}},
    "justiciar": {3: {"first_commission": "any_pass"}, 4: {}, 5: {"uneven_deal": True}},
    "manrent": {4: {}},
    "northwood": {1: {}},
    "sovereign_hand": {3: {}, 4: {}, 5: {}},
}
CASES = [(name, players) for name, game in GAMES.items() for players in game.player_counts]


def played(name: str, players: int) -> list[int]:
    """The actions of random players, whose luck is written out here so that the records outlive any other."""
    with np.errstate(over="ignore"):
        seed = luck(np.uint64(SEED), CHOICE, 0, 0) >> np.uint64(32)
        keys = iter([luck(np.uint64(seed), CHOICE, made, 1) for made in range(2000)])

    def agent(decisions: Decisions) -> np.ndarray:
        return random_agent(dataclasses.replace(decisions, keys=np.array([next(keys)], np.uint64)))

    tables, seeds = np.zeros((1, players), int), np.array([SEED], np.uint64)
    return play(GAMES[name], [agent], tables, seeds, OPTIONS[name][players], keep_actions=True).actions[0]


def record(name: str, players: int) -> str:
    return records.to_text(
        records.transcript(GAMES[name], players, OPTIONS[name][players], SEED, played(name, players))
    )


def observations(name: str, players: int) -> str:
    """A line for each decision: a hash of what every seat is given there, features and legal actions, and of `state()`."""
    env = CardGameEnv(GAMES[name], players, **OPTIONS[name][players])
    env.reset(seed=SEED)
    lines = []
    for action in played(name, players):
        seen = hashlib.sha256(env.state().astype(np.int8).tobytes())
        for agent in env.possible_agents:
            for part in env.observe(agent).values():
                seen.update(part.astype(np.int8).tobytes())
        lines.append(seen.hexdigest()[:16] + "\n")
        env.step(action)
    return f"features_version {GAMES[name].features_version}\n" + "".join(lines)


def path(name: str, players: int, ending: str = "jsonl") -> Path:
    return FOLDER / f"{name}-{players}p.{ending}"


@pytest.mark.parametrize(("name", "count"), CASES)
def test_a_golden_game_is_played_again_to_the_letter(name: str, count: int) -> None:
    text = path(name, count).read_text("utf-8")
    assert record(name, count) == text
    records.verify(text, lambda found: GAMES[found])


@pytest.mark.parametrize(("name", "count"), CASES)
def test_every_observation_of_a_golden_game_is_what_it_was(name: str, count: int) -> None:
    """A network reads features by their place: a change in them needs a new FEATURES_VERSION and a line in CHANGELOG.md."""
    assert observations(name, count) == path(name, count, "observations").read_text("utf-8")


def test_every_golden_file_belongs_to_a_game_and_player_count() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {
        path(*case, ending).name for case in CASES for ending in ("jsonl", "observations")
    }
    heads = [json.loads(file.read_text("utf-8").split("\n", 1)[0]) for file in FOLDER.glob("*.jsonl")]
    assert all(head["options"] == GAMES[head["game"]].changed_options(head["options"]) for head in heads)


if __name__ == "__main__":
    for case in CASES:
        write_whole(path(*case), record(*case))
        write_whole(path(*case, "observations"), observations(*case))
