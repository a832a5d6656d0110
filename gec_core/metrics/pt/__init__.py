"""PT-M² and PT-ERRANT (Gong et al. 2022): each edit is weighted by its effect according to a pretrained model.

`family` defines the weights. PT-M² extracts edits as M² does; its reference is the source with all edits of the
annotator applied, as in the published code. In PT-ERRANT, the edits of the output and the gold edits are ERRANT's. With
all weights 1 it is SentERRANT, or ERRANT at corpus level. The paper extracted gold edits from the references:
`references=auto`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Literal

import numpy as np

from gec_core.align.edits import apply_edits
from gec_core.align.errant_pipeline import label
from gec_core.align.errant_types import UNKNOWN
from gec_core.metrics import register
from gec_core.metrics.base import Case
from gec_core.metrics.bertscore.similarity import PairOfTexts
from gec_core.metrics.blocks import Edits, Explanation, Facts, Step, Table, shown
from gec_core.metrics.errant import Errant, extraction_step
from gec_core.metrics.errant.rows import edits_beside_gold
from gec_core.metrics.fscore import RATES, rate_steps
from gec_core.metrics.m2 import M2, path_step
from gec_core.metrics.options import option
from gec_core.metrics.pt.family import NAMES, Read, WeightedMetric, WeightedOptions
from gec_core.metrics.pt.weights import Measured
from gec_core.metrics.readings import (
    Reading,
    as_met,
    lattice_caveat,
    lattice_notes,
    lattice_readings,
    outdated_lattices,
)
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair, Reads, Sentence

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


@register
class PTM2(ExplainedWeights):
    id = "ptm2"
    name = "PT-M²"
    order = 160
    summary = "M² with each edit weighted by how far it moves the sentence towards the reference, or away from it."
    reads = "gold"
    pace = 0.005
    card = cleandoc(r"""
        ### Formula
        M² with weights. For each edit $u$ of output or gold, $S'$ is the source with only $u$ applied, and

        $$
        w_u = \left| \text{BERTScore}(S', R) - \text{BERTScore}(S, R) \right|
        $$

        Precision and recall sum weights instead of counting edits; `level=sentence` is the mean of the sentence scores,
        each with the best annotator.

        ### Strengths
        It has the best correlation with people of the reference-based metrics here (published: r .949 against Expected
        Wins). The controls `weights=identity` and `weights=permuted` show how much of that is due to the model.

        ### Known failures
        It inherits M²'s edits: what M² does not match has no weight as correct, however good it is.
        """)

    @dataclass(frozen=True)
    class Options(WeightedOptions):
        max_unchanged: int = option(2, "number of unchanged words that one edit may cover", least=0, most=100)

    options: Options

    @property
    def edit_parts(self) -> tuple[str, ...]:
        return (f"max_unchanged:{self.options.max_unchanged}",)

    def outdated(self, rows: Mapping[bytes, Array]) -> set[bytes]:
        return outdated_lattices(rows)

    def caveat(self, details: Mapping[str, Any]) -> str:
        return lattice_caveat(details)

    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        return [Read(*lattice_readings(pair, self.options.max_unchanged)) for pair in pairs]

    @property
    def unweighted(self) -> M2:
        return M2(M2.Options(beta=self.options.beta))

    def unweighted_rows(self, blocks: Array) -> Array:
        return np.hstack([np.ones((len(blocks), 1)), blocks.reshape(len(blocks), -1)])

    def extraction_step(self, case: Case) -> Step:
        return path_step(self.chosen_reading(case), self.options.max_unchanged)

    def edit_types(self, case: Case, reading: Reading) -> Mapping[Edit, str]:
        return reading.annotated_types(case.sentence.annotations[case.details["annotator"]])

    def _notes(self, statistics: Array) -> dict[str, Any]:
        """Notes on truncated sentences, and on lattices that were too large."""
        return super()._notes(statistics) | lattice_notes(statistics)


@register
class PTErrant(ExplainedWeights):
    id = "pterrant"
    name = "PT-ERRANT"
    order = 161
    summary = "ERRANT with each edit weighted by how far it moves the sentence towards the reference, or away from it."
    reads: Reads = "gold"
    pace = 0.007
    card = cleandoc(r"""
        ### Formula
        ERRANT with the weights of PT-M²: for each edit $u$ of output or gold, $S'$ is the source with only $u$ applied,
        and

        $$
        w_u = \left| \text{BERTScore}(S', R) - \text{BERTScore}(S, R) \right|
        $$

        Precision and recall sum weights instead of counting edits; `level=sentence` is the mean of the sentence scores,
        each with the best annotator. With `weights=one` it is SentERRANT, or ERRANT with `level=corpus`.

        ### Strengths
        It has edits with error types and is close to people's rankings (published with BERT: r .941 against Expected
        Wins, where SentERRANT has .870). The paper extracted the gold edits from the references, which is
        `references=auto`.

        ### Known failures
        It inherits ERRANT's edits: a correction is wrong if the annotator chose another span for it, and its weight is
        the larger the more it changes.
        """)

    @dataclass(frozen=True)
    class Options(WeightedOptions):
        references: Literal["gold", "auto"] = option(
            "gold", "gold edits as annotated, or extracted from the references by ERRANT"
        )

    options: Options

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self.reads = self.unweighted.reads

    @property
    def edit_parts(self) -> tuple[str, ...]:
        return f"references:{self.options.references}", label()

    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        found = edits_beside_gold(pairs, self.options.references, store)
        return [
            Read(
                [
                    reading(pair.sentence.source, self._reference(pair.sentence, annotator), made, gold)
                    for annotator, gold in enumerate(golds)
                ]
            )
            for pair, (made, golds) in zip(pairs, found, strict=True)
        ]

    def _reference(self, sentence: Sentence, annotator: int) -> str:
        """The annotator's correction of the source; edits extracted from a reference give that reference."""
        if self.options.references == "auto":
            return sentence.references[annotator]
        return apply_edits(sentence.source, sentence.annotations[annotator].edits)

    @property
    def unweighted(self) -> Errant:
        return Errant(Errant.Options(beta=self.options.beta, references=self.options.references))

    def unweighted_rows(self, blocks: Array) -> Array:
        correct, proposed, gold = np.moveaxis(blocks, -1, 0)
        counts = np.stack([correct, proposed - correct, gold - correct], axis=-1)
        return counts.reshape(len(blocks), -1)

    def extraction_step(self, case: Case) -> Step:
        return extraction_step(self.explanation(case))

    def edit_types(self, case: Case, reading: Reading) -> Mapping[Edit, str]:
        ((made, golds),) = edits_beside_gold([case.pair], self.options.references, case.store)
        return {
            Edit(edit.start, edit.end, correction): edit.type
            for edit in [*golds[case.details["annotator"]], *made]
            for correction in edit.corrections
        }

    def annotator(self, case: Case) -> int | None:
        return None if self.options.references == "auto" else super().annotator(case)


def reading(source: str, reference: str, made: Sequence[Edit], gold: Sequence[Edit]) -> Reading:
    """Compare the edits of an output with gold edits as `errant_compare` counts them.

    Errors that were marked but not corrected are left out; an edit that equals two gold edits counts twice.
    """
    made, gold = ([edit for edit in edits if edit.type != UNKNOWN] for edits in (made, gold))
    plain = [Edit(edit.start, edit.end, edit.correction) for edit in made]
    wanted = tuple(as_met(edit, set(plain)) for edit in gold)
    times = Counter(wanted)
    proposed = tuple(edit for each in plain for edit in [each] * max(1, times[each]))
    return Reading(source, reference, proposed, tuple(int(edit in times) for edit in proposed), wanted)
