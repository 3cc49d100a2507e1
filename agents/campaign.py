"""A campaign: a game's scenarios in order, each until it is won. What was reached is kept, to the last choice."""

import json
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from handfast.agents import person
from handfast.envs.core.decisions import Agent
from handfast.envs.core.files import write_whole
from handfast.envs.core.game import Game
from handfast.envs.core.records import match
from handfast.envs.core.scenarios import Scenario, shipped
from handfast.messages import brief, shown

SEAT = 0  # the person's

# What a kept campaign holds of a scenario that was tried, and of the attempt at hand.
REACHED = {"won": bool, "tries": int, "points": [int]}
CURRENT = {"scenario": str, "seed": int, "choices": [str]}


def run(
    game: Game,
    path: Path,
    others: Callable[[int], Sequence[Agent]],
    begin: str | None = None,
    again: bool = False,
    read: Callable[[str], str] = input,
    write: Callable[[str], Any] = print,
) -> None:
    """Play on from what is kept in `path`, or from the scenario `begin`; with `again` from nothing.

    Where `begin` would give up an attempt in progress, it asks first. `others` gives the agents of the other seats for
    a number of players. ValueError where the game has no scenarios, `begin` is none of them, or the file is not a
    campaign of this game.
    """
    scenarios = shipped(game)
    if not scenarios:
        raise ValueError(f"{game.name} comes with no scenarios")
    if begin is not None and begin not in scenarios:
        raise ValueError(f"{game.name} has no scenario {shown(begin)}; its scenarios are {', '.join(scenarios)}")
    kept = load(path, game) if path.exists() and not again else {"game": game.name, "reached": {}, "current": None}
    if begin is not None:
        if not given_up(kept["current"], read):
            write("Nothing has changed. Without --begin the attempt goes on.")
            return
        kept["current"] = fresh(begin)
    if begin is not None or again or not path.exists():
        save(path, kept)  # which also tells at once whether it can be kept
    while True:
        write(overview(scenarios, kept["reached"]))
        if kept["current"] is None:
            left = [name for name in scenarios if not kept["reached"].get(name, {}).get("won")]
            if not left:
                write("Every scenario is won.")
                return
            kept["current"] = fresh(left[0])
        scenario = scenarios[kept["current"]["scenario"]]
        end = attempt(game, scenario, kept, path, others(scenario.players), read, write)
        if end is None:
            return
        note(kept, scenario, end)
        save(path, kept)
        try:
            answer = read("Go on? (Enter, or quit) ").strip().lower()
        except EOFError:
            return
        if answer in ("quit", "q", "no", "n"):
            return


def given_up(current: dict[str, Any] | None, read: Callable[[str], str]) -> bool:
    """Whether there is no attempt in progress, or the person gives it up."""
    if current is None or not current["choices"]:
        return True
    made = len(current["choices"])
    try:
        answer = read(
            f"An attempt at {current['scenario']} is in progress, {made} choices in. Give it up? (yes or no) "
        )
    except EOFError:
        return False
    return answer.strip().lower() in ("yes", "y")


def fresh(name: str) -> dict[str, Any]:
    """An attempt at a scenario of which nothing has been played."""
    return {"scenario": name, "seed": secrets.randbits(64), "choices": []}


def attempt(
    game: Game,
    scenario: Scenario,
    kept: dict[str, Any],
    path: Path,
    others: Sequence[Agent],
    read: Callable[[str], str],
    write: Callable[[str], Any],
) -> dict[str, Any] | None:
    """Play the current attempt to its end, keeping every choice; None where the person leaves."""
    current = kept["current"]
    write(f"\n{scenario.title}. {scenario.text}")

    def keep(words: str) -> None:
        current["choices"].append(words)
        save(path, kept)

    seed, made = current["seed"], list(current["choices"])
    try:
        return person.play(game, scenario.players, SEAT, others, seed, scenario.options, read, write, made, keep)
    except ValueError as error:
        raise ValueError(f"{path}: {error}; begin this scenario anew with --begin {scenario.name}") from None


def note(kept: dict[str, Any], scenario: Scenario, end: dict[str, Any]) -> None:
    """Write the end of an attempt into what was reached."""
    one = kept["reached"].setdefault(scenario.name, {"won": False, "tries": 0, "points": []})
    one["won"] = one["won"] or SEAT in end["winners"]
    one["tries"] += 1
    one["points"].append(end["scores"][SEAT])
    kept["current"] = None


def overview(scenarios: dict[str, Scenario], reached: dict[str, Any]) -> str:
    """The scenarios with what was reached, as text."""
    lines = []
    for name, scenario in scenarios.items():
        one = reached.get(name)
        state = (
            "" if one is None else f"{'won' if one['won'] else 'not yet'}, tries {one['tries']}, points {one['points']}"
        )
        lines.append(f"  {name:28} {scenario.title:32} {state}".rstrip())
    return "\n".join(lines)


def save(path: Path, kept: dict[str, Any]) -> None:
    """Keep a campaign, whole."""
    write_whole(path, json.dumps(kept, indent=1) + "\n")


def load(path: Path, game: Game) -> dict[str, Any]:
    """The campaign kept in a file; ValueError where it is none of this game, or damaged."""
    try:
        kept = json.loads(path.read_bytes().decode("utf-8-sig"))
        current = None if kept["current"] is None else CURRENT
        match({"game": str, "reached": dict.fromkeys(kept["reached"], REACHED), "current": current}, kept, 1)
        unknown = {*kept["reached"], (kept["current"] or {}).get("scenario")} - {None, *shipped(game)}
        if kept["game"] == game.name and unknown:
            raise ValueError(f"there is no scenario {', '.join(sorted(unknown))}")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = brief(getattr(error, "message", error))
        raise ValueError(f"{path} is damaged: {reason}; begin anew with --again") from None
    if kept["game"] != game.name:
        raise ValueError(f"{path} holds a campaign of {kept['game']}, not of {game.name}")
    return kept
