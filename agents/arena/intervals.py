"""Intervals by bootstrap."""

from typing import NamedTuple

import numpy as np

RESAMPLES = 2000


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def bootstrap(values: np.ndarray) -> Interval:
    """The mean of independent `values` [n] with its 95 % percentile interval over 2,000 resamples; always the same for the same values."""
    draws = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    means = np.sort(values[draws].mean(1))
    return Interval(
        float(values.mean()), float(means[int(0.025 * RESAMPLES)]), float(means[int(0.975 * RESAMPLES) - 1])
    )
