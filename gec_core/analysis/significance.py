"""What another draw of sentences might have given: intervals of scores and ranks, and two significance tests.

All systems and all metrics see the same samples, so that differences between systems are paired: an easy or a hard
draw of sentences cancels out. A seed gives the same samples every time. No text is scored again; a metric turns rows of
statistics, repeated as often as a sample says, into a score (`Metric.resampled`).

**Intervals** hold the middle 95% of the values in bootstrap samples. The interval of a rank goes from the best to the
worst rank in the middle 95%; equal scores share the better rank.

**Tests** ask how often a difference at least as large as the observed one, δ, occurs where there is none. Both are
two-sided. With b such cases in n samples, p = (b + 1) / (n + 1): the observed difference is one of the possible ones,
so p is never 0, and no p below 1 / (n + 1) can occur.

- Paired bootstrap: sentences are drawn with replacement, the same for both systems, which gives differences δ*. They
  scatter around δ as δ scatters around the true difference; b counts |δ* − δ| >= |δ|.
- Approximate randomisation: if the two systems were one, their outputs could be exchanged. For every sentence a coin
  decides whether they are; b counts |δ'| >= |δ|.

Differences are rounded to nine digits before they are compared, so that the order of a sum makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gec_core.errors import MissingInput, ScoreError
from gec_core.human.ranking import LEVEL, draw_items, item_weights, places
from gec_core.metrics.base import Metric
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Array

SAMPLES = 1000
SEED = 0
DIGITS = 9
ALPHA = 0.05
"""The significance level of verdicts."""
_CELLS = 2_000_000
"""Samples × sentences held in memory at a time."""
Verdict = Literal["better", "worse", "not significant"]


@dataclass(frozen=True, slots=True)
class RankedScore:
    """The score and rank of one system under one metric, with their intervals."""

    system: str
    score: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    systems: int
    """The number of systems ranked."""


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """The difference between the system's score and a rival's under one metric, and its p-values."""

    rival: str
    difference: float
    """The score of the system minus that of the rival."""
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float | None = None
    """None where the test was not made."""

    @property
    def verdict(self) -> Verdict:
        """Better or worse where every test that was made gives p < ALPHA."""
        if any(p is not None and p >= ALPHA for p in (self.p_bootstrap, self.p_randomisation)):
            return "not significant"
        return "better" if self.difference > 0 else "worse"


def keep_resampleable(table: ScoreTable, systems: Iterable[str]) -> ScoreTable:
    """Leave out the metrics whose system scores do not follow from sentences; `problems` says why.

    Raises:
        MissingInput: No metric is left.
    """
    wanted = tuple(systems)
    unfit = {column.metric.id: column.unfit_to_resample(wanted) for column in table.columns}
    kept = tuple(column for column in table.columns if not unfit[column.metric.id])
    problems = {id: problem for id, problem in unfit.items() if problem}
    if not kept:
        told = " ".join(f"{id} is left out. {problem}" for id, problem in problems.items())
        raise MissingInput(f"No metric is left whose scores follow from those of sentences. {told}".strip())
    return replace(table, columns=kept, problems={**table.problems, **problems})


def resampled_scores(column: MetricScores, *, samples: int = SAMPLES, seed: int = SEED) -> Array:
    """Score all systems (columns) on each bootstrap sample (rows)."""
    if problem := column.unfit_to_resample(column.systems):
        raise ScoreError(f"{column.metric.name}: {problem}")
    statistics = [scored.statistics for scored in column.systems.values()]
    return np.concatenate(
        [
            np.stack([column.metric.resampled(rows, counts) for rows in statistics], axis=1)
            for counts in _draws(len(statistics[0]), samples, seed)
        ]
    )


def ranked_scores(column: MetricScores, samples: Array) -> list[RankedScore]:
    """Rank all systems under a metric, best first; `samples` are their scores on bootstrap samples."""
    values = column.values
    ranks = places(np.array(list(values.values()))).tolist()
    drawn = places(samples)
    best = np.quantile(drawn, (1 - LEVEL) / 2, axis=0, method="lower").astype(int).tolist()
    worst = np.quantile(drawn, (1 + LEVEL) / 2, axis=0, method="higher").astype(int).tolist()
    found = []
    for place, (system, score) in enumerate(values.items()):
        low, high = np.quantile(samples[:, place], [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
        found.append(RankedScore(system, score, low, high, ranks[place], best[place], worst[place], len(values)))
    return sorted(found, key=lambda row: (row.rank, row.system))


def paired_bootstrap(column: MetricScores, samples: Array, system: str) -> list[ScoreDifference]:
    """Test the system against every other one; `samples` are the scores of all on bootstrap samples."""
    values = column.values
    drawn = dict(zip(values, samples.T, strict=True))
    # The samples do not always scatter around the score: GLEU draws references for the score, but not for samples.
    centres = {name: _on_all_sentences(column, name) for name in values}
    found = []
    for rival in values:
        if rival != system:
            differences, centre = drawn[system] - drawn[rival], centres[system] - centres[rival]
            low, high = np.quantile(differences, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
            observed, p = values[system] - values[rival], p_value(differences - centre, centre)
            found.append(ScoreDifference(rival, observed, low, high, p))
    return found


def randomisation(column: MetricScores, system: str, rival: str, *, samples: int = SAMPLES, seed: int = SEED) -> float:
    """The p-value of approximate randomisation."""
    one, other = (column.systems[name].statistics for name in (system, rival))
    differences = []
    for exchanged in _exchanges(len(one), samples, seed):
        first, second = exchanged_scores(column.metric, one, other, exchanged)
        differences.append(first - second)
    unchanged = exchanged_scores(column.metric, one, other, np.zeros((1, len(one))))
    return p_value(np.concatenate(differences), float(unchanged[0][0] - unchanged[1][0]))


def p_value(differences: Array, observed: float) -> float:
    """(b + 1) / (n + 1), where b of n differences are at least as large as the observed one in absolute value.

    A difference that is not a number (a metric without a score for a sample) counts as large.
    """
    sizes, size = np.abs(differences).round(DIGITS), round(abs(observed), DIGITS)
    return (int(np.sum(~(sizes < size))) + 1) / (len(sizes) + 1)


def exchanged_scores(metric: Metric, one: Array, other: Array, exchanged: Array) -> tuple[Array, Array]:
    """Score two systems after some of their outputs have been exchanged.

    The rows of both systems alternate in one table, of which each sample takes one per sentence: sentences stay in the
    order of the corpus, which matters to metrics that choose annotators along it.

    Args:
        one: Statistics of the first system, one row per sentence.
        other: Statistics of the second system.
        exchanged: One row per sample, 1 where the outputs of a sentence are exchanged and 0 elsewhere.
    """
    both = _alternating(one, other)
    takes = np.stack([1 - exchanged, exchanged], axis=2)
    size = len(exchanged)
    return (
        metric.resampled(both, takes.reshape(size, -1)),
        metric.resampled(both, takes[:, :, ::-1].reshape(size, -1)),
    )


def batches(items: int, samples: int) -> list[int]:
    """The number of samples in each batch; all samples of a large corpus at once would not fit into memory."""
    if samples < 1:
        raise ScoreError(f"A significance test or an interval needs at least one sample, not {samples}.")
    size = max(1, min(samples, _CELLS // max(items, 1)))
    return [min(size, samples - start) for start in range(0, samples, size)]


def _draws(items: int, samples: int, seed: int) -> Iterator[Array]:
    """How often each sentence occurs in each bootstrap sample, batch by batch."""
    sizes = batches(items, samples)
    if len(sizes) == 1:
        yield item_weights(items, samples, seed)  # cached: every metric asks for the same
        return
    generator = np.random.default_rng(seed)
    for size in sizes:
        yield draw_items(generator, items, size)


def _exchanges(items: int, samples: int, seed: int) -> Iterator[Array]:
    """Whether the two outputs of each sentence are exchanged in each sample (1 or 0), batch by batch."""
    generator = np.random.default_rng([seed, 1])  # other numbers than the bootstrap's
    for size in batches(items, samples):
        yield generator.integers(2, size=(size, items)).astype(np.float64)


def _alternating(one: Array, other: Array) -> Array:
    """Rows of two tables in turn; short ones are filled up with NaN."""
    width = max(one.shape[1], other.shape[1])
    table = np.full((len(one), 2, width), np.nan)
    table[:, 0, : one.shape[1]] = one
    table[:, 1, : other.shape[1]] = other
    return table.reshape(-1, width)


def _on_all_sentences(column: MetricScores, system: str) -> float:
    rows = column.systems[system].statistics
    return float(column.metric.resampled(rows, np.ones((1, len(rows))))[0])
