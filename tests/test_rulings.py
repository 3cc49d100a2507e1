"""Every ruling at the head of a game's rules has a test, and no test names another."""

import importlib
import re
from pathlib import Path

import pytest

from handfast.envs import GAMES
from handfast.envs.core.game import Game


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_ruling_has_a_test_and_no_other_is_named(game: Game) -> None:
    stated = set(re.findall(r"^(R\d+) ", str(game.rules.__doc__), re.MULTILINE))
    modules = [path.stem for path in (Path(__file__).parent / game.name).glob("test_*.py")]
    held = {
        name
        for module in modules
        for test in vars(importlib.import_module(f"tests.{game.name}.{module}")).values()
        for name in getattr(test, "rulings", ())
    }
    assert stated >= {f"R{number}" for number in range(1, len(stated) + 1)}  # none is left out
    assert held == stated
