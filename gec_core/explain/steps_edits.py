"""M², the ERRANT family and their versions with weights (PT-), step by step: edits, verdicts, counts or weights, F."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gec_core.explain.blocks import Edits
from gec_core.explain.native import Case, explain
from gec_core.explain.native_m2 import chosen_reading
from gec_core.explain.steps import Amounts, Step, Table, computed, fraction_steps, shown
from gec_core.explain.texts import digested_rows
from gec_core.metrics._errant_family import EditMetric, _counts
from gec_core.metrics._pt_edits import Reading, readings
from gec_core.metrics._pt_family import WeighedMetric
from gec_core.metrics.base import Metric, f_score, ratio
from gec_core.metrics.m2 import M2
from gec_core.metrics.pterrant import PTErrant
from gec_core.metrics.ptm2 import PTM2
from gec_core.types import Edit, Pair

COUNTED = ("correct", "proposed", "gold")
NOTHING = "∅"


@computed.register(M2)
def _m2(metric: M2, case: Case) -> Iterator[Step]:
    found, _ = readings(Pair(case.sentence, case.output), metric.options.max_unchanged)
    index = case.details["annotator"]
    yield _annotators(case)
    yield _path(found[index], metric.options.max_unchanged)
    yield _verdicts(case)
    counts = [(reading.correct, len(reading.proposed), len(reading.gold)) for reading in found]
    if len(counts) > 1:
        yield _choice(counts, metric.options.beta, index)
    yield from fraction_steps(COUNTED, counts[index], metric.options.beta)


def _annotators(case: Case) -> Step:
    rows = tuple(
        (str(annotation.annotator + 1), _listed(annotation.edits, case.sentence.tokens))
        for annotation in case.sentence.annotations
    )
    return Step(
        "What the annotators changed",
        "The gold edits. They are all that the metric knows about being right.",
        (Table("Gold edits", ("annotator", "edits"), rows),),
    )


def _path(reading: Reading, max_unchanged: int) -> Step:
    rows, at, tokens = [], 0, reading.source.split()
    for edit in sorted(reading.proposed, key=lambda edit: (edit.start, edit.end)):
        if edit.start > at:
            rows.append(("keep", " ".join(tokens[at : edit.start]), ""))
        met = "a gold edit" if reading.verdict(edit) == "correct" else "no gold edit"
        rows.append(("edit", _told(edit, tokens), met))
        at = edit.end
    if at < len(tokens):
        rows.append(("keep", " ".join(tokens[at:]), ""))
    return Step(
        "The path through the lattice",
        "Every path from the first word to the last is a way to read edits off the output; an edit may take in up to "
        f"{max_unchanged} unchanged words. The path that meets most gold edits is taken, and of these the one with "
        "fewest edits.",
        (Table("The path", ("step", "words", "meets"), tuple(rows)),),
    )


def _verdicts(case: Case) -> Step:
    return Step(
        "Which edits are right",
        "An edit is correct if the annotator has one with the same place and the same words. Others are wrong; gold "
        "edits that the output lacks are missed.",
        tuple(explain(case).all(Edits)),
    )


def _choice(counts: Sequence[Amounts], beta: float, chosen: int) -> Step:
    """The annotators beside each other, by what is right, done, and wanted."""
    rows = []
    for number, (correct, made, wanted) in enumerate(counts):
        f = f_score(ratio(correct, made), ratio(correct, wanted), beta)
        mark = "chosen" if number == chosen else ""
        rows.append((str(number + 1), shown(correct), shown(made), shown(wanted), shown(f), mark))
    return Step(
        "The annotator that suits the output best",
        "Each annotator gives an F of its own. The highest counts.",
        (Table("F by annotator", ("annotator", "right", "done", "wanted", "F", ""), tuple(rows)),),
    )


@computed.register(PTM2)
def _ptm2(metric: PTM2, case: Case) -> Iterator[Step]:
    yield _path(chosen_reading(metric, case), metric.options.max_unchanged)
    yield from _weighed(metric, case)


@computed.register(PTErrant)
def _pterrant(metric: PTErrant, case: Case) -> Iterator[Step]:
    yield _typed_edits(metric, case)
    yield from _weighed(metric, case)


def _weighed(metric: WeighedMetric, case: Case) -> Iterator[Step]:
    """What comes after the edits have been found."""
    details = case.details
    yield _weights(metric, case)
    correct, proposed, gold = (float(details[f"{name}_weight"]) for name in COUNTED)
    sums = correct, proposed, gold
    text = f"Where {metric.unweighted.name} counts edits, {metric.name} adds up their weights."
    if not details["weighed"]:
        text = "Here the score is the same whatever the edits weigh, so they are counted."
    formulas = tuple(f"{name} = {shown(value)}" for name, value in zip(COUNTED, sums, strict=True))
    yield Step("Sums in place of counts", text, formulas=formulas)
    yield from fraction_steps(COUNTED, sums, metric.options.beta)


def _weights(metric: WeighedMetric, case: Case) -> Step:
    (block,) = explain(case).all(Edits)
    weighed = metric.edit_weights(Pair(case.sentence, case.output), case.store)[case.details["annotator"]]
    formulas = tuple(
        f"w({line.original or NOTHING} → {line.correction or NOTHING}) = |{shown(line.value)} − "
        f"{shown(line.value - edit.gain)}| = {shown(edit.weight)}"
        for line, edit in zip(block.edits, weighed, strict=True)
        if line.value is not None and edit.gain is not None
    )
    return Step(
        "What each edit weighs",
        "The model compares the source with the reference, first as it is, then with one edit made. An edit weighs as "
        "much as it alone moves the source, towards the reference or away from it.",
        (block,),
        ("w(edit) = |score(source with the edit, reference) − score(source, reference)|", *formulas),
    )


@computed.register(EditMetric)
def _errant(metric: EditMetric, case: Case) -> Iterator[Step]:
    rows = digested_rows(metric, case.sentence, [case.output], peers=case.peers, store=case.store)
    counts = [(tp, tp + fp, tp + fn) for tp, fp, fn in _counts(rows)[0].tolist()]
    index = case.details["reference"]
    yield _typed_edits(metric, case)
    yield _verdicts(case)
    if metric.weighted:
        yield Step(
            "What each edit weighs",
            "An edit weighs the share of the systems that got its place wrong: what all get right says nothing.",
            tuple(explain(case).all(Edits)),
        )
    if len(counts) > 1:
        yield _choice(counts, metric.options.beta, index)
    yield from fraction_steps(("TP", "(TP + FP)", "(TP + FN)"), counts[index], metric.options.beta)


def _typed_edits(metric: Metric, case: Case) -> Step:
    made = [line for block in explain(case).all(Edits) for line in block.edits if line.verdict != "missed"]
    rows = tuple(
        (f"{line.start}–{line.end}", f"{line.original or NOTHING} → {line.correction or NOTHING}", line.type)
        for line in made
    )
    return Step(
        "The edits of the output",
        "Source and output are aligned with a look at lemmas and parts of speech, and each difference gets a type: "
        "M for missing, U for unnecessary, R for replacement, and what it is about.",
        (Table("Edits", ("place", "edit", "type"), rows),),
    )


def _listed(edits: Iterable[Edit], tokens: Sequence[str]) -> str:
    return "; ".join(_told(edit, tokens) for edit in edits) or "nothing: the sentence is fine"


def _told(edit: Edit, tokens: Sequence[str]) -> str:
    new = " or ".join(correction or NOTHING for correction in edit.corrections)
    return f"{' '.join(tokens[edit.start : edit.end]) or NOTHING} → {new}"
