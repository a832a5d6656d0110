"""Felice and Briscoe 2015: the I-measure, beside M2.

Tables 1 to 3 are worked examples of M2, Tables 7 and 8 arithmetic, Tables 10 and 11 the systems of
CoNLL-2014 with the gold edits that include alternatives, on sentences that cluster without help.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from gec_core.meta import Coefficient
from gec_core.meta.correlation import Scores
from gec_core.metrics.fscore import f_score
from gec_core.metrics.imeasure.counts import rates
from gec_core.papers.inputs import PaperInputs, correlation, spec
from gec_core.papers.rows import UNKNOWN, Attempt, PublishedFigure, Row, judge, table
from gec_core.papers.variants import Variant
from gec_core.types import Edit

M2 = spec("m2")
IMEASURE = spec("imeasure", mode="mix", compat="true")
BETA = 0.5
BASELINE = "BASELINE"
NAMES = {BASELINE: "INPUT"}

SELECTION = (
    "the authors kept 711 sentences and did not publish which; ours are the 739 that cluster cleanly by our reading "
    "of their description. No 711 of these 739 can give their Table 11 (a linear program shows it): at least 6 of "
    "theirs are not among ours, 9 by an integer program of an audit (docs/findings.md). On the sentences where the "
    "original scorers can be run, ours count the same"
)
FROM_TABLES = (
    "follows from Tables 10 and 11, which are about other sentences than ours; from their printed columns it "
    "comes out as published (checked)"
)
ARITHMETIC = f"{UNKNOWN}: this is arithmetic on printed numbers"
EXAMPLE = f"{UNKNOWN}: this example came out when the causes were looked into"

_cell = partial(PublishedFigure, "felice2015")


def rows(inputs: PaperInputs) -> Iterator[Row]:
    """All figures of the paper."""
    for record in table("felice2015_examples"):
        for column in ("p", "r", "f05"):
            yield _example(inputs, record, column)
    yield from _arithmetic()
    for record in table("felice2015_table10"):
        for column in record:
            if column != "system":
                yield _m2(inputs, record, column)
    for record in table("felice2015_table11"):
        for column in record:
            if column != "system":
                yield _imeasure(inputs, record, column)
    for record in table("felice2015_text"):
        yield _relation(inputs, record)


def _example(inputs: PaperInputs, record: dict[str, str], column: str) -> Row:
    def compute() -> list[Attempt]:
        gold = [_edits(annotator) for annotator in record["gold"].split("|")]
        scored = inputs.example(M2, record["source"], [record["source"]], record["hypothesis"], gold)
        return [Attempt(scored.systems["output"].score.details[column.removesuffix("05")])]

    return judge(_cell(f"table{record['table']}", record["row"], column, record[column]), compute, EXAMPLE)


def _edits(text: str) -> list[Edit]:
    """`0 1 These; 2 3 are`"""
    fields = (edit.split(maxsplit=2) for edit in text.split(";"))
    return [Edit(int(start), int(end), correction) for start, end, correction in fields]


def _arithmetic() -> Iterator[Row]:
    """F from precision and recall (Table 7), rates from counts (Table 8)."""
    for record in table("felice2015_table7"):
        f = f_score(float(record["p"]), float(record["r"]), BETA)
        cell = _cell("table7", f"{record['system']} on {record['references']}", "f05", record["f05"])
        yield judge(cell, partial(_one, f), ARITHMETIC)
    for record in table("felice2015_table8"):
        tp, tn, fp, fn = (int(record[name]) for name in ("tp", "tn", "fp", "fn"))
        found = rates(np.array([[tp, tn, fp, fn, 0, tn + fp, tp + fn]], float), "correction")
        p, r, acc, wacc = (float(getattr(found, name)[0]) for name in ("p", "r", "acc", "wacc"))
        ours = {"p": p, "r": r, "f05": f_score(p, r, BETA), "acc": acc, "wacc": wacc}
        for column, value in ours.items():
            yield judge(_cell("table8", record["system"], column, record[column]), partial(_one, value), ARITHMETIC)


def _one(value: float) -> list[Attempt]:
    return [Attempt(value)]


def _m2(inputs: PaperInputs, record: dict[str, str], column: str) -> Row:
    """A percentage of Table 10: p, r or f05 under the original or the mixed annotations."""
    rate, annotations = column.split("_")

    def compute() -> list[Attempt]:
        return [Attempt(_m2_rates(inputs, rate, "clean" if annotations == "original" else "mixed")[_name(record)])]

    return judge(_cell("table10", record["system"], column, record[column]), compute, SELECTION)


def _imeasure(inputs: PaperInputs, record: dict[str, str], column: str) -> Row:
    """A count or a percentage of Table 11."""

    def compute() -> list[Attempt]:
        return [Attempt(_imeasure_details(inputs, column)[_name(record)])]

    return judge(_cell("table11", record["system"], column, record[column]), compute, SELECTION)


def _relation(inputs: PaperInputs, record: dict[str, str]) -> Row:
    """What the text says about the rankings of Tables 10 and 11."""
    coefficient: Coefficient = "pearson" if record["coefficient"] == "pearson" else "spearman"

    def compute() -> list[Attempt]:
        return [Attempt(correlation(_scores(inputs, record["one"]), _scores(inputs, record["other"]), coefficient))]

    cell = _cell("text", f"{record['one']} and {record['other']}", coefficient, record["value"])
    return judge(cell, compute, FROM_TABLES)


def _scores(inputs: PaperInputs, column: str) -> Scores:
    return _m2_rates(inputs, "f05", "clean") if column == "m2_f05" else _imeasure_details(inputs, column)


def _m2_rates(inputs: PaperInputs, rate: str, which: Variant) -> Scores:
    """Precision, recall or F of every system, in percent."""
    details = {name: one.score.details for name, one in inputs.column(M2, which).systems.items()}
    return {name: 100 * each[rate.removesuffix("05")] for name, each in details.items()}


def _imeasure_details(inputs: PaperInputs, name: str) -> Scores:
    """A count, or a rate in percent, of every system."""
    systems = inputs.column(IMEASURE, "clean").systems
    return {system: one.score.details["correction"][name.removesuffix("05")] for system, one in systems.items()}


def _name(record: dict[str, str]) -> str:
    return NAMES.get(record["system"], record["system"])
