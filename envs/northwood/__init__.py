"""For Northwood!, by Wilhelm Su."""

from handfast.envs.core.game import Game
from handfast.envs.northwood import picture, rules, view, words

GAME = Game("northwood", "For Northwood!", 0, rules, view, words, picture)
