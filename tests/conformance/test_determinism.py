"""One game, one seed: alone, in any batch, on any number of threads, in any process, compiled or plain."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from handfast.envs.core.batch import Batch
from handfast.envs.core.compiling import JIT
from handfast.envs.core.decisions import random_agent
from handfast.envs.core.game import Game
from handfast.envs.core.table import FINISHED

SEEDS = [3, 2**63 + 11, 0, 5, 8, 13, 21]


def games_after(
    game: Game, seeds: list[int], threads: int = 1, steps: int = 60, chosen_by_agent: bool = False
) -> list[bytes]:
    """Each game's bytes after some random decisions, restarting where a game ends."""
    counts = [game.player_counts[seed % len(game.player_counts)] for seed in seeds]
    batch = Batch(game, len(seeds), counts, seeds, threads=threads)
    for _ in range(steps):
        if chosen_by_agent:
            batch.step(random_agent(batch.decisions()))
        else:
            batch.step_at_random()
    return [one.tobytes() for one in batch.games]


@pytest.mark.parametrize(("size", "threads"), [(7, 1), (7, 2), (4096, 1), (4096, 2)])
def test_a_game_is_the_same_alone_and_in_a_batch(game: Game, size: int, threads: int) -> None:
    alone = [games_after(game, [seed])[0] for seed in SEEDS]
    assert games_after(game, (SEEDS * (size // 7 + 1))[:size], threads)[:7] == alone


def test_the_random_agent_chooses_as_the_compiled_batch_does(game: Game) -> None:
    assert games_after(game, SEEDS, chosen_by_agent=True) == games_after(game, SEEDS)


def digest(game: Game, steps: int = 60) -> str:
    return hashlib.sha256(b"".join(games_after(game, SEEDS, steps=steps))).hexdigest()


def in_another_process(game: Game, code: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", f"from {game.rules.__package__} import GAME\n{code}"],
        env=os.environ | environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


@pytest.mark.slow
def test_a_game_is_the_same_in_another_process(game: Game) -> None:
    code = "from tests.conformance.test_determinism import digest\nprint(digest(GAME))"
    assert in_another_process(game, code) == digest(game)


def whole_games(game: Game, n: int) -> str:
    """A hash of everything in `n` whole games: records, views, choices, features, rewards, hidden features, guesses."""
    counts = [game.player_counts[i % len(game.player_counts)] for i in range(n)]
    batch = Batch(game, n, counts, 1, "score", restart=False)
    total = hashlib.sha256()
    made = 0
    while (batch.seats != FINISHED).any():
        batch.step_at_random()
        made += 1
        seats = np.maximum(batch.seats, 0)
        views, masks, features = game.look(batch.games, (seats + 1) % counts)
        everything = [batch.games, batch.views, batch.masks, batch.features, batch.rewards, batch.scores, batch.winners]
        everything += [views, masks, features, batch.hidden()]
        if made % 16 == 0:
            everything += [game.guess(views, (seats + 1) % counts, made), *game.judge(batch.games)]
        for one in everything:
            total.update(one.tobytes())
    return total.hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, pytest.param(60, marks=pytest.mark.long)])
def test_plain_python_plays_to_the_byte_as_compiled(game: Game, n: int) -> None:
    assert JIT
    code = f"from tests.conformance.test_determinism import whole_games\nprint(whole_games(GAME, {n}))"
    assert in_another_process(game, code, NUMBA_DISABLE_JIT="1") == whole_games(game, n)


def test_the_next_game_follows_from_the_last_ones_seed(game: Game, players: int) -> None:
    one = Batch(game, 1, players, [9])
    two = Batch(game, 1, players, [9])
    one.reset()
    two.renew(np.array([0]))
    assert one.games.tobytes() == two.games.tobytes()
    assert one.games["seed"][0] != 9
