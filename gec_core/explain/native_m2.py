"""M² and PT-M² explained by the edits that were matched with the gold edits of the chosen annotator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_core.explain.blocks import EditLine, Edits, Facts
from gec_core.explain.edits import trimmed
from gec_core.explain.native import Case, Native, native
from gec_core.metrics._bert_similarity import PairOfTexts
from gec_core.metrics._pt_edits import Reading, readings
from gec_core.metrics._pt_family import WeighedMetric
from gec_core.metrics._pt_weights import Measured, pairs_to_measure
from gec_core.metrics.m2 import M2
from gec_core.metrics.ptm2 import PTM2
from gec_core.types import Annotation, Edit, Pair

RATES = {"p": "precision", "r": "recall", "f": "F"}


@native.register(M2)
def _m2(metric: M2, case: Case) -> Native:
    found, complete = readings(Pair(case.sentence, case.output), metric.options.max_unchanged)
    index = case.details["annotator"]
    reading, annotation = found[index], case.sentence.annotations[index]
    types = _types(reading, annotation)
    lines = tuple(
        EditLine(*_shown(edit, reading), reading.verdict(edit), type=types.get(edit, "")) for edit in reading.edits
    )
    facts = {name: case.details[name] for name in ("correct", "proposed", "gold")}
    facts |= {label: case.details[name] for name, label in RATES.items()}
    if not complete:
        facts["lattice"] = "too large: edits are single differences of tokens"
    return Native(
        (Edits("Edits beside the annotator's", lines), Facts("Counts", facts)),
        annotation.annotator,
        reading.reference,
    )


@native.register(PTM2)
def _ptm2(metric: PTM2, case: Case) -> Native:
    reading, annotation = chosen_reading(metric, case), case.sentence.annotations[case.details["annotator"]]
    return weighed_edits(metric, case, reading, _types(reading, annotation), annotation.annotator)


def chosen_reading(metric: WeighedMetric, case: Case) -> Reading:
    """The edits beside those of the annotator who counts."""
    (found,) = metric.readings([Pair(case.sentence, case.output)], case.store)
    return found.readings[case.details["annotator"]]


def weighed_edits(
    metric: WeighedMetric, case: Case, reading: Reading, types: Mapping[Edit, str], annotator: int | None
) -> Native:
    """The edits with what they weigh, and the comparisons that the weights come from."""
    measured = metric.scorer.measure(pairs_to_measure([reading]), case.store) if metric.scorer else {}
    lines = []
    for weighed in metric.rule.weigh(reading, measured):
        edit = Edit(weighed.start, weighed.end, weighed.correction)
        compared = (reading.changed(edit), _value(measured, (reading.changed(edit), reading.reference)))
        shown = *_shown(edit, reading), weighed.verdict, weighed.weight
        lines.append(EditLine(*shown, types.get(edit, ""), *compared))
    facts = Facts("Weights", _weight_facts(case, reading, measured))
    return Native((Edits("Edits and what they weigh", tuple(lines)), facts), annotator, reading.reference)


def _weight_facts(case: Case, reading: Reading, measured: Mapping[PairOfTexts, Measured]) -> dict[str, Any]:
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


def _types(reading: Reading, annotation: Annotation) -> dict[Edit, str]:
    """The types that the annotator gave to edits."""
    return {met: gold.type for met, gold in zip(reading.gold, annotation.edits, strict=True)}
