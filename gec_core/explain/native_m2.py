"""M² and PT-M² explained by the edits that were matched with the gold edits of the chosen annotator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gec_core.explain.blocks import EditLine, Edits, Facts
from gec_core.explain.edits import trimmed
from gec_core.explain.native import Case, Native, native
from gec_core.metrics._bert_similarity import PairOfTexts
from gec_core.metrics._pt_edits import Reading, readings
from gec_core.metrics._pt_weights import Measured, pairs_to_measure
from gec_core.metrics.base import Pair
from gec_core.metrics.m2 import M2
from gec_core.metrics.ptm2 import PTM2
from gec_core.types import Annotation, Edit

RATES = {"p": "precision", "r": "recall", "f": "F"}


@native.register(M2)
def _m2(metric: M2, case: Case) -> Native:
    found, complete = readings(Pair(case.sentence, case.output), metric.options.max_unchanged)
    index = case.details["annotator"]
    reading, annotation = found[index], case.sentence.annotations[index]
    lines = [(edit, EditLine(*_shown(edit, reading), reading.verdict(edit))) for edit in reading.edits]
    facts = {name: case.details[name] for name in ("correct", "proposed", "gold")}
    facts |= {label: case.details[name] for name, label in RATES.items()}
    if not complete:
        facts["lattice"] = "too large: edits are single differences of tokens"
    return Native(
        (Edits("Edits beside the annotator's", _typed(lines, reading, annotation)), Facts("Counts", facts)),
        annotation.annotator,
        reading.reference,
    )


@native.register(PTM2)
def _ptm2(metric: PTM2, case: Case) -> Native:
    pair = Pair(case.sentence, case.output)
    index = case.details["annotator"]
    reading, annotation = readings(pair, metric.options.max_unchanged)[0][index], case.sentence.annotations[index]
    measured = metric.scorer.measure(pairs_to_measure([reading]), case.store) if metric.scorer else {}
    lines = []
    for weighed in metric.edit_weights(pair, case.store)[index]:
        edit = Edit(weighed.start, weighed.end, weighed.correction)
        compared = (reading.changed(edit), _value(measured, (reading.changed(edit), reading.reference)))
        lines.append((edit, EditLine(*_shown(edit, reading), weighed.verdict, weighed.weight, "", *compared)))
    return Native(
        (
            Edits("Edits and what they weigh", _typed(lines, reading, annotation)),
            Facts("Weights", _weight_facts(metric, case, reading, measured)),
        ),
        annotation.annotator,
        reading.reference,
    )


def _weight_facts(
    metric: PTM2, case: Case, reading: Reading, measured: Mapping[PairOfTexts, Measured]
) -> dict[str, Any]:
    details = case.details
    facts = {
        "source beside the reference (S, R)": _value(measured, (reading.source, reading.reference)),
        **{f"weight of {name} edits": details[f"{name}_weight"] for name in ("correct", "proposed", "gold")},
        **{label: details[name] for name, label in RATES.items()},
    }
    if not details["weighed"]:
        facts["note"] = "The score is the same whatever the edits weigh: the sums are counts."
    return facts


def _value(measured: Mapping[PairOfTexts, Measured], pair: PairOfTexts) -> float | None:
    return measured[pair].value if pair in measured else None


def _shown(edit: Edit, reading: Reading) -> tuple[int, int, str, str]:
    """Where the edit really changes something, what stood there, and what does now."""
    tokens = reading.source.split()
    core = trimmed(edit, tokens)
    return core.start, core.end, " ".join(tokens[core.start : core.end]), core.correction


def _typed(lines: Iterable[tuple[Edit, EditLine]], reading: Reading, annotation: Annotation) -> tuple[EditLine, ...]:
    """The lines with the types that the annotator gave to the same edits."""
    types = {met: gold.type for met, gold in zip(reading.gold, annotation.edits, strict=True)}
    return tuple(replace(line, type=types.get(edit, "")) for edit, line in lines)
