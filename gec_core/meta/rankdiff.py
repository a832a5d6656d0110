"""Ranks of systems by a metric beside those by people, as in Table 6 of Gong et al. 2022.

That table prints, for each system, the distance to the *nearer* of its two human ranks, by Expected Wins
and by TrueSkill, and sums these (53, 27, 21 and 12; against Expected Wins alone it would be 56, 32, 24
and 14). So several human rankings can be given here, and the nearest counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gec_core.human.ranking import places
from gec_core.meta.correlation import Scores, common_systems


@dataclass(frozen=True, slots=True)
class RankDifference:
    """One system's rank by the metric and by people; systems with the same score share the better rank."""

    system: str
    metric_rank: int
    human_ranks: tuple[int, ...]
    """One for each human ranking, in the order in which they were given."""

    @property
    def raised(self) -> int:
        """By how many ranks the metric puts it higher than people do, those nearest to it; negative if lower."""
        return min((rank - self.metric_rank for rank in self.human_ranks), key=abs)

    @property
    def arrow(self) -> str:
        """↑2: two ranks higher than people put it, ↓2: two lower, ✓: the same rank."""
        if not self.raised:
            return "✓"
        return f"{'↑' if self.raised > 0 else '↓'}{abs(self.raised)}"


@dataclass(frozen=True)
class RankDifferences:
    """All systems that everybody ranks, in the order of the metric."""

    rows: tuple[RankDifference, ...]

    @property
    def total(self) -> int:
        """The sum of the differences without their signs: 0 if the metric ranks as people do."""
        return sum(abs(row.raised) for row in self.rows)


def rank_differences(metric: Scores, human: Scores, *more: Scores) -> RankDifferences:
    """The rankings of the systems that all score, side by side; one or more by people."""
    systems = common_systems(human, metric, *more)
    ranks = [places(np.array([scores[name] for name in systems])) for scores in (metric, human, *more)]
    rows = [
        RankDifference(name, int(one), tuple(map(int, others)))
        for name, one, *others in zip(systems, *ranks, strict=True)
    ]
    return RankDifferences(tuple(sorted(rows, key=lambda row: (row.metric_rank, row.system))))
