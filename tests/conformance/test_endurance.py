"""Many random games to their end, each position of them sound."""

import numpy as np
import pytest

from handfast.envs.core.batch import Batch
from handfast.envs.core.game import Game
from handfast.envs.core.table import ENDED, FINISHED, TRUNCATED
from tests.positions import random_options

LONGEST = 20_000  # decisions that no game reaches


@pytest.mark.parametrize("decisions", [10_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_random_games_are_sound_at_every_step_and_end(game: Game, players: int, decisions: int) -> None:
    random = np.random.default_rng(players)
    made, seed = 0, 0
    while made < decisions:
        seed += 1
        rows = [random_options(game, random) for _ in range(64)]
        options = {name: [row[name] for row in rows] for name in game.options}
        batch = Batch(game, 64, players, seed, restart=False, **options)
        for _ in range(LONGEST):
            going_on = batch.seats != FINISHED
            if not going_on.any():
                break
            assert (batch.masks[going_on].max(1) == 1).all()
            batch.step_at_random()
            assert game.judge(batch.games)[2].all()
            made += int(going_on.sum())
        assert (batch.seats == FINISHED).all()
        assert set(batch.ends) <= {0, ENDED, TRUNCATED}
        assert set(batch.games["ended"]) <= {ENDED, TRUNCATED}
