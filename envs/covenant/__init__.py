"""The Covenant, by David McDougal."""

from handfast.envs.core.game import Game
from handfast.envs.covenant import picture, rules, view, words

GAME = Game("covenant", "The Covenant", 0, rules, view, words, picture)
