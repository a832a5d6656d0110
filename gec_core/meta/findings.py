"""Findings about a corpus for its overview: the largest disagreements between metrics, and with people.

Each finding is a value with the figures behind it. None means that there is nothing to find: a single metric, no
human ranking, no disagreement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gec_core.meta.agreement import RankDifference, SystemAgreement, rank_differences, system_agreement
from gec_core.meta.correlation import Scores, correlate
from gec_core.types import Array


@dataclass(frozen=True, slots=True)
class OpposedMetrics:
    """The two metrics that rank the systems least alike."""

    one: str
    other: str
    agreement: SystemAgreement


@dataclass(frozen=True, slots=True)
class ContestedSystem:
    """The system whose rank by a metric is farthest from its human rank."""

    metric: str
    difference: RankDifference
    systems: int
    """The number of systems that both rank."""


@dataclass(frozen=True, slots=True)
class SplitSentence:
    """The sentence on which metrics contradict one another most.

    For every two outputs, each metric that prefers one is paired with each metric that prefers the other.
    """

    sentence: int
    better: str
    worse: str
    """The two outputs that split the metrics most evenly."""
    for_better: tuple[str, ...]
    for_worse: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FragileCorrelation:
    """The metric whose correlation with people depends most on a single system."""

    metric: str
    value: float
    system: str
    value_without: float


@dataclass(frozen=True, slots=True)
class Swap:
    """Two systems that two sides put in opposite orders."""

    sides: tuple[str, str]
    systems: tuple[str, str]
    """The first one is ahead under the first side, behind under the second."""
    strength: float
    """The smaller of the two differences, each in standard deviations of the side's scores over the systems."""


def swaps(
    scores: Mapping[str, Scores], sides: Iterable[tuple[str, str]] | None = None, among: Collection[str] = ()
) -> list[Swap]:
    """All swaps, the clearest first.

    Args:
        scores: The scores of the systems by side: metrics, and people's.
        sides: The pairs of sides to compare; all if None.
        among: Only swaps that involve all of these systems, at most two.
    """
    spread = {side: float(np.std(list(values.values()))) for side, values in scores.items() if values}
    found = []
    for one, other in combinations(scores, 2) if sides is None else sides:
        if not spread.get(one) or not spread.get(other):
            continue
        known = [system for system in scores[one] if system in scores[other]]
        for a, b in combinations(known, 2):
            if not set(among) <= {a, b}:
                continue
            first, second = ((scores[side][a] - scores[side][b]) / spread[side] for side in (one, other))
            if first * second < 0:
                systems = (a, b) if first > 0 else (b, a)
                found.append(Swap((one, other), systems, min(abs(first), abs(second))))
    return sorted(found, key=lambda swap: -swap.strength)


def most_opposed_metrics(scores: Mapping[str, Scores]) -> OpposedMetrics | None:
    """The two metrics with the lowest rank correlation; of equal ones, those that order more pairs oppositely."""
    found = []
    for one, other in combinations(scores, 2):
        agreement = system_agreement(scores[one], scores[other])
        if agreement.spearman.value is not None:
            found.append((agreement.spearman.value, -agreement.order.opposed, one, other, agreement))
    if not found:
        return None
    _, _, one, other, agreement = min(found, key=lambda row: row[:4])
    return OpposedMetrics(one, other, agreement)


def most_contested_system(scores: Mapping[str, Scores], human: Scores) -> ContestedSystem | None:
    """The system with the largest distance between a metric's rank and the human rank."""
    compared = {metric: rank_differences(values, human).rows for metric, values in scores.items()}
    found = [ContestedSystem(metric, row, len(rows)) for metric, rows in compared.items() for row in rows]
    contested = [one for one in found if one.difference.raised]
    return max(contested, key=lambda one: abs(one.difference.raised), default=None)


def split_sentence(scores: Mapping[str, Mapping[str, Array]]) -> SplitSentence | None:
    """The sentence that splits the metrics; `scores` are sentence scores by metric and system."""
    metrics = list(scores)
    if len(metrics) < 2:
        return None
    systems = list(scores[metrics[0]])
    pairs = list(combinations(range(len(systems)), 2))
    if not pairs:
        return None
    first, second = np.array(pairs).T
    table = np.array([[scores[metric][system] for system in systems] for metric in metrics])
    preferred = np.sign(table[:, first] - table[:, second]).astype(np.int8)
    contradictions = (preferred > 0).sum(axis=0) * (preferred < 0).sum(axis=0)
    by_sentence = contradictions.sum(axis=0)
    sentence = int(np.argmax(by_sentence))
    if not by_sentence[sentence]:
        return None
    pair = int(np.argmax(contradictions[:, sentence]))
    sides = preferred[:, pair, sentence]
    return SplitSentence(
        sentence,
        systems[first[pair]],
        systems[second[pair]],
        tuple(metric for metric, side in zip(metrics, sides, strict=True) if side > 0),
        tuple(metric for metric, side in zip(metrics, sides, strict=True) if side < 0),
    )


def most_fragile_correlation(scores: Mapping[str, Scores], human: Scores) -> FragileCorrelation | None:
    """The metric whose Pearson correlation moves most when one system is left out."""
    wholes = {metric: correlate(values, human, "pearson") for metric, values in scores.items()}
    found = [
        FragileCorrelation(metric, whole.value, end.system, end.value)
        for metric, whole in wholes.items()
        for end in (whole.leave_one_out().low, whole.leave_one_out().high)
        if whole.value is not None and end is not None
    ]
    return max(found, key=lambda one: abs(one.value - one.value_without), default=None)
