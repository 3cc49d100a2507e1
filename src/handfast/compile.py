"""Compiling a game ahead of its first use: in a Dockerfile, or before a class begins."""

import time

from handfast.agents.names import built_in, find
from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch, default_players
from handfast.envs.core.game import Game


def ahead(game: Game) -> float:
    """Compile every kernel of a game and of its rule-based agents, and keep them on disk; returns the seconds it took.

    What is on disk already is only read. Everything is called once, the way that playing calls it: a kernel is
    compiled for the types of its arguments.
    """
    start = time.perf_counter()
    batch = Batch(game, 1)
    batch.step_at_random()
    game.look(batch.games, batch.seats)
    game.guess(batch.views, batch.seats, 0)
    game.reveal(batch.games, batch.seats)
    game.judge(batch.games)
    game.move(game.blank(default_players(game)), kernels.DEAL)
    for name in built_in(game):
        batch.ask(find(name, game))
    return time.perf_counter() - start
