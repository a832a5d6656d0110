"""Whether the difference between two systems could be chance: two paired tests on sentence statistics.

Both ask how often a difference at least as large in size as the one observed, δ, turns up where there is none, and
both are two-sided. With b such cases in n samples, p = (b + 1) / (n + 1): the observed case is one of those that
chance could have given, so p is never 0, and a test with n samples cannot say less than 1 / (n + 1).

- **Paired bootstrap.** Sentences are drawn with replacement, the same for both systems, which gives differences δ*.
  They scatter around δ as δ would scatter around the true difference; so b counts |δ* − δ| >= |δ|. The interval of
  the difference is the middle 95% of the δ*.
- **Approximate randomisation.** If the two systems were one, it would not matter whose output is whose: for every
  sentence a coin decides whether the two outputs are exchanged; b counts |δ'| >= |δ|.

Differences are rounded to nine digits before they are compared, so that sums in another order are not a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gec_core.analysis.resampling import SAMPLES, SEED, swapped_scores, swaps
from gec_core.human.bootstrap import LEVEL
from gec_core.scoring.table import MetricScores
from gec_core.types import Array

DIGITS = 9
ALPHA = 0.05
"""The level of significance that verdicts go by."""
Verdict = Literal["better", "worse", "not settled"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How far the system is ahead of a rival under one metric, and whether that could be chance."""

    rival: str
    difference: float
    """The score of the system less that of the rival."""
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float | None = None
    """None where the test was not made."""

    @property
    def verdict(self) -> Verdict:
        """Settled where all tests that were made give p < ALPHA."""
        if any(p is not None and p >= ALPHA for p in (self.p_bootstrap, self.p_randomisation)):
            return "not settled"
        return "better" if self.difference > 0 else "worse"


def paired_bootstrap(column: MetricScores, samples: Array, system: str) -> list[Difference]:
    """The system against every other one; `samples` are the scores of all on bootstrap samples."""
    values = column.values
    drawn = dict(zip(values, samples.T, strict=True))
    # What the samples scatter around is not always the score: GLEU draws references for that, but not for these.
    centres = {name: _on_all_sentences(column, name) for name in values}
    found = []
    for rival in values:
        if rival != system:
            differences, centre = drawn[system] - drawn[rival], centres[system] - centres[rival]
            low, high = np.quantile(differences, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
            observed, p = values[system] - values[rival], p_value(differences - centre, centre)
            found.append(Difference(rival, observed, low, high, p))
    return found


def randomisation(column: MetricScores, system: str, rival: str, *, samples: int = SAMPLES, seed: int = SEED) -> float:
    """The p-value of approximate randomisation."""
    one, other = (column.systems[name].statistics for name in (system, rival))
    differences = []
    for exchanged in swaps(len(one), samples, seed):
        first, second = swapped_scores(column.metric, one, other, exchanged)
        differences.append(first - second)
    unchanged = swapped_scores(column.metric, one, other, np.zeros((1, len(one))))
    return p_value(np.concatenate(differences), float(unchanged[0][0] - unchanged[1][0]))


def p_value(differences: Array, observed: float) -> float:
    """(b + 1) / (n + 1), where b of n differences are at least as large in size as the observed one.

    A difference that is not a number (a metric without a score for a sample) is not known to be smaller, so it counts.
    """
    sizes, size = np.abs(differences).round(DIGITS), round(abs(observed), DIGITS)
    return (int(np.sum(~(sizes < size))) + 1) / (len(sizes) + 1)


def _on_all_sentences(column: MetricScores, system: str) -> float:
    rows = column.systems[system].statistics
    return float(column.metric.resampled(rows, np.ones((1, len(rows))))[0])
