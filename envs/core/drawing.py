"""Drawing card games: pieces of SVG as strings, put together by each game's picture, and what shows them on a screen.

All lengths are pixels, x to the right and y down; angles are degrees, clockwise. A function that draws one thing takes
its centre as `x, y`. Suits, crowns and seals are paths, so that they look the same everywhere; the only font needed is
a plain bold one with the widths of Helvetica, which `raster` brings along.
"""

import functools
import importlib
import io
import math
import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

Point = tuple[float, float]

CARD_HEIGHT = 1.4  # of its width

IVORY, PARCHMENT, GOLD, INK, RED, GREY = "#f7f1df", "#f3e6c4", "#e2b957", "#1d1d24", "#c0182b", "#a9b5ab"
FELT, FELT_LIGHT, SHADE, WOOD = "#1b5240", "#236650", "#0d2a20", "#3b2417"
NAVY, GREEN, WAX = "#1c2f5e", "#2c6e55", "#a3131f"

SUIT_COLOURS = {"H": RED, "S": INK, "D": RED, "C": INK}

# Outlines in a box from -10 to 10: pairs of numbers between letters, so that `_moved` can place them.
SUIT_PATHS = {
    "H": "M0 10C-2 6 -10 1 -10 -4.5C-10 -8 -7.5 -10 -5 -10C-2.5 -10 -0.8 -8.5 0 -6.2C0.8 -8.5 2.5 -10 5 -10"
    "C7.5 -10 10 -8 10 -4.5C10 1 2 6 0 10Z",
    "D": "M0 -10.5C2 -6.5 5 -3 8 0C5 3 2 6.5 0 10.5C-2 6.5 -5 3 -8 0C-5 -3 -2 -6.5 0 -10.5Z",
    "S": "M0 -10C2 -6 9.5 -1.5 9.5 3C9.5 6 7.3 7.6 5 7.6C3.2 7.6 1.7 6.8 0.8 5.3C1 7.5 2 9.2 3.6 10L-3.6 10"
    "C-2 9.2 -1 7.5 -0.8 5.3C-1.7 6.8 -3.2 7.6 -5 7.6C-7.3 7.6 -9.5 6 -9.5 3C-9.5 -1.5 -2 -6 0 -10Z",
    "C": "M0 -10C2.6 -10 4.6 -8.1 4.6 -5.6C4.6 -4 3.8 -2.7 2.7 -1.7C3.5 -2.1 4.4 -2.4 5.3 -2.4C7.9 -2.4 10 -0.4 10 2.3"
    "C10 5 7.9 7 5.3 7C3.3 7 1.6 5.9 0.8 4.3C0.9 7 2 9.2 3.6 10L-3.6 10C-2 9.2 -0.9 7 -0.8 4.3C-1.6 5.9 -3.3 7 -5.3 7"
    "C-7.9 7 -10 5 -10 2.3C-10 -0.4 -7.9 -2.4 -5.3 -2.4C-4.4 -2.4 -3.5 -2.1 -2.7 -1.7C-3.8 -2.7 -4.6 -4 -4.6 -5.6"
    "C-4.6 -8.1 -2.6 -10 0 -10Z",
}
CROWN = "M-9 4L-10 -5L-5 0L0 -8L5 0L10 -5L9 4ZM-9 5.5L9 5.5L9 8L-9 8Z"
# What the court cards wear: a crown, a coronet, and a broadsword to carry.
COURT_PATHS = {
    "K": "M-9 5L-10.5 -5L-5 0L-1 -6L-1 -7.6L-2.6 -7.6L-2.6 -9.2L-1 -9.2L-1 -11L1 -11L1 -9.2L2.6 -9.2L2.6 -7.6L1 -7.6L1 -6"
    "L5 0L10.5 -5L9 5ZM-9 6.5L9 6.5L9 9L-9 9Z",
    "Q": "M-9 6C-10 2 -10.5 -2 -11 -6C-8.5 -3 -7 -1 -5.5 1.5C-5 -3 -3 -7 0 -10C3 -7 5 -3 5.5 1.5C7 -1 8.5 -3 11 -6"
    "C10.5 -2 10 2 9 6ZM-8.5 7.2L8.5 7.2L8.5 9L-8.5 9Z",
    "J": "M0 -12L1.6 -9L1.6 2L8 2L8 4.4L1.6 4.4L1.6 8C2.6 8.4 2.6 10.6 0 10.6C-2.6 10.6 -2.6 8.4 -1.6 8L-1.6 4.4L-8 4.4"
    "L-8 2L-1.6 2L-1.6 -9Z",
}

