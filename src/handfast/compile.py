"""Compiling a game ahead of its first use, in a Dockerfile for example, and telling who waits for it."""

import logging
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handfast.envs.core.game import Game


def ahead(game: "Game") -> float:
    """Compile every kernel of a game and of its rule-based agents, and keep them on disk; returns the seconds it took.

    What is on disk already is only read. Everything is called once, the way that playing calls it: a kernel is
    compiled for the types of its arguments.
    """
    from handfast.agents.names import built_in, find
    from handfast.envs.core import kernels
    from handfast.envs.core.batch import Batch, default_players

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


def tell() -> None:
    """From now on, say on stderr what is being compiled, if that is a terminal where somebody waits."""
    log = logging.getLogger("handfast")
    if sys.stderr.isatty() and not log.handlers:
        log.addHandler(logging.StreamHandler())
        log.setLevel(logging.INFO)
