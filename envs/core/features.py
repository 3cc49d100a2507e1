"""Names and places of features: one table serves the encoder, the spaces and the documentation."""

from collections import namedtuple
from typing import Any, NamedTuple


class Block(NamedTuple):
    """A run of features of one kind: a label for each, the largest value (the least is 0), and what they mean."""

    labels: tuple[str, ...]
    high: int
    meaning: str


def block(labels: Any, meaning: str, high: int = 1) -> Block:
    """A block with these labels; one feature without a label where `labels` is empty."""
    return Block(tuple(str(label) for label in labels) or ("",), high, meaning)


def relative(seats: int) -> tuple[str, ...]:
    """Names of seats as one of them sees them: `own`, `left 1` …."""
    return ("own", *(f"left {left}" for left in range(1, seats)))


def offsets(blocks: dict[str, Block]) -> Any:
    """The first index of each block, as a named tuple that compiled rules can read: `AT.hand + card`."""
    places, at = {}, 0
    for name, one in blocks.items():
        places[name] = at
        at += len(one.labels)
    named = {name.replace(" ", "_"): place for name, place in places.items()}
    return namedtuple("offsets", named)(**named)


def names(blocks: dict[str, Block]) -> tuple[str, ...]:
    """The name of every feature, in order: `hand 2H`."""
    return tuple(f"{name} {label}".strip() for name, one in blocks.items() for label in one.labels)


def highs(blocks: dict[str, Block]) -> tuple[int, ...]:
    """The largest value of every feature, in order."""
    return tuple(one.high for one in blocks.values() for _ in one.labels)
