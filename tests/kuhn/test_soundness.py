"""Which records are hands of Kuhn poker that its rules can reach, all of them counted."""

import itertools
from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.table import CHANCE, ENDED, FINISHED
from tests.fuzz import moments, sound_ones
from tests.kuhn import GAME
from tests.kuhn.rules import BET, BETTING, CHECK
from tests.leaky import GAME as LEAKY
from tests.rulings import many


def hand(cards: tuple[int, int], *choices: int, stake: int = 1) -> np.ndarray:
    """The game [1] in which these choices were made with these cards."""
    game = GAME.blank(2, {"stake": stake})
    GAME.move(game, kernels.DEAL)
    GAME.move(game, kernels.ROLL)
    game["cards"] = cards
    GAME.move(game, kernels.RESUME)
    for choice in choices:
        GAME.move(game, kernels.DECIDE, actions=choice)
    return game


HISTORIES = ((), (CHECK,), (BET,), (CHECK, BET), (CHECK, CHECK), (BET, CHECK), (BET, BET), (CHECK, BET, CHECK), (CHECK, BET, BET))  # fmt: skip
DEALS = tuple(itertools.permutations((1, 2, 3), 2))


def test_just_the_records_that_the_rules_reach_are_sound():
    before = GAME.blank(2)
    GAME.move(before, kernels.DEAL)
    dealt = np.repeat(before, len(DEALS))
    dealt["cards"] = DEALS
    hands = [hand(cards, *history) for cards, history in itertools.product(DEALS, HISTORIES)]
    reached = np.concatenate([before, dealt, *hands])
    assert GAME.judge(reached)[2].all()
    found = np.concatenate([moments(GAME, many(5000, 300), 1), sound_ones(GAME, many(5000, 100), 1)])
    found["seed"] = 0
    found["points"] //= found["stake"][:, np.newaxis]
    found["stake"] = 1
    reached["seed"] = 0
    assert {record.tobytes() for record in found} <= {record.tobytes() for record in reached}


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("cards", DEALS)
def test_a_guess_fits_all_that_a_seat_knows(cards: tuple[int, int], history: tuple[int, ...]):
    game = hand(cards, *history)
    showdown = game["seat"][0] == FINISHED and (history[-1] == BET or history == (CHECK, CHECK))
    for seat in (0, 1):
        view = GAME.look(game, seat)[0]
        guesses = GAME.guess(np.repeat(view, 40), seat, np.arange(40))
        others = set(guesses["cards"][:, 1 - seat].tolist())
        assert others == {
            card for card in (1, 2, 3) if card != cards[seat] and (not showdown or tells(cards, seat, card))
        }


def tells(cards: tuple[int, int], seat: int, card: int) -> bool:
    """Whether a showdown against this card ends as the real one."""
    return (cards[seat] > card) == (cards[seat] > cards[1 - seat])


UNSOUND: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
    ("one card is dealt to both", (), {"cards": (2, 2)}),
    ("a seat has no card", (), {"cards": (2, 0)}),
    ("the other seat is to move", (CHECK,), {"seat": 0}),
    ("luck is to decide", (CHECK,), {"seat": CHANCE}),
    ("the cards are dealt again", (CHECK,), {"phase": 0, "seat": CHANCE}),
    ("the hand goes on after two checks", (CHECK,), {"made": 2, "seat": 0}),
    ("a choice is made that does not count", (CHECK,), {"moves": (CHECK, BET, CHECK)}),
    ("a third choice follows a bet that was answered", (CHECK, BET, BET), {"moves": (BET, BET, BET)}),
    ("points are won in mid-hand", (BET,), {"points": (1, -1)}),
    ("the lower card wins", (BET, BET), {"points": (2, -2)}),
    ("a fold wins the bet", (BET, CHECK), {"points": (2, -2)}),
    ("the game is over in mid-hand", (BET,), {"seat": FINISHED, "ended": ENDED}),
    ("the hand is over and goes on", (BET, BET), {"seat": 0, "ended": 0}),
]


@pytest.mark.parametrize(("history", "changes"), [row[1:] for row in UNSOUND], ids=[row[0] for row in UNSOUND])
def test_what_the_rules_cannot_reach_is_refused(history: tuple[int, ...], changes: dict[str, Any]):
    game = hand((1, 3), *history)
    assert game["phase"][0] == BETTING
    assert GAME.judge(game)[2][0]
    for field, value in changes.items():
        game[field] = value
    assert not GAME.judge(game)[2][0]


@pytest.mark.filterwarnings("ignore::numba.NumbaExperimentalFeatureWarning")
def test_the_copies_of_leaky_poker_are_of_the_cards():
    games = moments(LEAKY, 200, 1)
    assert LEAKY.judge(games)[2].all()
    assert as_bytes(games).any()
    games["copies"] = games["copies"][:, ::-1]
    assert (LEAKY.judge(games)[2] == (games["copies"] == games["cards"]).all(1)).all()
