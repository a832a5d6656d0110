"""Bootstrap over items: samples as weights, and percentile intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gec_core.errors import ScoreError
from gec_core.types import Array

LEVEL = 0.95
"""The share of the samples that an interval covers."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of a statistic in the middle `level` of bootstrap samples; None where no sample defines it."""

    low: float | None
    high: float | None
    level: float
    samples: int
    skipped: int = 0
    """Samples in which the statistic was not defined, such as a correlation of constant scores."""


def interval(values: Array, *, level: float = LEVEL) -> Interval:
    """The percentile interval of a statistic from its values in all samples, NaN where it is not defined."""
    defined = values[~np.isnan(values)]
    skipped = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, level, len(values), skipped)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, len(values), skipped)


@lru_cache(maxsize=1)
def item_weights(items: int, samples: int, seed: int) -> Array:
    """The count of each item in each bootstrap sample, one row per sample.

    Any sum over items is then `weights @ sums_per_item`, for all samples at once. The table is cached, since
    many statistics use the same samples, and is therefore read-only.
    """
    if samples < 1:
        raise ScoreError(f"A bootstrap needs at least one sample, not {samples}.")
    weights = draw_items(np.random.default_rng(seed), items, samples)
    weights.setflags(write=False)
    return weights


def draw_items(generator: np.random.Generator, items: int, samples: int) -> Array:
    """A table of weights as of `item_weights`, drawn by this generator."""
    drawn = generator.integers(items, size=(samples, items)) if items else np.empty((samples, 0))
    cells = (drawn + np.arange(samples)[:, None] * items).ravel().astype(np.int64)
    return np.bincount(cells, minlength=samples * items).reshape(samples, items).astype(np.float64)
