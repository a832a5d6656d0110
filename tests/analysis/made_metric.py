"""A metric that is the mean of one number per sentence, for tests that compute along."""

import numpy as np
from numpy.typing import ArrayLike

from gec_core.metrics.base import Metric, Score
from gec_core.scoring.table import MetricScores, Scored
from gec_core.types import Array


class Mean(Metric):
    id, name, family, summary, reads = "mean", "Mean", "test", "The mean.", "source"
    averages = True

    def statistics(self, pairs: object) -> list[Array]:
        raise AssertionError("nothing is scored here")

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(statistics.mean()))

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, 0]


def column(metric: Metric | None = None, **systems: ArrayLike) -> MetricScores:
    """Systems under a metric, given by their rows (numbers for the mean)."""
    metric = metric or Mean()
    rows = {name: np.array(given, float) for name, given in systems.items()}
    tables = {name: given if given.ndim == 2 else given[:, None] for name, given in rows.items()}
    return MetricScores(metric, {name: Scored(metric.aggregate(table), table) for name, table in tables.items()})
