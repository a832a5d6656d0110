"""Resampling: how much a figure depends on which items happened to be judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import ScoreError

Array = NDArray[np.float64]

LEVEL = 0.95
"""The share of the samples that an interval covers."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a figure lies in the middle `level` of bootstrap samples; None where no sample defines it."""

    low: float | None
    high: float | None
    level: float
    samples: int
    skipped: int = 0
    """Samples in which the figure was not defined: a correlation of constant scores, say."""


def interval(values: Array, *, level: float = LEVEL) -> Interval:
    """The percentile interval of the values of a figure in all samples, NaN where it is not defined."""
    defined = values[~np.isnan(values)]
    skipped = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, level, len(values), skipped)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, len(values), skipped)


@lru_cache(maxsize=1)
def item_weights(items: int, samples: int, seed: int) -> Array:
    """How often each item occurs in each sample of as many items, drawn with replacement: a row a sample.

    Any sum over items is then `weights @ sums_per_item`, for all samples at once. The table is kept, as
    many statistics are asked of the same samples, and is read-only for that reason.
    """
    if samples < 1:
        raise ScoreError(f"A bootstrap needs at least one sample, not {samples}.")
    weights = draw_items(np.random.default_rng(seed), items, samples)
    weights.setflags(write=False)
    return weights


def draw_items(generator: np.random.Generator, items: int, samples: int) -> Array:
    """Such a table, drawn by this generator."""
    drawn = generator.integers(items, size=(samples, items)) if items else np.empty((samples, 0))
    cells = (drawn + np.arange(samples)[:, None] * items).ravel().astype(np.int64)
    return np.bincount(cells, minlength=samples * items).reshape(samples, items).astype(np.float64)
