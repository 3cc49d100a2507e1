"""For Northwood! as a picture: the table as text, line by line."""

from typing import Any
from xml.sax.saxutils import escape

from handfast.envs.northwood.words import describe

WIDTH, LINE = 1040, 24  # pixels


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it."""
    lines = describe(view).split("\n")
    height = LINE * (len(lines) + 1)
    rows = "".join(
        f'<text x="16" y="{LINE * (row + 1)}" xml:space="preserve" font-family="monospace" font-size="15">{escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect width="100%" height="100%" fill="#f4ead2"/>{rows}</svg>'
    )
