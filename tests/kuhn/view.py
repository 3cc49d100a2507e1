"""What a seat knows of Kuhn poker."""

from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets
from handfast.envs.core.luck import below, luck
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON
from tests.kuhn.rules import BETTING, CHECK, DEAL, SEATS, is_over, winner, won

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
    """Either of the two other cards, each as likely; none before the deal, and the one that a showdown's points tell."""
    view.seed = seed
    if view.cards[seat] > 0:
        view.cards[1 - seat] = 1 + (view.cards[seat] + below(luck(seed, 2, 0, 0), 2)) % 3
        if is_over(view) and view.points[winner(view)] < 0:
            view.cards[1 - seat] = 6 - view.cards[0] - view.cards[1]


@rule
def encode(view, seat, features):
    if view.cards[seat] > 0:
        features[AT.card + view.cards[seat] - 1] = 1
    for i in range(view.made):
        features[AT.move + 2 * i + view.moves[i]] = 1


@rule
def encode_hidden(game, seat, features):
    if game.cards[1 - seat] > 0:
        features[game.cards[1 - seat] - 1] = 1


# --- Which records the rules can reach ------------------------------------------------------------------------


@rule
def check(game):
    """Whether the rules can reach this game; safe for all records whose fields are in their ranges."""
    for later in range(game.made, len(game.moves)):
        if game.moves[later] != CHECK:
            return False
    if game.phase == DEAL:
        undealt = game.cards[0] == 0 and game.cards[1] == 0
        return game.seat == CHANCE and game.made == 0 and pays(game, 0, 0) and (undealt or cards_are_dealt(game))
    if game.phase != BETTING or not cards_are_dealt(game) or not turns_fit(game):
        return False
    if is_over(game):
        sign = 1 if winner(game) == 0 else -1
        return game.seat == FINISHED and game.ended == ENDED and pays(game, sign * won(game), -sign * won(game))
    return game.seat == game.made % SEATS and game.ended == GOING_ON and pays(game, 0, 0)


@rule
def cards_are_dealt(game):
    """Whether each seat has a card, and not the same."""
    return game.cards[0] > 0 and game.cards[1] > 0 and game.cards[0] != game.cards[1]


@rule
def turns_fit(game):
    """A third choice is made only after a check and a bet."""
    return game.made < 3 or game.moves[0] < game.moves[1]


@rule
def pays(game, first, second):
    """Whether these are the seats' points."""
    return game.points[0] == first and game.points[1] == second
