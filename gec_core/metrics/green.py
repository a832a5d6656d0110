"""GREEN (Koyama et al. 2024): what happened to the n-grams of the source, and what should have happened.

Comparing the n-gram multisets of source, hypothesis and reference, an n-gram is rightly kept, deleted or
inserted (true positives), wrongly deleted or inserted (false positives), or left although it should have been
deleted, or not inserted although it should have been (false negatives). Precision and recall are geometric
means over n = 1 to 4; the score is F2 on the reference that is best for the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_core.metrics import options, register
from gec_core.metrics._ngram_rows import for_each_reference
from gec_core.metrics.base import Metric, Score
from gec_core.metrics.options import option
from gec_core.types import Array, Pair

ORDERS = 4


@register
class Green(Metric):
    id = "green"
    name = "GREEN"
    family = "overlap"
    order = 50
    summary = "N-grams rightly kept, deleted and inserted, against those that were overdone or missed."
    citation = "Koyama et al. 2024, n-gram F-score for Evaluating Grammatical Error Correction, INLG"
    reads = "references"

    @dataclass(frozen=True)
    class Options(options.Options):
        beta: float = option(2.0, "weight of recall; above 1, recall counts more", least=0.01, most=100)

    options: Options

    @property
    def statistics_signature(self) -> str:
        return f"green-counts|v{self.version}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        from gec_core.align.ngrams import green_statistics

        return for_each_reference(pairs, green_statistics)

    def aggregate(self, statistics: Array) -> Score:
        totals = self._best(statistics)[0].sum(axis=0)
        details = self._details(totals)
        return Score(details["f"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        best = self._best(statistics)[0]
        totals = counts @ best.reshape(len(best), -1)
        return self._f(totals.reshape(len(counts), ORDERS, 3))[2]

    def sentence_scores(self, statistics: Array) -> Array:
        return self._f(self._best(statistics)[0])[2]

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts, chosen = self._best(statistics)
        return [self._details(row) | {"reference": int(index)} for row, index in zip(counts, chosen, strict=True)]

    def _best(self, statistics: Array) -> tuple[Array, NDArray[np.intp]]:
        """The counts (sentences × orders × 3) on each sentence's best reference, and which that is."""
        blocks = statistics.reshape(len(statistics), -1, ORDERS, 3)
        scores = np.where(np.isnan(blocks[:, :, 0, 0]), -1.0, self._f(np.nan_to_num(blocks))[2])
        chosen = np.argmax(scores, axis=1)
        return blocks[np.arange(len(blocks)), chosen], chosen

    def _f(self, counts: Array) -> tuple[Array, Array, Array]:
        """Precision, recall and F of counts whose last two axes are orders × (tp, fp, fn)."""
        true = counts[..., 0]
        precision = _geometric_mean(true, true + counts[..., 1])
        recall = _geometric_mean(true, true + counts[..., 2])
        weight = self.options.beta**2
        bottom = weight * precision + recall
        f: Array = np.divide((1 + weight) * precision * recall, bottom, out=np.zeros_like(bottom), where=bottom > 0)
        return precision, recall, f

    def _details(self, counts: Array) -> dict[str, Any]:
        precision, recall, f = (float(value) for value in self._f(counts))
        names = ("tp", "fp", "fn")
        return {name: counts[:, index].astype(int).tolist() for index, name in enumerate(names)} | {
            "p": precision,
            "r": recall,
            "f": f,
        }


def _geometric_mean(top: Array, bottom: Array) -> Array:
    """The geometric mean over orders of top/bottom, with 0/0 = 1."""
    ratios = np.divide(top, bottom, out=np.ones_like(bottom), where=bottom > 0)
    mean: Array = np.prod(ratios, axis=-1) ** (1 / ORDERS)
    return mean
