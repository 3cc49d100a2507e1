"""What a picture shows: its cards, and where its words stand."""

import functools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from handfast.envs.core import drawing
from handfast.envs.core.batch import Batch
from handfast.envs.core.game import Game
from handfast.envs.core.table import FINISHED
from tests.positions import random_options

SVG = "{http://www.w3.org/2000/svg}"


def faces(svg: str) -> list[str]:
    """The cards that a picture shows face up."""
    return re.findall(r'data-card="([^"]+)"', svg)


def gilded(svg: str) -> list[str]:
    """The cards that it outlines in gold."""
    return re.findall(r'data-card="([^"]+)" class="gilded"', svg)


def backs(svg: str) -> int:
    """How many cards it shows face down."""
    return svg.count('class="card-back"')


def seen(game: Game, games: np.ndarray, seat: int | None) -> Any:
    """What the picture of a game, `games` [1], is drawn from: the game with everything open, or a seat's view."""
    views = games if seat is None else game.look(games, seat)[0]
    return views.view(np.recarray)[0]


class Moment(NamedTuple):
    """A position, `games` [1], and its pictures: None with everything open, else as a seat sees it."""

    games: np.ndarray
    pictures: dict[int | None, str]


@functools.cache
def moments(game: Game, players: int, played: int = 2, each: int = 9) -> list[Moment]:
    """Random moments of so many random games with random options, their beginnings and ends among them."""
    random = np.random.default_rng(players)
    found = []
    for deal in range(played):
        batch = Batch(game, 1, players, 100 + deal, restart=False, **random_options(game, random))
        course = [batch.games.copy()]
        while course[-1]["seat"][0] != FINISHED:
            batch.step_at_random()
            course.append(batch.games.copy())
        inner = random.choice(len(course), min(each, len(course)), replace=False)
        for place in sorted({0, len(course) - 1, *map(int, inner)}):
            lookers = (None, *range(players))
            pictures = {seat: game.picture.draw(seen(game, course[place], seat)) for seat in lookers}
            found.append(Moment(course[place], pictures))
    return found


class Box(NamedTuple):
    """A part of a picture: its edges in pixels."""

    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "Box", slack: float = 1) -> bool:
        """Whether two parts overlap by more than `slack` in both directions."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and down > slack

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


class Words(NamedTuple):
    """Words of a picture, where they stand, and the latest box drawn under their middle."""

    words: str
    at: Box
    under: Box


def words_of(svg: str) -> list[Words]:
    """The words of a picture outside its cards. What is turned is left out."""
    boxes: list[Box] = []
    return list(_words(ET.fromstring(svg), 0, 0, 1, boxes))


def _words(element: ET.Element, x: float, y: float, scale: float, boxes: list[Box]) -> Iterator[Words]:
    moved = element.get("transform", "")
    if "data-card" in element.attrib or "rotate" in moved:
        return
    if match := re.match(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", moved):
        x, y = x + scale * float(match[1]), y + scale * float(match[2])
        scale *= float(match[3] or 1)
    if element.tag == SVG + "rect":
        left, top = x + scale * float(element.get("x", 0)), y + scale * float(element.get("y", 0))
        width, height = float(element.attrib["width"]), float(element.attrib["height"])
        boxes.append(Box(left, left + scale * width, top, top + scale * height))
    elif element.tag == SVG + "text":
        said, size = str(element.text), scale * float(element.attrib["font-size"])
        width = drawing.text_width(said, size)
        left = (
            x
            + scale * float(element.attrib["x"])
            - width * {"start": 0, "middle": 0.5, "end": 1}[element.attrib["text-anchor"]]
        )
        base = y + scale * float(element.attrib["y"])
        at = Box(left, left + width, base - 0.7 * size, base)
        under = [box for box in boxes if box.holds((at.left + at.right) / 2, (at.top + at.bottom) / 2)]
        yield Words(said, at, under[-1])
    for part in element:
        yield from _words(part, x, y, scale, boxes)
