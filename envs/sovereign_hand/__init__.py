"""The Sovereign Hand."""

from handfast.envs.core.game import Game
from handfast.envs.sovereign_hand import picture, rules, view, words

GAME = Game("sovereign_hand", "The Sovereign Hand", 0, rules, view, words, picture)