# Where the pips of the cards 2 to 10 are, with the card 100 wide and its centre at 0, 0.
_PIPS = {
    "2": [(0, -44), (0, 44)],
    "3": [(0, -44), (0, 0), (0, 44)],
    "4": [(-17, -44), (17, -44), (-17, 44), (17, 44)],
    "5": [(-17, -44), (17, -44), (0, 0), (-17, 44), (17, 44)],
    "6": [(-17, -44), (17, -44), (-17, 0), (17, 0), (-17, 44), (17, 44)],
    "7": [(-17, -44), (17, -44), (0, -22), (-17, 0), (17, 0), (-17, 44), (17, 44)],
    "8": [(-17, -44), (17, -44), (0, -22), (-17, 0), (17, 0), (0, 22), (-17, 44), (17, 44)],
    "9": [(-17, -44), (17, -44), (-17, -15), (17, -15), (0, 0), (-17, 15), (17, 15), (-17, 44), (17, 44)],
    "T": [(-17, -44), (17, -44), (0, -30), (-17, -15), (17, -15), (-17, 15), (17, 15), (0, 30), (-17, 44), (17, 44)],
}

# Widths of Helvetica Bold's characters, in thousandths of the size; 600 where not listed.
_WIDTHS = {
    character: width
    for width, characters in {
        238: "'", 278: " ,./Iijl·\\", 280: "|", 333: "!()-:;ft[]`", 389: "r*{}", 474: '"', 500: "z", 556: "0123456789_aceksvxyJ–#$",
        584: "+<=>^~×", 611: "bdghnopquFLTZ?", 667: "EPSVXY", 722: "ABCDHKNRU&", 778: "GOQw", 833: "M", 889: "m%", 944: "W",
        975: "@", 1000: "…",
    }.items()
    for character in characters
}  # fmt: skip


# --- Plain pieces ---------------------------------------------------------------------------------------------


