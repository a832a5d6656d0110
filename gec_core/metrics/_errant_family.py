"""What the metrics that count ERRANT edits share: where edits come from, and which reference a sentence gets.

With several annotators, `errant_compare` walks through the corpus and takes, sentence after sentence, the one
that makes the F so far highest, rounded to four digits; ties: more true positives in the sentence, then fewer
false positives, then fewer false negatives, then the first. So do these, and so the order of sentences
matters.

Two things are understood here that `errant_compare` takes literally: `a||b` in a gold file gives alternatives,
and `-NONE-` is the empty correction. Gold edits without a type come from a corpus that has references only;
they are read off these as `references=auto` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import apply_edits
from gec_core.align.errant_edits import TextPair, edits_of
from gec_core.align.errant_pipeline import find, label, missing
from gec_core.metrics import _errant_rows, options
from gec_core.metrics._annotators import SentenceMean, by_errant, choose, resampled_totals
from gec_core.metrics.base import Availability, Metric, Score, f_score, ratio
from gec_core.metrics.options import option
from gec_core.types import Annotation, Array, Edit, Pair, Reads, Sentence

if TYPE_CHECKING:
    from gec_core.store import Store

Edits = Sequence[Edit]


@dataclass(frozen=True)
class EditOptions(options.Options):
    """The options of them all."""

    beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0, most=100)
    references: Literal["gold", "auto"] = option(
        "gold", "gold edits as annotated, or read off the references as those of the output are"
    )
    sentence: Literal["max", "chosen"] = option(
        "max", "which reference a sentence score is about: the best one for it, or the one the corpus score chose"
    )


class EditMetric(Metric):
    """A metric on edits beside gold edits; its `digest` makes tp, fp, fn of every sentence and annotator of them."""

    family = "edits"
    reads: Reads = "gold"
    pace = 0.002
    chunk = 256
    weighted: ClassVar[bool] = False
    """Whether an edit may weigh more or less than 1, so that counts are not whole numbers."""
    Options = EditOptions

    options: EditOptions

    def __init__(self, options: EditOptions | None = None) -> None:
        super().__init__(options)
        self.reads = "gold" if self.options.references == "gold" else "references"

    @property
    def signature(self) -> str:
        return f"{super().signature}|{label()}"

    @property
    def statistics_signature(self) -> str:
        return f"errant-rows|v{self.version}|references:{self.options.references}|{label()}"

    def availability(self) -> Availability:
        return Availability(ready=find() is not None, how=missing())

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """For each pair its edits beside those of every annotator: see `_errant_rows`."""
        return self.gather(pairs, None)

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        found = edits_beside_gold(pairs, self.options.references, store)
        return [_errant_rows.encode(made, golds) for made, golds in found]

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        details = self._details(*_at(counts, self.chosen(counts)).sum(axis=0))
        return Score(details["f"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        totals = resampled_totals(by_errant, _counts(statistics), counts, self.options.beta)
        return np.array([self._details(*each)["f"] for each in totals])

    def sentence_scores(self, statistics: Array) -> Array:
        counts = _counts(statistics)
        scores = self._f(counts)
        if self.options.sentence == "chosen":
            return np.take_along_axis(scores, self.chosen(counts)[:, None], axis=1)[:, 0]
        best: Array = np.nanmax(scores, axis=1)
        return best

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts = _counts(statistics)
        picked = self._picked(counts)
        return [
            {"reference": index} | self._details(*numbers)
            for index, numbers in zip(picked.tolist(), _at(counts, picked), strict=True)
        ]

    def chosen(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence: by the F of the corpus so far."""
        return choose(by_errant, counts, self.options.beta)

    def best(self, counts: Array) -> NDArray[np.intp]:
        """The annotator of each sentence: by the F of the sentence alone, ties as in the corpus."""
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        keys = np.stack([self._f(counts), tp, -fp, -fn], axis=-1)
        keys = np.where(np.isnan(keys), -np.inf, keys).tolist()
        return np.array([max(range(len(row)), key=row.__getitem__) for row in keys], np.intp)

    def _picked(self, counts: Array) -> NDArray[np.intp]:
        """The annotator that each sentence's score is about."""
        return self.chosen(counts) if self.options.sentence == "chosen" else self.best(counts)

    def _f(self, counts: Array) -> Array:
        """F of every sentence under every annotator; NaN where a sentence has no such annotator."""
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
        weight = self.options.beta**2
        bottom = weight * precision + recall
        return (1 + weight) * precision * recall / np.where(bottom == 0, 1, bottom)

    def _details(self, tp: float, fp: float, fn: float) -> dict[str, Any]:
        p, r = ratio(tp, tp + fp), ratio(tp, tp + fn)
        return self._numbers(tp, fp, fn) | {"p": p, "r": r, "f": f_score(p, r, self.options.beta)}

    def _numbers(self, tp: float, fp: float, fn: float) -> dict[str, Any]:
        numbers = {"tp": float(tp), "fp": float(fp), "fn": float(fn)}
        return numbers if self.weighted else {name: int(number) for name, number in numbers.items()}


class MeanEditMetric(SentenceMean, EditMetric):
    """The same, with the mean of the sentence scores as the score of the corpus."""

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        mean = float(np.mean(self.sentence_scores(statistics)))
        return Score(mean, self._numbers(*_at(counts, self._picked(counts)).sum(axis=0)) | {"f": mean})


def edits_beside_gold(
    pairs: Sequence[Pair], references: Literal["gold", "auto"], store: Store | None
) -> list[tuple[Edits, list[Edits]]]:
    """For each pair the edits of the output, and those of every annotator."""
    outputs = [TextPair(pair.sentence.source, pair.output) for pair in pairs]
    golds = [_gold(pair.sentence, references) for pair in pairs]
    to_read = [each for gold in golds for each in gold if isinstance(each, TextPair)]
    found = edits_of([*outputs, *to_read], store)
    return [
        (found[output], [found[each] if isinstance(each, TextPair) else each.edits for each in gold])
        for output, gold in zip(outputs, golds, strict=True)
    ]


def _gold(sentence: Sentence, references: Literal["gold", "auto"]) -> list[Annotation | TextPair]:
    """For each annotator what was annotated, or the texts to read it off."""
    if references == "auto":
        return [TextPair(sentence.source, reference) for reference in sentence.references]
    return [
        each if _typed(each.edits) else TextPair(sentence.source, apply_edits(sentence.source, each.edits))
        for each in sentence.annotations
    ]


def _typed(edits: Sequence[Edit]) -> bool:
    """Whether someone annotated these edits; those without any type were read off a reference."""
    return not edits or any(edit.type for edit in edits)


def _ratio(top: Array, bottom: Array) -> Array:
    """top / bottom, with 0/0 = 1."""
    return np.where(bottom == 0, 1.0, top / np.where(bottom == 0, 1.0, bottom))


def _counts(statistics: Array) -> Array:
    """Sentences × annotators × (tp, fp, fn)."""
    return statistics.reshape(len(statistics), -1, 3)


def _at(counts: Array, index: NDArray[np.intp]) -> Array:
    """The counts of one annotator a sentence."""
    return np.take_along_axis(counts, index[:, None, None], axis=1)[:, 0]
