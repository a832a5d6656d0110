"""The I-measure (Felice and Briscoe 2015): how much better than its source an output is, token by token.

Source, output and reference are aligned (`gec_core.align.threeway`), the columns of the alignment are classified and
counted, and weighted accuracy is compared with that of the source itself: 0 is as good as the source, 100 perfect,
-100 all wrong. The reference of every sentence is the one with the highest weighted accuracy; the counts of the chosen
references are summed over the corpus.

Where the paper and the original scorer differ, this follows the scorer. Cheapest alignments do not always give the same
counts, so the choice among them matters (see `threeway`). The baseline is a separate alignment of source and reference;
it is not derived from the alignment of the output. The scorer's F is F1 by default, the paper's is F0.5.

With `mix` an annotator's own corrections are one of the combinations, so that no sentence gets a lower weighted
accuracy than without it, with two exceptions: an error that a person marked as required although an annotator left it
uncorrected, and two edits of an annotator that have the same span but belong to different errors (the original drops
such combinations).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gec_core.metrics import options, register
from gec_core.metrics.base import Case, Metric, Score
from gec_core.metrics.blocks import ColumnLine, Columns, Explanation, Facts, Step, Table, shown
from gec_core.metrics.fscore import f_score, ratio
from gec_core.metrics.imeasure import lattice
from gec_core.metrics.imeasure.counts import COUNTED, COUNTS, Aspect, criteria, rates
from gec_core.metrics.imeasure.lattice import TooManyReferences
from gec_core.metrics.options import option
from gec_core.metrics.sums import Sums
from gec_core.types import Array, Pair, Sentence

if TYPE_CHECKING:
    from gec_core.align.threeway import Alignment
    from gec_core.metrics.imeasure.search import Found, Search

MIXED = -1
"""The annotator of a mixed reference, and of the source where nobody annotated it."""
_ANNOTATOR, _REDUCED, _STAR = COUNTS, COUNTS + 1, COUNTS + 2
CLASSES = {
    "tp": "correctly changed",
    "tn": "correctly unchanged",
    "fp": "wrongly changed, or changed to something other than the reference",
    "fn": "should have been changed to the reference, and was not",
    "fpn": "FP and FN at once: changed, but not to the reference",
}
RATES = {
    "wacc": "weighted accuracy (%)",
    "wacc_base": "weighted accuracy of the source (%)",
    "i": "improvement (%)",
    "p": "precision (%)",
    "r": "recall (%)",
    "f": "F (%)",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reference that a sentence may be scored with."""

    annotator: int
    found: Found
    reduced: bool
    """Whether it comes from a reduced set of references, because there were too many."""


