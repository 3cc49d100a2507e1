"""The games of the suite, by name. The only place that knows them all."""

import difflib
import functools
import importlib

from handfast.envs.core.game import Game

NAMES = ("justiciar",)


@functools.cache
def get(name: str) -> Game:
    """The game of this name; ValueError that lists the games otherwise."""
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"there is no game {name!r}{hint} The games are {', '.join(NAMES)}.")
    return importlib.import_module(f"handfast.envs.{name}").GAME
