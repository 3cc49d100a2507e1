"""The part of a game's page that is made from its code: options, choices, features, who knows what.

`python -m handfast.envs.core.pages FOLDER…` writes it into the README of each game folder.
"""

import importlib
import sys
from pathlib import Path

from handfast.envs.core.files import write_whole
from handfast.envs.core.game import Game

MARK = "<!-- made from the code: change the code, then run `make pages` -->"


def generated(game: Game) -> str:
    """The tables of a game as Markdown, under the mark that they begin with."""
    return "\n".join([MARK, "", *_options(game), *_choices(game), *_features(game), *_knowledge(game)])


def _options(game: Game) -> list[str]:
    if not game.options:
        return ["## Options", "", "None.", ""]
    rows = [f"| `{name}` | {one.allowed()} | `{one.default!r}` | {one.meaning} |" for name, one in game.options.items()]
    return ["## Options", "", "| option | values | default | meaning |", "|---|---|---|---|", *rows, ""]


def _choices(game: Game) -> list[str]:
    """Runs of choices that begin with the same word, as seat 0 of the largest table would write them."""
    players = game.player_counts[-1]
    rows: list[str] = []
    first = 0
    words = [game.choice(action, 0, players) for action in range(game.actions)]
    for action in range(1, game.actions + 1):
        if action == game.actions or words[action].split()[0] != words[first].split()[0]:
            span = f"{first}" if action - 1 == first else f"{first}-{action - 1}"
            last = "" if action - 1 == first else f" … `{words[action - 1]}`"
            rows.append(f"| {span} | `{words[first]}`{last} |")
            first = action
    head = f"{game.actions} actions."
    if players > 1:
        head += f" Choices that name a seat are relative to the chooser; here as seat 0 of {players} writes them."
    return ["## Actions", "", head, "", "| number | choice |", "|---|---|", *rows, ""]


def _features(game: Game) -> list[str]:
    rows, at = [], 0
    for name, block in game.view.FEATURES.items():
        end = at + len(block.labels) - 1
        labels = f"{block.labels[0]} … {block.labels[-1]}" if end > at else block.labels[0]
        rows.append(f"| {at}{f'-{end}' if end > at else ''} | {name} | {labels} | 0-{block.high} | {block.meaning} |")
        at = end + 1
    hidden = ", ".join(
        f"{name}: {block.meaning} ({len(block.labels)})" for name, block in game.view.HIDDEN_FEATURES.items()
    )
    head = [
        "## Features",
        "",
        f"{game.features} features of what a seat knows."
        + " Seats are relative to the one that looks." * (game.seats > 1),
        "",
    ]
    tail = ["", f"`state()` and the critic see {game.hidden_features} more: {hidden}.", ""]
    return [*head, "| index | feature | labels | values | meaning |", "|---|---|---|---|---|", *rows, *tail]


def _knowledge(game: Game) -> list[str]:
    rows = [f"| `{field.name}` | {field.audience} | {field.meaning} |" for field in game.table.fields]
    head = ["## Who knows what", "", "Every field of a game's record. What a seat may not see is zero in its view.", ""]
    return [*head, "| field | seen by | meaning |", "|---|---|---|", *rows, ""]


def main(folders: list[str]) -> None:
    """Write the generated part into the README of each game folder, below what people wrote."""
    for folder in map(Path, folders):
        game = importlib.import_module(f"handfast.envs.{folder.name}").GAME
        page = folder / "README.md"
        written = page.read_text(encoding="utf-8").partition(MARK)[0]
        write_whole(page, written + generated(game))


if __name__ == "__main__":
    main(sys.argv[1:])