def document(width: float, height: float, title: str, *parts: str) -> str:
    """A whole SVG picture of this size."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" '
        f'height="{_n(height)}" font-family="Helvetica, Arial, FreeSans, sans-serif" font-weight="bold">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def table_top(width: float, height: float) -> str:
    """The felt of a card table that fills the picture, in a wooden frame."""
    x, y = width / 2, height / 2
    return box(x, y, width, height, WOOD, 0) + box(x, y, width - 16, height - 16, FELT, 22)


def mat(x: float, y: float, width: float, height: float) -> str:
    """A lighter part of the felt, where cards are played to."""
    return box(x, y, width, height, FELT_LIGHT, 26, "#677f51", 1.5)


def text(x: float, y: float, words: str, size: float, fill: str = IVORY, anchor: str = "middle") -> str:
    """Words on the baseline y; `anchor` says which part of them is at x: `start`, `middle` or `end`."""
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'


def text_width(words: str, size: float) -> float:
    """How wide `text` draws these words."""
    return sum(_WIDTHS.get(character, 600) for character in words) * size / 1000


def box(
    x: float, y: float, width: float, height: float, fill: str, radius: float = 8, edge: str = "", thick: float = 2
) -> str:
    """A rectangle with round corners, and inside it an edge of its own colour, so and so thick."""
    if edge:  # two filled shapes: renderers are much slower at strokes
        inner = box(x, y, width - 2 * thick, height - 2 * thick, fill, max(radius - thick, 0))
        return box(x, y, width, height, edge, radius) + inner
    return (
        f'<rect x="{_n(x - width / 2)}" y="{_n(y - height / 2)}" width="{_n(width)}" height="{_n(height)}" '
        f'rx="{_n(radius)}" fill="{fill}"/>'
    )


def badge(x: float, y: float, words: str, size: float = 12, fill: str = GOLD, ink: str = INK) -> str:
    """Words in a pill."""
    height = size * 1.6
    pill = box(x, y, text_width(words, size) + height, height, fill, height / 2)
    return pill + text(x, y + size * 0.36, words, size, ink)


def placed(x: float, y: float, *parts: str, angle: float = 0, scale: float = 1) -> str:
    """Parts drawn round 0, 0 moved to x, y, turned and scaled."""
    turn = f" rotate({_n(angle)})" if angle else ""
    size = f" scale({scale:.4g})" if scale != 1 else ""
    return f'<g transform="translate({_n(x)} {_n(y)}){turn}{size}">{"".join(parts)}</g>'


def suit(name: str, x: float, y: float, size: float, fill: str | None = None) -> str:
    """The sign of the suit H, S, D or C, `size` high; in its own colour unless `fill` says otherwise."""
    return f'<path d="{_moved(SUIT_PATHS[name], x, y, size)}" fill="{fill or SUIT_COLOURS[name]}"/>'


def crown(x: float, y: float, size: float, fill: str = GOLD) -> str:
    """A crown, `size` wide."""
    return f'<path d="{_moved(CROWN, x, y, size)}" fill="{fill}"/>'


def seal(x: float, y: float, size: float) -> str:
    """A seal of red wax, `size` wide."""
    edge = []
    for i in range(24):
        radius = size / 2 * (1 if i % 2 else 0.88)
        edge.append(f"{_n(x + radius * math.cos(i * math.pi / 12))} {_n(y + radius * math.sin(i * math.pi / 12))}")
    return (
        f'<path d="M{"L".join(edge)}Z" fill="{WAX}"/>'
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(size * 0.32)}" fill="#c9303a"/>' + crown(x, y, size * 0.36, WAX)
    )


def arrow(start: Point, end: Point, through: Point, fill: str = RED, width: float = 5) -> str:
    """A curved arrow from point to point that passes the point `through` half-way."""
    (x0, y0), (x1, y1) = start, end
    cx, cy = 2 * through[0] - (x0 + x1) / 2, 2 * through[1] - (y0 + y1) / 2
    far = math.hypot(x1 - cx, y1 - cy) or 1
    dx, dy = (x1 - cx) / far, (y1 - cy) / far
    long, wide = 3.4 * width, 1.7 * width
    bx, by = x1 - long * dx, y1 - long * dy
    return (
        f'<path d="M{_n(x0)} {_n(y0)}Q{_n(cx)} {_n(cy)} {_n(bx)} {_n(by)}" fill="none" stroke="{fill}" stroke-width="{_n(width)}" '
        f'stroke-linecap="round"/><path d="M{_n(x1)} {_n(y1)}L{_n(bx - wide * dy)} {_n(by + wide * dx)}'
        f'L{_n(bx + wide * dy)} {_n(by - wide * dx)}Z" fill="{fill}"/>'
    )


def _n(value: float) -> str:
    """A number as short as a tenth of a pixel allows."""
    return f"{round(float(value), 1):g}"


def _moved(path: str, x: float, y: float, size: float) -> str:
    """A path from a box of -10 to 10, `size` wide at x, y; upside down where `size` is negative."""

    def move(pair: re.Match[str]) -> str:
        return f"{_n(x + float(pair[1]) * size / 20)} {_n(y + float(pair[2]) * size / 20)}"

    return re.sub(r"(-?[\d.]+) (-?[\d.]+)", move, path)


# --- Cards ----------------------------------------------------------------------------------------------------


def card_front(name: str, x: float, y: float, width: float, angle: float = 0) -> str:
    """A card face up, by its name in records (`7H`, `TS`); the element carries it as `data-card`."""
    return f'<g data-card="{escape(name)}">{placed(x, y, _face(name), angle=angle, scale=width / 100)}</g>'


def card_back(x: float, y: float, width: float, angle: float = 0) -> str:
    """A card face down, of class `card-back`."""
    return f'<g class="card-back">{placed(x, y, _back(), angle=angle, scale=width / 100)}</g>'


def card_gap(x: float, y: float, width: float, words: str = "") -> str:
    """The place of a card that is still to come, marked with words."""
    high = width * CARD_HEIGHT
    return box(x, y, width, high, FELT, width * 0.08, GREY, 1.5) + text(x, y + width * 0.13, words, width * 0.36, IVORY)


def card_paper(fill: str = "#fffdf6") -> str:
    """The paper of a card, 100 wide, round 0, 0, with its shadow: what `placed` moves and scales."""
    return box(0.5, 1, 103, 143, SHADE, 9) + box(0, 0, 100, 140, fill, 8)


@functools.cache
def _face(name: str) -> str:
    """A card 100 wide, round 0, 0."""
    rank, of = name[0], name[1]
    colour, shape = SUIT_COLOURS[of], SUIT_PATHS[of]
    signs = [_moved(shape, -37, -29, 18), _moved(shape, 37, 29, -18)]
    art = ""
    if rank == "A":
        signs.append(_moved(shape, 0, 0, 50))
    elif rank in _PIPS:
        signs += [_moved(shape, px, py, 19 if py <= 0 else -19) for px, py in _PIPS[rank]]
    else:
        signs += [_moved(shape, 0, -15, 24), _moved(shape, 0, 15, -24)]
        court = _moved(COURT_PATHS[rank], 0, -41, 26) + _moved(COURT_PATHS[rank], 0, 41, -26)
        art = box(0, 0, 49, 118, "#fbf0cf", 3, colour, 1.4)
        art += f'<path d="{court}" fill="#c8922a"/>'
    words = "10" if rank == "T" else rank
    squeeze = ' textLength="22" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    corner = f'<text x="-37" y="-43" font-size="25" text-anchor="middle" fill="{colour}"{squeeze}>{words}</text>'
    return f'{card_paper()}{art}<path d="{"".join(signs)}" fill="{colour}"/>{corner}<g transform="rotate(180)">{corner}</g>'


@functools.cache
def _back() -> str:
    """A card 100 wide, round 0, 0, with a tartan."""
    bands = "M-27 -63h20v126h-20zM7 -63h20v126h-20zM-43 -42h86v22h-86zM-43 20h86v22h-86z"
    lines = "M-18 -63h2v126h-2zM16 -63h2v126h-2zM-43 -32h86v2h-86zM-43 30h86v2h-86zM-1 -63h2v126h-2zM-43 -1h86v2h-86z"
    return (
        box(0, 0, 100, 140, "#f4efe2", 8)
        + box(0, 0, 86, 126, NAVY, 4)
        + f'<path d="{bands}" fill="{GREEN}"/><path d="{lines}" fill="#d9c27c"/>'
    )


def fan(
    cards: Sequence[str | None],
    x: float,
    y: float,
    width: float,
    span: float,
    bend: float = 0,
    raised: Collection[int] = (),
) -> str:
    """Overlapping cards, each `width` wide, all within `span`; None is a card face down.

    x, y is the middle of the row. `bend` is the most that the first and the last card are turned away from each other:
    0 lays them in a straight row. The places in `raised` are pulled out of the row.
    """
    gaps = max(len(cards) - 1, 1)
    step = min(width / 2, (span - width) / gaps)
    total = math.radians(min(bend, 3 * gaps)) if len(cards) > 1 else 0
    radius = step * gaps / (2 * math.sin(total / 2)) if total else 0
    parts = []
    for i, card in enumerate(cards):
        at = i / gaps - 0.5 if len(cards) > 1 else 0
        turn = at * total
        cx, cy = (radius * math.sin(turn), radius * (1 - math.cos(turn))) if total else (at * step * gaps, 0)
        lift = 0.22 * width * CARD_HEIGHT if i in raised else 0
        cx, cy = x + cx + lift * math.sin(turn), y + cy - lift * math.cos(turn)
        angle = math.degrees(turn)
        parts.append(card_back(cx, cy, width, angle) if card is None else card_front(card, cx, cy, width, angle))
    return "".join(parts)


# --- Round the table ------------------------------------------------------------------------------------------


def seats_around(players: int, x: float, y: float, across: float, down: float) -> list[Point]:
    """Where players sit on an ellipse with these two radii round x, y: the first at the bottom, the others clockwise."""
    turns = [math.pi / 2 + math.tau * i / players for i in range(players)]
    return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]


def standing(
    x: float, y: float, heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]], crowned: Collection[int]
) -> str:
    """The final standing on parchment, 400 wide: a row for each player, its name first; rows in `crowned` wear a crown."""
    width, line = 400, 30
    height = 82 + line * len(rows)
    top, left = y - height / 2, x - width / 2
    stops = [left + width - 34 - 84 * i for i in range(len(columns))][::-1]
    parts = [
        box(x + 2, y + 4, width + 4, height + 4, SHADE, 12),
        box(x, y, width, height, PARCHMENT, 12, GOLD, 3),
        text(x, top + 34, heading, 21, INK),
        *(text(stop, top + 62, column, 13, "#75653f", "end") for stop, column in zip(stops, columns, strict=True)),
    ]
    for i, (name, *cells) in enumerate(rows):
        base = top + 88 + line * i
        if i in crowned:
            parts += [box(x, base - 5, width - 24, line - 4, "#ecd488", 6), crown(left + 34, base - 6, 24, "#a8741a")]
        parts.append(text(left + 58, base, name, 16, INK, "start"))
        parts += [text(stop, base, cell, 16, INK, "end") for stop, cell in zip(stops, cells, strict=True)]
    return "".join(parts)


# --- On a screen ----------------------------------------------------------------------------------------------


def raster(svg: str) -> np.ndarray:
    """An SVG picture as pixels, uint8 [height, width, 3]. Needs `pip install handfast[render]`."""
    resvg, pygame = _library("resvg_py"), _library("pygame")
    font = Path(pygame.__file__).parent / pygame.font.get_default_font()
    fonts = dict(skip_system_fonts=True, font_files=[str(font)], sans_serif_family="FreeSans")
    png = resvg.svg_to_bytes(svg_string=svg, **fonts)
    surface = pygame.image.load(io.BytesIO(bytes(png)), "picture.png")
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3).copy()


class Window:
    """A window on the screen that shows pictures. It opens with the first; one that the user closes stays closed."""

    def __init__(self, title: str):
        self.title = title
        self._opened = self._dismissed = False

    def show(self, image: np.ndarray) -> None:
        """Show an image, uint8 [height, width, 3], in a window of its size. Needs `pip install handfast[render]`."""
        if self._dismissed:
            return
        pygame = _library("pygame")
        pygame.display.init()
        self._opened = True
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._dismissed = True
            return
        size = image.shape[1], image.shape[0]
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() != size:
            surface = pygame.display.set_mode(size)
        pygame.display.set_caption(self.title)
        pygame.surfarray.blit_array(surface, image.swapaxes(0, 1))
        pygame.display.flip()

    def close(self) -> None:
        """Close the window; the next picture opens a new one."""
        if self._opened:
            _library("pygame").display.quit()
        self._opened = self._dismissed = False


def _library(name: str) -> Any:
    """A library of the extra `render`, imported when it is first needed."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"pictures as pixels need {name}: pip install handfast[render]") from error
