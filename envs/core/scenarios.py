"""Scenarios: named sets of options, each a TOML file that needs no code.

A game's own scenarios are the files in its folder `scenarios/`, played through in the order of their names; anybody
may write another.

    title = "A short visit"
    text = "Two fiefs are worth more than the rest."
    players = 1                      # only where the game allows several counts

    [options]
    goal = 12
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from handfast.envs.core.batch import default_players
from handfast.envs.core.game import Game
from handfast.messages import brief, of_error, shown, typed_path

KEYS = {"title": str, "text": str, "players": int, "options": dict}
NAMED = {str: "a text", int: "a whole number", dict: "a table"}


class Scenario(NamedTuple):
    """A scenario: `name` (of its file), `title`, `text`, how many play, and the options that make it."""

    name: str
    title: str
    text: str
    players: int
    options: Mapping[str, Any]


def shipped(game: Game) -> dict[str, Scenario]:
    """The scenarios that come with a game, by name, in the order in which they are played through."""
    folder = Path(str(game.rules.__file__)).parent / "scenarios"
    return {path.stem: read(path, game) for path in sorted(folder.glob("*.toml"))}


def find(name: str, game: Game) -> Scenario:
    """The scenario of this name, or in this TOML file; ValueError that lists the names otherwise."""
    if name.endswith(".toml"):
        return read(typed_path(name), game)
    known = shipped(game)
    if name not in known:
        there = f"its scenarios are {', '.join(known)}" if known else "it comes with none; name a TOML file"
        raise ValueError(f"{game.name} has no scenario {shown(name)}; {there}")
    return known[name]


def read(path: Path, game: Game) -> Scenario:
    """The scenario in a file; ValueError that names the file and what is wrong in it."""
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        for key, value in content.items():
            if key not in KEYS:
                raise ValueError(f"there is no key {shown(key)}; the keys are {', '.join(KEYS)}")
            if type(value) is not KEYS[key]:
                raise ValueError(f"{key} must be {NAMED[KEYS[key]]}, not {shown(value)}")
        if "title" not in content:
            raise ValueError("a scenario has a title")
        players = game.check_players(content.get("players", default_players(game)))
        options = game.check_options(content.get("options", {}))
    except OSError as error:
        raise ValueError(brief(f"{path}: {error.strerror}")) from None
    except UnicodeDecodeError as error:
        raise ValueError(brief(f"{path}: not UTF-8 text, as TOML is: {error.reason} at byte {error.start}")) from None
    except (ValueError, OverflowError, RecursionError) as error:  # also of TOML that cannot be read
        raise ValueError(brief(f"{path}: {of_error(error)}")) from None
    return Scenario(path.stem, content["title"], content.get("text", ""), players, options)
