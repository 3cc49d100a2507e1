"""The Sovereign Hand as a picture: the table in words."""

from typing import Any

from handfast.envs.core import drawing
from handfast.envs.sovereign_hand.words import describe

WIDTH, HEIGHT = 1040, 720  # pixels


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it."""
    lines = [
        drawing.text(24, 40 + 28 * i, line, 16, drawing.IVORY, "start") for i, line in enumerate(describe(view).split("\n"))
    ]
    return drawing.document(WIDTH, HEIGHT, "The Sovereign Hand", drawing.table_top(WIDTH, HEIGHT), *lines)
