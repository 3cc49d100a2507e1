"""Records: written from any game, replayed with and without a seed, refused at the line that is wrong."""

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from handfast.agents import names
from handfast.agents.arena.duplicate import distinct
from handfast.agents.arena.play import play
from handfast.envs import GAMES, get
from handfast.envs.core import kernels, records
from handfast.envs.core.game import Game
from tests.kuhn import GAME as KUHN
from tests.positions import random_options


def find(name: str) -> Game:
    return KUHN if name == "kuhn" else get(name)


def option_rows(game: Game) -> list[dict]:
    """The defaults, every other word of each option alone, and where options are lists, some random ones."""
    rows: list[dict] = [{}]
    for name, option in game.options.items():
        if not isinstance(option.values, range) and option.length is None:
            values = (False, True) if option.values is bool else option.values
            rows += [{name: value} for value in values if value != option.default and goes_alone(game, name, value)]
    if any(option.length for option in game.options.values()):
        random = np.random.default_rng(0)
        rows += [random_options(game, random, short=False) for _ in range(4)]
    return rows


def goes_alone(game: Game, name: str, value: Any) -> bool:
    """Whether an option can have this value while all others have their defaults."""
    try:
        game.check_options({name: value})
    except ValueError:
        return False
    return True


def texts(game: Game, players: int, options: dict, agent: str, n: int) -> list[str]:
    agents, numbers = distinct([names.find(agent, game)] * players)
    seeds = np.arange(n, dtype=np.uint64)
    results = play(game, agents, np.tile(numbers, (n, 1)), seeds, options, keep_actions=True)
    assert not results.truncated.any()  # none is cut short by accident
    return [
        records.to_text(records.transcript(game, players, options, int(seed), actions))
        for seed, actions in zip(seeds, results.actions, strict=True)
    ]


NUMBERS = [(20, 5), pytest.param((1000, 200), marks=pytest.mark.long)]


@pytest.mark.slow
@pytest.mark.parametrize("numbers", NUMBERS)
def test_records_of_random_and_expert_games_hold(game: Game, players: int, numbers: tuple[int, int]) -> None:
    for options, (agent, n) in product(option_rows(game), zip(("random", "expert"), numbers, strict=True)):
        if agent in names.built_in(game):
            for text in texts(game, players, options, agent, n):
                records.verify(text, find)


def example(game: Game, seed: int = 1) -> str:
    return texts(game, game.player_counts[-1], {}, "random", seed + 1)[seed]


def test_a_record_without_its_seed_replays_to_the_same_position(game: Game) -> None:
    text = example(game)
    head, rest = text.split("\n", 1)
    unseeded = json.dumps(json.loads(head) | {"seed": None}) + "\n" + rest
    for lines in (1, 4, len(text.splitlines())):
        first, second = records.replay(text, find, lines)[1], records.replay(unseeded, find, lines)[1]
        first["seed"] = second["seed"] = 0
        assert first.tobytes() == second.tobytes()


def test_a_record_with_another_games_seed_is_refused_where_luck_first_differs(game: Game) -> None:
    head, *rest = example(game).splitlines()
    other = json.loads(head) | {"seed": 123456789}
    lines = [json.dumps(other), *rest]
    games = game.blank(other["players"], other["options"])
    game.move(games, kernels.DEAL, seeds=123456789)
    differs = 0
    for number, line in enumerate(rest):  # the first event that the wrong seed would not give
        if json.loads(line) != records.drawn(game, games):
            differs = number + 2
            break
        game.move(games, kernels.ROLL)
        game.move(games, kernels.RESUME)
    refused(lines, differs, "this is not what seed 123456789 gives: ")


@pytest.mark.parametrize("name", [game.name for game in GAMES.values() if game.seats > 1])
def test_luck_later_in_a_game_is_checked_against_the_seed_too(name: str) -> None:
    lines = example(get(name)).splitlines()
    at = max(i for i, line in enumerate(lines) if '"chance": "deal"' in line)
    event = json.loads(lines[at])
    first, second = event["hands"][0], event["hands"][1]
    first[0], second[0] = second[0], first[0]
    lines[at] = json.dumps(event)
    refused(lines, at + 1, "this is not what seed 1 gives")


def test_a_hands_cards_may_stand_in_any_order_with_a_seed_as_without(game: Game) -> None:
    lines = example(game).splitlines()
    for i, line in enumerate(lines):
        if '"chance"' in line and '"hands"' in line:
            event = json.loads(line)
            lines[i] = json.dumps(event | {"hands": [hand[::-1] for hand in event["hands"]]})
    records.verify("\n".join(lines), find)


def test_a_byte_order_mark_is_no_part_of_a_record(game: Game) -> None:
    records.verify("\ufeff" + example(game), find)


def test_what_a_record_holds_is_told_in_one_short_line(game: Game) -> None:
    lines = example(game).splitlines()
    at = first_decision(lines)
    for number, changes in [(0, {"game": "x" * 100_000}), (0, {"version": "y\n" * 50_000}), (0, {"z" * 100_000: 1}),
                            (0, {"players": [1] * 50_000}), (at, {"action": "fly\u2028" * 50_000}), (at, {"seat": "x" * 100_000}),
                            (at, {"legal": ["x" * 9 + str(i) for i in range(9999)]}), (at, {"action": "\ud800"})]:  # fmt: skip
        with pytest.raises(records.RecordError) as caught:
            records.verify("\n".join(edited(number, **changes)(lines[:])), find)
        assert caught.value.line == number + 1
        assert len(str(caught.value)) < 700
        assert len(str(caught.value).splitlines()) == 1
        str(caught.value).encode()


