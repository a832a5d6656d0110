"""The verdict on a published figure and ours."""

import pytest

from gec_core.errors import MissingInput
from gec_core.papers import PublishedFigure, Reproduction, Row
from gec_core.papers.rows import OTHER, UNKNOWN, Attempt, agrees, judge

CELL = PublishedFigure("a2000", "table1", "GLEU", "pearson", "0.691")


@pytest.mark.parametrize(
    ("published", "ours", "equal"),
    [
        ("-0.250", -0.24996, True),
        ("-0.250", -0.2506, False),
        ("0.691", 0.69101, True),
        ("0.691", 0.69167, False),
        ("0.500", 0.4996, True),
        ("0.62", 0.625, True),  # exactly between two figures: rounded down here,
        ("0.63", 0.625, True),  # or up, whichever the authors did
        ("0.000", -0.0001, True),
        ("-4.00", -4.0, True),
        ("109098", 109098, True),
        ("109098", 109099, False),
        ("p = 0.35", 0.349, True),
        ("p = 0.35", 0.36, False),
        ("p < 0.10", 0.0946, True),
        ("p < 0.10", 0.1, False),
        ("p > 0.10", 0.1167, True),
        (">= 3", 2.9, False),
        (">= 3", 3.0, True),
        ("CAMB", "CAMB", True),
        ("CAMB", "CUUI", False),
    ],
)
def test_figures_are_compared_at_the_precision_in_which_they_are_printed(
    published: str, ours: float | str, equal: bool
) -> None:
    assert agrees(published, ours) is equal


def test_the_obvious_value_needs_no_note() -> None:
    assert judge(CELL, lambda: [Attempt(0.6912), Attempt(0.691, "rounded")], "why") == Row(CELL, 0.6912, "equal")


def test_an_equal_value_on_a_condition_names_it() -> None:
    row = judge(CELL, lambda: [Attempt(0.6917), Attempt(0.691, "with scores as published")], "why")
    assert (row.ours, row.verdict, row.why) == (0.691, "equal", "with scores as published")


def test_what_differs_states_by_how_much_and_why() -> None:
    row = judge(CELL, lambda: [Attempt(0.7), Attempt(0.71, "otherwise")], "they drew other references")
    assert (row.ours, row.verdict, row.why) == (0.7, "differs", "off by +0.009: they drew other references")


def test_names_have_no_distance() -> None:
    row = judge(PublishedFigure("a2000", "table5", "1", "m2", "CAMB"), lambda: [Attempt("CUUI")], "other gold edits")
    assert row.why == "other gold edits"


def test_what_is_missing_is_named() -> None:
    def compute() -> None:
        raise MissingInput("the weights of BERT")

    row = judge(CELL, compute, "why")  # type: ignore[arg-type]
    assert (row.ours, row.verdict, row.why) == (None, "missing", "the weights of BERT")


def test_a_row_as_programs_get_it() -> None:
    assert judge(CELL, lambda: [Attempt(0.69101)], "").as_dict() == {
        "paper": "a2000",
        "table": "table1",
        "row": "GLEU",
        "column": "pearson",
        "published": 0.691,
        "ours": 0.69101,
        "verdict": "equal",
        "why": "",
    }


@pytest.mark.parametrize(("text", "value"), [("109098", 109098), ("-4.00", -4.0), ("p = 0.35", "p = 0.35")])
def test_published_numbers_are_numbers_and_the_rest_is_text(text: str, value: float | str) -> None:
    published = Row(PublishedFigure("a2000", "t", "r", "c", text), None, "missing", "all").as_dict()["published"]
    assert (published, type(published)) == (value, type(value))


def test_the_count_adds_up_and_tells_unknown_causes_apart() -> None:
    rows = (
        Row(CELL, 0.691, "equal"),
        Row(CELL, 0.7, "differs", "other references"),
        Row(CELL, 0.8, "differs", f"{UNKNOWN}: tried beta 1 and 2"),
        Row(CELL, None, "missing", "weights"),
    )
    found = Reproduction("c", "f", rows)
    verdicts = {"published": 4, "equal": 1, "differs": 2, "missing": 1, "unknown": 1}
    assert found.counts == verdicts | {"other_model": 0, "other_model_equal": 0}
    assert found.summary == (
        "4 figures published, 1 equal, 1 differing with a stated cause, 1 differing for a cause unknown, "
        "1 missing with what is missing"
    )
    assert Reproduction("c", "f", rows[:2]).summary == (
        "2 figures published, 1 equal, 1 differing with a stated cause, 0 missing with what is missing"
    )


def test_what_another_model_gives_says_so_whether_it_agrees_or_not() -> None:
    said = f"{OTHER}: MiniLM, in place of bert-base"
    agrees = judge(CELL, lambda: [Attempt(0.6912, "on a Monday", "MiniLM, in place of bert-base")], "why")
    assert (agrees.verdict, agrees.why) == ("equal", f"{said}; on a Monday")
    differs = judge(CELL, lambda: [Attempt(0.7, instead="MiniLM, in place of bert-base")], "why")
    assert (differs.verdict, differs.why) == ("differs", f"off by +0.009: {said}")
    found = Reproduction("c", "f", (agrees, differs, Row(CELL, 0.691, "equal")))
    assert found.counts["other_model"] == 2
    assert found.counts["equal"] == found.counts["other_model_equal"] == 1
    assert found.summary == (
        "3 figures published, 1 equal, 1 equal by another model or tool than the paper's, 1 differing with a stated "
        "cause, 0 missing with what is missing; 2 of ours are by another model or tool"
    )
