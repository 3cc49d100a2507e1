"""The games as environments. Importing this registers them with Gymnasium and PettingZoo."""

from handfast.envs.registry import GAMES, get, register

__all__ = ["GAMES", "get"]

register()
