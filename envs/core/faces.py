"""The makers of a game's environments."""

import functools
from collections.abc import Callable

from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.game import Game
from handfast.envs.core.seat import SeatEnv, SeatVectorEnv


def faces(game: Game) -> tuple[Callable[..., CardGameEnv], Callable[..., CardGameEnv], Callable, Callable]:
    """`env`, `raw_env` (the same: order, bounds and legality are checked inside), `seat_env`, `seat_vector_env`."""
    env = functools.partial(CardGameEnv, game)
    functools.update_wrapper(env, CardGameEnv, assigned=("__doc__",), updated=())
    return env, env, functools.partial(SeatEnv, game), functools.partial(SeatVectorEnv, game)
