"""The games of the suite, by name. The only place that knows them all."""

import difflib

import gymnasium
import pettingzoo

from handfast.envs.core.game import Game
from handfast.envs.covenant import GAME as COVENANT
from handfast.envs.justiciar import GAME as JUSTICIAR
from handfast.envs.manrent import GAME as MANRENT
from handfast.envs.northwood import GAME as NORTHWOOD
from handfast.envs.sovereign_hand import GAME as SOVEREIGN_HAND
from handfast.messages import shown

GAMES: dict[str, Game] = {game.name: game for game in (COVENANT, JUSTICIAR, NORTHWOOD, MANRENT, SOVEREIGN_HAND)}


def get(name: str) -> Game:
    """The game of this name; ValueError that lists the games otherwise."""
    if not isinstance(name, str) or name not in GAMES:
        near = difflib.get_close_matches(str(name)[:80], GAMES, 1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise ValueError(f"there is no game {shown(name)}{hint} The games are {', '.join(GAMES)}.")
    return GAMES[name]


def register() -> None:
    """Make the games known to Gymnasium and, from version 1.27 on, to PettingZoo."""
    for game in GAMES.values():
        module = f"handfast.envs.{game.name}_v{game.version}"
        gymnasium.register(
            id=f"handfast/{game.name.title().replace('_', '')}-v{game.version}",
            entry_point=f"{module}:seat_env",
            vector_entry_point=f"{module}:seat_vector_env",
        )
        if hasattr(pettingzoo, "register"):
            pettingzoo.register("aec", f"handfast/{game.name}-v{game.version}", f"{module}:env")
