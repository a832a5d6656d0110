"""Pairs of systems made from rankings: the input of every statistic on human judgments.

A judge ranked up to five outputs; a place of that ranking may belong to several systems with the same
output. There are two common ways to make pairs of it (Chollampatt and Ng 2018):

* `expanded`: all pairs of systems. Systems that share a place are tied, with identical output.
* `unexpanded`: one system represents each place, so there are no trivial ties.

Items are in the order of the file, systems within an item in alphabetical order, pairs in the order of
`itertools.combinations`. That is also the order of the pairs released with the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from gec_core.errors import CorpusError, ScoreError
from gec_core.types import Array, Flags, Integers, Judgments, Ratings

FIRST_BETTER, TIE, SECOND_BETTER = -1, 0, 1
_COLUMNS = ("item", "sentence", "judge", "first", "second", "relation", "identical")


@dataclass(frozen=True, eq=False)
class Pairs:
    """Comparisons of two systems on one sentence, as columns; names are given by index."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    items: int
    """The number of rankings, those without any pair included: a bootstrap draws from them."""
    item: Integers
    sentence: Integers
    judge: Integers
    first: Integers
    second: Integers
    relation: Integers
    """-1 where the first system is better, 1 where the second is, 0 for a tie."""
    identical: Flags
    """Whether the two outputs are the same text, so that the tie is not an opinion of the judge."""

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            getattr(self, name).setflags(write=False)

    def __len__(self) -> int:
        return len(self.item)

    @property
    def ties(self) -> int:
        return int(np.count_nonzero(self.relation == TIE))

    def among(self, systems: Iterable[str]) -> Pairs:
        """The pairs of which both systems are among these.

        Unexpanded pairs are made from `Judgments.among` instead: a place is represented by a system that is among them.
        """
        wanted = np.isin(self.systems, list(systems))
        return self.where(wanted[self.first] & wanted[self.second])

    def where(self, keep: Flags) -> Pairs:
        """The pairs that `keep` marks; items, systems and judges keep their indices."""
        return replace(self, **{name: getattr(self, name)[keep] for name in _COLUMNS})


def expanded(judgments: Judgments) -> Pairs:
    """All pairs of systems within each item."""
    return _pairs(judgments, [[place.systems for place in item.ranked] for item in judgments.items])


def unexpanded(judgments: Judgments, *, seed: int | None = None) -> Pairs:
    """All pairs of places within each item, each place represented by one of its systems.

    By default that is the first one named: the pairs are always the same, and two judges who saw the
    same two outputs compare the same two systems. With a seed it is drawn at random, as for
    the pairs released with Chollampatt and Ng 2018. Identical outputs have equal scores, so the choice does
    not matter to a sentence-level statistic, unless it depends on which system comes first (as SEEDA's does).
    """
    if seed is None:
        chosen = [[place.systems[:1] for place in item.ranked] for item in judgments.items]
    else:
        draw = np.random.default_rng(seed).integers
        chosen = [[(place.systems[draw(len(place.systems))],) for place in item.ranked] for item in judgments.items]
    return _pairs(judgments, chosen)


def from_scores(scores: Mapping[str, ArrayLike]) -> Pairs:
    """The pairs of a metric treated as a judge, who compares all systems on every sentence; higher is better."""
    systems = tuple(sorted(scores))
    table = score_table(scores, systems)
    first, second = np.triu_indices(len(systems), k=1)
    sentences = table.shape[1]
    sentence = np.repeat(np.arange(sentences), len(first))
    return Pairs(
        systems=systems,
        judges=("metric",),
        items=sentences,
        item=sentence,
        sentence=sentence,
        judge=np.zeros_like(sentence),
        first=np.tile(first, sentences),
        second=np.tile(second, sentences),
        relation=relation(table[first], table[second]).T.ravel(),
        identical=np.zeros(len(sentence), dtype=np.bool_),
    )


