"""Scores as functions of sums over sentences: what the difference of two systems' scores is split by.

A corpus score is f(T), where T sums a few numbers of every sentence: the counts of the chosen annotator for M2, the
sentence score and a 1 for a mean. `Metric.sums` says which numbers these are and what f is; gec_core.meta.gap uses it
to share the difference of two scores among sentences and edits.

Some metrics choose an annotator for a sentence by the score of the sentences before it. What such a choice depends
on is the *state* of the sentence. With it, any other output can be counted as if the system had written it there.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_core.types import Array

Scores = Callable[[Array], Array]
"""From digested statistics to the score of each sentence."""


def _no_kinks(sums: Array) -> Array:
    return np.ones((*sums.shape[:-1], 1))


@dataclass(frozen=True, slots=True)
class Sums:
    """How a metric's score follows from numbers summed over sentences."""

    count: Callable[[Array, Array], Array]
    """From the states of sentences and their digested statistics to sentences × numbers."""
    score: Callable[[Array], Array]
    """From sums (… × numbers) to scores. It also takes complex sums, which give its derivatives."""
    smooth: Callable[[Array], Array] | None = None
    """A smooth and quick function within 1e-6 of `score` that derivatives are taken of; None: of `score` itself."""
    along: Callable[[Array], tuple[Array, Array]] | None = None
    """From the digested statistics of a whole system to its states (sentences × state) and what `count` gives with
    these; None: sentences have no state."""
    kinks: Callable[[Array], Array] = _no_kinks
    """From sums to numbers that change their sign where `score` is not smooth."""
    choices: NDArray[np.integer[Any]] | None = None
    """Where the score is a mean over ways to choose a reference for every sentence: choices × sentences. `count`
    then gives the numbers of one reference after the other, and `score` is that of one choice."""
    references: int = 1
    """How many references `count` gives the numbers of."""
    rest: str = ""
    """What else the reported score contains beside `score`, in words; empty if nothing."""
    variant: str = ""
    """Tells apart several kinds of numbers that one metric may be split by."""
    by_sentence: bool = False
    """Whether the first number is the score of the sentence on its own."""

    def of_system(self, statistics: Array) -> tuple[Array, Array]:
        """The states and the numbers of every sentence of a system, given its digested statistics."""
        if self.along:
            return self.along(statistics)
        states = np.empty((len(statistics), 0))
        return states, self.count(states, statistics)

    def totals(self, numbers: Array) -> Array:
        """The sums of a system: one row, or one for every choice of references."""
        if self.choices is None:
            return numbers.sum(axis=0, keepdims=True)
        blocks = numbers.reshape(len(numbers), self.references, -1)
        return sum(
            (self.choices == reference).astype(np.float64) @ blocks[:, reference]
            for reference in range(self.references)
        )

    def slopes(self, gradients: Array) -> Array:
        """What one more of each number adds to the score, given the gradient for every row of `totals`.

        Sentences × numbers; a single row where it is the same for all sentences.
        """
        if self.choices is None:
            return gradients
        shares = [
            (self.choices == reference).astype(np.float64).T @ gradients / len(self.choices)
            for reference in range(self.references)
        ]
        return np.hstack(shares)


def with_one(scores: Array) -> Array:
    """The numbers of a mean: each score, and a 1."""
    return np.column_stack([scores, np.ones(len(scores))])


def mean_of_sentences(sentence_scores: Scores) -> Sums:
    """The sums of a metric whose score is the mean of its sentence scores: these scores, and how many there are."""
    return Sums(
        count=lambda _, rows: with_one(sentence_scores(rows)),
        score=lambda sums: sums[..., 0] / sums[..., 1],
        by_sentence=True,
    )


def mean_of_chosen(chosen: Sums, sentence_score: Callable[[Array], Array]) -> Sums:
    """The sums of a mean of sentence scores under annotators chosen along the corpus.

    Args:
        chosen: The sums of the metric that chooses annotators.
        sentence_score: From the numbers of `chosen` to the score of each sentence.
    """

    def along(rows: Array) -> tuple[Array, Array]:
        states, numbers = chosen.of_system(rows)
        return states, with_one(sentence_score(numbers))

    return replace(
        mean_of_sentences(lambda rows: rows[:, 0]),
        count=lambda states, rows: with_one(sentence_score(chosen.count(states, rows))),
        along=along,
        by_sentence=False,
    )


def sum_of_sentences(sentence_scores: Scores) -> Sums:
    """The sums of a metric whose score is the sum of its sentence scores."""
    return Sums(count=lambda _, rows: sentence_scores(rows)[:, None], score=lambda sums: sums[..., 0], by_sentence=True)


Walk = Callable[[Sequence[Sequence[Sequence[float]]], Sequence[float], float, MutableSequence[int]], object]
"""A rule of gec_core.metrics.annotators that chooses annotators along the corpus."""


def chosen_along(counts: Array, chosen: NDArray[np.intp]) -> tuple[Array, Array]:
    """The totals before every sentence and its own numbers, given counts (sentences × annotators × numbers)."""
    own = np.take_along_axis(counts, chosen[:, None, None], axis=1)[:, 0]
    before = np.zeros_like(own)
    before[1:] = np.cumsum(own, axis=0)[:-1]
    return before, own


def chosen_after(walk: Walk, states: Array, counts: Array, beta: float) -> NDArray[np.intp]:
    """The annotator that a rule chooses for every sentence on its own, given the totals before it."""
    chosen = np.zeros(len(counts), np.intp)
    taken = [0, 0]
    for line, (before, annotators) in enumerate(zip(states.tolist(), counts.tolist(), strict=True)):
        walk([[before], annotators], (1.0, 1.0), beta * beta, taken)
        chosen[line] = taken[1]
    return chosen
