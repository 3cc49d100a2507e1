"""Kuhn poker, two players, cards J Q K (H. W. Kuhn, 1950). Ante 1; check or bet; a bet may be called or folded to."""

from handfast.envs.core.compiling import rule
from handfast.envs.core.luck import below, luck
from handfast.envs.core.table import CHANCE, ENDED, EVERYONE, FINISHED, ITS_SEAT, Field, Option, table

SEATS = 2
PLAYER_COUNTS = (2,)
SCORE_SIGN = 1
DEAL, BETTING = 0, 1
CHECK, BET = 0, 1  # "check" is also fold, "bet" is also call
ACTIONS = 2
MOST_STAKE = 100
OPTIONS = {"stake": Option(1, range(1, MOST_STAKE + 1), "what the ante and a bet are worth")}

TABLE = table(
    SEATS,
    OPTIONS,
    Field("cards", "i4", (SEATS,), ITS_SEAT, "1, 2, 3 for J, Q, K; 0 before the deal", 0, 3),
    Field("moves", "i4", (3,), EVERYONE, "what was chosen", CHECK, BET),
    Field("made", "i4", (), EVERYONE, "how many choices were made", 0, 3),
    Field("points", "i4", (SEATS,), EVERYONE, "won or lost", -2 * MOST_STAKE, 2 * MOST_STAKE),
    phases=BETTING + 1,
)


@rule
def deal(game, seed):
    game.seed = seed
    game.seat = CHANCE
    game.phase = DEAL


@rule
def roll(game):
    game.cards[0] = 1 + below(luck(game.seed, 1, 0, 0), 3)
    game.cards[1] = 1 + (game.cards[0] + below(luck(game.seed, 1, 0, 1), 2)) % 3


@rule
def after_chance(game):
    game.seat = 0
    game.phase = BETTING


@rule
def legal(view, mask):
    mask[CHECK] = 1
    mask[BET] = 1


@rule
def decide(game, action):
    game.moves[game.made] = action
    game.made += 1
    if is_over(game):
        victor = winner(game)
        game.points[victor] = won(game)
        game.points[1 - victor] = -won(game)
        game.ended = ENDED
        game.seat = FINISHED
    else:
        game.seat = 1 - game.seat


@rule
def answers_bet(game):
    """Whether the last choice answered a bet."""
    return game.made > 1 and game.moves[game.made - 2] == BET


@rule
def is_over(game):
    """Whether a bet was answered, or both checked."""
    return answers_bet(game) or (game.made == 2 and game.moves[1] == CHECK)


@rule
def winner(game):
    """The seat that wins a hand that is over: the other one's where a seat folded, else that of the higher card."""
    if answers_bet(game) and game.moves[game.made - 1] == CHECK:
        return game.made % 2
    return 0 if game.cards[0] > game.cards[1] else 1


@rule
def won(game):
    """What it wins: the ante, and the bet where that was called."""
    return game.stake * (2 if game.moves[game.made - 1] == BET else 1)


@rule
def scores(game, out):
    for seat in range(SEATS):
        out[seat] = game.points[seat]


@rule
def winners(game, out):
    for seat in range(SEATS):
        out[seat] = game.points[seat] > 0
