"""One conformance suite for every game of the suite, and for Kuhn poker."""

import pytest

from handfast.envs import GAMES
from tests.kuhn import GAME as KUHN

EVERY = [*GAMES.values(), KUHN]
TABLES = [(game, players) for game in EVERY for players in game.player_counts]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`game` alone: every game. `game` and `players`: every game at every player count."""
    if "players" in metafunc.fixturenames:
        names = [f"{game.name}-{players}" for game, players in TABLES]
        metafunc.parametrize(("game", "players"), TABLES, ids=names)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", EVERY, ids=[game.name for game in EVERY])
