"""Pictures: what they show, what they must not show, and how they become pixels."""

import functools
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import Any, NamedTuple

import numpy as np
import pytest
from pettingzoo.test.render_test import render_test

from handfast.envs.core import drawing, kernels
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.cards import card_names, deck
from handfast.envs.justiciar import picture
from handfast.envs.registry import get

SVG = "{http://www.w3.org/2000/svg}"
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
REVEAL = pytest.mark.parametrize("reveal", [False, True], ids=["one seat's view", "all hands open"])


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


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


def faces(svg: str) -> list[str]:
    """The cards that a picture shows face up."""
    return re.findall(r'data-card="(..)"', svg)


def known(view) -> list[set[str]]:
    """By seat, the cards that a view knows to be in the hand."""
    return [set(card_names(int(view.hands[seat]) | int(view.shown[seat]))) for seat in range(view.players)]


# --- The Justiciar's picture ----------------------------------------------------------------------------------


@PLAYERS
@REVEAL
def test_every_picture_is_well_formed_xml_of_one_size(players, reveal):
    for position in random_game(players, 2, reveal)[1]:
        root = ET.fromstring(position.svg)
        assert root.tag == SVG + "svg"
        assert (root.get("width"), root.get("height")) == (str(drawing.WIDTH), str(drawing.HEIGHT))


@PLAYERS
@REVEAL
def test_a_picture_shows_the_cards_that_the_view_knows_and_a_back_for_each_other(players, reveal):
    for view, _, svg in random_game(players, 2, reveal)[1]:
        hands = known(view)
        on_table = [] if view.ended else card_names(view.play_cards) + card_names(view.run_cards)
        assert sorted(faces(svg)) == sorted([card for hand in hands for card in hand] + on_table)
        assert svg.count('class="card-back"') == int(view.counts.sum()) - sum(map(len, hands))


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
def test_with_all_hands_open_seat_0_is_at_the_bottom(players):
    assert {picture.observer(position.view) for position in random_game(players, 2, True)[1]} == {0}


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


def test_drawing_twice_gives_the_same_picture_and_leaves_the_view_as_it_was():
    for view, _, svg in random_game(4, 2)[1]:
        before = view.tobytes()
        assert picture.draw(view) == svg
        assert view.tobytes() == before


# --- The pieces -----------------------------------------------------------------------------------------------


def test_words_are_escaped():
    parts = drawing.text(0, 0, 'a < b & "c"', 12), drawing.badge(0, 0, "<b>")
    root = ET.fromstring(drawing.document(100, 50, "<&>", *parts))
    assert [element.text for element in root.iter() if element.text] == ["<&>", 'a < b & "c"', "<b>"]


def test_every_card_has_a_face():
    everything = drawing.document(100, 140, "cards", *(drawing.card_front(card, 50, 70, 80) for card in deck(52)))
    assert faces(everything) == list(deck(52))
    assert len(set(map(drawing.cards._face, deck(52)))) == 52
    ET.fromstring(everything)


@pytest.mark.parametrize("bend", [0, 20])
@pytest.mark.parametrize("cards", [1, 2, 13, 30])
def test_a_fan_keeps_its_span_and_its_middle(cards, bend):
    svg = drawing.fan([None] * cards, 200, 100, 50, 300, bend)
    across = [float(x) for x in re.findall(r"translate\(([-\d.]+) ", svg)]
    assert len(across) == cards
    assert across == sorted(across)
    assert across[0] >= 200 - 125 - 0.1
    assert across[0] + across[-1] == pytest.approx(400, abs=0.2)


def test_no_cards_make_an_empty_fan():
    assert drawing.fan([], 0, 0, 50, 300, 20) == ""


def test_raised_cards_are_above_the_others():
    row = drawing.fan(["2H", "3H", "4H"], 0, 0, 50, 300, raised={1})
    assert [float(y) for y in re.findall(r"translate\(\S+ ([-\d.]+)\)", row)] == [0, pytest.approx(-15.4), 0]


