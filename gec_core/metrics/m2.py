"""M2 (MaxMatch, Dahlmeier and Ng 2012), and the mean of its sentence scores.

The edits of an output are read off a lattice so that they meet the gold edits as well as they can
(gec_core.align.lattice); precision is correct/proposed, recall correct/gold, and nothing out of nothing is 1.

With several annotators the original walks through the corpus and takes, sentence after sentence, the
annotator that makes the F so far highest; ties: more correct edits, then fewer proposed + beta² · gold,
then the first annotator. So the corpus score, unlike the others here, depends on the order of the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import encode_gold
from gec_core.metrics import options, register
from gec_core.metrics._annotators import SentenceMean, by_m2, choose, resampled_totals
from gec_core.metrics.base import Metric, Score, f_score, ratio
from gec_core.metrics.options import option
from gec_core.types import Array, Pair


@register
class M2(Metric):
    id = "m2"
    name = "M²"
    family = "edits"
    order = 10
    summary = "Precision and recall of edits, matched with the gold edits as well as the output allows."
    citation = "Dahlmeier and Ng 2012, Better Evaluation for Grammatical Error Correction, NAACL"
    reads = "gold"

    @dataclass(frozen=True)
    class Options(options.Options):
        beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0.01, most=100)
        max_unchanged: int = option(2, "unchanged words that one edit may cover", least=0, most=100)
        sentence: Literal["max", "chosen", "last"] = option(
            "max",
            "which annotator a sentence score is about: the best one for the sentence, the one that the corpus "
            "score chose, or the last one (as in the scores released by Chollampatt and Ng 2018)",
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        return f"m2-counts|v{self.version}|max_unchanged:{self.options.max_unchanged}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """For each pair: whether the lattice was complete, then correct, proposed, gold of every annotator."""
        return [self._row(pair) for pair in pairs]

    def _row(self, pair: Pair) -> Array:
        from gec_core.align.lattice import MOST_NODES, best_edits

        annotations = pair.sentence.annotations
        encoded = encode_gold(pair.sentence.tokens, pair.output.split(), annotations)
        edits, complete = best_edits(self.options.max_unchanged, MOST_NODES, *encoded)
        row = np.empty(1 + 3 * len(annotations))
        row[0] = complete
        for index, annotation in enumerate(annotations):
            mine = edits[edits[:, 0] == index]
            row[1 + 3 * index : 4 + 3 * index] = mine[:, 5].sum(), len(mine), len(annotation.edits)
        return row

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        chosen = np.take_along_axis(counts, self._chosen(counts)[:, None, None], axis=1)[:, 0]
        details = self._details(*chosen.sum(axis=0)) | _lattice(statistics)
        return Score(details["f"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        totals = resampled_totals(by_m2, _counts(statistics), counts, self.options.beta)
        return np.array([self._details(*each)["f"] for each in totals])

    def sentence_scores(self, statistics: Array) -> Array:
        counts = _counts(statistics)
        scores: Array = np.take_along_axis(self._f(counts), self._picked(counts)[:, None], axis=1)[:, 0]
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts = _counts(statistics)
        picked = self._picked(counts).tolist()
        return [
            {"annotator": index} | self._details(*counts[line, index]) | _lattice(statistics[line : line + 1])
            for line, index in enumerate(picked)
        ]

    def _f(self, counts: Array) -> Array:
        """F of every sentence under every annotator; NaN where a sentence has no such annotator."""
        correct, proposed, gold = np.moveaxis(counts, -1, 0)
        weight = self.options.beta**2
        bottom = weight * gold + proposed
        return (1 + weight) * np.where(bottom == 0, 1 / (1 + weight), correct) / np.where(bottom == 0, 1, bottom)

    def _picked(self, counts: Array) -> NDArray[np.intp]:
        """The annotator that each sentence's score is about."""
        if self.options.sentence == "chosen":
            return self._chosen(counts)
        if self.options.sentence == "last":
            present = ~np.isnan(counts[:, :, 0])
            return present.shape[1] - 1 - np.argmax(present[:, ::-1], axis=1)
        return np.nanargmax(self._f(counts), axis=1)

    def _details(self, correct: float, proposed: float, gold: float) -> dict[str, Any]:
        p, r = ratio(correct, proposed), ratio(correct, gold)
        counts = {"correct": int(correct), "proposed": int(proposed), "gold": int(gold)}
        return counts | {"p": p, "r": r, "f": f_score(p, r, self.options.beta)}

    def _chosen(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence under the cumulative rule."""
        return choose(by_m2, counts, self.options.beta)


@register
class SentM2(SentenceMean, M2):
    id = "sentm2"
    name = "SentM²"
    order = 11
    summary = "The mean of M² computed for each sentence on its own."
    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        picked = np.take_along_axis(counts, self._picked(counts)[:, None, None], axis=1)[:, 0]
        correct, proposed, gold = (int(total) for total in picked.sum(axis=0))
        totals = {"correct": correct, "proposed": proposed, "gold": gold}
        mean = float(np.mean(self.sentence_scores(statistics)))
        return Score(mean, totals | {"f": mean} | _lattice(statistics))


def _counts(statistics: Array) -> Array:
    """Sentences × annotators × (correct, proposed, gold)."""
    return statistics[:, 1:].reshape(len(statistics), -1, 3)


def _lattice(statistics: Array) -> dict[str, Any]:
    """How many sentences were too long and too different for the complete lattice."""
    return {"linear_lattices": int(np.sum(statistics[:, 0] == 0))}
