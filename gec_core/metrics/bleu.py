"""BLEU (Papineni et al. 2002) as sacrebleu has it (smoothing `exp`), on the tokens as they are, with all references.

N-grams are counted by a kernel of ours and many rows are scored at once: the same numbers, many times faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics._ngram_rows import for_all_references
from gec_core.metrics.base import Metric, Score
from gec_core.types import Array, Pair

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
        (details,) = _details(statistics.sum(axis=0, keepdims=True), effective_order=False)
        return Score(details["bleu"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return _scores(counts @ statistics, effective_order=False)

    def sentence_scores(self, statistics: Array) -> Array:
        return _scores(statistics, effective_order=True)

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return _details(statistics, effective_order=True)


def _scores(rows: Array, *, effective_order: bool) -> Array:
    """The score of every row; sentences count only as many orders as they have."""
    correct, total = rows[:, 2 : 2 + ORDERS], rows[:, 2 + ORDERS :]
    there = total > 0
    scored = np.asarray(correct.any(axis=1)) & (there.all(axis=1) | effective_order)
    logs = np.log(np.where(there & scored[:, None], _precisions(rows), 1)).sum(axis=1)
    orders = np.maximum(there.sum(axis=1), 1) if effective_order else ORDERS
    scores: Array = np.where(scored, _brevity(rows) * np.exp(logs / orders), 0.0)
    return scores


def _precisions(rows: Array) -> Array:
    """Of every order; where others have matches, one without counts half a match, the next one a quarter, and so on."""
    correct, total = rows[:, 2 : 2 + ORDERS], rows[:, 2 + ORDERS :]
    missed = (total > 0) & (correct == 0) & correct.any(axis=1, keepdims=True)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=1), correct)
    return smoothed / np.where(total > 0, total, 1)


def _brevity(rows: Array) -> Array:
    output, reference = rows[:, 0], rows[:, 1]
    penalty = np.minimum(1, np.exp(1 - reference / np.maximum(output, 1)))
    return np.where((output == 0) & (reference > 0), 0.0, penalty)


def _details(rows: Array, *, effective_order: bool) -> list[dict[str, Any]]:
    """Scores and what they are made of."""
    columns = {
        "bleu": _scores(rows, effective_order=effective_order),
        "precisions": _precisions(rows),
        "brevity_penalty": _brevity(rows),
        "output_tokens": rows[:, 0].astype(int),
        "reference_tokens": rows[:, 1].astype(int),
    }
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in values]
