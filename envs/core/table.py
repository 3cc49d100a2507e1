"""The table of a game's record: every field with its type and who may see it.

From the table come the record's dtype, the bytes that a seat may see, and the page "who knows what".
In a view a zero means unknown wherever the seat may not see.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from handfast.envs.core.compiling import as_bytes
from handfast.messages import shown

# Who may see a field. A field seen by its seat has the seat as first axis.
EVERYONE, ITS_SEAT, NOBODY = "everyone", "its seat", "nobody"

# Who is to move, where it is not a seat.
CHANCE = -1
FINISHED = -2

# A seat that is nobody. Distinct from the two above.
NONE = -3

# How a game stands.
GOING_ON, ENDED, TRUNCATED = 0, 1, 2


class Field(NamedTuple):
    """One field of the record: its name, NumPy type and shape, who may see it, what it means, and its range.

    In every game that the rules can reach, each number of the field is from `least` to `greatest`.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    audience: str
    meaning: str
    least: int
    greatest: int


@dataclass(frozen=True)
class Option:
    """One option of a game, a field of its record.

    `values` is `bool`, a tuple of words, or a range of whole numbers. With `length` the option is a list of at least
    and at most so many of them, as a Python list.
    """

    default: Any
    values: Any
    meaning: str
    length: tuple[int, int] | None = None

    def field(self, name: str) -> Field:
        """The field of the record that holds the option: one int32, or `length[1]` of them."""
        shape = () if self.length is None else (self.length[1],)
        numbers = range(2) if self.values is bool else self.values
        if not isinstance(numbers, range):
            numbers = range(len(numbers))
        if self.length is not None and self.length[0] < self.length[1]:
            numbers = range(numbers.stop + 1)  # see `stored`
        return Field(name, "i4", shape, EVERYONE, "option: " + self.meaning, numbers[0], numbers[-1])

    def stored(self, name: str, value: Any) -> Any:
        """What stands for `value` in the record; ValueError that lists the right values otherwise.

        A list of fixed length is the numbers of its values; one of varying length is those plus 1, and zeroes after.
        """
        if self.length is None:
            number = self._number(value)
            if number is None:
                raise ValueError(f"option {name!r} must be {self.allowed()}, not {shown(value)}")
            return number
        least, most = self.length
        is_list = isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)
        numbers = [self._number(one) for one in value] if is_list else [None]
        if None in numbers or not least <= len(numbers) <= most:
            raise ValueError(f"option {name!r} must be {self.allowed()}, not {shown(value)}")
        if least == most:
            return numbers
        return [number + 1 for number in numbers if number is not None] + [0] * (most - len(numbers))

    def value(self, stored: Any) -> Any:
        """The value that stands so in the record."""
        if self.length is None:
            return self._value(int(stored))
        least, most = self.length
        if least == most:
            return [self._value(int(number)) for number in stored]
        return [self._value(int(number) - 1) for number in stored if number]

    def parse(self, name: str, text: str) -> Any:
        """A value from the command line; the values of a list stand with commas between."""
        if self.length is None:
            return self._parse(text)
        return [self._parse(one) for one in text.split(",")] if text else []

    def allowed(self) -> str:
        """The right values in words."""
        if self.values is bool:
            one = "true or false"
        elif isinstance(self.values, range):
            one = f"a whole number from {self.values.start} to {self.values.stop - 1}"
        else:
            one = " or ".join(repr(word) for word in self.values)
        if self.length is None:
            return one
        least, most = self.length
        return f"a list of {most if least == most else f'{least} to {most}'}, each {one}"

    def _number(self, value: Any) -> int | None:
        if self.values is bool:
            return int(value) if isinstance(value, bool | np.bool_) else None
        if isinstance(self.values, range):
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
            return int(value) if whole and int(value) in self.values else None
        return self.values.index(value) if isinstance(value, str) and value in self.values else None

    def _value(self, number: int) -> Any:
        if self.values is bool:
            return bool(number)
        return number if isinstance(self.values, range) else self.values[number]

    def _parse(self, text: str) -> Any:
        if self.values is bool and text.lower() in ("true", "false"):
            return text.lower() == "true"
        return int(text) if isinstance(self.values, range) and text.isascii() and text.isdigit() else text


