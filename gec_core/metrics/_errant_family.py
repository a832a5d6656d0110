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
from gec_core.metrics.base import Array, Availability, Metric, Pair, Reads, Score, f_score, ratio
from gec_core.metrics.options import option
from gec_core.types import Annotation, Edit, Sentence

if TYPE_CHECKING:
    from gec_core.store import Store

_DIGITS = 4


@dataclass(frozen=True)
class EditOptions(options.Options):
    """The options of them all."""

    beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0)
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
        outputs = [TextPair(pair.sentence.source, pair.output) for pair in pairs]
        golds = [self.gold(pair.sentence) for pair in pairs]
        to_read = [each for gold in golds for each in gold if isinstance(each, TextPair)]
        found = edits_of([*outputs, *to_read], store)
        return [
            _errant_rows.encode(
                found[output], [found[each] if isinstance(each, TextPair) else each.edits for each in gold]
            )
            for output, gold in zip(outputs, golds, strict=True)
        ]

    def gold(self, sentence: Sentence) -> list[Annotation | TextPair]:
        """For each annotator what was annotated, or the texts to read it off."""
        if self.options.references == "auto":
            return [TextPair(sentence.source, reference) for reference in sentence.references]
        return [
            each if _typed(each.edits) else TextPair(sentence.source, apply_edits(sentence.source, each.edits))
            for each in sentence.annotations
        ]

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        details = self._details(*_picked(counts, self.chosen(counts)).sum(axis=0))
        return Score(details["f"], details)

    def sentence_scores(self, statistics: Array) -> Array:
        counts = _counts(statistics)
        scores = self._f(counts)
        if self.options.sentence == "chosen":
            return np.take_along_axis(scores, self.chosen(counts)[:, None], axis=1)[:, 0]
        best: Array = np.nanmax(scores, axis=1)
        return best

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts = _counts(statistics)
        picked = self.chosen(counts, cumulative=self.options.sentence == "chosen")
        return [
            {"reference": index} | self._details(*numbers)
            for index, numbers in zip(picked.tolist(), _picked(counts, picked), strict=True)
        ]

    def chosen(self, counts: Array, *, cumulative: bool = True) -> NDArray[np.intp]:
        """The annotator of each sentence: by the F of the corpus so far, or by that of the sentence alone."""
        chosen = np.zeros(len(counts), np.intp)
        before = taken = (0.0, 0.0, 0.0)
        for line, annotators in enumerate(counts.tolist()):
            best = (-1.0, 0.0, 0.0, 0.0)
            for index, (tp, fp, fn) in enumerate(annotators):
                if tp != tp:  # NaN: the sentence has fewer annotators than others
                    break
                together = (before[0] + tp, before[1] + fp, before[2] + fn)
                f = round(self._f_of(*together), _DIGITS) if cumulative else self._f_of(tp, fp, fn)
                if (f, tp, -fp, -fn) > best:
                    best, chosen[line], taken = (f, tp, -fp, -fn), index, together
            before = taken
        return chosen

    def _f_of(self, tp: float, fp: float, fn: float) -> float:
        return f_score(ratio(tp, tp + fp), ratio(tp, tp + fn), self.options.beta)

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


class SentenceMean(EditMetric):
    """The same, with the mean of the sentence scores as the score of the corpus."""

    def aggregate(self, statistics: Array) -> Score:
        counts = _counts(statistics)
        picked = self.chosen(counts, cumulative=self.options.sentence == "chosen")
        mean = float(np.mean(self.sentence_scores(statistics)))
        return Score(mean, self._numbers(*_picked(counts, picked).sum(axis=0)) | {"f": mean})


def _typed(edits: Sequence[Edit]) -> bool:
    """Whether someone annotated these edits; those without any type were read off a reference."""
    return not edits or any(edit.type for edit in edits)


def _ratio(top: Array, bottom: Array) -> Array:
    """top / bottom, with 0/0 = 1."""
    return np.where(bottom == 0, 1.0, top / np.where(bottom == 0, 1.0, bottom))


def _counts(statistics: Array) -> Array:
    """Sentences × annotators × (tp, fp, fn)."""
    return statistics.reshape(len(statistics), -1, 3)


def _picked(counts: Array, index: NDArray[np.intp]) -> Array:
    """The counts of one annotator a sentence."""
    return np.take_along_axis(counts, index[:, None, None], axis=1)[:, 0]
