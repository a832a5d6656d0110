"""The sentences that cost a system most under a metric.

What a sentence costs is how much higher the score of the corpus would be without it, in the metric's own points:
score of all other sentences, less score of all. It is above 0 where a sentence pulls the score down. This holds
for every metric alike, also where the score of the corpus is not a mean of sentence scores: missing three errors in
one sentence costs more M² than missing one.

Of corpora of more than `MOST` sentences only those with the lowest sentence scores are tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gec_core.analysis.resampling import parts
from gec_core.scoring.table import MetricScores
from gec_core.types import Array, Integers

MOST = 2000
LISTED = 20


@dataclass(frozen=True, slots=True)
class CostlySentence:
    """A sentence, what it costs a system, and who did best on it."""

    sentence: int
    cost: float
    score: float
    """The sentence score of the system."""
    best: str
    """Of the systems with the highest sentence score, the first."""
    best_score: float


def costly_sentences(column: MetricScores, system: str, count: int = LISTED) -> list[CostlySentence]:
    """Those that cost most, largest cost first; of equal costs those first on which another system did better by most.

    Those that cost nothing are left out.
    """
    own = column.sentence_scores(system)
    if len(own) < 2:
        return []
    tried = np.sort(np.argsort(own, kind="stable")[:MOST])
    costs = _costs(column, system, tried)
    names = list(column.systems)
    everyone = np.stack([column.sentence_scores(name) for name in names])
    best = np.argmax(everyone, axis=0)
    order = np.lexsort((tried, (own - everyone.max(axis=0))[tried], -costs))[:count]
    found = []
    for place in order.tolist():
        line, cost = int(tried[place]), float(costs[place])
        if cost > 0:
            score, best_score = float(own[line]), float(everyone[best[line], line])
            found.append(CostlySentence(line, cost, score, names[best[line]], best_score))
    return found


def _costs(column: MetricScores, system: str, tried: Integers) -> Array:
    rows = column.systems[system].statistics
    whole = column.metric.resampled(rows, np.ones((1, len(rows))))[0]
    found, start = [], 0
    for size in parts(len(rows), len(tried)):
        counts = np.ones((size, len(rows)))
        counts[np.arange(size), tried[start : start + size]] = 0
        found.append(column.metric.resampled(rows, counts) - whole)
        start += size
    return np.concatenate(found).round(12)
