"""Records damaged with a plan: by fields, numbers and cards, where random bytes are almost always refused at once."""

import numpy as np

from handfast.envs.core.game import Game
from handfast.envs.core.table import NONE, Field


def mutated(game: Game, games: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Copies of the records with one to three planned changes each, every number in its field's range."""
    broken = games.copy()
    fields = [field for field in game.table.fields if field.name != "seed"]
    for row in range(len(broken)):
        other = int(random.integers(len(games)))
        for _ in range(int(random.choice([1, 1, 2, 3]))):
            CHANGES[random.integers(len(CHANGES))](broken[row : row + 1], games[other : other + 1], fields, random)
    return broken


def numbers(game: np.ndarray, field: Field) -> np.ndarray:
    """The numbers of a field of one record [1], in one row; to write there is to change the record."""
    found = game[field.name].reshape(-1)
    assert np.shares_memory(found, game)
    return found


def any_field(fields: list[Field], random: np.random.Generator) -> Field:
    return fields[random.integers(len(fields))]


def set_number(game: np.ndarray, other: np.ndarray, fields: list[Field], random: np.random.Generator) -> None:
    """One number becomes the least, the greatest, nothing, one more or less, anything, or another bit's worth more."""
    field = any_field(fields, random)
    found = numbers(game, field)
    at = random.integers(len(found))
    old = int(found[at])
    ways = (
        field.least, field.greatest, 0, NONE, old + 1, old - 1, int(random.integers(field.least, field.greatest + 1)),
        old ^ 1 << int(random.integers(max(field.greatest, 1).bit_length())),
    )  # fmt: skip
    new = ways[random.integers(len(ways))]
    if field.least <= new <= field.greatest:
        found[at] = new


def take_field(game: np.ndarray, other: np.ndarray, fields: list[Field], random: np.random.Generator) -> None:
    """A whole field as it is in another record."""
    field = any_field(fields, random)
    numbers(game, field)[:] = numbers(other, field)


def exchange_numbers(game: np.ndarray, other: np.ndarray, fields: list[Field], random: np.random.Generator) -> None:
    """Two numbers change places, within a field or between two that may hold them."""
    one = any_field(fields, random)
    two = one if random.random() < 0.5 else any_field(fields, random)
    a, b = numbers(game, one), numbers(game, two)
    i, k = random.integers(len(a)), random.integers(len(b))
    x, y = int(a[i]), int(b[k])
    if one.least <= y <= one.greatest and two.least <= x <= two.greatest:
        a[i], b[k] = y, x


def exchange_cards(game: np.ndarray, other: np.ndarray, fields: list[Field], random: np.random.Generator) -> None:
    """A card of one set goes to another, and one of that comes back, if it has one."""
    sets = [field for field in fields if field.kind == "i8"]
    if not sets:
        return
    a, b = numbers(game, one := any_field(sets, random)), numbers(game, two := any_field(sets, random))
    i, k = random.integers(len(a)), random.integers(len(b))
    for source, target, at, to, limit in ((a, b, i, k, two.greatest), (b, a, k, i, one.greatest)):
        held = [card for card in range(63) if int(source[at]) >> card & 1]
        if held:
            card = 1 << int(random.choice(held))
            if int(target[to]) | card <= limit:
                source[at] &= ~card
                target[to] |= card


def change_course(game: np.ndarray, other: np.ndarray, fields: list[Field], random: np.random.Generator) -> None:
    """Who is to move, the phase or the end, alone."""
    course = [field for field in fields if field.name in ("seat", "phase", "ended")]
    field = any_field(course, random)
    game[field.name] = random.integers(field.least, field.greatest + 1)


CHANGES = (set_number, set_number, take_field, exchange_numbers, exchange_cards, exchange_cards, change_course)
