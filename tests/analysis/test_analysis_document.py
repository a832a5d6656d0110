"""Paragraphs and cells as people read them."""

from typing import Any

import pytest

from gec_core.analysis.document import (
    Kind,
    MarkedDifference,
    Range,
    Run,
    Share,
    TableColumn,
    cell_text,
    number_text,
    p_text,
    paragraph,
    range_text,
    signed_text,
)


def test_numbers_in_words() -> None:
    assert (number_text(None), number_text(-0.5), number_text(1234.5, 1)) == ("–", "−0.5000", "1,234.5")
    signed = (signed_text(0.25), signed_text(-3, 0), signed_text(0, 0), signed_text(-0.00001))
    assert signed == ("+0.2500", "−3", "0", "0.0000")
    assert (range_text(1, 1, 0), range_text(2, 5, 0)) == ("1", "2 to 5")
    assert (p_text(1 / 1001), p_text(0.0312), p_text(None)) == ("< 0.001", "0.031", "–")


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        ("text", "a", "a"),
        ("count", 1234, "1,234"),
        ("number", 0.5, "0.5000"),
        ("signed", 0.5, "+0.5000"),
        ("interval", Range(-0.25, 0.5), "−0.2500 to 0.5000"),
        ("share", Share(1, 4), "25.0% (1 of 4)"),
        ("share", Share(0, 0), "– (0 of 0)"),
        ("change", MarkedDifference(-0.5, "worse"), "▼ −0.5000"),
        ("change", MarkedDifference(0.5, "not significant"), "+0.5000"),
        ("verdict", "better", "▲ better"),
        ("names", ("M²", "GLEU"), "M², GLEU"),
        ("sentence", 0, "1"),
        ("sentence", 1233, "1234"),
    ],
)
def test_cells_are_written_by_their_kind(kind: Kind, value: Any, shown: str) -> None:
    assert cell_text(TableColumn("x", kind), value) == shown


def test_only_the_template_of_a_paragraph_has_marks() -> None:
    found = paragraph("**{name}** is `{code}`, {name}.", name="**A** `b` {c}", code="x")
    assert found.runs == (
        Run("**A** `b` {c}", "strong"),
        Run(" is "),
        Run("x", "code"),
        Run(", **A** `b` {c}."),
    )
    assert found.text == "**A** `b` {c} is x, **A** `b` {c}."
