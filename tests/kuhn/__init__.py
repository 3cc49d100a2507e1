"""Kuhn poker on the suite's contract: a game whose equilibrium is known, to prove the core and the trainer on."""

from handfast.envs.core.game import Game
from tests.kuhn import picture, rules, view, words

GAME = Game("kuhn", "Kuhn poker", 0, rules, view, words, picture)