@register
class IMeasure(Metric):
    """The I-measure.

    A row of statistics has the counts (see `counts`), the number of the annotator whose reference was chosen, whether
    the references were reduced, and whether the alignment is a star instead of exact. All rates in the details are in
    percent.
    """

    id = "imeasure"
    name = "I-measure"
    family = "overlap"
    order = 20
    summary = "How much closer to correct than the source the output is, token by token, in percent."
    citation = "Felice and Briscoe 2015, Towards a standard evaluation method for grammatical error correction, NAACL"
    reads = "gold"
    percent = True
    card = cleandoc(r"""
        ### Formula
        Source, output and reference are aligned token by token at the lowest cost (match 0, gap 2, mismatch 3). Each
        column is a true or false positive or negative; a change where a different one was needed is both a false
        positive and a false negative (FPN). With $w = 2$:

        $$
        \text{WAcc} = \frac{w\,TP + TN}{w\,(TP + FP) + TN + FN - (w+1)\frac{FPN}{2}}
        $$

        $$
        I = \begin{cases}
        \lfloor \text{WAcc} \rfloor & \text{if WAcc} = \text{WAcc}_{\text{source}} \\
        \dfrac{\text{WAcc} - \text{WAcc}_{\text{source}}}{1 - \text{WAcc}_{\text{source}}} & \text{if WAcc is higher} \\
        \dfrac{\text{WAcc}}{\text{WAcc}_{\text{source}}} - 1 & \text{if WAcc is lower}
        \end{cases}
        $$

        in percent: 100 is a perfect text, 0 is as good as the source, below 0 the text got worse. `mode=mix` also
        allows references that combine corrections of different annotators; all of them are searched without enumerating
        them.

        ### Strengths
        It says whether a text got better at all, and scores detection as well as correction.

        ### Known failures
        * It is hard on systems that make changes: on CoNLL-2014 nearly every system is below 0 and the ranking is
          almost the reverse of people's (Chollampatt and Ng 2018: r −.250).
        * For *The weekly quizzes in this course makes it challenging and fun .*, *making* instead of *makes* gets
          −4.00, while leaving the error uncorrected gets 0 (their Table 4).
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        mode: Literal["nomix", "mix"] = option(
            "nomix", "references: those of each annotator, or all combinations of the annotators' corrections"
        )
        compat: bool = option(
            False, "convert gold edits as the original does: first alternative only, corrections retokenised"
        )
        beta: float = option(
            0.5, "weight of recall in F, which is reported but is not part of the score", least=0, most=100
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

    def sums(self, systems: Sequence[Array]) -> Sums:
        """I of the counts on each sentence's reference; its kink is where the output is as good as the source."""

        def lead(sums: Array) -> Array:
            found = rates(sums, "correction")
            return (found.wacc - found.wacc_base)[..., None]

        return Sums(
            count=lambda _, rows: rows[:, :COUNTS],
            score=lambda sums: 100 * rates(sums, "correction").i,
            kinks=lead,
        )

    def sentence_scores(self, statistics: Array) -> Array:
        return 100 * rates(statistics[:, :COUNTS], "correction").i

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        annotators = statistics[:, _ANNOTATOR].astype(int).tolist()
        return [
            {"annotator": annotator} | details
            for annotator, details in zip(annotators, self._details(statistics), strict=True)
        ]

    def alignment(self, sentence: Sentence, output: str) -> Alignment:
        """Align the output with its source and the reference that it is scored with."""
        from gec_core.align.threeway import align3

        (chosen,) = self._choose([Pair(sentence, output)])
        return align3(sentence.tokens, output.split(), chosen.found.reference)

    def explanation(self, case: Case) -> Explanation:
        columns = self.alignment(case.sentence, case.output).columns
        annotator = case.details["annotator"]
        facts = [Facts(aspect.capitalize(), _facts(case.details[aspect])) for aspect in ("correction", "detection")]
        notes = {name: case.details[name] for name in ("references", "alignment") if case.details[name] != "exact"}
        return case.explanation(
            Columns(
                "Alignment of source, output and reference",
                tuple(ColumnLine(*column, column.correction, column.detection) for column in columns),
            ),
            *facts,
            *([Facts("Not exact", notes)] if notes else []),
            annotator=None if annotator == MIXED else annotator,
            reference=" ".join(column.reference for column in columns if column.reference is not None),
        )

    def computation(self, case: Case) -> Iterator[Step]:
        yield Step(
            "Align source, output and reference",
            "The cheapest three-way alignment; a dot is a gap. The reference is the one that is best for the output.",
            tuple(self.explanation(case).all(Columns)),
        )
        tp, tn, fp, fn, fpn, tn_source, fn_source = (int(value) for value in case.rows[0][:COUNTS])
        counts = dict(zip(CLASSES, (tp, tn, fp, fn, fpn), strict=True))
        rows = tuple((name.upper(), str(counts[name]), what) for name, what in CLASSES.items())
        yield Step(
            "Count the columns of each class",
            "Each column is correct or wrong, and changed or unchanged. A column of class FPN counts as FP and as FN.",
            (Table("Counts", ("class", "columns", "meaning"), rows),),
        )
        top, bottom = 2 * tp + tn, 2 * (tp + fp) + tn + fn - 3 * fpn / 2
        accuracy = ratio(top, bottom)
        filled = f"(2·{tp} + {tn}) / (2·({tp} + {fp}) + {tn} + {fn} − 3·{fpn}/2)"
        yield Step(
            "Weighted accuracy of the output",
            "The share of the columns that are correct. Changes count twice, so that a wrong change is worse than "
            "none.",
            formulas=(
                "WAcc = (2·TP + TN) / (2·(TP + FP) + TN + FN − 3·FPN/2)",
                f"WAcc = {filled} = {shown(top)} / {shown(bottom)} = {shown(accuracy)}",
            ),
            value=accuracy,
        )
        total = tn_source + fn_source
        base = ratio(tn_source, total)
        yield Step(
            "Weighted accuracy of the source",
            "The weighted accuracy of the unchanged source with the same reference: the baseline for the output.",
            formulas=(f"WAcc of the source = TN / (TN + FN) = {tn_source} / {total} = {shown(base)}",),
            value=base,
        )
        yield _improvement_step(accuracy, base)

    def _choose(self, pairs: Sequence[Pair]) -> list[Candidate]:
        """Choose the best reference for every pair; of equally good ones the first annotator's."""
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
        raise AssertionError("the first corrections of an annotator give a single reference")

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
    """The references to choose from: those of each annotator, or the mixture.

    Cached, because outputs for the same sentence come one after the other. Where there are too many combinations, only
    the first corrections of the annotators are used (`reduced`).
    """
    from gec_core.metrics.imeasure.search import Search

    corrections = lattice.first_correction if reduced else lattice.every_correction
    if compat and sentence.errors is None:
        corrections = lattice.converted_correction
    if mode == "mix" and not reduced:
        return [(MIXED, Search(lattice.mixed_lattice(sentence, corrections)))]
    return [(annotator, Search(lattice)) for annotator, lattice in lattice.annotator_lattices(sentence, corrections)]


def _facts(details: dict[str, Any]) -> dict[str, Any]:
    return {name.upper(): details[name] for name in CLASSES} | {label: details[name] for name, label in RATES.items()}


def _improvement_step(accuracy: float, base: float) -> Step:
    if accuracy > base:
        text = "The output is better than the source: the score is the share of the errors that it corrected."
        value = 100 * (accuracy - base) / (1 - base)
        formula = f"I = 100 · (WAcc − source) / (1 − source) = 100 · {shown(accuracy - base)} / {shown(1 - base)}"
    elif accuracy < base:
        text = "The output is worse than the source: the score is minus the share of what was correct that it lost."
        value = 100 * (accuracy / base - 1)
        formula = f"I = 100 · (WAcc / source − 1) = 100 · ({shown(accuracy)} / {shown(base)} − 1)"
    else:
        text = "The output is as good as the source: the score is 0, or 100 if both are entirely correct."
        value = 100.0 if accuracy == 1 else 0.0
        formula = "I = 100 if WAcc = 1, otherwise 0"
    return Step("Improvement", text, formulas=(f"{formula} = {shown(value)}",), value=value)
