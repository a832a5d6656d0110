"""Single sentences: those that cost a system most, and those on which its output differs from a rival's.

The **cost** of a sentence is the score of the corpus without it minus the score with it, in the metric's own points;
it is above 0 where the sentence lowers the score. This holds for every metric alike, also where the corpus score is
not a mean of sentence scores: three missed errors in a sentence cost more M² than one.

**Preferences** between two outputs go by sentence scores; differences below nine digits count as none. The strength
of a metric's preference is on its own scale, as in gec_core.meta.disagreement: the share of all pairs of different
outputs of the corpus that it sets less far apart. Metrics **disagree** on a sentence where one prefers the system and
another the rival; the strength of a disagreement is the smaller of two strengths, those of the strongest preference
on either side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gec_core.analysis.significance import batches
from gec_core.meta.sides import one_of_each, same_outputs, side_of
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Array, Corpus, Integers

TRIED = 2000
"""Of longer corpora, only so many sentences with the lowest sentence scores are tried for their cost."""
LISTED = 20


@dataclass(frozen=True, slots=True)
class CostlySentence:
    """A sentence, its cost to a system, and the best output for it."""

    sentence: int
    cost: float
    score: float
    """The sentence score of the system."""
    best: str
    """The first of the systems with the highest sentence score."""
    best_score: float


@dataclass(frozen=True, slots=True)
class PreferenceCounts:
    """How one metric judges the sentences whose outputs differ."""

    metric: str
    """Its id."""
    better: int
    worse: int
    equal: int


@dataclass(frozen=True, slots=True)
class SentencePreferences:
    """How the metrics judge one sentence on which the two outputs differ."""

    sentence: int
    prefer_system: tuple[str, ...]
    prefer_rival: tuple[str, ...]
    """Ids of metrics; the others see no difference."""
    strength: float
    """Of the disagreement; 0 where all metrics that see a difference agree."""
    firmness: float
    """The mean over all metrics of the strength of their preference for the system (up to 1) or the rival (to -1)."""


@dataclass(frozen=True)
class RivalComparison:
    """All sentences on which the outputs of two systems differ, in the order of the corpus."""

    system: str
    rival: str
    sentences: int
    counts: tuple[PreferenceCounts, ...]
    preferences: tuple[SentencePreferences, ...]

    def disagreements(self, count: int = LISTED) -> list[SentencePreferences]:
        """Sentences on which the metrics disagree, the strongest disagreements first."""
        split = [each for each in self.preferences if each.strength > 0]
        return sorted(split, key=lambda each: (-each.strength, each.sentence))[:count]

    def better(self, count: int) -> list[SentencePreferences]:
        """Sentences on which the metrics prefer the system most strongly."""
        preferred = (each for each in self.preferences if each.firmness > 0)
        return sorted(preferred, key=lambda each: -each.firmness)[:count]

    def worse(self, count: int) -> list[SentencePreferences]:
        """Sentences on which the metrics prefer the rival most strongly."""
        preferred = (each for each in self.preferences if each.firmness < 0)
        return sorted(preferred, key=lambda each: each.firmness)[:count]


def costly_sentences(column: MetricScores, system: str, count: int = LISTED) -> list[CostlySentence]:
    """List the sentences with the highest costs; of equal ones, those where another system is better by most first.

    Sentences without a cost are left out.
    """
    own = column.sentence_scores(system)
    if len(own) < 2:
        return []
    tried = np.sort(np.argsort(own, kind="stable")[:TRIED])
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


def compare_outputs(corpus: Corpus, table: ScoreTable, system: str, rival: str) -> RivalComparison:
    """Compare the outputs of two systems under all metrics of the table."""
    names = list(corpus.systems)
    first, second = names.index(system), names.index(rival)
    ends = np.stack(np.triu_indices(len(names), k=1), axis=1).tolist()
    pair, sign = ends.index(sorted([first, second])), 1 if first < second else -1
    same_as = same_outputs(corpus)
    distinct = one_of_each(same_as)
    preferred, strengths = [], []
    for column in table.columns:
        scores = {name: column.sentence_scores(name) for name in names}
        side = side_of(corpus, same_as, column.metric.id, scores)
        preferred.append(sign * np.sign(side.differences[pair]))
        strengths.append(side.shares(distinct)[pair])
    differ = np.flatnonzero(same_as[first] != same_as[second])
    opinions = np.stack(preferred)[:, differ], np.stack(strengths)[:, differ]
    ids = [column.metric.id for column in table.columns]
    return RivalComparison(
        system, rival, len(corpus), _counts(ids, opinions[0]), _preferences(ids, differ.tolist(), *opinions)
    )


def _costs(column: MetricScores, system: str, tried: Integers) -> Array:
    rows = column.systems[system].statistics
    whole = column.metric.resampled(rows, np.ones((1, len(rows))))[0]
    found, start = [], 0
    for size in batches(len(rows), len(tried)):
        counts = np.ones((size, len(rows)))
        counts[np.arange(size), tried[start : start + size]] = 0
        found.append(column.metric.resampled(rows, counts) - whole)
        start += size
    return np.concatenate(found).round(12)


def _counts(ids: Sequence[str], preferred: Array) -> tuple[PreferenceCounts, ...]:
    """`preferred` has one row per metric: 1 for the system, -1 for the rival, 0 for neither."""
    counts = [[int((row == side).sum()) for side in (1, -1, 0)] for row in preferred]
    return tuple(PreferenceCounts(id, *each) for id, each in zip(ids, counts, strict=True))


def _preferences(
    ids: Sequence[str], sentences: Sequence[int], preferred: Array, strengths: Array
) -> tuple[SentencePreferences, ...]:
    split = np.minimum(*(np.max(strengths, axis=0, where=preferred == side, initial=0.0) for side in (1, -1)))
    means = (preferred * strengths).mean(axis=0)
    found = []
    for place, sentence in enumerate(sentences):
        sides = preferred[:, place].tolist()
        for_system, for_rival = (
            tuple(id for id, side in zip(ids, sides, strict=True) if side == wanted) for wanted in (1, -1)
        )
        found.append(SentencePreferences(sentence, for_system, for_rival, float(split[place]), float(means[place])))
    return tuple(found)
