"""ERRANT, SentERRANT, GoToScorer and PT-ERRANT explained by typed edits beside those of the chosen annotator."""

from __future__ import annotations

from collections.abc import Sequence

from gec_core.align.edits import apply_edits
from gec_core.explain.blocks import EditLine, Edits, Facts, Verdict
from gec_core.explain.native import Case, Native, native
from gec_core.explain.native_m2 import RATES, chosen_reading, weighed_edits
from gec_core.explain.texts import stored_rows
from gec_core.metrics import _errant_rows
from gec_core.metrics._errant_family import EditMetric, edits_beside_gold
from gec_core.metrics._errant_rows import Mode
from gec_core.metrics.base import stack
from gec_core.metrics.errant import Errant
from gec_core.metrics.gotoscorer import GoToScorer, difficulty
from gec_core.metrics.pterrant import PTErrant
from gec_core.types import Array, Edit, Pair


@native.register(Errant)
def _errant(metric: Errant, case: Case) -> Native:
    rows = stored_rows(metric, case.sentence, [case.output], store=case.store)
    return _explained(metric, case, stack([rows[case.output]]), None, metric.options.mode)


@native.register(GoToScorer)
def _gotoscorer(metric: GoToScorer, case: Case) -> Native:
    texts = [case.output, *case.peers]
    rows = stored_rows(metric, case.sentence, texts, store=case.store)
    tables = [stack([rows[text]]) for text in texts]
    return _explained(metric, case, tables[0], difficulty(tables)[0], "span")


def _explained(metric: EditMetric, case: Case, rows: Array, weights: Array | None, mode: Mode) -> Native:
    index = case.details["reference"]
    table = _errant_rows.records(rows)
    size, right = _errant_rows.units(table, mode)
    weight = size if weights is None else size * weights
    mine = table[0, :, _errant_rows.ANNOTATOR] == index
    made, gold = _edits(metric, case, index)
    lines = _lines(case, made, gold, (right >= size)[0][mine], weight[0][mine])
    facts = {name: case.details[name] for name in ("tp", "fp", "fn")}
    facts |= {label: case.details[name] for name, label in RATES.items()}
    blocks = Edits("Edits beside the annotator's", lines), Facts("Counts", facts)
    if metric.options.references == "auto":
        return Native(blocks, None, case.sentence.references[index])
    annotation = case.sentence.annotations[index]
    return Native(blocks, annotation.annotator, apply_edits(case.sentence.source, annotation.edits))


@native.register(PTErrant)
def _pterrant(metric: PTErrant, case: Case) -> Native:
    index = case.details["annotator"]
    made, gold = _edits(metric, case, index)
    types = {
        Edit(edit.start, edit.end, correction): edit.type for edit in [*gold, *made] for correction in edit.corrections
    }
    annotator = None if metric.options.references == "auto" else case.sentence.annotations[index].annotator
    return weighed_edits(metric, case, chosen_reading(metric, case), types, annotator)


def _edits(metric: EditMetric | PTErrant, case: Case, annotator: int) -> tuple[Sequence[Edit], Sequence[Edit]]:
    """The edits of the output, and the annotator's."""
    pair = Pair(case.sentence, case.output)
    ((made, golds),) = edits_beside_gold([pair], metric.options.references, case.store)
    return made, golds[annotator]


def _lines(
    case: Case, made: Sequence[Edit], gold: Sequence[Edit], right: Array, weights: Array
) -> tuple[EditLine, ...]:
    """Records are in the order of the edits, those of the output first.

    What was rightly made counts by the weight of the gold edit, and is not listed again as such.
    """
    records = list(zip([*made, *gold], right, weights.tolist(), strict=True))
    weight_at = {(edit.start, edit.end): weight for edit, _, weight in records[len(made) :]}
    found = [
        _line(case, edit, "correct", weight_at.get((edit.start, edit.end), weight))
        if is_right
        else _line(case, edit, "wrong", weight)
        for edit, is_right, weight in records[: len(made)]
    ]
    found += [_line(case, edit, "missed", weight) for edit, is_right, weight in records[len(made) :] if not is_right]
    return tuple(sorted(found, key=lambda line: (line.start, line.end)))


def _line(case: Case, edit: Edit, verdict: Verdict, weight: float) -> EditLine:
    original = " ".join(case.sentence.tokens[edit.start : edit.end])
    return EditLine(edit.start, edit.end, original, edit.correction, verdict, weight, edit.type)
