"""The Justiciar: Marquess of Argyll, by David McDougal."""

from handfast.envs.core.game import Game
from handfast.envs.justiciar import picture, rules, view, words

GAME = Game("justiciar", "The Justiciar", 0, rules, view, words, picture)
