"""Plain pieces of a picture: felt, words, boxes, suits, crowns, seals, arrows."""

import functools
import math
import re
from xml.sax.saxutils import escape

Point = tuple[float, float]

IVORY, PARCHMENT, GOLD, INK, RED, GREY = "#f7f1df", "#f3e6c4", "#e2b957", "#1d1d24", "#c0182b", "#a9b5ab"
FELT, FELT_LIGHT, SHADE, WOOD = "#1b5240", "#236650", "#0d2a20", "#3b2417"
NAVY, GREEN, WAX = "#1c2f5e", "#2c6e55", "#a3131f"

SUIT_COLOURS = {"H": RED, "S": INK, "D": RED, "C": INK}

# Outlines in a box from -10 to 10: pairs of numbers between letters, so that `moved` can place them.
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
SUIT_SIGNS = {"H": "♥", "S": "♠", "D": "♦", "C": "♣"}  # as they stand in a `line`
_SIGNED = {sign: letter for letter, sign in SUIT_SIGNS.items()}

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
_SIGN = 44 / 17  # the room that a suit takes within words, in their size


def number(value: float) -> str:
    """A number as short as a tenth of a pixel allows."""
    return f"{round(float(value), 1):g}"


@functools.lru_cache(maxsize=4096)
def moved(path: str, x: float, y: float, size: float) -> str:
    """A path from a box of -10 to 10, `size` wide at x, y; upside down where `size` is negative."""

    def move(pair: re.Match[str]) -> str:
        return f"{number(x + float(pair[1]) * size / 20)} {number(y + float(pair[2]) * size / 20)}"

    return re.sub(r"(-?[\d.]+) (-?[\d.]+)", move, path)


def document(width: float, height: float, title: str, *parts: str) -> str:
    """A whole SVG picture of this size."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}" '
        f'height="{number(height)}" font-family="Helvetica, Arial, FreeSans, sans-serif" font-weight="bold">'
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
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'


def text_width(words: str, size: float) -> float:
    """How wide `text` draws these words."""
    return sum(_WIDTHS.get(character, 600) for character in words) * size / 1000


def wrapped(words: str, width: float, size: float) -> list[str]:
    """The words in lines of at most this width, where no single word is wider."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def line(x: float, y: float, words: str, size: float, fill: str = IVORY, anchor: str = "middle") -> str:
    """`text` in which each ♥ ♠ ♦ ♣ is a suit on parchment, with a space on either side; needs no font that has them."""
    if not _SIGNED.keys() & set(words):
        return text(x, y, words, size, fill, anchor)
    left = x - line_width(words, size) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    parts = []
    for piece in _pieces(words):
        if piece in _SIGNED:
            at, up = left + _SIGN * size / 2, y - 6 / 17 * size
            parts.append(box(at, up, 24 / 17 * size, 24 / 17 * size, PARCHMENT, 5 / 17 * size))
            parts.append(suit(_SIGNED[piece], at, up, 16 / 17 * size))
            left += _SIGN * size
        else:
            parts.append(text(left, y, piece, size, fill, "start"))
            left += text_width(piece, size)
    return "".join(parts)


def line_width(words: str, size: float) -> float:
    """How wide `line` draws these words."""
    return sum(_SIGN * size if piece in _SIGNED else text_width(piece, size) for piece in _pieces(words))


def _pieces(words: str) -> list[str]:
    """Words and suits, one after the other."""
    return [piece.strip() for piece in re.split("([♥♠♦♣])", words) if piece.strip()]


def box(
    x: float, y: float, width: float, height: float, fill: str, radius: float = 8, edge: str = "", thick: float = 2
) -> str:
    """A rectangle with round corners, and inside it an edge of its own colour, so and so thick."""
    if edge:  # two filled shapes: renderers are much slower at strokes
        inner = box(x, y, width - 2 * thick, height - 2 * thick, fill, max(radius - thick, 0))
        return box(x, y, width, height, edge, radius) + inner
    return (
        f'<rect x="{number(x - width / 2)}" y="{number(y - height / 2)}" width="{number(width)}" height="{number(height)}" '
        f'rx="{number(radius)}" fill="{fill}"/>'
    )


def badge(x: float, y: float, words: str, size: float = 12, fill: str = GOLD, ink: str = INK) -> str:
    """Words in a pill."""
    height = size * 1.6
    pill = box(x, y, text_width(words, size) + height, height, fill, height / 2)
    return pill + text(x, y + size * 0.36, words, size, ink)


def placed(x: float, y: float, *parts: str, angle: float = 0, scale: float = 1) -> str:
    """Parts drawn round 0, 0 moved to x, y, turned and scaled."""
    turn = f" rotate({number(angle)})" if angle else ""
    size = f" scale({scale:.4g})" if scale != 1 else ""
    return f'<g transform="translate({number(x)} {number(y)}){turn}{size}">{"".join(parts)}</g>'


def shape(path: str, x: float, y: float, size: float, fill: str) -> str:
    """An outline in a box from -10 to 10, see `moved`, `size` wide."""
    return f'<path d="{moved(path, x, y, size)}" fill="{fill}"/>'


def suit(name: str, x: float, y: float, size: float, fill: str | None = None) -> str:
    """The sign of the suit H, S, D or C, `size` high; in its own colour unless `fill` says otherwise."""
    return shape(SUIT_PATHS[name], x, y, size, fill or SUIT_COLOURS[name])


def crown(x: float, y: float, size: float, fill: str = GOLD) -> str:
    """A crown, `size` wide."""
    return shape(CROWN, x, y, size, fill)


def seal(x: float, y: float, size: float) -> str:
    """A seal of red wax, `size` wide."""
    edge = []
    for i in range(24):
        radius = size / 2 * (1 if i % 2 else 0.88)
        edge.append(
            f"{number(x + radius * math.cos(i * math.pi / 12))} {number(y + radius * math.sin(i * math.pi / 12))}"
        )
    return (
        f'<path d="M{"L".join(edge)}Z" fill="{WAX}"/>'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.32)}" fill="#c9303a"/>'
        + crown(x, y, size * 0.36, WAX)
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
        f'<path d="M{number(x0)} {number(y0)}Q{number(cx)} {number(cy)} {number(bx)} {number(by)}" fill="none" stroke="{fill}" stroke-width="{number(width)}" '
        f'stroke-linecap="round"/><path d="M{number(x1)} {number(y1)}L{number(bx - wide * dy)} {number(by + wide * dx)}'
        f'L{number(bx + wide * dy)} {number(by - wide * dx)}Z" fill="{fill}"/>'
    )
