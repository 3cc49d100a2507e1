"""Cards face up and face down, and fans of them."""

import functools
import math
from collections.abc import Callable, Collection, Sequence
from xml.sax.saxutils import escape

from handfast.envs.core.drawing.pieces import (
    FELT,
    GOLD,
    GREEN,
    GREY,
    IVORY,
    NAVY,
    SHADE,
    SUIT_COLOURS,
    SUIT_PATHS,
    box,
    moved,
    placed,
    suit,
    text,
)

CARD_HEIGHT = 1.4  # of its width

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


def card_front(
    name: str,
    x: float,
    y: float,
    width: float,
    angle: float = 0,
    gilded: bool = False,
    face: Callable[[str], str] | None = None,
) -> str:
    """A card face up, by its name in records (`7H`, `TS`); the element carries it as `data-card`.

    A gilded one has a gold outline, and its element the class `gilded`. `face` draws the cards of another deck, see
    `card_face`.
    """
    return _front(name, x, y, width, angle, gilded, (face or _face)(name))


def _front(name: str, x: float, y: float, width: float, angle: float, gilded: bool, face: str) -> str:
    """This face of a card where it lies."""
    outline, mark = (box(0, 0, 113, 153, GOLD, 13), ' class="gilded"') if gilded else ("", "")
    return f'<g data-card="{escape(name)}"{mark}>{placed(x, y, outline, face, angle=angle, scale=width / 100)}</g>'


def card_index(name: str, x: float, y: float, width: float, angle: float = 0, gilded: bool = False) -> str:
    """A card face up that is to be read when it is small: its rank over its suit."""
    colour = SUIT_COLOURS[name[1]]
    rank = text(0, 0, _rank_words(name[0]), 62, colour) + suit(name[1], 0, 36, 48)
    return _front(name, x, y, width, angle, gilded, card_paper() + rank)


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


def _rank_words(rank: str) -> str:
    """A rank as it stands on a card."""
    return "10" if rank == "T" else rank


def _face(name: str) -> str:
    """The face of a card of the standard deck."""
    return card_face(name[0], SUIT_PATHS[name[1]], SUIT_COLOURS[name[1]])


@functools.cache
def card_face(rank: str, shape: str, colour: str) -> str:
    """A card 100 wide, round 0, 0, with so many pips of this shape, or with what its rank J, Q or K wears."""
    signs = [moved(shape, -37, -29, 18), moved(shape, 37, 29, -18)]
    art = ""
    if rank in ("A", "1"):
        signs.append(moved(shape, 0, 0, 50))
    elif rank in _PIPS:
        signs += [moved(shape, px, py, 19 if py <= 0 else -19) for px, py in _PIPS[rank]]
    else:
        signs += [moved(shape, 0, -15, 24), moved(shape, 0, 15, -24)]
        court = moved(COURT_PATHS[rank], 0, -41, 26) + moved(COURT_PATHS[rank], 0, 41, -26)
        art = box(0, 0, 49, 118, "#fbf0cf", 3, colour, 1.4)
        art += f'<path d="{court}" fill="#c8922a"/>'
    words = _rank_words(rank)
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
    gilded: Collection[int] = (),
    face: Callable[[str], str] | None = None,
) -> str:
    """Overlapping cards, each `width` wide, all within `span`; None is a card face down.

    x, y is the middle of the row. `bend` is the most that the first and the last card are turned away from each other:
    0 lays them in a straight row. The places in `raised` are pulled out of the row, those in `gilded`
    have a gold outline. `face` draws the cards of another deck.
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
        if card is None:
            parts.append(card_back(cx, cy, width, angle))
        else:
            parts.append(card_front(card, cx, cy, width, angle, i in gilded, face))
    return "".join(parts)
