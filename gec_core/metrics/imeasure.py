"""The I-measure: how much better than its source an output is, token by token.

Source, output and reference are aligned (`gec_core.align.threeway`), every column of the alignment is
right or wrong, and weighted accuracy is compared with that of the source itself: 0 is as good as the
source, 100 is perfect, -100 has nothing right. The reference is chosen for every sentence so that
weighted accuracy is highest; counts of the chosen references are summed over the corpus.

The paper says that all cheapest alignments give the same counts. They do not quite (see `threeway`), so
the choice among them is the original's. Its baseline is not read off the alignment of the output but is
an alignment of source and reference of its own.

With `mix`, an annotator's own corrections are one of the combinations, so that no sentence has a lower
weighted accuracy than without, but for two exceptions: errors that a person grouped and marked as
required although an annotator left them alone, and two edits of an annotator with one span that fell
into different errors (the original drops combinations with equal spans).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gec_core.metrics import _imeasure_gold as gold
from gec_core.metrics import options, register
from gec_core.metrics._imeasure_counts import COUNTS, Aspect, Rates, criteria, rates
from gec_core.metrics._imeasure_lattice import TooManyReferences
from gec_core.metrics.base import Array, Metric, Pair, Score, f_score
from gec_core.metrics.options import option
from gec_core.types import Sentence

if TYPE_CHECKING:  # numba is loaded when the first sentence is scored
    from gec_core.align.threeway import Alignment
    from gec_core.metrics._imeasure_search import Found, Search

Mode = Literal["nomix", "mix"]
_REDUCED, _JOINED = COUNTS + 1, COUNTS + 2
MIXED = -1
"""Stands for the annotator when the reference is not one annotator's."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The reference that a sentence is scored with."""

    annotator: int
    found: Found
    reduced: bool


@register
class IMeasure(Metric):
    """Improvement in weighted accuracy over the source (Felice and Briscoe 2015).

    A row of statistics: TP, TN, FP, FN, FPN for correction, TN and FN of the baseline, the annotator whose
    reference was chosen (-1 for a mixed one), whether the references had to be reduced, whether the
    alignment was joined from two. All rates in the details are in percent.
    """

    id = "imeasure"
    name = "I-measure"
    family = "overlap"
    summary = "How much closer to correct the output is than the source, token by token."
    citation = "Felice and Briscoe 2015"
    order = 20
    reads = "gold"
    percent = True

    @dataclass(frozen=True)
    class Options(options.Options):
        mode: Mode = option("nomix", "one reference per annotator, or all mixtures of the annotators' corrections")
        compat: bool = option(False, "first correction of an edit only, retokenised, like the original's converter")
        beta: float = option(0.5, "weight of recall against precision, for F", least=0)

    options: Options

    @property
    def statistics_signature(self) -> str:
        return "|".join(part for part in self.signature.split("|") if not part.startswith("beta:"))

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return [np.array([*c.found.counts, c.annotator, c.reduced, c.found.method != "exact"], np.float64) for c in self._choose(pairs)]

    def aggregate(self, statistics: Array) -> Score:
        totals = statistics[:, :COUNTS].sum(axis=0)
        details = self._details(totals, statistics[:, _REDUCED].any(), statistics[:, _JOINED].any())
        return Score(details["correction"]["i"], details)

    def sentence_scores(self, statistics: Array) -> Array:
        return 100 * rates(statistics[:, :COUNTS], "correction").i

    def sentence_details(self, row: Array) -> dict[str, Any]:
        return {**self._details(row[:COUNTS], row[_REDUCED], row[_JOINED]), "annotator": int(row[COUNTS])}

    def alignment(self, sentence: Sentence, output: str) -> Alignment:
        """The output in columns with its source and the reference it is scored with."""
        from gec_core.align.threeway import align3

        (chosen,) = self._choose([Pair(sentence, output)])
        return align3(sentence.tokens, output.split(), chosen.found.reference)

    def _choose(self, pairs: Sequence[Pair]) -> list[Chosen]:
        """The best reference for every pair; of equally good ones the first annotator's."""
        candidates = [self._candidates(pair) for pair in pairs]
        counts = [chosen.found.counts for group in candidates for chosen in group]
        keys = dict(zip(counts, criteria(np.array(counts).reshape(-1, COUNTS)), strict=True))
        return [max(group, key=lambda chosen: keys[chosen.found.counts]) for group in candidates]

    def _candidates(self, pair: Pair) -> list[Chosen]:
        """The best reference of every annotator, or of the mixture.

        Where there are too many combinations, annotators' first corrections have to do.
        """
        hypothesis = pair.output.split()
        for reduced in (False, True):
            try:
                searches = _searches(pair.sentence, self.options.mode, self.options.compat, reduced)
                return [Chosen(annotator, search.best(hypothesis), reduced) for annotator, search in searches]
            except TooManyReferences:
                continue
        raise AssertionError("an annotator's first corrections are a single reference")

    def _details(self, counts: Array, reduced: float, joined: float) -> dict[str, Any]:
        return {
            "correction": self._aspect(counts, "correction"),
            "detection": self._aspect(counts, "detection"),
            "references": "reduced" if reduced else "exact",
            "alignment": "star" if joined else "exact",
        }

    def _aspect(self, counts: Array, aspect: Aspect) -> dict[str, float]:
        found = rates(counts, aspect)._asdict()
        details = {name: int(found.pop(name)) for name in ("tp", "tn", "fp", "fn", "fpn")}
        f = f_score(float(found["p"]), float(found["r"]), self.options.beta)
        return {**details, **{name: 100 * float(value) for name, value in {**found, "f": f}.items()}}


@lru_cache(maxsize=4096)
def _searches(sentence: Sentence, mode: Mode, compat: bool, reduced: bool) -> list[tuple[int, Search]]:
    """What there is to choose from: annotators with their references, or the mixture.

    Kept, since all systems have the same sentences.
    """
    from gec_core.metrics._imeasure_search import Search

    reading = gold.every_correction
    if reduced:
        reading = gold.first_correction
    if compat and sentence.errors is None:
        reading = gold.converted_correction
    if mode == "mix" and not reduced:
        return [(MIXED, Search(gold.mixed_lattice(sentence, reading)))]
    return [(annotator, Search(lattice)) for annotator, lattice in gold.annotator_lattices(sentence, reading)]
