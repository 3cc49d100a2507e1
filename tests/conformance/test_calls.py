"""The public functions called with whatever comes."""

import pytest

from handfast.envs import GAMES
from handfast.envs.core.game import Game
from tests.calls import Caller
from tests.rulings import many


@pytest.mark.parametrize("calls", [1500, pytest.param(100_000, marks=pytest.mark.long)])
def test_whatever_is_called_breaks_nothing_and_leaves_every_game_sound(game: Game, calls: int) -> None:
    Caller(game, list(GAMES.values()), 1).call(many(calls, 40))
