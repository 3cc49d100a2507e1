"""Seats round the table. Comparisons in place of a remainder: a division would be the slowest thing in most rules."""

from handfast.envs.core.compiling import rule


@rule
def at_left(seat, steps, players):
    """The seat `steps` to the left of `seat`, 0 <= steps <= players."""
    other = seat + steps
    return other - players if other >= players else other


@rule
def steps_left(seat, other, players):
    """How many steps to the left of `seat` the other sits, from 0 to players - 1."""
    steps = other - seat
    return steps + players if steps < 0 else steps
