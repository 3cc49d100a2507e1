"""Game records: JSON Lines, one event a line, complete enough to replay a game without a random generator.

One piece of code for every game: the events come from the rules, their words from the game's words.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from handfast.envs.core import kernels
from handfast.envs.core.game import Game, check_seed
from handfast.envs.core.table import CHANCE, FINISHED, TRUNCATED
from handfast.messages import brief, shown

FORMAT = 1


class RecordError(ValueError):
    """A record that does not hold: `line` from 1, and what was expected there, with long values cut."""

    def __init__(self, line: int, message: str):
        self.line, self.message = line, brief(message)
        super().__init__(f"line {line}: {self.message}")


# --- Writing --------------------------------------------------------------------------------------------------


def transcript(
    game: Game,
    players: int,
    options: Mapping[str, Any],
    seed: int,
    actions: Iterable[int],
    seen_by: int | None = None,
) -> Iterator[dict[str, Any]]:
    """The events of the game that these actions play on this seed, from the header on; as far as the actions go.

    With `seen_by` the record holds only what that seat knows, and no seed.
    """
    head = {"record": FORMAT, "game": game.name, "version": game.version, "players": players}
    head |= {"options": game.changed_options(options), "seed": seed if seen_by is None else None}
    if seen_by is not None and seen_by not in range(players):
        raise ValueError(f"a record is seen by a seat from 0 to {players - 1}, not {shown(seen_by)}")
    yield head if seen_by is None else head | {"seen_by": seen_by}
    games = game.blank(players, options)
    game.unchecked.move(games, kernels.DEAL, seeds=check_seed(seed))
    remaining = iter(actions)
    while games["seat"][0] != FINISHED:
        before = None if seen_by is None else games.copy()
        if games["seat"][0] == CHANCE:
            game.unchecked.move(games, kernels.ROLL)
            event = game.words.chance(games.view(np.recarray)[0])
            game.unchecked.move(games, kernels.RESUME)
        else:
            action = next(remaining, None)
            if action is None:
                return
            seat = int(games["seat"][0])
            legal = legal_words(game, games)
            words = game.choice(action, seat, players) if 0 <= action < game.actions else str(action)
            if words not in legal:
                raise ValueError(f"action {action} (`{words}`) of seat {seat} is not legal; legal are {legal}")
            event = {"seat": seat, "legal": legal, "action": words}
            game.unchecked.move(games, kernels.DECIDE, actions=action)
        yield from [event] if before is None or seen_by is None else witnessed(game, event, before, games, seen_by)
    yield ending(game, games)


def witnessed(
    game: Game, event: dict[str, Any], before: np.ndarray, after: np.ndarray, seat: int
) -> list[dict[str, Any]]:
    """The events that `seat` sees of one event, which led from the position `before` [1] to `after` [1]."""
    if "chance" in event:
        return [game.words.witnessed_chance(event, seat)]
    action = game.action(event["action"], event["seat"], int(before["players"][0]))
    positions = before.view(np.recarray)[0], after.view(np.recarray)[0]
    choices = game.words.witnessed_choice(positions[0], action, positions[1], seat)
    seen = [{"seat": mover, "action": words} for mover, words in choices]
    if event["seat"] == seat:  # a seat's own choice may reveal what others chose before
        return [event, *(one for one in seen if one["seat"] != seat)]
    return seen


def legal_words(game: Game, games: np.ndarray) -> list[str]:
    """Every choice of the seat to move in `games` [1], in words."""
    seat = int(games["seat"][0])
    _, masks, _ = game.unchecked.look(games, seat)
    return [game.choice(int(action), seat, int(games["players"][0])) for action in np.flatnonzero(masks[0])]


def ending(game: Game, games: np.ndarray) -> dict[str, Any]:
    """The last line of a finished or truncated game in `games` [1]."""
    players = int(games["players"][0])
    scores, winners, _ = game.unchecked.judge(games)
    truncated = games["ended"][0] == TRUNCATED
    won = [] if truncated else [int(seat) for seat in np.flatnonzero(winners[0, :players])]
    return {"end": "truncated" if truncated else "finished", "scores": scores[0, :players].tolist(), "winners": won}


def to_text(events: Iterable[Mapping[str, Any]]) -> str:
    """Events as JSON Lines."""
    return "".join(json.dumps(event) + "\n" for event in events)


# --- Reading --------------------------------------------------------------------------------------------------


def walk(text: str, find: Callable[[str], Game]) -> Iterator[tuple[int, Game, np.ndarray]]:
    """Replay a record: the line, the game and its position [1] after each line; RecordError at the first that is wrong.

    `find` gives the game of a name. The position is one array, changed in place.
    """
    lines = text.removeprefix("\ufeff").removesuffix("\n").split("\n")
    head = parse(lines[0], 1)
    game, games = begin(head, find)
    seed = head["seed"]
    yield 1, game, games
    number = 1
    for number, line in enumerate(lines[1:], 2):
        if games["seat"][0] == FINISHED:
            expected = ending(game, games)
            event = parse(line, number)
            match({"end": str, "scores": [int], "winners": [int]}, event, number)
            if {**event, "winners": sorted(event["winners"])} != expected:
                raise RecordError(number, f"the game's end is {json.dumps(expected)}")
            yield number, game, games
            if number < len(lines):
                raise RecordError(number + 1, "nothing comes after the game's end")
            return
        event = parse(line, number)
        if games["seat"][0] == CHANCE:
            take_chance(game, games, event, number, seed)
        else:
            take_decision(game, games, event, number)
        yield number, game, games
    raise RecordError(number + 1, "the record stops before the game's end")


def begin(head: dict[str, Any], find: Callable[[str], Game]) -> tuple[Game, np.ndarray]:
    """The game of a header and its position before any event."""
    if head.get("record") != FORMAT:
        raise RecordError(1, f'a record begins with {{"record": {FORMAT}, …}}')
    if not isinstance(head.get("game"), str):
        raise RecordError(1, "the header names no game")
    try:
        game = find(head["game"])
    except ValueError as error:
        raise RecordError(1, str(error)) from None
    if head.get("version") != game.version:
        raise RecordError(
            1, f"this is a record of {game.name} version {head.get('version')}; version {game.version} is played here"
        )
    if "seen_by" in head:
        raise RecordError(1, "a record as seen by one seat leaves out what the others hold: it cannot be replayed")
    seed = head.get("seed")
    form = {"record": int, "game": str, "version": int, "players": int, "options": dict}
    match(form | {"seed": int if seed is not None else None}, head, 1)
    try:
        check_seed(seed or 0)
        games = game.blank(head["players"], head["options"])
    except ValueError as error:
        raise RecordError(1, str(error)) from None
    game.unchecked.move(games, kernels.DEAL, seeds=seed or 0)
    return game, games


def take_chance(game: Game, games: np.ndarray, event: dict[str, Any], number: int, seed: int | None) -> None:
    """Fill in what luck decided, and go on. Where the header has a seed, it must be what that seed gives."""
    position = games.view(np.recarray)[0]
    match(game.words.chance_form(position), event, number)
    given = None if seed is None else drawn(game, games)
    try:
        game.words.fill_chance(position, event)
    except ValueError as error:
        raise RecordError(number, str(error)) from None
    if given is not None and game.words.chance(position) != given:  # both as words: hands are in any order
        raise RecordError(number, f"this is not what seed {seed} gives: {json.dumps(given)}")
    game.unchecked.move(games, kernels.RESUME)


def drawn(game: Game, games: np.ndarray) -> dict[str, Any]:
    """What luck decides in `games` [1] by its seed, as the event of a record; `games` is left as it is."""
    other = games.copy()
    game.unchecked.move(other, kernels.ROLL)
    return game.words.chance(other.view(np.recarray)[0])


def take_decision(game: Game, games: np.ndarray, event: dict[str, Any], number: int) -> None:
    """Check a decision against the rules, and carry it out."""
    match({"seat": int, "legal": [str], "action": str}, event, number)
    seat, players = int(games["seat"][0]), int(games["players"][0])
    if event["seat"] != seat:
        raise RecordError(number, f"seat {seat} is to move, not {event['seat']}")
    legal = legal_words(game, games)
    if len(set(event["legal"])) != len(event["legal"]):
        raise RecordError(number, "a legal choice is listed twice")
    missing, wrong = sorted(set(legal) - set(event["legal"])), sorted(set(event["legal"]) - set(legal))
    if missing or wrong:
        parts = [f"these are legal too: {missing}"] * bool(missing) + [f"these are not legal: {wrong}"] * bool(wrong)
        raise RecordError(number, "; ".join(parts))
    if event["action"] not in legal:
        raise RecordError(number, f"{event['action']!r} is not legal; legal are {legal}")
    game.unchecked.move(games, kernels.DECIDE, actions=game.action(event["action"], seat, players))


def verify(text: str, find: Callable[[str], Game]) -> None:
    """Replay a record to its end; RecordError at the first line that is wrong."""
    for _ in walk(text, find):
        continue


def replay(text: str, find: Callable[[str], Game], lines: int | None = None) -> tuple[Game, np.ndarray]:
    """The game and the position [1] after the first `lines` lines (from 1) of a record, or after all of them."""
    if lines is not None and lines < 1:
        raise ValueError(f"a record is replayed up to a line from 1 on, not {lines}")
    for place in walk(text, find):
        if place[0] == lines:
            break
    return place[1], place[2].copy()


# --- Strictness -----------------------------------------------------------------------------------------------


def parse(line: str, number: int) -> dict[str, Any]:
    """One line as a JSON object without repeated keys."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise RecordError(number, "a key is there twice")
        return dict(pairs)

    if not line.strip():
        raise RecordError(number, "a blank line")
    try:
        event = json.loads(line, object_pairs_hook=once)
    except RecordError:
        raise
    except ValueError as error:  # also of a number with thousands of digits
        raise RecordError(number, f"not JSON: {str(error)[:80]}") from None
    except RecursionError:
        raise RecordError(number, "not a record: nested too deeply") from None
    if not isinstance(event, dict):
        raise RecordError(number, "a line is a JSON object")
    return event


def match(form: Any, value: Any, number: int, where: str = "") -> None:
    """Check `value` against a form: a type, a fixed value, {key: form}, [form] for any number, or a tuple for just these."""
    if isinstance(form, dict):
        if not isinstance(value, dict) or set(value) != set(form):
            found = ", ".join(value) if isinstance(value, dict) else type(value).__name__
            raise RecordError(number, f"{where or 'the line'} has exactly {', '.join(form)}, not {found}")
        for key, one in form.items():
            match(one, value[key], number, f"{where}.{key}" if where else key)
    elif isinstance(form, list | tuple):
        if not isinstance(value, list) or (isinstance(form, tuple) and len(value) != len(form)):
            raise RecordError(number, f"{where} is a list" + (f" of {len(form)}" if isinstance(form, tuple) else ""))
        for i, one in enumerate(value):
            match(form[i] if isinstance(form, tuple) else form[0], one, number, f"{where}[{i}]")
    elif isinstance(form, type):
        if type(value) is not form:
            raise RecordError(number, f"{where} is {form.__name__}, not {json.dumps(value)}")
    elif value != form or type(value) is not type(form):
        raise RecordError(number, f"{where} must be {json.dumps(form)} here, not {json.dumps(value)}")
