"""The Covenant as a picture."""

from html import escape
from typing import Any

from handfast.envs.covenant.words import describe

WIDTH, LINE = 900, 24


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it."""
    lines = describe(view).split("\n")
    texts = "".join(
        f'<text x="20" y="{LINE * (i + 1)}" xml:space="preserve">{escape(line)}</text>' for i, line in enumerate(lines)
    )
    size = f'width="{WIDTH}" height="{LINE * (len(lines) + 1)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="14">{texts}</svg>'
