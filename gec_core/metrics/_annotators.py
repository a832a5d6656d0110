"""Walking through a corpus and taking, sentence after sentence, the annotator that is best for the score so far.

M² and ERRANT each have their rule. Each is written once, and runs in two ways: as it stands, which is quick
enough for a small corpus and starts at once, and compiled, for large ones and the thousands that a bootstrap makes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, MutableSequence, Sequence
from functools import cache
from math import floor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_core.metrics.base import Metric
from gec_core.types import Array

Totals: TypeAlias = tuple[float, float, float]
Counts: TypeAlias = Sequence[Sequence[Sequence[float]]]
Walk: TypeAlias = Callable[[Counts, Sequence[float], float, MutableSequence[int]], Totals]
"""From counts (sentences × annotators × three numbers, NaN where a sentence has fewer annotators than others), how
often each sentence occurs, and beta², to the totals; the annotator each sentence took last is written into the
last argument."""

WORTH_COMPILED = 5_000
"""Sentences from which on it pays to get the compiled rule, if numba is there already."""
HALVES_UP = np.array([round((low + 0.5) / 10_000, 4) > (low + 0.5) / 10_000 for low in range(10_001)])
"""Where Python rounds up a half of the fifth digit, by the four digits before. Such a number is hardly ever a half in
binary, and Python goes by what it is; compiled code rounds it multiplied by 10,000, which is a half."""


class SentenceMean(Metric):
    """Named before a metric that chooses annotators along the corpus: its score becomes the mean of its sentences'."""

    options: Any
    """Of the metric named after it; `sentence` is among them."""

    @property
    def averages(self) -> bool:
        """Not where annotators are chosen along the corpus: then sentences depend on those before them."""
        return bool(self.options.sentence != "chosen")

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return Metric.resampled(self, statistics, counts)


def by_m2(counts: Counts, repeats: Sequence[float], weight: float, chosen: MutableSequence[int]) -> Totals:
    """Correct, proposed and gold edits by M²'s rule.

    The highest F so far; then more correct edits, then fewer proposed + beta² · gold, then the first annotator.
    """
    correct, proposed, gold = 0.0, 0.0, 0.0
    for line in range(len(counts)):
        annotators = counts[line]
        for _ in range(int(repeats[line])):
            best = (-1.0, -1.0, -1e300)
            taken = (correct, proposed, gold)
            for index in range(len(annotators)):
                own = annotators[index]
                if own[0] != own[0]:  # NaN: there is no such annotator
                    break
                c, p, g = correct + own[0], proposed + own[1], gold + own[2]
                cost = weight * g + p
                key = ((1 + weight) * c / cost if cost else 1.0, c, -cost)
                if key > best:
                    best, chosen[line], taken = key, index, (c, p, g)
            correct, proposed, gold = taken
    return correct, proposed, gold


def by_errant(counts: Counts, repeats: Sequence[float], weight: float, chosen: MutableSequence[int]) -> Totals:
    """True positives, false positives and false negatives by the rule of `errant_compare`.

    The highest F so far, rounded to four digits as Python does it; then more true positives in the sentence, then
    fewer false positives, then fewer false negatives, then the first annotator.
    """
    true, wrong, missed = 0.0, 0.0, 0.0
    for line in range(len(counts)):
        annotators = counts[line]
        for _ in range(int(repeats[line])):
            best = (-1.0, 0.0, 0.0, 0.0)
            taken = (true, wrong, missed)
            for index in range(len(annotators)):
                own = annotators[index]
                if own[0] != own[0]:
                    break
                tp, fp, fn = true + own[0], wrong + own[1], missed + own[2]
                precision = tp / (tp + fp) if tp + fp else 1.0
                recall = tp / (tp + fn) if tp + fn else 1.0
                bottom = weight * precision + recall
                f = (1 + weight) * precision * recall / bottom if bottom > 0 else 0.0
                low = floor(f * 10_000)
                half = (low + 0.5) / 10_000
                rounded = low + 1.0 if f > half or (f == half and HALVES_UP[low]) else low + 0.0
                key = (rounded, own[0], -own[1], -own[2])
                if key > best:
                    best, chosen[line], taken = key, index, (tp, fp, fn)
            true, wrong, missed = taken
    return true, wrong, missed


def choose(walk: Walk, counts: Array, beta: float) -> NDArray[np.intp]:
    """The annotator of each sentence of a corpus."""
    chosen = np.zeros(len(counts), np.intp)
    if "numba" in sys.modules and len(counts) >= WORTH_COMPILED:
        _compiled(walk)(np.ascontiguousarray(counts), np.ones(len(counts)), beta * beta, chosen)  # type: ignore[arg-type]
    else:
        walk(counts.tolist(), [1.0] * len(counts), beta * beta, chosen)  # type: ignore[arg-type]
    return chosen


def resampled_totals(walk: Walk, counts: Array, samples: Array, beta: float) -> list[Totals]:
    """The totals of many corpora, in each of which every sentence occurs as often as `samples` say."""
    compiled = _compiled(walk)
    chosen = np.zeros(len(counts), np.intp)
    counts = np.ascontiguousarray(counts)
    return [compiled(counts, sample, beta * beta, chosen) for sample in np.ascontiguousarray(samples)]  # type: ignore[arg-type]


@cache
def _compiled(walk: Walk) -> Walk:
    """The same, compiled: a hundred times quicker, once numba is there."""
    from numba import njit

    compiled: Walk = njit(cache=True)(walk)
    return compiled
