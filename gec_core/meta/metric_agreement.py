"""Metric against metric: how alike do two of them order systems, and outputs of one sentence?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gec_core.errors import ScoreError
from gec_core.human.pairs import Array, relation, score_table
from gec_core.meta.correlation import Correlation, Scores, correlate


@dataclass(frozen=True, slots=True)
class OrderAgreement:
    """Pairs that two metrics order, counted by what they make of them."""

    alike: int
    opposed: int
    """Each prefers the other one."""
    one_tied: int
    """Only one of the metrics has a preference."""
    both_tied: int

    @property
    def pairs(self) -> int:
        return self.alike + self.opposed + self.one_tied + self.both_tied

    @property
    def opposed_share(self) -> float | None:
        """The share of all pairs that the metrics order in opposite ways; None without pairs."""
        return self.opposed / self.pairs if self.pairs else None


@dataclass(frozen=True, slots=True)
class SystemAgreement:
    """Two metrics over whole systems."""

    spearman: Correlation
    kendall: Correlation
    order: OrderAgreement


def system_agreement(one: Scores, other: Scores) -> SystemAgreement:
    """How alike two metrics rank the systems that both score."""
    systems = sorted(set(one) & set(other))
    first, second = (np.array([[scores[name]] for name in systems]).reshape(-1, 1) for scores in (one, other))
    return SystemAgreement(
        correlate(one, other, "spearman"), correlate(one, other, "kendall"), _order_agreement(first, second)
    )


def sentence_agreement(one: Mapping[str, ArrayLike], other: Mapping[str, ArrayLike]) -> OrderAgreement:
    """How alike two metrics order every two systems on every sentence."""
    systems = sorted(set(one) & set(other))
    first, second = score_table(one, systems), score_table(other, systems)
    if first.shape != second.shape:
        raise ScoreError(
            f"One metric has scores of {first.shape[1]} sentences, the other of {second.shape[1]}: "
            "they cannot be about the same corpus."
        )
    return _order_agreement(first, second)


def _order_agreement(one: Array, other: Array) -> OrderAgreement:
    """Tables with a row a system: every two rows are compared in every column."""
    left, right = np.triu_indices(len(one), k=1)
    first, second = (relation(table[left], table[right]) for table in (one, other))
    product, untied = first * second, np.abs(first) + np.abs(second)
    return OrderAgreement(
        alike=int((product > 0).sum()),
        opposed=int((product < 0).sum()),
        one_tied=int((untied == 1).sum()),
        both_tied=int((untied == 0).sum()),
    )
