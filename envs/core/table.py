"""The table of a game's record: every field with its type and who may see it.

From the table come the record's dtype, the bytes that a seat may see, and the page "who knows what".
In a view a zero means unknown wherever the seat may not see.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

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
    """One field of the record."""

    name: str
    kind: str
    shape: tuple[int, ...]
    audience: str
    meaning: str


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
        return Field(name, "i4", shape, EVERYONE, "option: " + self.meaning)

    def stored(self, name: str, value: Any) -> Any:
        """What stands for `value` in the record; ValueError that lists the right values otherwise.

        A list of fixed length is the numbers of its values; one of varying length is those plus 1, and zeroes after.
        """
        if self.length is None:
            number = self._number(value)
            if number is None:
                raise ValueError(f"option {name!r} must be {self.allowed()}, not {value!r}")
            return number
        least, most = self.length
        is_list = isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)
        numbers = [self._number(one) for one in value] if is_list else [None]
        if None in numbers or not least <= len(numbers) <= most:
            raise ValueError(f"option {name!r} must be {self.allowed()}, not {value!r}")
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


class Table(NamedTuple):
    """A game's record: its fields, their dtype, and `keep` [seats, bytes], 255 where a seat may see the byte."""

    seats: int
    fields: tuple[Field, ...]
    dtype: np.dtype
    keep: np.ndarray


def table(seats: int, options: dict[str, Option], *fields: Field) -> Table:
    """The table of a game for at most `seats` seats: the core's own fields, the options, and the game's `fields`."""
    every = (
        Field("seed", "u8", (), NOBODY, "where this game's luck comes from"),
        Field("players", "i4", (), EVERYONE, "how many seats take part"),
        *(option.field(name) for name, option in options.items()),
        Field("seat", "i4", (), EVERYONE, "the seat to move, or CHANCE, or FINISHED"),
        Field("phase", "i4", (), EVERYONE, "what is to be decided"),
        Field("ended", "i4", (), EVERYONE, "GOING_ON, ENDED or TRUNCATED"),
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
    return Table(seats, every, dtype, keep)
