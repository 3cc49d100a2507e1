"""What a seat knows of Kuhn poker."""

from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets
from handfast.envs.core.luck import below, luck

FEATURES_VERSION = 1
FEATURES = {
    "card": block("JQK", "own card"),
    "move": block(("1 check", "1 bet", "2 check", "2 bet", "3 check", "3 bet"), "what was chosen"),
}
AT = offsets(FEATURES)
HIDDEN_FEATURES = {"card": block("JQK", "the other's card")}


@rule
def conceal(view, seat):
    """The table of fields says it all."""


@rule
def guess(view, seat, seed):
    """Either of the two other cards, each as likely."""
    view.seed = seed
    view.cards[1 - seat] = 1 + (view.cards[seat] + below(luck(seed, 2, 0, 0), 2)) % 3


@rule
def encode(view, seat, features):
    features[AT.card + view.cards[seat] - 1] = 1
    for i in range(view.made):
        features[AT.move + 2 * i + view.moves[i]] = 1


@rule
def encode_hidden(game, seat, features):
    features[game.cards[1 - seat] - 1] = 1


@rule
def check(game):
    return 1 <= game.cards[0] <= 3 and 1 <= game.cards[1] <= 3 and game.cards[0] != game.cards[1]
