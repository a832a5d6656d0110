"""Samples of the sentences of a corpus, and the scores of systems on each of them.

All systems and all metrics see the same samples, so that differences between systems are paired: what is due to
an easy or a hard draw of sentences cancels out. Samples come in parts, since those of a large corpus would fill the
memory; a seed gives the same samples every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from gec_core.errors import MissingInput, ScoreError
from gec_core.human.bootstrap import draw_items, item_weights
from gec_core.metrics.base import Metric
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Array

SAMPLES = 1000
SEED = 0
_CELLS = 2_000_000
"""Samples × sentences in a part."""


def parts(items: int, samples: int) -> list[int]:
    """How many of the samples belong to each part."""
    if samples < 1:
        raise ScoreError(f"A significance test or an interval needs at least one sample, not {samples}.")
    size = max(1, min(samples, _CELLS // max(items, 1)))
    return [min(size, samples - start) for start in range(0, samples, size)]


def draws(items: int, samples: int, seed: int) -> Iterator[Array]:
    """How often each sentence occurs in each bootstrap sample, part by part."""
    sizes = parts(items, samples)
    if len(sizes) == 1:
        yield item_weights(items, samples, seed)  # kept, as many metrics ask for the same
        return
    generator = np.random.default_rng(seed)
    for size in sizes:
        yield draw_items(generator, items, size)


def swaps(items: int, samples: int, seed: int) -> Iterator[Array]:
    """Whether the two outputs of each sentence are exchanged in each sample, part by part: 1 or 0."""
    generator = np.random.default_rng([seed, 1])  # not the numbers that the bootstrap gets
    for size in parts(items, samples):
        yield generator.integers(2, size=(size, items)).astype(np.float64)


def fit_to_resample(table: ScoreTable, systems: Iterable[str]) -> ScoreTable:
    """The table without metrics whose scores of these systems samples say nothing about; `problems` says why."""
    wanted = tuple(systems)
    unfit = {column.metric.id: column.unfit_to_resample(wanted) for column in table.columns}
    kept = tuple(column for column in table.columns if not unfit[column.metric.id])
    problems = {id: problem for id, problem in unfit.items() if problem}
    if not kept:
        told = " ".join(f"{id} is left out. {problem}" for id, problem in problems.items())
        raise MissingInput(f"No metric is left whose scores follow from those of sentences. {told}".strip())
    return replace(table, columns=kept, problems={**table.problems, **problems})


def resampled_scores(column: MetricScores, *, samples: int = SAMPLES, seed: int = SEED) -> Array:
    """The scores of all systems (columns) on each sample (rows)."""
    if problem := column.unfit_to_resample(column.systems):
        raise ScoreError(f"{column.metric.name}: {problem}")
    statistics = [scored.statistics for scored in column.systems.values()]
    return np.concatenate(
        [
            np.stack([column.metric.resampled(rows, counts) for rows in statistics], axis=1)
            for counts in draws(len(statistics[0]), samples, seed)
        ]
    )


def swapped_scores(metric: Metric, one: Array, other: Array, exchanged: Array) -> tuple[Array, Array]:
    """The scores of two systems after some of their outputs have been exchanged: a row a sample, 1 for exchanged.

    The rows of both stand alternately in one table, of which each sample takes one a sentence; so sentences stay in
    the order of the corpus, which matters to metrics that choose annotators along it.
    """
    both = alternating(one, other)
    takes = np.stack([1 - exchanged, exchanged], axis=2)
    size = len(exchanged)
    return (
        metric.resampled(both, takes.reshape(size, -1)),
        metric.resampled(both, takes[:, :, ::-1].reshape(size, -1)),
    )


def alternating(one: Array, other: Array) -> Array:
    """Rows of two tables in turn; short ones are filled up with NaN."""
    width = max(one.shape[1], other.shape[1])
    table = np.full((len(one), 2, width), np.nan)
    table[:, 0, : one.shape[1]] = one
    table[:, 1, : other.shape[1]] = other
    return table.reshape(-1, width)
