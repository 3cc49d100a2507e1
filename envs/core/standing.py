"""Who is ahead."""

import numpy as np

from handfast.envs.core.compiling import rule


@rule
def mark_highest(keys, players, out):
    """Mark in `out` every seat whose key is the highest: the winner, or those who share.

    A game with tie-breaks puts them all into one whole number a seat, the first criterion weighing most.
    """
    best = keys[0]
    for seat in range(1, players):
        best = max(best, keys[seat])
    for seat in range(players):
        out[seat] = np.int8(keys[seat] == best)