def from_ratings(ratings: Ratings, threshold: float = 0.0) -> Pairs:
    """The pairs of all rated outputs of each sentence; ratings that differ by at most `threshold` are tied."""
    systems = tuple(sorted(ratings.systems))
    table = ratings.values[[ratings.systems.index(name) for name in systems]]
    first, second = np.triu_indices(len(systems), k=1)
    difference = (table[second] - table[first]).T.ravel()
    rated = ~np.isnan(difference)
    sentences = table.shape[1]
    sentence = np.repeat(np.arange(sentences), len(first))[rated]
    difference = difference[rated]
    return Pairs(
        systems=systems,
        judges=("mean rating",),
        items=sentences,
        item=sentence,
        sentence=sentence,
        judge=np.zeros_like(sentence),
        first=np.tile(first, sentences)[rated],
        second=np.tile(second, sentences)[rated],
        relation=np.where(np.abs(difference) <= threshold, TIE, np.sign(difference)).astype(np.int64),
        identical=np.zeros(len(sentence), dtype=np.bool_),
    )


def relation(first: Array, second: Array) -> Integers:
    """-1 where the first score is better (higher), 1 where the second is, 0 where they are equal."""
    return (second > first).astype(np.int64) - (second < first)


def score_table(scores: Mapping[str, ArrayLike], systems: Sequence[str]) -> Array:
    """The sentence scores of these systems as one table, one row per system.

    Raises:
        ScoreError: A system has no scores, or a sentence has none, or their numbers differ.
    """
    missing = [name for name in systems if name not in scores]
    if missing:
        raise ScoreError(
            f"No sentence scores for {', '.join(missing)}, which the judges compared. "
            "Score these outputs, too, or leave them out of the pairs."
        )
    rows = [np.asarray(scores[name], dtype=np.float64) for name in systems]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise ScoreError(f"The systems have different numbers of sentence scores: {', '.join(map(str, lengths))}.")
    table = np.array(rows).reshape(len(rows), lengths[0] if lengths else 0)
    for name, row in zip(systems, table, strict=True):
        if np.isnan(row).any():
            raise ScoreError(f"{name}: sentence {int(np.isnan(row).argmax()) + 1} has no score.")
    return table


def _pairs(judgments: Judgments, chosen: Sequence[Sequence[tuple[str, ...]]]) -> Pairs:
    """All pairs within each item of the systems that `chosen` lists for its places."""
    entries = _entries(judgments, chosen)
    item, system, rank, place = entries
    _refuse_repeated(judgments, item, system)
    later = np.searchsorted(item, item, side="right") - np.arange(len(item)) - 1
    first = np.repeat(np.arange(len(item)), later)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    number = {name: index for index, name in enumerate(judgments.judges)}
    judge = np.array([number[one.judge] for one in judgments.items], dtype=np.int64)
    sentence = np.array([one.sentence for one in judgments.items], dtype=np.int64)
    return Pairs(
        systems=judgments.systems,
        judges=judgments.judges,
        items=len(judgments.items),
        item=item[first],
        sentence=sentence[item[first]],
        judge=judge[item[first]],
        first=system[first],
        second=system[second],
        relation=np.sign(rank[first] - rank[second]),
        identical=place[first] == place[second],
    )


def _entries(judgments: Judgments, chosen: Sequence[Sequence[tuple[str, ...]]]) -> Integers:
    """Columns item, system, rank and place of every chosen system, sorted by item and system."""
    number = {name: index for index, name in enumerate(judgments.systems)}
    rows = [
        (item, number[name], ranked.rank, place)
        for item, (judgment, places) in enumerate(zip(judgments.items, chosen, strict=True))
        for place, (ranked, names) in enumerate(zip(judgment.ranked, places, strict=True))
        for name in names
    ]
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), 4).T
    return columns[:, np.lexsort((columns[1], columns[0]))]


def _refuse_repeated(judgments: Judgments, item: Integers, system: Integers) -> None:
    repeated = np.flatnonzero((item[1:] == item[:-1]) & (system[1:] == system[:-1]))
    if len(repeated):
        where = int(item[repeated[0]])
        raise CorpusError(
            f"Judgment {where + 1} (of {judgments.items[where].judge}, sentence {judgments.items[where].sentence + 1}) "
            f"ranks {judgments.systems[system[repeated[0]]]} more than once. Remove one of its ranks."
        )