def test_options_may_be_left_out_where_they_are_the_defaults(game: Game) -> None:
    head, rest = example(game).split("\n", 1)
    records.verify(json.dumps(json.loads(head) | {"options": {}}) + "\n" + rest, find)


def edited(number: int, **changes: object) -> Callable[[list[str]], list[str]]:
    def edit(lines: list[str]) -> list[str]:
        event = json.loads(lines[number]) | changes
        lines[number] = json.dumps({key: value for key, value in event.items() if value != "drop"})
        return lines

    return edit


HEADS = {
    "another format": ({"record": 2}, "a record begins with"),
    "an unknown game": ({"game": "bridge"}, "there is no game 'bridge'"),
    "another version": ({"version": 99}, "version 99"),
    "too many players": ({"players": 17}, "is played by"),
    "an unknown option": ({"options": {"colour": 1}}, "no option 'colour'"),
    "a seed in words": ({"seed": "7"}, "seed is int"),
    "a seed below 0": ({"seed": -5}, "a seed is a whole number"),
    "a stranger's key": ({"note": 1}, "exactly"),
    "a missing key": ({"options": "drop"}, "exactly"),
    "one seat's view": ({"seen_by": 0}, "cannot be replayed"),
}


@pytest.mark.parametrize(("changes", "message"), HEADS.values(), ids=HEADS)
def test_a_wrong_header_is_refused(game: Game, changes: dict, message: str) -> None:
    refused(edited(0, **changes)(example(game).splitlines()), 1, message)


def refused(lines: list[str], number: int, message: str) -> None:
    with pytest.raises(records.RecordError, match=message) as caught:
        records.verify("\n".join(lines) + "\n", find)
    assert caught.value.line == number


def first_decision(lines: list[str]) -> int:
    return next(i for i, line in enumerate(lines) if '"legal"' in line)


def test_a_wrong_line_is_refused_by_its_number(game: Game) -> None:
    lines = example(game).splitlines()
    at = first_decision(lines)
    event = json.loads(lines[at])
    fresh = lambda: lines[:]  # noqa: E731
    refused(edited(at, seat=event["seat"] + 1)(fresh()), at + 1, "is to move")
    refused(edited(at, legal=event["legal"][1:])(fresh()), at + 1, "these are legal too")
    refused(edited(at, legal=[*event["legal"], "fly"])(fresh()), at + 1, "these are not legal: .'fly'")
    refused(edited(at, legal=event["legal"] * 2)(fresh()), at + 1, "twice")
    refused(edited(at, action="fly")(fresh()), at + 1, "'fly' is not legal")
    refused(edited(at, seat=True)(fresh()), at + 1, "seat is int")
    refused(edited(at, extra=1)(fresh()), at + 1, "exactly")
    end = json.loads(lines[-1])
    refused(edited(-1, winners=[] if end["winners"] else [0])(fresh()), len(lines), "the game's end is")
    refused(edited(-1, scores=[score + 1 for score in end["scores"]])(fresh()), len(lines), "the game's end is")
    refused(lines[:-1], len(lines), "stops before the game's end")
    refused([*lines, lines[-1]], len(lines) + 1, "nothing comes after")
    refused([*lines[:at], "", *lines[at:]], at + 1, "a blank line")
    refused([*lines[:at], "{", *lines[at:]], at + 1, "not JSON")
    refused([*lines[:at], "9" * 5000, *lines[at:]], at + 1, "not JSON")
    refused([*lines[:at], "[1]", *lines[at:]], at + 1, "a JSON object")
    refused([*lines[:at], '{"a": 1, "a": 1}', *lines[at:]], at + 1, "a key is there twice")
    refused([*lines[:at], "[" * 100_000, *lines[at:]], at + 1, "nested too deeply|not JSON")
    refused([lines[0], *lines[2:]], 2, "exactly|must be")
    refused([""], 1, "a blank line")


def test_the_choices_of_a_line_may_stand_in_any_order(game: Game) -> None:
    lines = example(game).splitlines()
    at = first_decision(lines)
    records.verify("\n".join(edited(at, legal=json.loads(lines[at])["legal"][::-1])(lines)), find)


def test_a_record_seen_by_a_seat_has_no_hidden_card_and_no_seed(game: Game, players: int) -> None:
    actions = play(
        game, [names.find("random", game)], np.zeros((1, players), int), np.array([5], np.uint64), keep_actions=True
    ).actions[0]
    whole = list(records.transcript(game, players, {}, 5, actions))
    for seat in range(players):
        own = list(records.transcript(game, players, {}, 5, actions, seen_by=seat))
        assert own[0]["seed"] is None
        assert own[-1] == whole[-1]
        assert [event for event in own if event.get("seat") == seat and "legal" in event] == [
            event for event in whole if event.get("seat") == seat and "legal" in event
        ]
        assert all("legal" not in event for event in own if event.get("seat") != seat)


def test_no_two_choices_differ_in_small_and_large_letters_alone(game: Game, players: int) -> None:
    written = {game.choice(action, 0, players) for action in range(game.actions)}
    assert len({one.casefold() for one in written}) == len(written)


def test_actions_that_no_game_could_have_are_not_written_down(game: Game) -> None:
    for arguments in (([-5], None, 1), ([game.actions], None, 1), ([], 9, 1), ([], None, -1)):
        actions, seat, seed = arguments
        with pytest.raises(ValueError, match=r"is not legal|a seat from 0|a seed is"):
            list(records.transcript(game, game.player_counts[0], {}, seed, actions, seat))
    with pytest.raises(ValueError, match="a line from 1 on"):
        records.replay(example(game), find, 0)


def test_games_of_the_suite_are_found_by_name() -> None:
    for name, game in GAMES.items():
        assert find(name) is game
