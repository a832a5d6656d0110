"""Where a system stands: its score and rank under each metric, with what another draw of sentences might have given.

Intervals are percentile intervals of a bootstrap over sentences, at 95%. A rank interval is the best and the worst
rank in the middle 95% of the samples; equal scores share the better rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gec_core.human.bootstrap import LEVEL
from gec_core.human.ranking import places
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Array


@dataclass(frozen=True, slots=True)
class Standing:
    """One system under one metric."""

    system: str
    score: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    systems: int
    """How many systems there are."""


def standings(column: MetricScores, samples: Array) -> list[Standing]:
    """All systems under a metric, best first; `samples` are their scores on bootstrap samples."""
    values = column.values
    ranks = places(np.array(list(values.values()))).tolist()
    drawn = places(samples)
    best = np.quantile(drawn, (1 - LEVEL) / 2, axis=0, method="lower").astype(int).tolist()
    worst = np.quantile(drawn, (1 + LEVEL) / 2, axis=0, method="higher").astype(int).tolist()
    found = []
    for place, (system, score) in enumerate(values.items()):
        low, high = np.quantile(samples[:, place], [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
        row = Standing(system, score, low, high, ranks[place], best[place], worst[place], len(values))
        found.append(row)
    return sorted(found, key=lambda row: (row.rank, row.system))


def usual_rival(table: ScoreTable, system: str) -> str | None:
    """The system to compare with unless told otherwise: of the others, the one with the best mean rank."""
    others = [name for name in table.columns[0].systems if name != system]
    ranks = np.mean([places(np.array([column.values[name] for name in others])) for column in table.columns], axis=0)
    return others[int(np.argmin(ranks))] if others else None
