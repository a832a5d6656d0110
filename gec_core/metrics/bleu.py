"""BLEU (Papineni et al. 2002), sacrebleu's, on the tokens as they are, with all references.

N-grams are counted by a kernel of ours, and many rows are scored at once, many times faster and to the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics._ngram_rows import for_all_references
from gec_core.metrics.base import Array, Metric, Pair, Score

ORDERS = 4


@register
class Bleu(Metric):
    id = "bleu"
    name = "BLEU"
    family = "overlap"
    order = 40
    summary = "N-grams of the output that stand in any reference; knows nothing of the source."
    citation = "Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation, ACL; Post 2018"
    reads = "references"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """Lengths of output and closest reference, then matches and totals for n = 1 to 4."""
        from gec_core.align.ngrams import bleu_statistics

        return for_all_references(pairs, bleu_statistics)

    def aggregate(self, statistics: Array) -> Score:
        details = _details(statistics.sum(axis=0), effective_order=False)
        return Score(details["bleu"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return _scores(counts @ statistics, effective_order=False)

    def sentence_scores(self, statistics: Array) -> Array:
        return _scores(statistics, effective_order=True)

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [_details(row, effective_order=True) for row in statistics]


def _scores(rows: Array, *, effective_order: bool) -> Array:
    """The scores that `_details` gives for each of many rows, at once."""
    output, reference, correct, total = rows[:, 0], rows[:, 1], rows[:, 2 : 2 + ORDERS], rows[:, 2 + ORDERS :]
    there, missed = total > 0, (total > 0) & (correct == 0)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=1), correct)  # each order without a match counts half
    logs = np.log(np.where(there, smoothed, 1) / np.where(there, total, 1)).sum(axis=1)
    orders = np.maximum(there.sum(axis=1), 1) if effective_order else ORDERS
    brevity = np.minimum(1, np.exp(1 - reference / np.maximum(output, 1)))
    scored = correct.any(axis=1) & (there.all(axis=1) | effective_order)
    scores: Array = np.where(scored, brevity * np.exp(logs / orders), 0.0)
    return scores


def _details(totals: Array, *, effective_order: bool) -> dict[str, Any]:
    """sacrebleu's score (smoothing `exp`; sentences only as many orders as they have) from summed statistics."""
    from sacrebleu.metrics.bleu import BLEU

    output, reference, *counts = (int(value) for value in totals)
    found = BLEU.compute_bleu(
        counts[:ORDERS], counts[ORDERS:], output, reference, smooth_method="exp", effective_order=effective_order
    )
    return {
        "bleu": found.score / 100,
        "precisions": [value / 100 for value in found.precisions],
        "brevity_penalty": found.bp,
        "output_tokens": output,
        "reference_tokens": reference,
    }
