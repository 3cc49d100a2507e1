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
OPTIONS = {"stake": Option(1, range(1, 101), "what the ante and a bet are worth")}

TABLE = table(
    SEATS,
    OPTIONS,
    Field("cards", "i4", (SEATS,), ITS_SEAT, "1, 2, 3 for J, Q, K"),
    Field("moves", "i4", (3,), EVERYONE, "what was chosen"),
    Field("made", "i4", (), EVERYONE, "how many choices were made"),
    Field("points", "i4", (SEATS,), EVERYONE, "won or lost"),
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
    game.seat = 1 - game.seat
    after_bet = game.made > 1 and game.moves[game.made - 2] == BET
    if after_bet or (game.made == 2 and action == CHECK):
        winner = game.seat  # where the other folded
        if not (after_bet and action == CHECK):
            winner = 0 if game.cards[0] > game.cards[1] else 1
        game.points[winner] = game.stake * (2 if action == BET else 1)
        game.points[1 - winner] = -game.points[winner]
        game.ended = ENDED
        game.seat = FINISHED


@rule
def scores(game, out):
    for seat in range(SEATS):
        out[seat] = game.points[seat]


@rule
def winners(game, out):
    for seat in range(SEATS):
        out[seat] = game.points[seat] > 0
