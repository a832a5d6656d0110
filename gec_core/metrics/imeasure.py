"""The I-measure (Felice and Briscoe 2015): how much better than its source an output is, token by token.

Source, output and reference are aligned (`gec_core.align.threeway`), the columns of the alignment are
counted as right or wrong, and weighted accuracy is compared with that of the source itself: 0 is as good as
the source, 100 perfect, -100 all wrong. The reference is chosen for every sentence so that weighted
accuracy is highest; the counts of the chosen references are summed over the corpus.

Where the paper and the original scorer differ, this follows the scorer. Cheapest alignments do not always
give the same counts, so the choice among them matters (see `threeway`). The baseline is an alignment of
source and reference of its own; it is not read off the alignment of the output. Its F is F1 unless told
otherwise, in the paper it is F0.5.

With `mix` an annotator's own corrections are one of the combinations, so that no sentence gets a lower
weighted accuracy than without it, but for two exceptions: an error that a person marked as required
although an annotator left it alone, and two edits of an annotator that have the same span but belong to
different errors (the original drops such combinations).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gec_core.metrics import _imeasure_gold as gold
from gec_core.metrics import options, register
from gec_core.metrics._imeasure_counts import COUNTED, COUNTS, Aspect, criteria, rates
from gec_core.metrics._imeasure_lattice import TooManyReferences
from gec_core.metrics.base import Metric, Score, f_score
from gec_core.metrics.options import option
from gec_core.types import Array, Pair, Sentence

if TYPE_CHECKING:  # these load numba, which waits until a sentence is scored
    from gec_core.align.threeway import Alignment
    from gec_core.metrics._imeasure_search import Found, Search

MIXED = -1
"""Stands for the annotator of a mixed reference, and of the source where nobody annotated it."""
_ANNOTATOR, _REDUCED, _STAR = COUNTS, COUNTS + 1, COUNTS + 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reference that a sentence may be scored with."""

    annotator: int
    found: Found
    reduced: bool
    """Whether it comes from a reduced set of references, for there were too many."""


@register
class IMeasure(Metric):
    """A row of statistics has the counts of `_imeasure_counts`, the number of the annotator whose reference was
    chosen, whether the references were reduced, and whether the alignment is not exact but a star.

    All rates in the details are in percent.
    """

    id = "imeasure"
    name = "I-measure"
    family = "overlap"
    order = 20
    summary = "How much closer to correct than the source the output is, token by token, in percent."
    citation = "Felice and Briscoe 2015, Towards a standard evaluation method for grammatical error correction, NAACL"
    reads = "gold"
    percent = True

    @dataclass(frozen=True)
    class Options(options.Options):
        mode: Literal["nomix", "mix"] = option(
            "nomix", "references: each annotator's own, or all combinations of the annotators' corrections"
        )
        compat: bool = option(
            False, "read gold edits as the original's converter does: first alternative only, retokenised"
        )
        beta: float = option(
            0.5, "weight of recall in F, which is reported but not part of the score", least=0, most=100
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        compat = str(self.options.compat).lower()
        return f"imeasure-counts|v{self.version}|mode:{self.options.mode}|compat:{compat}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return [
            np.array([*chosen.found.counts, chosen.annotator, chosen.reduced, chosen.found.alignment == "star"], float)
            for chosen in self._choose(pairs)
        ]

    def aggregate(self, statistics: Array) -> Score:
        total = statistics.sum(axis=0, keepdims=True)
        (details,) = self._details(total)
        return Score(details["correction"]["i"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return self.sentence_scores(counts @ statistics)

    def sentence_scores(self, statistics: Array) -> Array:
        return 100 * rates(statistics[:, :COUNTS], "correction").i

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        annotators = statistics[:, _ANNOTATOR].astype(int).tolist()
        return [
            {"annotator": annotator} | details
            for annotator, details in zip(annotators, self._details(statistics), strict=True)
        ]

    def alignment(self, sentence: Sentence, output: str) -> Alignment:
        """The output in columns with its source and the reference that it is scored with."""
        from gec_core.align.threeway import align3

        (chosen,) = self._choose([Pair(sentence, output)])
        return align3(sentence.tokens, output.split(), chosen.found.reference)

    def _choose(self, pairs: Sequence[Pair]) -> list[Candidate]:
        """The best reference for every pair; of equally good ones the first annotator's."""
        candidates = [self._candidates(pair) for pair in pairs]
        counts = [candidate.found.counts for group in candidates for candidate in group]
        keys = dict(zip(counts, criteria(np.array(counts).reshape(-1, COUNTS)), strict=True))
        return [max(group, key=lambda candidate: keys[candidate.found.counts]) for group in candidates]

    def _candidates(self, pair: Pair) -> list[Candidate]:
        """The best reference of every annotator, or of the mixture."""
        hypothesis = pair.output.split()
        for reduced in (False, True):
            try:
                searches = _searches(pair.sentence, self.options.mode, self.options.compat, reduced)
                return [Candidate(annotator, search.best(hypothesis), reduced) for annotator, search in searches]
            except TooManyReferences:
                continue
        raise AssertionError("the first corrections of an annotator make a single reference")

    def _details(self, statistics: Array) -> list[dict[str, Any]]:
        correct = self._aspect(statistics[:, :COUNTS], "correction")
        detect = self._aspect(statistics[:, :COUNTS], "detection")
        return [
            {
                "correction": correction,
                "detection": detection,
                "references": "reduced" if row[_REDUCED] else "exact",
                "alignment": "star" if row[_STAR] else "exact",
            }
            for correction, detection, row in zip(correct, detect, statistics, strict=True)
        ]

    def _aspect(self, counts: Array, aspect: Aspect) -> list[dict[str, float]]:
        """Counts as integers and rates in percent, for every row."""
        columns: dict[str, list[float]] = {
            name: values.astype(int).tolist() if name in COUNTED else (100 * values).tolist()
            for name, values in rates(counts, aspect)._asdict().items()
        }
        columns["f"] = [f_score(p, r, self.options.beta) for p, r in zip(columns["p"], columns["r"], strict=True)]
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


@lru_cache(maxsize=64)
def _searches(sentence: Sentence, mode: str, compat: bool, reduced: bool) -> list[tuple[int, Search]]:
    """What there is to choose from: annotators with their references, or the mixture.

    Kept for a while, since outputs for the same sentence come one after the other. Where there are too many
    combinations, what the annotators wrote first has to do (`reduced`).
    """
    from gec_core.metrics._imeasure_search import Search

    reading = gold.first_correction if reduced else gold.every_correction
    if compat and sentence.errors is None:
        reading = gold.converted_correction
    if mode == "mix" and not reduced:
        return [(MIXED, Search(gold.mixed_lattice(sentence, reading)))]
    return [(annotator, Search(lattice)) for annotator, lattice in gold.annotator_lattices(sentence, reading)]
