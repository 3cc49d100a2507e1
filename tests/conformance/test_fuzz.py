"""Records damaged on purpose: what a game calls sound is played on without harm, and any view can be guessed from."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from handfast.envs import GAMES
from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.game import Game
from handfast.envs.core.table import CHANCE, FINISHED
from tests.fuzz import changes, harmed, moments, sound_pairs, wrong_views
from tests.mutants import mutated
from tests.rulings import many


def test_every_moment_is_sound_and_luck_is_a_move_of_its_own(game: Game) -> None:
    games = moments(game, many(2000, 500), 1)
    assert game.judge(games)[2].all()
    assert {CHANCE, FINISHED, 0} <= set(games["seat"].tolist())
    luck = games[games["seat"] == CHANCE]
    game.move(luck, kernels.ROLL)
    assert game.judge(luck)[2].all()
    game.move(luck, kernels.RESUME)


def test_whatever_is_called_sound_is_played_on_without_harm(game: Game) -> None:
    real, games = sound_pairs(game, many(800, 4), 1)
    assert (as_bytes(real)[:, 8:] != as_bytes(games)[:, 8:]).any(1).all()
    before, after = harmed(game, games, many(100, 8), 1)
    assert [changes(game, *pair) for pair in zip(before, after, strict=True)] == []


def test_a_view_that_is_none_is_guessed_from_and_refused(game: Game) -> None:
    _, views, seats = wrong_views(game, many(1000, 20), 1)
    guesses = game.unchecked.guess(views, seats, np.arange(len(views)))
    for wrong in np.flatnonzero(~game.judge(guesses)[2])[: many(30, 2)]:
        with pytest.raises(ValueError, match="view 0"):
            game.guess(views[wrong : wrong + 1], seats[wrong], wrong)


def test_damage_to_fields_is_within_their_ranges_and_told_by_their_names(game: Game) -> None:
    real = moments(game, 100, 1)
    broken = mutated(game, real, np.random.default_rng(1))
    assert game.table.in_range(broken).all()
    for before, after in zip(real, broken, strict=True):
        told = changes(game, before, after)
        assert bool(told) == (before.tobytes() != after.tobytes())
        assert all(name.split("[")[0].split()[0] in game.dtype.names for name in filter(None, told.split(", ")))
    one = real[:1].copy()
    one["phase"] += 1
    assert changes(game, real[0], one[0]) == f"phase {real['phase'][0]} -> {one['phase'][0]}"


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_nothing_leaves_the_bounds_of_an_array(name: str, tmp_path: Path) -> None:
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.fuzz", name, "8192"]
    run = subprocess.run(command, env=checked, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    assert "8192 played on and guessed, 0 failed" in run.stdout
