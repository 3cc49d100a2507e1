"""Manrent: Sworn & Sold, by David McDougal."""

from handfast.envs.core.game import Game
from handfast.envs.manrent import picture, rules, view, words

GAME = Game("manrent", "Manrent: Sworn & Sold", 0, rules, view, words, picture)
