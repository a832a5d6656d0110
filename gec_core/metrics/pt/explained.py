"""The explanation of weighted edits: the weights, the comparisons behind them, and the steps to the score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from gec_core.metrics.base import Case
from gec_core.metrics.bertscore.similarity import PairOfTexts
from gec_core.metrics.blocks import Edits, Explanation, Facts, Step, Table, shown
from gec_core.metrics.fscore import RATES, rate_steps
from gec_core.metrics.pt.family import NAMES, WeightedMetric
from gec_core.metrics.pt.weights import Measured
from gec_core.metrics.readings import Reading
from gec_core.types import Edit

SOURCE_SCORE = "score of the source with the reference, score(S, R)"


class ExplainedWeights(WeightedMetric):
    """A metric on weighted edits that explains its scores."""

    @abstractmethod
    def extraction_step(self, case: Case) -> Step:
        """The step that extracts the edits of the output."""

    @abstractmethod
    def edit_types(self, case: Case, reading: Reading) -> Mapping[Edit, str]:
        """The types of the edits of the reading under the chosen annotator."""

    def annotator(self, case: Case) -> int | None:
        """The number of the chosen annotator as in the gold file; None where gold edits come from references."""
        return case.sentence.annotations[case.details["annotator"]].annotator

    def chosen_reading(self, case: Case) -> Reading:
        """The output compared with the chosen annotator."""
        (found,) = self.readings([case.pair], case.store)
        return found.readings[case.details["annotator"]]

    def explanation(self, case: Case) -> Explanation:
        reading = self.chosen_reading(case)
        measured = self.measure([reading], case.store)
        types = self.edit_types(case, reading)
        edits, rows = [], []
        for edit, weighed in zip(reading.edits, self.rule.weigh(reading, measured), strict=True):
            edits.append(reading.shown(edit, weighed.value, types.get(edit, "")))
            gain = self.rule.gain(reading, measured, edit)
            if gain is not None:
                changed = reading.changed(edit)
                score = measured[changed, reading.reference].value
                rows.append((str(edits[-1]), changed, shown(score), shown(gain)))
        heads = ("edit", "source with this edit alone (S′)", "score(S′, R)", "score(S′, R) − score(S, R)")
        return case.explanation(
            Edits("Edits and their weights", tuple(edits)),
            *([Table("Comparisons with the reference", heads, tuple(rows))] if rows else []),
            Facts("Weights", _facts(case, reading, measured)),
            annotator=self.annotator(case),
            reference=reading.reference,
        )

    def computation(self, case: Case) -> Iterator[Step]:
        details = case.details
        yield self.extraction_step(case)
        yield self._weight_step(case)
        correct, proposed, gold = (float(details[f"{name}_weight"]) for name in NAMES)
        sums = correct, proposed, gold
        text = f"Where {self.unweighted.name} counts edits, {self.name} sums their weights."
        if not details["weighed"]:
            text = "Here the score is the same for all weights, so edits are counted."
        formulas = tuple(f"{name} = {shown(value)}" for name, value in zip(NAMES, sums, strict=True))
        yield Step("Sums of weights", text, formulas=formulas)
        yield from rate_steps(NAMES, sums, self.options.beta)

    def _weight_step(self, case: Case) -> Step:
        reading = self.chosen_reading(case)
        measured = self.measure([reading], case.store)
        formulas = []
        for edit, weighed in zip(reading.edits, self.rule.weigh(reading, measured), strict=True):
            gain = self.rule.gain(reading, measured, edit)
            if gain is not None:
                after = measured[reading.changed(edit), reading.reference].value
                difference = f"|{shown(after)} − {shown(after - gain)}|"
                formulas.append(f"w({reading.shown(edit)}) = {difference} = {shown(weighed.value)}")
        return Step(
            "The weights of the edits",
            "The model compares the source with the reference (R), first unchanged (S), then with one edit applied "
            "(S′). The weight of an edit is the difference of the two scores: how far it alone moves the source "
            "towards the reference, or away from it.",
            tuple(self.explanation(case).all(Edits)),
            ("w(edit) = |score(S′, R) − score(S, R)|", *formulas),
        )


def _facts(case: Case, reading: Reading, measured: Mapping[PairOfTexts, Measured]) -> dict[str, Any]:
    details, before = case.details, (reading.source, reading.reference)
    facts = {
        SOURCE_SCORE: measured[before].value if before in measured else None,
        **{f"weight of {name} edits": details[f"{name}_weight"] for name in NAMES},
        **{label: details[name] for name, label in RATES.items()},
    }
    if not details["weighed"]:
        facts["note"] = "The score is the same for all weights: the sums are counts."
    return facts
