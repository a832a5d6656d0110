"""The sides of a disagreement: a metric's or the judges' preference on every pair of outputs; tables of error types.

Tables have one row per pair of systems, in the order of `numpy.triu_indices`, and one column per sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gec_core import shipped
from gec_core.errors import ScoreError
from gec_core.human.pairs import score_table
from gec_core.types import Array, Corpus, Edit, Flags, Integers, Judgments

Opinions = tuple[str, Mapping[str, ArrayLike] | Judgments]
"""The name of a side, and its sentence scores by system, or its judgments."""
DIGITS = 9
"""Decimal places of differences of scores that count; further ones come from rounding."""
EditsOf = Mapping[tuple[str, str], Iterable[Edit]]
"""The typed edits of (source, output)."""


@dataclass(frozen=True, eq=False)
class Side:
    """The preferences of a metric or of the judges on every pair of outputs of every sentence."""

    name: str
    differences: Array
    """Pairs of systems × sentences: positive if the first is better; NaN where this side did not compare the two."""
    scores: Array | None = None
    """Systems × sentences; None for judges, who only compare."""
    votes: Integers | None = None
    """Three tables: judges who prefer the first, who prefer the second, who compared the two; None for metrics."""

    @property
    def unanimous(self) -> Flags | None:
        """Where all judges who compared the two prefer the same one; None for metrics."""
        if self.votes is None:
            return None
        first, second, compared = self.votes
        return (compared > 0) & (np.maximum(first, second) == compared)

    def shares(self, pairs: Flags) -> Array:
        """For every difference, the share of differences in the marked pairs that are smaller in absolute value."""
        sizes = np.abs(self.differences)
        compared = np.sort(sizes[pairs & ~np.isnan(sizes)])
        return np.searchsorted(compared, sizes) / max(len(compared), 1)


@dataclass(frozen=True, eq=False)
class TypeTable:
    """One error type in all pairs of systems × sentences."""

    differ: Flags
    """The pairs in which one output has an edit of this type that the other lacks."""
    ahead: Integers
    """The number of edits of this type in the first output minus those in the second."""


def same_outputs(corpus: Corpus) -> Integers:
    """Systems × sentences: the index of the first system with the same output."""
    outputs: Mapping[str, Sequence[object]] = corpus.systems
    if not corpus.has_texts:
        outputs = shipped.all_precomputed()[corpus.name].keys("gold")
    found = np.empty((len(corpus.systems), len(corpus)), np.int64)
    for line, column in enumerate(zip(*(outputs[system] for system in corpus.systems), strict=True)):
        numbers: dict[object, int] = {}
        found[:, line] = [numbers.setdefault(output, number) for number, output in enumerate(column)]
    return found


def one_of_each(same_as: Integers, kept: Flags | None = None) -> Flags:
    """Pairs of systems × sentences: one pair of systems for every pair of different outputs, of those kept."""
    size, sentences = same_as.shape
    every = np.arange(sentences)
    first = np.full(same_as.shape, -1)
    for system in reversed(range(size) if kept is None else np.flatnonzero(kept).tolist()):
        first[same_as[system], every] = system
    stands = first[same_as, every] == np.arange(size)[:, None]
    left, right = np.triu_indices(size, k=1)
    return stands[left] & stands[right]


def side_of(corpus: Corpus, same_as: Integers, name: str, given: Mapping[str, ArrayLike] | Judgments) -> Side:
    """The side of a metric with these scores, or of these judges."""
    if isinstance(given, Judgments):
        return _judges(corpus, same_as, name, given)
    scores = score_table(given, tuple(corpus.systems))
    if scores.shape != same_as.shape:
        raise ScoreError(f"{name} has scores of {scores.shape[1]} sentences, but {corpus.name} has {len(corpus)}.")
    left, right = np.triu_indices(len(scores), k=1)
    return Side(name, (scores[left] - scores[right]).round(DIGITS), scores)


def of_systems(tables: Mapping[str, TypeTable], corpus: Corpus, kept: Sequence[str]) -> dict[str, TypeTable]:
    """The tables restricted to some of the corpus's systems, in the order of the corpus."""
    has = np.array([system in kept for system in corpus.systems])
    left, right = np.triu_indices(len(corpus.systems), k=1)
    rows = has[left] & has[right]
    return {name: TypeTable(table.differ[rows], table.ahead[rows]) for name, table in tables.items()}


def type_tables(corpus: Corpus, edits: EditsOf) -> dict[str, TypeTable]:
    """The tables of all error types of the outputs, by name."""
    left, right = np.triu_indices(len(corpus.systems), k=1)
    shape = len(left), len(corpus)
    found: dict[str, TypeTable] = {}
    for line, sentence in enumerate(corpus.sentences):
        made = [
            {(edit.start, edit.end, edit.correction): edit.type for edit in edits[sentence.source, outputs[line]]}
            for outputs in corpus.systems.values()
        ]
        for edit, type_ in {edit: type_ for each in made for edit, type_ in each.items()}.items():
            has = np.array([edit in each for each in made], np.int8)
            ahead = has[left] - has[right]
            if type_ not in found:
                found[type_] = TypeTable(np.zeros(shape, np.bool_), np.zeros(shape, np.int64))
            found[type_].differ[:, line] |= ahead != 0
            found[type_].ahead[:, line] += ahead
    return dict(sorted(found.items()))


def _judges(corpus: Corpus, same_as: Integers, name: str, judgments: Judgments) -> Side:
    """The side of judges: mean differences of ranks; a judge's opinion on an output holds for all systems with it."""
    number = {system: place for place, system in enumerate(corpus.systems)}
    size, sentences = same_as.shape
    total, compared, wins = (np.zeros((size, size, sentences), np.int64) for _ in range(3))
    for item in judgments.items:
        places = np.full(size, np.nan)
        for ranked in item.ranked:
            for system in ranked.systems:
                if system in number:
                    places[same_as[number[system], item.sentence]] = ranked.rank
        ahead = places[None, :] - places[:, None]
        total[:, :, item.sentence] += np.nan_to_num(ahead).astype(np.int64)
        compared[:, :, item.sentence] += ~np.isnan(ahead)
        wins[:, :, item.sentence] += ahead > 0
    left, right = (same_as[ends] for ends in np.triu_indices(size, k=1))
    every = np.arange(sentences)
    count = compared[left, right, every]
    means = np.divide(total[left, right, every], count, out=np.full(count.shape, np.nan), where=count > 0)
    return Side(name, means, votes=np.stack([wins[left, right, every], wins[right, left, every], count]))
