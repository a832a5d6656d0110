"""The papers' cases look as the papers say: scores, alignments, classes, and which edit has the larger credit."""

from typing import Any

import pytest
from conftest import score_one
from errant_cases import no_pipeline  # noqa: F401
from tiny_encoder import needs_encoder

from gec_core.align.edits import apply_edits
from gec_core.explain.credit import edit_credits
from gec_core.metrics import create
from gec_core.metrics.blocks import ColumnLine, Columns, Edits, Facts
from gec_core.models.places import embedded
from gec_core.papers.examples import CASES, PaperCase

needs_lm = pytest.mark.skipif(embedded("causal-lm") is None, reason="the embedded language model is not installed")


def scores(case: PaperCase, id: str, **options: Any) -> dict[Any, float]:
    """What the metric gives each hypothesis, as if it alone were the corpus."""
    metric = create(id, options)
    return {name: score_one(metric, case.sentence, text).value for name, text in case.hypotheses.items()}


def columns(case: PaperCase, hypothesis: str = "Hypothesis") -> list[tuple[str, ColumnLine]]:
    """The columns of the I-measure, `-` being a gap, with their classes."""
    found = create("imeasure").explain(case.sentence, case.hypotheses[hypothesis])
    (block,) = found.all(Columns)
    return [
        (" ".join(word or "-" for word in (each.source, each.hypothesis, each.reference)), each)
        for each in block.columns
    ]


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.id)
def test_cases_are_whole(case: PaperCase) -> None:
    assert all(text == " ".join(text.split()) for text in (case.source, *case.hypotheses.values(), *case.references))
    assert all((case.title, case.point.endswith("."), case.citation, case.hypotheses))
    applied = tuple(apply_edits(case.source, each.edits) for each in case.sentence.annotations)
    assert applied == case.references


def test_table_1_of_chollampatt_and_ng() -> None:
    shown = columns(CASES["hospital"])
    assert [
        (position, tokens, column.correction)
        for position, (tokens, column) in enumerate(shown, start=1)
        if column.correction != "TN"
    ] == [(5, "- - the", "FN"), (8, "the an an", "TP"), (11, "for for in", "FN")]
    assert len(shown) == 13


def test_table_4_of_chollampatt_and_ng() -> None:
    quizzes, student = CASES["quizzes"], CASES["student"]
    assert [round(value, 3) for value in scores(quizzes, "m2").values()] == [0, 0]
    assert [round(value, 2) for value in scores(quizzes, "imeasure").values()] == [0, -4]
    first, second = scores(quizzes, "gleu").values()
    assert first < second
    assert [round(value, 3) for value in scores(student, "m2").values()] == [1, 1, 0.556]
    assert [round(value, 2) for value in scores(student, "imeasure", mode="nomix").values()] == [100, 100, -6.11]
    first, second, third = scores(student, "gleu").values()
    assert max(first, second) < third


def test_tables_1_to_3_of_felice_and_briscoe() -> None:
    assert [round(value, 2) for value in scores(CASES["machines"], "m2").values()] == [0.67]
    assert scores(CASES["machines"], "imeasure", mode="mix") == {"Hypothesis": 100}
    assert scores(CASES["designed"], "m2") == {"Hypothesis": 0}
    assert scores(CASES["designed"], "imeasure")["Hypothesis"] > 0
    assert [round(value, 2) for value in scores(CASES["helping"], "m2").values()] == [0.33, 0.45]
    better, worse = scores(CASES["helping"], "imeasure").values()
    assert worse < better


def test_table_5_of_felice_and_briscoe() -> None:
    """Two source words become one: which of them stands beside the gap makes no difference to the classes."""
    shown = columns(CASES["widespread"])
    assert [tokens for tokens, column in shown if column.hypothesis is None] in (
        ["wide - -"],
        ["spread - -"],
        ["usage - -"],
    )
    assert [column.correction for _, column in shown] == ["TP", "TN", "TP", "TP", "TP", "TN", "TN", "TN"]


TABLE_6 = {
    "a a a": ("TN", "TN"),
    "a a b": ("FN", "FN"),
    "a a -": ("FN", "FN"),
    "a b a": ("FP", "FP"),
    "a b b": ("TP", "TP"),
    "a b c": ("TP", "FPN"),
    "a b -": ("TP", "FPN"),
    "a - a": ("FP", "FP"),
    "a - b": ("TP", "FPN"),
    "a - -": ("TP", "TP"),
    "- a a": ("TP", "TP"),
    "- a b": ("TP", "FPN"),
    "- a -": ("FP", "FP"),
    "- - a": ("FN", "FN"),
}


def test_table_6_of_felice_and_briscoe() -> None:
    shown = [(tokens, column) for tokens, column in columns(CASES["classes"]) if not tokens[-1].isdecimal()]
    assert {tokens: (column.detection, column.correction) for tokens, column in shown} == TABLE_6
    assert [tokens for tokens, _ in shown] == list(TABLE_6)


def test_table_8_of_gong_et_al_by_m2() -> None:
    assert {name: round(value, 2) for name, value in scores(CASES["skills"], "m2").items()} == {
        "NTHU": 0.71,
        "PKU": 0.83,
    }


@needs_encoder
def test_table_8_of_gong_et_al() -> None:
    """The right edit that only NTHU made weighs most, and earns more than its needless deletion costs."""
    case = CASES["skills"]
    found = scores(case, "ptm2")
    assert found["NTHU"] > found["PKU"]
    (block,) = create("ptm2").explain(case.sentence, case.hypotheses["NTHU"]).all(Edits)
    weights = {line.correction: line.value for line in block.edits}
    assert max(weights, key=weights.__getitem__) == "entirely"
    credits = {
        edit.correction: edit.value
        for edit in edit_credits(create("ptm2"), case.sentence, case.hypotheses["NTHU"]).edits
    }
    assert credits["entirely"] > credits["skills"] > 0 > credits[""] > -credits["entirely"]


@needs_encoder
def test_table_3_of_gong_et_al() -> None:
    case = CASES["substituted"]
    bertscore, ptm2 = scores(case, "bertscore"), scores(case, "ptm2")
    assert bertscore["AMU"] < bertscore["UFC"]
    assert ptm2["AMU"] > ptm2["UFC"] == 0
    (right, needless) = edit_credits(create("bertscore"), case.sentence, case.hypotheses["AMU"]).edits
    assert right.value > 0 > needless.value


@needs_lm
def test_table_4_of_islam_and_magnani() -> None:
    """Repeated words are too far from the source, whatever the language model makes of them."""
    case = CASES["repetition"]
    found = create("scribendi").explain(case.sentence, case.hypotheses["Prediction"])
    facts = {name: value for block in found.all(Facts) for name, value in block.values.items()}
    assert found.score == -1
    assert max(facts["token sort ratio"], facts["Levenshtein distance ratio"]) < facts["threshold of the ratios"]
    assert create("scribendi").explain(case.sentence, case.references[0]).score == 1
