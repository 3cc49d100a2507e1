"""What a picture says may be done: nothing that is not legal, and nothing of a hand that the viewer doesn't know."""

import re

import numpy as np
import pytest

from handfast.envs import GAMES
from handfast.envs.core.batch import Batch
from handfast.envs.core.game import Game
from tests.pictures import seen

# By game: a word of the caption, and how the choices begin that it speaks of.
SPOKEN = {
    "justiciar": {"beat": ("play", "run"), "pass": ("pass",), "accuse": ("accuse",), "or the Commission": ("refute",)},
    "manrent": {
        "the Row": ("row",),
        "the Stock": ("stock",),
        "Invites": ("invite", "pay", "done"),
        "Secures": ("secure", "pay", "done"),
        "Entices": ("entice", "pay", "done"),
        "passes": ("pass",),
        "protects": ("protect",),
        "yield": ("yield",),
    },
    "northwood": {"Use an ability": ("use",), "Call in": ("call",), "or skip": ("pick",)},
}


def caption(game: Game, view: np.ndarray) -> str:
    """The golden words in the middle: what is to be decided."""
    record = view.view(np.recarray)[0]
    if game.name == "justiciar":
        return game.picture.task(record)
    return game.picture.decision(record)[0]


@pytest.mark.parametrize("name", SPOKEN)
def test_a_caption_speaks_of_no_choice_that_its_viewer_knows_to_be_illegal(name: str) -> None:
    game = GAMES[name]
    said: set[str] = set()
    for players in game.player_counts:
        batch = Batch(game, 40, players, seed=players)
        for _ in range(120):
            for i in range(0, batch.n, 2):
                seat = int(batch.seats[i])
                own = {game.choice(int(a), seat, players).split()[0] for a in np.flatnonzero(batch.masks[i])}
                words = caption(game, batch.views[i : i + 1])
                for word, verbs in SPOKEN[name].items():
                    if word in words:
                        said.add(word)
                        assert own & set(verbs), (words, own)
            batch.step_at_random()
    assert said == set(SPOKEN[name])


@pytest.mark.parametrize("name", ["justiciar", "manrent"])
def test_a_caption_does_not_tell_others_what_a_hidden_hand_can_do(name: str) -> None:
    game = GAMES[name]
    batch = Batch(game, 16, game.player_counts[-1], seed=3)
    for _ in range(60):
        for i in range(batch.n):
            mover = int(batch.seats[i])
            other = (mover + 1) % game.player_counts[-1]
            view = game.look(batch.games[i : i + 1], other)[0]
            if view["hands"][0, mover].item().bit_count() < view["counts"][0, mover]:
                for seed in range(2):  # other hands that it could be
                    guess = game.look(game.guess(view, other, seed), other)[0]
                    assert caption(game, guess) == caption(game, view)
                assert not re.search(r"may beat|Invites, |must", caption(game, view))
        batch.step_at_random()


def test_an_empty_table_says_nothing_of_who_takes_the_trick() -> None:
    game = GAMES["covenant"]
    batch = Batch(game, 64, 4, seed=5)
    laid = set()
    for _ in range(60):
        for i in range(0, batch.n, 4):
            cards = int(batch.games["trick"][i]).bit_count()
            svg = game.picture.draw(seen(game, batch.games[i : i + 1], int(batch.seats[i])))
            assert ("Gold takes the trick" in svg) == (cards > 0)
            assert ("red leads the next" in svg) == (cards > 1)
            laid.add(min(cards, 2))
        batch.step_at_random()
    assert laid == {0, 1, 2}
