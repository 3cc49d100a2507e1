"""Kuhn poker with a secret left out on purpose: a copy of the cards that the table declares for everyone.

The tests of secrecy must fail on it.
"""

from types import ModuleType

from handfast.envs.core.compiling import rule
from handfast.envs.core.game import Game
from handfast.envs.core.table import EVERYONE, Field, table
from tests.kuhn import picture, rules, view, words

_roll, _check = rules.roll, view.check


@rule
def roll(game):
    _roll(game)
    game.copies[0] = game.cards[0]
    game.copies[1] = game.cards[1]


@rule
def check(game):
    return _check(game) and game.copies[0] == game.cards[0] and game.copies[1] == game.cards[1]


leaky_rules = ModuleType("leaky_rules")
leaky_rules.__dict__.update(
    {name: value for name, value in vars(rules).items() if not name.startswith("__")},
    __file__=__file__,
    __package__=__name__,
    roll=roll,
    TABLE=table(
        2, rules.OPTIONS, *rules.TABLE.fields[-4:], Field("copies", "i4", (2,), EVERYONE, "a leak", 0, 3), phases=2
    ),
)
leaky_view = ModuleType("leaky_view")
leaky_view.__dict__.update(
    {name: value for name, value in vars(view).items() if not name.startswith("__")},
    __file__=__file__,
    __package__=__name__,
    check=check,
)
leaky_words = ModuleType("leaky_words")
leaky_words.__dict__.update({name: value for name, value in vars(words).items() if not name.startswith("__")})


def _fill_chance(game, event):
    words.fill_chance(game, event)
    game.copies[:] = game.cards


leaky_words.fill_chance = _fill_chance
GAME = Game("leaky", "Leaky poker", 0, leaky_rules, leaky_view, leaky_words, picture)