@pytest.mark.parametrize("players", range(2, 9))
def test_seats_begin_at_the_bottom_and_go_clockwise(players):
    seats = drawing.seats_around(players, 10, 20, 100, 50)
    assert seats[0] == pytest.approx((10, 70))
    turns = np.unwrap([np.arctan2(y - 20, x - 10) for x, y in seats])
    assert (np.diff(turns) > 0).all()  # y points down: growing angles go clockwise


def test_an_arrow_ends_in_its_point():
    ET.fromstring(drawing.document(9, 9, "arrow", drawing.arrow((0, 0), (100, 50), (60, 0))))
    assert "M100 50" in drawing.arrow((0, 0), (100, 50), (60, 0))


# --- On a screen ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["player_0", "Round 2 of 4 · 1640 Atholl and Angus", "Jack, Queen & King?"])
def test_words_are_as_wide_as_the_font_draws_them(words):
    pixels = drawing.raster(drawing.document(900, 40, "width", drawing.text(10, 25, words, 24, "#ffffff", "start")))
    inked = np.flatnonzero(pixels.any((0, 2)))
    assert inked[-1] - inked[0] == pytest.approx(drawing.text_width(words, 24), rel=0.03)


@PLAYERS
def test_pixels_are_rows_of_red_green_and_blue(players):
    env = CardGameEnv(get("justiciar"), players, render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert image.shape == (drawing.HEIGHT, drawing.WIDTH, 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert image.flags.writeable
    assert (image == env.render()).all()


def test_colours_and_places_survive_the_way_to_pixels():
    image = drawing.raster(drawing.document(30, 20, "red at the left", drawing.box(5, 10, 10, 20, "#ff0000", 0)))
    assert image.shape == (20, 30, 3)
    assert image[10, 5].tolist() == [255, 0, 0]
    assert image[10, 20].tolist() == [0, 0, 0]


@PLAYERS
def test_pettingzoo_finds_every_render_mode_in_order(players):
    render_test(lambda render_mode: CardGameEnv(get("justiciar"), players, render_mode=render_mode))


def test_a_window_opens_with_the_first_picture_and_takes_its_size():
    import pygame

    window = drawing.Window("The Justiciar")
    assert not pygame.display.get_init()
    window.show(np.full((20, 30, 3), 7, np.uint8))
    assert pygame.display.get_caption()[0] == "The Justiciar"
    assert pygame.display.get_surface().get_size() == (30, 20)
    assert pygame.display.get_surface().get_at((29, 19))[:3] == (7, 7, 7)
    window.show(np.zeros((40, 50, 3), np.uint8))
    assert pygame.display.get_surface().get_size() == (50, 40)
    window.close()
    assert not pygame.display.get_init()
    window.close()


def test_a_window_that_the_user_closes_stays_closed_until_the_environment_is_done_with_it():
    import pygame

    window, image = drawing.Window("The Justiciar"), np.zeros((20, 30, 3), np.uint8)
    window.show(image)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(image)
    window.show(image)
    assert not pygame.display.get_init()
    window.close()
    window.show(image)
    assert pygame.display.get_init()
    window.close()


@pytest.mark.parametrize("library", ["resvg_py", "pygame"])
def test_a_missing_library_is_an_error_that_says_what_to_install(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"{library}.*pip install handfast\[render\]"):
        drawing.raster(drawing.document(9, 9, "nothing"))


def test_a_window_without_pygame_says_what_to_install_and_closes_quietly(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    window = drawing.Window("The Justiciar")
    with pytest.raises(ImportError, match=r"pygame.*pip install handfast\[render\]"):
        window.show(np.zeros((2, 2, 3), np.uint8))
    window.close()


def test_environments_import_no_drawing_library():
    code = "import sys, handfast.envs.core.aec; sys.exit(bool({'pygame', 'resvg_py'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
