"""Every game's picture: well formed at every position, true, and without words in each other's way."""

import itertools
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest
from pettingzoo.test.render_test import render_test

from handfast.envs import GAMES
from handfast.envs.core import kernels
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.game import Game
from handfast.envs.core.table import CHANCE
from tests.pictures import SVG, backs, faces, moments, seen, words_of


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def test_every_picture_is_well_formed_and_of_one_size(game: Game, players: int) -> None:
    sizes = set()
    for moment in moments(game, players):
        for svg in moment.pictures.values():
            root = ET.fromstring(svg)
            assert root.tag == SVG + "svg"
            sizes.add((root.get("width"), root.get("height")))
    assert len(sizes) == 1


def test_a_seat_is_shown_no_card_that_is_not_there_nor_more_cards(game: Game, players: int) -> None:
    for moment in moments(game, players):
        everything = moment.pictures[None]
        for seat in range(players):
            svg = moment.pictures[seat]
            assert Counter(faces(svg)) <= Counter(faces(everything))
            assert len(faces(svg)) + backs(svg) <= len(faces(everything)) + backs(everything)


def test_a_picture_is_the_same_for_every_game_that_a_seat_takes_for_possible(game: Game, players: int) -> None:
    for moment in moments(game, players):
        for seat in range(players):
            if moment.games["seat"][0] >= 0:
                other = game.guess(game.look(moment.games, seat)[0], seat, 7)
                assert game.picture.draw(seen(game, other, seat)) == moment.pictures[seat]


def test_drawing_leaves_the_view_as_it_was(game: Game, players: int) -> None:
    for moment in moments(game, players):
        view = seen(game, moment.games, 0)
        before = view.tobytes()
        assert game.picture.draw(view) == moment.pictures[0]
        assert view.tobytes() == before


def test_every_stop_of_luck_before_the_first_decision_can_be_drawn(game: Game, players: int) -> None:
    games = game.blank(players)
    game.unchecked.move(games, kernels.DEAL, 1)
    while games["seat"][0] == CHANCE:
        for how in (kernels.ROLL, kernels.RESUME):
            for seat in (None, *range(players)):
                ET.fromstring(game.picture.draw(seen(game, games, seat)))
            game.unchecked.move(games, how)


def test_no_words_run_out_of_their_box_or_into_others(game: Game, players: int) -> None:
    for moment in moments(game, players):
        for svg in moment.pictures.values():
            words = words_of(svg)
            for one in words:
                assert one.under.left - 1 <= one.at.left, one
                assert one.at.right <= one.under.right + 1, one
            for one, other in itertools.combinations(words, 2):
                assert not one.at.meets(other.at), (one, other)


ROUND_A_TABLE = [game for game in GAMES.values() if hasattr(game.picture, "observer")]


@pytest.mark.parametrize("one", ROUND_A_TABLE, ids=[game.name for game in ROUND_A_TABLE])
def test_the_observer_is_whose_view_it_is(one: Game) -> None:
    for players in one.player_counts:
        observers_are_found(one, players)


def observers_are_found(game: Game, players: int) -> None:
    for moment in moments(game, players):
        assert game.picture.observer(seen(game, moment.games, None)) == 0
        for seat in range(players):
            view = game.look(moment.games, seat)[0]
            if (as_bytes(view)[0] & game.table.keep[seat] & ~game.table.keep.min(0)).any():
                assert game.picture.observer(view.view(np.recarray)[0]) == seat


@pytest.mark.slow
def test_pettingzoo_finds_every_render_mode_in_order(game: Game) -> None:
    players = game.player_counts[-1]
    render_test(lambda render_mode: CardGameEnv(game, players, render_mode=render_mode))
