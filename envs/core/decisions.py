"""Decisions as agents take them, one or many."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from handfast.envs.core.game import Game


@dataclass(frozen=True)
class Decisions:
    """`n` decisions at hand in games of one kind, each of the seat to move, from what that seat knows.

    `views` records [n]; `seats` int32 [n]; `masks` int8 [n, actions], 1 where an action is legal; `features` int8
    [n, features]; `keys` uint64 [n], a uniform random number for each decision: an agent that takes all its luck
    from it plays the same alone and among others.
    """

    game: Game
    views: np.ndarray
    seats: np.ndarray
    masks: np.ndarray
    features: np.ndarray
    keys: np.ndarray

    def __len__(self) -> int:
        return len(self.seats)


Agent = Callable[[Decisions], np.ndarray]
"""An agent: takes `n` decisions, gives `n` legal actions, int64 [n]."""


def random_agent(decisions: Decisions) -> np.ndarray:
    """Any legal action, each as likely; the same choice that the compiled batch takes at random."""
    choices = decisions.masks.sum(1, dtype=np.int64)
    with np.errstate(over="ignore"):
        left = ((decisions.keys >> np.uint64(32)) * choices.astype(np.uint64) >> np.uint64(32)).astype(np.int64)
    return np.argmax(np.cumsum(decisions.masks, axis=1, dtype=np.int64) > left[:, None], axis=1)
