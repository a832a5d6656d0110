"""The choice of one annotator per sentence, from the first sentence of a corpus to the last.

M² and ERRANT take, sentence after sentence, the annotator that makes the score so far highest; each has its own rule
for ties. Each rule is written once and runs in two ways: interpreted, which needs no start-up and is fast enough for a
small corpus, and compiled, for large corpora and for the thousands of corpora of a bootstrap.
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
from gec_core.metrics.blocks import Edits, Explanation, Step, Table, shown
from gec_core.metrics.fscore import Amounts, f_score, ratio
from gec_core.types import Array

Totals: TypeAlias = tuple[float, float, float]
Counts: TypeAlias = Sequence[Sequence[Sequence[float]]]
Walk: TypeAlias = Callable[[Counts, Sequence[float], float, MutableSequence[int]], Totals]
"""A rule: from counts (sentences × annotators × three numbers; NaN where a sentence has fewer annotators than others),
how often each sentence occurs, and beta², to the totals. The annotator chosen last for each sentence is written into
the last argument."""

COMPILE_FROM = 5_000
"""The number of sentences from which the compiled rule is used, if numba has been imported already."""
HALVES_UP = np.array([round((low + 0.5) / 10_000, 4) > (low + 0.5) / 10_000 for low in range(10_001)])
"""Whether Python rounds a half of the fifth digit up, by the four digits before it. Such a number is rarely a half in
binary, and Python rounds its binary value; compiled code rounds it multiplied by 10,000, which is a half."""


class SentenceMean(Metric):
    """Mixin, named before a metric that chooses annotators: the corpus score is the mean of the sentence scores."""

    options: Any
    """Those of the metric named after it; `sentence` is among them."""

    @property
    def averages(self) -> bool:
        """False where annotators are chosen along the corpus: then a sentence depends on those before it."""
        return bool(self.options.sentence != "chosen")

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return Metric.resampled(self, statistics, counts)


def by_m2(counts: Counts, repeats: Sequence[float], weight: float, chosen: MutableSequence[int]) -> Totals:
    """Sum correct, proposed and gold edits by the rule of M².

    The highest F so far; then more correct edits; then fewer proposed + beta² · gold; then the first annotator.
    """
    correct, proposed, gold = 0.0, 0.0, 0.0
    for line in range(len(counts)):
        annotators = counts[line]
        for _ in range(int(repeats[line])):
            best = (-1.0, -1.0, -1e300)
            taken = (correct, proposed, gold)
            for index in range(len(annotators)):
                own = annotators[index]
                if own[0] != own[0]:  # NaN: the sentence has no such annotator
                    break
                c, p, g = correct + own[0], proposed + own[1], gold + own[2]
                cost = weight * g + p
                key = ((1 + weight) * c / cost if cost else 1.0, c, -cost)
                if key > best:
                    best, chosen[line], taken = key, index, (c, p, g)
            correct, proposed, gold = taken
    return correct, proposed, gold


def by_errant(counts: Counts, repeats: Sequence[float], weight: float, chosen: MutableSequence[int]) -> Totals:
    """Sum true positives, false positives and false negatives by the rule of `errant_compare`.

    The highest F so far, rounded to four digits as Python rounds; then more true positives in the sentence; then fewer
    false positives; then fewer false negatives; then the first annotator.
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
    """Choose the annotator of each sentence of a corpus."""
    chosen = np.zeros(len(counts), np.intp)
    if "numba" in sys.modules and len(counts) >= COMPILE_FROM:
        _compiled(walk)(np.ascontiguousarray(counts), np.ones(len(counts)), beta * beta, chosen)  # type: ignore[arg-type]
    else:
        walk(counts.tolist(), [1.0] * len(counts), beta * beta, chosen)  # type: ignore[arg-type]
    return chosen


def resampled_totals(walk: Walk, counts: Array, samples: Array, beta: float) -> list[Totals]:
    """Compute the totals of many corpora, in each of which every sentence occurs as often as its sample says."""
    compiled = _compiled(walk)
    chosen = np.zeros(len(counts), np.intp)
    counts = np.ascontiguousarray(counts)
    return [compiled(counts, sample, beta * beta, chosen) for sample in np.ascontiguousarray(samples)]  # type: ignore[arg-type]


@cache
def _compiled(walk: Walk) -> Walk:
    """Compile a rule: a hundred times faster, once numba is imported."""
    from gec_core.compiled import compiled

    return compiled(walk)


def verdict_step(explanation: Explanation) -> Step:
    """The step that compares the edits of the output with those of the chosen annotator."""
    return Step(
        "Compare with the gold edits",
        "An edit is correct if the annotator has an edit with the same span and the same correction, and wrong "
        "otherwise. Gold edits that the output does not have are missed.",
        tuple(explanation.all(Edits)),
    )


def choice_step(counts: Sequence[Amounts], beta: float, chosen: int) -> Step:
    """The step that chooses an annotator, from how much is correct, proposed and gold under each."""
    rows = []
    for number, (correct, proposed, gold) in enumerate(counts):
        f = f_score(ratio(correct, proposed), ratio(correct, gold), beta)
        mark = "chosen" if number == chosen else ""
        rows.append((str(number + 1), shown(correct), shown(proposed), shown(gold), shown(f), mark))
    return Step(
        "Choose the annotator",
        "The output gets an F under each annotator. The highest one counts.",
        (Table("F by annotator", ("annotator", "correct", "proposed", "gold", "F", ""), tuple(rows)),),
    )
