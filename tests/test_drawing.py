"""Pieces of pictures, and how pictures become pixels."""

import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from handfast.envs.core import drawing
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.cards import deck
from handfast.envs.registry import get
from tests.pictures import faces

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


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


def test_another_deck_brings_its_own_faces():
    def face(name: str) -> str:
        return drawing.card_face(name[0], drawing.CROWN, drawing.GREEN)

    svg = drawing.fan(["1X", "8X"], 0, 0, 50, 300, face=face)
    assert faces(svg) == ["1X", "8X"]
    assert face("1X") in svg
    assert face("8X") in svg


def test_wrapped_words_keep_their_width_and_their_order():
    words = "Take all cards of a value that you hold from the deck"
    lines = drawing.wrapped(words, 90, 11)
    assert " ".join(lines) == words
    assert all(drawing.text_width(line, 11) <= 90 for line in lines)
    assert all(drawing.text_width(f"{a} {b.split()[0]}", 11) > 90 for a, b in itertools.pairwise(lines))


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
