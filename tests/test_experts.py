"""Every rule-based agent of every game: legal, fixed by what it sees, alone as in a batch, plain as compiled; and experts win."""

import os
import subprocess
import sys

import numpy as np
import pytest

from handfast.agents.arena.duplicate import duplicate, opponents
from handfast.agents.names import built_in, find
from handfast.envs import GAMES
from handfast.envs.core.batch import Batch
from handfast.envs.core.decisions import random_agent
from handfast.envs.core.game import Game
from tests.positions import random_options

AGENTS = [(name, agent) for name, game in GAMES.items() for agent in built_in(game) if agent != "random"]


def mixed_batch(game: Game, n: int = 48, seed: int = 3) -> Batch:
    """Games at every player count, with random options."""
    random = np.random.default_rng(seed)
    rows = [random_options(game, random) for _ in range(n)]
    players = [game.player_counts[i % len(game.player_counts)] for i in range(n)]
    return Batch(game, n, players, seed, **{name: [row[name] for row in rows] for name in game.options})


def test_an_agent_refuses_decisions_of_another_game() -> None:
    with pytest.raises(ValueError, match="this agent plays covenant, not justiciar"):
        find("expert", GAMES["covenant"])(Batch(GAMES["justiciar"], 1).decisions())


def test_every_game_has_an_expert() -> None:
    assert all("expert" in built_in(game) for game in GAMES.values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "agent"), AGENTS)
def test_its_choices_are_legal_under_every_option_and_player_count(name: str, agent: str) -> None:
    game = GAMES[name]
    batch, chooser = mixed_batch(game), find(agent, game)
    for turn in range(600):
        batch.step(batch.ask(chooser if turn % 3 else random_agent))  # random choices lead to odd positions


@pytest.mark.parametrize(("name", "agent"), AGENTS)
def test_it_decides_alike_alone_and_among_others(name: str, agent: str) -> None:
    game = GAMES[name]
    batch, chooser = mixed_batch(game, 12), find(agent, game)
    for _ in range(30):
        together = chooser(batch.decisions())
        assert together.tolist() == [int(chooser(batch.decisions(np.array([i])))[0]) for i in range(batch.n)]
        batch.step(together)


def choices_of_a_few_games(name: str, n: int, decisions: int) -> list[list[int]]:
    """The choices of every rule-based agent of a game, every tenth decision of `n` games that otherwise go on at random."""
    game = GAMES[name]
    chosen = []
    for agent in built_in(game)[1:]:
        batch = mixed_batch(game, n, 7)
        for _ in range(decisions):
            actions = find(agent, game)(batch.decisions())
            chosen.append(actions.tolist())
            batch.step(actions)
            for _ in range(9):
                batch.step_at_random()
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 6), pytest.param((3, 40), marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GAMES)
def test_plain_mode_equals_compiled_mode(name: str, size: tuple[int, int]) -> None:
    code = f"from tests.test_experts import choices_of_a_few_games as of; print(of({name!r}, *{size}))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == str(choices_of_a_few_games(name, *size))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [(name, n) for name, game in GAMES.items() for n in game.player_counts])
def test_the_expert_beats_random_players_by_half_of_what_is_left(name: str, players: int) -> None:
    game = GAMES[name]
    match = duplicate(game, find("expert", game), [random_agent] * opponents(game, players), 100, 11)
    if players > 1:
        assert match.share.low > match.par + (1 - match.par) / 2
    assert match.margin.low > 0
