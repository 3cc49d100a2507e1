"""Manrent as a picture: the table's text, line by line."""

from html import escape
from typing import Any

from handfast.envs.manrent.words import describe

WIDTH, HEIGHT = 900, 560


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it."""
    lines = "".join(
        f'<text x="16" y="{32 + 24 * i}">{escape(line)}</text>' for i, line in enumerate(describe(view).split("\n"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="monospace" '
        f'font-size="14"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>{lines}</svg>'
    )
