"""The Justiciar's picture: what it shows, and what it must not show."""

import functools
import xml.etree.ElementTree as ET
from typing import Any, NamedTuple

import numpy as np
import pytest

from handfast.envs.core import drawing, kernels
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.cards import card_names, deck
from handfast.envs.justiciar import picture
from handfast.envs.registry import get
from tests.pictures import backs, faces

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
REVEAL = pytest.mark.parametrize("reveal", [False, True], ids=["one seat's view", "all hands open"])


class Position(NamedTuple):
    """What a picture was drawn from, the seat to move, and the picture."""

    view: Any
    seat: int
    svg: str


@functools.cache
def random_game(players: int, seed: int, reveal: bool = False, **options: Any) -> tuple[CardGameEnv, list[Position]]:
    """A game at random, accusing seldom: the environment at its end, and every position."""
    env = CardGameEnv(get("justiciar"), players, reveal=reveal, **options)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    positions = []
    while True:
        positions.append(Position(env._position().copy(), int(env._batch.seats[0]), env.svg()))
        if not env.choices():
            return env, positions
        calm = [action for action, words in env.choices().items() if "accuse" not in words or rng.random() < 0.2]
        env.step(rng.choice(calm or list(env.choices())))


def known(view) -> list[set[str]]:
    """By seat, the cards that a view knows to be in the hand."""
    return [set(card_names(int(view.hands[seat]) | int(view.shown[seat]))) for seat in range(view.players)]


@PLAYERS
@REVEAL
def test_a_picture_shows_the_cards_that_the_view_knows_and_a_back_for_each_other(players, reveal):
    for view, _, svg in random_game(players, 2, reveal)[1]:
        hands = known(view)
        on_table = [] if view.ended else card_names(view.play_cards) + card_names(view.run_cards)
        assert sorted(faces(svg)) == sorted([card for hand in hands for card in hand] + on_table)
        assert backs(svg) == int(view.counts.sum()) - sum(map(len, hands))


def test_a_card_given_in_a_refutation_is_seen_in_the_accusers_hand():
    views = [position.view for position in random_game(4, 2)[1]]
    assert any(int(view.shown[seat]) & ~int(view.hands[seat]) for view in views for seat in range(4))


@PLAYERS
def test_no_hidden_card_is_named_in_the_picture_of_a_view(players):
    for view, _, svg in random_game(players, 2)[1]:
        seen = set().union(*known(view), card_names(view.play_cards))
        words = " ".join(filter(None, (element.text for element in ET.fromstring(svg).iter())))
        for card in set(deck(48)) - seen:
            assert card not in faces(svg)
            assert card not in words


@PLAYERS
def test_the_observer_sits_at_the_bottom_and_the_others_follow_clockwise(players):
    for view, seat, _ in random_game(players, 2)[1][:-1]:
        places = drawing.seat_places(players, picture.observer(view))
        assert places[seat] == drawing.OBSERVER
        assert places[(seat + 1) % players][0] < drawing.WIDTH / 2 < places[seat - 1][0]


@PLAYERS
@REVEAL
def test_the_final_standing_is_that_of_the_rules(players, reveal):
    env, positions = random_game(players, 2, reveal)
    scores, winners, _ = env.game.judge(env._batch.games)
    assert [points for *_, points in picture.tally(positions[-1].view)] == scores[0, :players].tolist()
    assert picture.victors(positions[-1].view) == set(np.flatnonzero(winners[0]).tolist())
    assert "Final standing" in positions[-1].svg


def test_fewer_aces_break_a_tie_and_those_still_tied_share():
    view = random_game(3, 2)[1][-1].view.copy()
    view.points[:3], view.frozen_by[:] = [10, 5, 5], [1, 2, 2, 2]
    assert picture.victors(view) == {0}
    view.points[:3], view.frozen_by[:] = [5, 5, 30], [0, 1, 2, 2]
    assert picture.victors(view) == {0, 1}
    assert picture.draw(view).count(">winner<") == 2


def test_a_game_cut_short_has_no_winner():
    view, _, svg = random_game(4, 2, max_turns=30)[1][-1]
    assert picture.victors(view) == set()
    assert "Stopped after 30 turns" in svg
    assert "winner" not in svg


def test_every_decision_has_its_words():
    said = " ".join(position.svg for seed in range(2, 5) for position in random_game(3, seed)[1])
    for words in (
        "leads",
        "may beat it or pass",
        "leads or accuses",
        "may beat it, pass or accuse",
        "or the Commission?",
    ):
        assert words in said
    for words in (
        "lays a run: with which",
        "passed",
        "accused",
        "accuses",
        "to move",
        "Run of 3",
        "Pair of Kings",
        "forced to pass",
    ):
        assert words in said


def test_with_any_pass_the_picture_does_not_speak_of_force():
    assert "The first to pass takes" in random_game(3, 2, first_commission="any_pass")[1][0].svg


def test_a_game_before_its_deal_can_be_drawn():
    game = get("justiciar")
    record = game.blank(4)
    game.move(record, kernels.DEAL, 1)
    svg = picture.draw(record.view(np.recarray)[0])
    assert faces(svg) == []
    assert "the cards are dealt" in svg
