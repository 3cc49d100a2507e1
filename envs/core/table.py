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
    """One option of a game, stored in the record as an int32.

    `values` is `bool`, a tuple of words, or a range of whole numbers.
    """

    default: Any
    values: Any
    meaning: str

    def to_number(self, name: str, value: Any) -> int:
        """The number that stands for `value` in the record; ValueError that lists the right values otherwise."""
        if self.values is bool:
            if isinstance(value, bool | np.bool_):
                return int(value)
        elif isinstance(self.values, range):
            if isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) in self.values:
                return int(value)
        elif isinstance(value, str) and value in self.values:
            return self.values.index(value)
        raise ValueError(f"option {name!r} must be {self.allowed()}, not {value!r}")

    def to_value(self, number: int) -> Any:
        """The value that `number` in the record stands for."""
        if self.values is bool:
            return bool(number)
        return int(number) if isinstance(self.values, range) else self.values[number]

    def parse(self, name: str, text: str) -> Any:
        """A value from the command line."""
        if self.values is bool and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if isinstance(self.values, range) and text.isascii() and text.isdigit():
            return int(text)
        self.to_number(name, text)
        return text

    def allowed(self) -> str:
        """The right values in words."""
        if self.values is bool:
            return "true or false"
        if isinstance(self.values, range):
            return f"a whole number from {self.values.start} to {self.values.stop - 1}"
        return " or ".join(repr(word) for word in self.values)


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
        *(Field(name, "i4", (), EVERYONE, "option: " + option.meaning) for name, option in options.items()),
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
