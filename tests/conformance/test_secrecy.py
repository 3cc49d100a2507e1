"""No leak, in three ways: bytes scrambled, views completed by guesses, records redealt behind a seat's back."""

import json

import numpy as np
import pytest

from handfast.envs.core import kernels, records
from handfast.envs.core.batch import Batch
from handfast.envs.core.compiling import as_bytes
from handfast.envs.core.game import Game
from handfast.envs.core.table import CHANCE, FINISHED
from tests.positions import positions, random_options, seen

SIZES = [1_000, pytest.param(10_000, marks=pytest.mark.long)]


@pytest.mark.parametrize("n", SIZES)
def test_bytes_that_the_table_hides_change_nothing_that_a_seat_sees(game: Game, n: int) -> None:
    games, seats = positions(game, n)
    before = seen(game, games, seats)
    noise = np.random.default_rng(1).integers(0, 256, (n, game.dtype.itemsize), dtype=np.uint8)
    scrambled = games.copy()
    as_bytes(scrambled)[:] ^= noise & ~game.table.keep[seats]
    assert seen(game, scrambled, seats) == before


@pytest.mark.parametrize("n", SIZES)
def test_any_guess_is_a_sound_game_that_looks_the_same(game: Game, n: int) -> None:
    games, seats = positions(game, n, seed=2)
    assert game.judge(games)[2].all()
    views = game.look(games, seats)[0]
    guessed = game.guess(views, seats, np.arange(n))
    assert game.judge(guessed)[2].all()
    assert seen(game, guessed, seats) == seen(game, games, seats)
    assert (guessed["seed"] != games["seed"]).all()  # the real stream would tell the future


def test_guesses_are_fixed_by_their_seed_and_differ_between_seeds(game: Game) -> None:
    games, seats = positions(game, 200, seed=3)
    views = game.look(games, seats)[0]
    assert game.guess(views, seats, 5).tobytes() == game.guess(views, seats, 5).tobytes()
    assert game.guess(views, seats, 5).tobytes() != game.guess(views, seats, 6).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, pytest.param(300, marks=pytest.mark.long)])
def test_a_record_redealt_behind_a_seats_back_looks_the_same_to_it(game: Game, players: int, n: int) -> None:
    compared = [redeal(game, players, seed) for seed in range(n)]
    assert sum(events > 0 for events in compared) > n / 2
    assert sum(compared) > 2 * n


def redeal(game: Game, players: int, seed: int) -> int:
    """Play a game, exchange two cards that a seat never saw, and hold every view, choice, feature and event against the first.

    They are compared as far as the same choices are legal in both; returns how many events that were, from the exchange on.
    """
    random = np.random.default_rng([seed, players])
    options = random_options(game, random)
    actions = play_at_random(game, players, options, seed)
    events = list(records.transcript(game, players, options, seed, actions))[1:]
    seat = int(random.integers(players))
    number = int(random.choice([i for i, event in enumerate(events) if hidden_places(game, event, seat)]))
    changed, cards = exchange(game, events[number], seat, random)
    real, other = begin(game, players, options), begin(game, players, options)
    compared = 0
    for i, event in enumerate(events[:-1]):
        before, other_event = (real.copy(), other.copy()), changed if i == number else event
        if not advance(game, other, other_event):
            break
        assert advance(game, real, event)
        if real["seat"][0] != other["seat"][0] or real["seat"][0] == FINISHED:
            break  # the end may tell, as a showdown does
        first = records.witnessed(game, event, before[0], real, seat)
        second = records.witnessed(game, other_event, before[1], other, seat)
        if i > number and any(card in json.dumps([first, second]) for card in cards):
            break  # one of the two cards has come to light
        views = [game.unchecked.look(one, seat)[0] for one in (real, other)]
        if any((views[0][name] != views[1][name]).any() for name in game.words.VISIBLE):
            break  # the games have visibly gone apart
        assert first == second, (seed, i, event)
        assert seen(game, real, np.array([seat])) == seen(game, other, np.array([seat])), (seed, i, event)
        compared += i >= number
    return compared


def play_at_random(game: Game, players: int, options: dict, seed: int) -> list[int]:
    batch = Batch(game, 1, players, [seed], restart=False, **options)
    actions = []
    while batch.seats[0] != FINISHED:
        batch.step_at_random()
        actions.append(int(batch.actions[0]))
    return actions


def begin(game: Game, players: int, options: dict) -> np.ndarray:
    games = game.blank(players, options)
    game.unchecked.move(games, kernels.DEAL)
    return games


def advance(game: Game, games: np.ndarray, event: dict) -> bool:
    """Carry out one event of a record; False where it cannot happen in this game."""
    if ("chance" in event) != (games["seat"][0] == CHANCE):
        return False
    try:
        if "chance" in event:
            records.take_chance(game, games, event, 0, None)
            return True
    except records.RecordError:
        return False
    legal = records.legal_words(game, games)
    if event["seat"] != games["seat"][0] or event["action"] not in legal:
        return False
    records.take_decision(game, games, event | {"legal": legal}, 0)
    return True


def hidden_places(game: Game, event: dict, seat: int) -> list[tuple]:
    """Where `??` stands in an event as this seat sees it: paths of keys and indexes."""
    if "chance" not in event:
        return []
    return list(paths_of_hidden(game.words.witnessed_chance(event, seat)))


def paths_of_hidden(value, path: tuple = ()):
    if value == "??":
        yield path
    elif isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths_of_hidden(one, (*path, key))


def exchange(game: Game, event: dict, seat: int, random: np.random.Generator) -> tuple[dict, set[str]]:
    """The event with two hidden cards exchanged, or where there is but one, with it exchanged for one that is nowhere; and these cards."""
    event = json.loads(json.dumps(event))
    places = hidden_places(game, event, seat)
    first = places[random.integers(len(places))]
    second = places[random.integers(len(places))]
    a, b = at(event, first), at(event, second)
    if len(places) == 1:
        nowhere = [card for card in game.words.NAMES if card not in json.dumps(event)]
        b = str(random.choice(nowhere))
    put(event, first, b)
    if len(places) > 1:
        put(event, second, a)
    return event, {a, b}


def at(event: dict, path: tuple) -> str:
    value = event
    for key in path:
        value = value[key]
    return value  # type: ignore[return-value]


def put(event: dict, path: tuple, card: str) -> None:
    value = event
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = card


@pytest.mark.filterwarnings("ignore::numba.NumbaExperimentalFeatureWarning")
def test_a_secret_that_the_table_forgets_is_found() -> None:
    from tests.leaky import GAME

    with pytest.raises(AssertionError):
        assert all(redeal(GAME, 2, seed) >= 0 for seed in range(30))
