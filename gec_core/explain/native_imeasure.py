"""The I-measure explained by its alignment: the class of every column, and accuracy against the source's own."""

from __future__ import annotations

from typing import Any

from gec_core.explain.blocks import ColumnLine, Columns, Facts
from gec_core.explain.native import Case, Native, native
from gec_core.metrics.imeasure import MIXED, IMeasure

COUNTS = ("tp", "tn", "fp", "fn", "fpn")
RATES = {
    "wacc": "weighted accuracy (%)",
    "wacc_base": "weighted accuracy of the source (%)",
    "i": "improvement (%)",
    "p": "precision (%)",
    "r": "recall (%)",
    "f": "F (%)",
}


@native.register(IMeasure)
def _imeasure(metric: IMeasure, case: Case) -> Native:
    columns = metric.alignment(case.sentence, case.output).columns
    annotator = case.details["annotator"]
    facts = [Facts(f"{aspect.capitalize()}", _aspect(case.details[aspect])) for aspect in ("correction", "detection")]
    notes = {name: case.details[name] for name in ("references", "alignment") if case.details[name] != "exact"}
    return Native(
        (
            Columns(
                "Source, output and reference, aligned",
                tuple(ColumnLine(*column, column.correction, column.detection) for column in columns),
            ),
            *facts,
            *([Facts("Not exact", notes)] if notes else []),
        ),
        None if annotator == MIXED else annotator,
        " ".join(column.reference for column in columns if column.reference is not None),
    )


def _aspect(details: dict[str, Any]) -> dict[str, Any]:
    return {name.upper(): details[name] for name in COUNTS} | {label: details[name] for name, label in RATES.items()}
