"""Players round a table: who sits where, their hands and name plates, the bar above and the final standing."""

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from handfast.envs.core.drawing.cards import fan
from handfast.envs.core.drawing.pieces import (
    GOLD,
    GREY,
    INK,
    IVORY,
    PARCHMENT,
    SHADE,
    WOOD,
    Point,
    badge,
    box,
    crown,
    line,
    placed,
    text,
)
from handfast.envs.core.table import Table

WIDTH, HEIGHT = 1040, 720  # of the whole picture
HEADER = 42
MIDDLE = (WIDTH / 2, 366)
OBSERVER = (WIDTH / 2, 604)
OWN_SPAN = 620
PLATE = (252, 52)
PLATE_FILL, PLATE_EDGE, GLOW = "#0c251c", "#47584c", "#6b7a48"

NO_BADGE = ("", "", "")


# --- Who sits where -------------------------------------------------------------------------------------------


def observer(fields: Table, view: Any, blank: Sequence[int]) -> int:
    """Whose view this is: the seat whose own secrets it holds; seat 0 where it holds those of several.

    A seat that knows nothing of its own can't be told from others of this kind: `blank` are the seats that may be so,
    the one to move comes first among them.
    """
    known = np.frombuffer(view.tobytes(), np.uint8)
    if (known & ~fields.keep.max(0)).any():  # what no seat may see: all is open
        return 0
    own = [seat for seat in range(view.players) if (known & fields.keep[seat] & ~fields.keep.min(0)).any()]
    if own:
        return own[0] if len(own) == 1 else 0
    return int(view.seat) if view.seat in blank else next(iter(blank), 0)


def name(seat: int) -> str:
    """A seat's name, as the environment has it."""
    return f"player_{seat}"


def seat_places(players: int, first: int) -> list[Point]:
    """Where each seat's panel has its centre: `first` at the bottom, at OBSERVER, the others clockwise."""
    around = [OBSERVER, *rim(players, players)[1:]]
    return [around[(seat - first) % players] for seat in range(players)]


def rim(players: int, points: int, stretch: float = 1) -> list[Point]:
    """This many points on the ellipse where the players sit, from the bottom clockwise."""
    return seats_around(points, WIDTH / 2, 345 if players > 3 else 284, 373 * stretch, 225 * stretch)


def seats_around(players: int, x: float, y: float, across: float, down: float) -> list[Point]:
    """Where players sit on an ellipse with these two radii round x, y: the first at the bottom, the others clockwise."""
    turns = [math.pi / 2 + math.tau * i / players for i in range(players)]
    return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]


# --- The bar above --------------------------------------------------------------------------------------------


def header(title: str, words: str, corner: str) -> str:
    """The bar at the head of a picture: the game, a `line` about the round, and words in the corner."""
    return (
        box(WIDTH / 2, HEADER / 2, WIDTH, HEADER, WOOD, 0)
        + text(24, 28, title, 19, GOLD, "start")
        + line(WIDTH / 2, 28, words, 17)
        + text(WIDTH - 24, 28, corner, 15, GREY, "end")
    )


# --- A seat ---------------------------------------------------------------------------------------------------


def hand_panel(
    hand: Sequence[str | None],
    place: Point,
    players: int,
    raised: Collection[int] = (),
    gilded: Collection[int] = (),
    aside: float = 0,
) -> str:
    """A hand above its plate, as a `fan`; `aside` is the room that other cards take on its right, see `beside_hand`."""
    x, y = place
    if place == OBSERVER:
        return fan(hand, x, y - 30, 74, OWN_SPAN, 16, raised, gilded)
    width, span = other_hand(players)
    return fan(hand, x - aside / 2, y + 10 - 0.68 * width, width, span - aside, 20, raised, gilded)


def other_hand(players: int) -> tuple[float, float]:
    """How wide a card in another's hand is, and the whole hand."""
    return (58, 330) if players == 3 else (50, 246)


def beside_hand(place: Point, players: int, aside: float) -> Point:
    """The centre of the room beside another's hand, `aside` wide."""
    return place[0] + (other_hand(players)[1] - aside) / 2 + 4, place[1] - 14


def plate_place(place: Point) -> Point:
    """The centre of a seat's plate."""
    return place[0], place[1] + (66 if place == OBSERVER else 40)


def plate(place: Point, *parts: str, to_move: bool, won: bool, status: tuple[str, str, str] = NO_BADGE) -> str:
    """A seat's plate with its parts, drawn round `plate_place`; golden where the seat is to move, crowned where it won.

    `status` is what the seat is about, in a word, with the colours of the badge and of its words.
    """
    (x, y), (width, height) = plate_place(place), PLATE
    edge, thick = (GOLD, 3) if to_move else (PLATE_EDGE, 1.5)
    glow = box(x, y, width + 14, height + 14, GLOW, 18) if to_move else ""
    drawn = [glow, box(x, y, width, height, PLATE_FILL, 12, edge, thick), *parts]
    if won:
        drawn.append(placed(x - width / 2 + 12, y - 30, crown(0, 0, 34), angle=-14))
    words, fill, ink = status
    if words:
        drawn.append(badge(x, y + height / 2 + 1, words, 12, fill, ink))
    return "".join(drawn)


def dealer_token(x: float, y: float) -> str:
    """What lies before the dealer."""
    return box(x, y, 20, 20, IVORY, 10) + text(x, y + 4.5, "D", 13, INK)


# --- The end --------------------------------------------------------------------------------------------------


def final_standing(
    heading: str, columns: Sequence[str], cells: Sequence[Sequence[Any]], order: Sequence[int], won: Collection[int]
) -> str:
    """The standing in the middle of the table: the `cells` of each seat, seats in this order, those who `won` crowned."""
    rows = [[name(seat), *map(str, cells[seat])] for seat in order]
    return standing(*MIDDLE, heading, columns, rows, [row for row, seat in enumerate(order) if seat in won])


def standing(
    x: float, y: float, heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]], crowned: Collection[int]
) -> str:
    """The final standing on parchment: a row for each player, its name first; rows in `crowned` wear a crown."""
    (width, step), high = (400, 84) if len(columns) < 4 else (440, 72), 30
    height = 82 + high * len(rows)
    top, left = y - height / 2, x - width / 2
    stops = [left + width - 34 - step * i for i in range(len(columns))][::-1]
    parts = [
        box(x + 2, y + 4, width + 4, height + 4, SHADE, 12),
        box(x, y, width, height, PARCHMENT, 12, GOLD, 3),
        text(x, top + 34, heading, 21, INK),
        *(text(stop, top + 62, column, 13, "#75653f", "end") for stop, column in zip(stops, columns, strict=True)),
    ]
    for i, (who, *cells) in enumerate(rows):
        base = top + 88 + high * i
        if i in crowned:
            parts += [box(x, base - 5, width - 24, high - 4, "#ecd488", 6), crown(left + 34, base - 6, 24, "#a8741a")]
        parts.append(text(left + 58, base, who, 16, INK, "start"))
        parts += [line(stop, base, cell, 16, INK, "end") for stop, cell in zip(stops, cells, strict=True)]
    return "".join(parts)
