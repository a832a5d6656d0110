"""Two systems, or two versions of one, sentence by sentence: what changed, and what each metric makes of it.

Better and worse go by sentence scores; differences below nine digits are none. On some sentences the metrics split:
one prefers the system, another the rival. How firmly a metric prefers is told on its own scale, as everywhere here
(gec_core.meta.disagreement): the share of all pairs of different outputs of the corpus that it sets less far apart.
The strength of a split is the smaller of two such shares, the firmest on either side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gec_core.meta.sides import one_of_each, same_outputs, side_of
from gec_core.scoring.table import ScoreTable
from gec_core.types import Array, Corpus

SPLITS = 20


@dataclass(frozen=True, slots=True)
class Tally:
    """One metric's verdict on the sentences whose outputs differ."""

    metric: str
    """Its id."""
    better: int
    worse: int
    equal: int


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the metrics make of one sentence, on which the two outputs differ."""

    sentence: int
    prefer_system: tuple[str, ...]
    prefer_rival: tuple[str, ...]
    """Ids of the metrics; the others see no difference."""
    strength: float
    """Of the split; 0 where all metrics that see a difference agree."""
    firmness: float
    """The mean over all metrics of how firmly they prefer the system (up to 1) or the rival (down to -1)."""


@dataclass(frozen=True)
class Changes:
    """All sentences on which the outputs of two systems differ, in the order of the corpus."""

    system: str
    rival: str
    sentences: int
    tallies: tuple[Tally, ...]
    verdicts: tuple[Verdicts, ...]

    def splits(self, count: int = SPLITS) -> list[Verdicts]:
        """Where the metrics split, the firmest splits first."""
        split = [each for each in self.verdicts if each.strength > 0]
        return sorted(split, key=lambda each: (-each.strength, each.sentence))[:count]

    def better(self, count: int) -> list[Verdicts]:
        """The sentences on which the metrics prefer the system most firmly."""
        return sorted((each for each in self.verdicts if each.firmness > 0), key=lambda each: -each.firmness)[:count]

    def worse(self, count: int) -> list[Verdicts]:
        """The sentences on which they prefer the rival most firmly."""
        return sorted((each for each in self.verdicts if each.firmness < 0), key=lambda each: each.firmness)[:count]


def changes(corpus: Corpus, table: ScoreTable, system: str, rival: str) -> Changes:
    """Compare the outputs of two systems under all metrics of the table."""
    names = list(corpus.systems)
    first, second = names.index(system), names.index(rival)
    ends = np.stack(np.triu_indices(len(names), k=1), axis=1).tolist()
    pair, sign = ends.index(sorted([first, second])), 1 if first < second else -1
    same_as = same_outputs(corpus)
    distinct = one_of_each(same_as)
    preferred, firm = [], []
    for column in table.columns:
        scores = {name: column.sentence_scores(name) for name in names}
        side = side_of(corpus, same_as, column.metric.id, scores)
        preferred.append(sign * np.sign(side.differences[pair]))
        firm.append(side.shares(distinct)[pair])
    differ = np.flatnonzero(same_as[first] != same_as[second])
    opinions = np.stack(preferred)[:, differ], np.stack(firm)[:, differ]
    ids = [column.metric.id for column in table.columns]
    return Changes(system, rival, len(corpus), _tallies(ids, opinions[0]), _verdicts(ids, differ.tolist(), *opinions))


def _tallies(ids: Sequence[str], preferred: Array) -> tuple[Tally, ...]:
    """`preferred` has a row a metric: 1 for the system, -1 for the rival, 0 for neither."""
    counts = [[int((row == side).sum()) for side in (1, -1, 0)] for row in preferred]
    return tuple(Tally(id, *each) for id, each in zip(ids, counts, strict=True))


def _verdicts(ids: Sequence[str], sentences: Sequence[int], preferred: Array, firm: Array) -> tuple[Verdicts, ...]:
    strengths = np.minimum(*(np.max(firm, axis=0, where=preferred == side, initial=0.0) for side in (1, -1)))
    means = (preferred * firm).mean(axis=0)
    found = []
    for place, sentence in enumerate(sentences):
        sides = preferred[:, place].tolist()
        for_system, for_rival = (
            tuple(id for id, side in zip(ids, sides, strict=True) if side == wanted) for wanted in (1, -1)
        )
        found.append(Verdicts(sentence, for_system, for_rival, float(strengths[place]), float(means[place])))
    return tuple(found)
