"""Intervals by bootstrap."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000
AT_ONCE = 1 << 20  # values drawn in one block
BETA_DRAWS = 20_000
LOW, HIGH = 0.025, 0.975


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def bootstrap(values: np.ndarray, low: float = -math.inf, high: float = math.inf) -> Interval:
    """The mean of independent `values` [n] with its 95 % percentile interval over 2,000 resamples; always the same for the same values.

    `low` and `high` are the least and the largest that a value can be, where there are such: 0 and 1 of a share per
    deal. Resampling then tells too little near them (a victory that 50 deals have not shown is in none of their
    resamples), so the interval is widened to reach as far as the exact binomial one (Clopper and Pearson) of as many
    trials as would be as certain as the values are: n m (1 - m) / variance, m the mean on the scale from `low` to
    `high` (Korn and Graubard, 1998). For mean and variance one deal at `low` and one at `high` are added.
    """
    n, mean = len(values), float(values.mean())
    random = np.random.default_rng(0)
    rows = max(1, AT_ONCE // n)
    means = np.sort(
        np.concatenate(
            [values[random.integers(0, n, (min(rows, RESAMPLES - at), n))].mean(1) for at in range(0, RESAMPLES, rows)]
        )
    )
    least, most = float(means[int(LOW * RESAMPLES)]), float(means[int(HIGH * RESAMPLES) - 1])
    if math.isfinite(low) and math.isfinite(high):
        below, above = _binomial((values - low) / (high - low))
        least, most = min(least, low + (high - low) * below), max(most, low + (high - low) * above)
    return Interval(mean, least, most)


def _binomial(shares: np.ndarray) -> tuple[float, float]:
    """The Clopper-Pearson interval of the mean of `shares` [n] in 0..1, by their effective number of trials.

    Its ends are quantiles of beta distributions, drawn and not computed: 20,000 draws are off by 0.001 in probability.
    """
    padded = np.append(shares, (0.0, 1.0))
    trials = len(shares) * max(1.0, padded.mean() * (1 - padded.mean()) / padded.var())
    won = min(max(shares.mean() * trials, 0.0), trials)
    random = np.random.default_rng(0)
    below = 0.0 if won == 0 else float(np.quantile(random.beta(won, trials - won + 1, BETA_DRAWS), LOW))
    above = 1.0 if won == trials else float(np.quantile(random.beta(won + 1, trials - won, BETA_DRAWS), HIGH))
    return below, above


def mean_of(intervals: Sequence[Interval]) -> Interval:
    """The mean of independent figures, each with its interval: their half-widths add up as standard errors do."""
    n = len(intervals)
    mean = sum(one.mean for one in intervals) / n
    below = math.hypot(*(one.mean - one.low for one in intervals)) / n
    above = math.hypot(*(one.high - one.mean for one in intervals)) / n
    return Interval(mean, mean - below, mean + above)