class Ranges(NamedTuple):
    """The numbers of one type in a record: their bytes in it, and the least and greatest value of each."""

    places: np.ndarray
    least: np.ndarray
    greatest: np.ndarray


class Table(NamedTuple):
    """A game's record: its fields, their dtype, and `keep` [seats, bytes], 255 where a seat may see the byte.

    `ranges` holds the fields' ranges by type of number.
    """

    seats: int
    fields: tuple[Field, ...]
    dtype: np.dtype
    keep: np.ndarray
    ranges: dict[np.dtype, Ranges]

    def in_range(self, records: np.ndarray, or_zero: bool = False) -> np.ndarray:
        """Whether every number of each record [n] is in its field's range, bool [n]; with `or_zero`, as in views, or is 0."""
        fine = np.ones(len(records), bool)
        data = as_bytes(records)
        for kind, (places, least, greatest) in self.ranges.items():
            numbers = np.take(data, places, axis=1).view(kind)
            inside = (numbers >= least) & (numbers <= greatest)
            fine &= ((numbers == 0) | inside if or_zero else inside).all(1)
        return fine

    def out_of_range(self, record: np.void, or_zero: bool = False) -> str:
        """The first field of a record that is out of its range, in words; empty where none is."""
        for field in self.fields:
            for number in np.ravel(record[field.name]).tolist():
                if not field.least <= number <= field.greatest and not (or_zero and number == 0):
                    return f"{field.name} is {number}, not from {field.least} to {field.greatest}"
        return ""


def table(seats: int, options: dict[str, Option], *fields: Field, phases: int) -> Table:
    """The table of a game for at most `seats` seats: the core's own fields, the options, and the game's `fields`.

    `phases` is the number of the game's phases, which are numbered from 0.
    """
    every = (
        Field("seed", "u8", (), NOBODY, "where this game's luck comes from", 0, 2**64 - 1),
        Field("players", "i4", (), EVERYONE, "how many seats take part", 1, seats),
        *(option.field(name) for name, option in options.items()),
        Field("seat", "i4", (), EVERYONE, "the seat to move, or CHANCE, or FINISHED", FINISHED, seats - 1),
        Field("phase", "i4", (), EVERYONE, "what is to be decided", 0, phases - 1),
        Field("ended", "i4", (), EVERYONE, "GOING_ON, ENDED or TRUNCATED", GOING_ON, TRUNCATED),
        *fields,
    )
    # Packed, since padding would not survive copies and games are compared by their bytes.
    dtype = np.dtype([(field.name, field.kind, field.shape) for field in every])
    places = dict(dtype.fields or {})
    keep = np.zeros((seats, dtype.itemsize), np.uint8)
    for field in every:
        kind, at = places[field.name][:2]
        if field.audience == EVERYONE:
            keep[:, at : at + kind.itemsize] = 255
        elif field.audience == ITS_SEAT:
            if field.shape[0] != seats:
                raise ValueError(f"field {field.name!r} is seen by its seat, so its first axis must be {seats}")
            size = kind.itemsize // seats
            for seat in range(seats):
                keep[seat, at + seat * size : at + (seat + 1) * size] = 255
    return Table(seats, every, dtype, keep, _ranges(every, dtype))


def _ranges(fields: tuple[Field, ...], dtype: np.dtype) -> dict[np.dtype, Ranges]:
    columns: dict[np.dtype, tuple[list[int], list[int], list[int]]] = {}
    for field in fields:
        kind, at = dict(dtype.fields or {})[field.name][:2]
        places, least, greatest = columns.setdefault(kind.base, ([], [], []))
        numbers = kind.itemsize // kind.base.itemsize
        places += range(at, at + kind.itemsize)
        least += [field.least] * numbers
        greatest += [field.greatest] * numbers
    return {
        kind: Ranges(np.array(places), np.array(least, kind), np.array(greatest, kind))
        for kind, (places, least, greatest) in columns.items()
    }
