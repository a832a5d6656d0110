"""Edits beside gold edits, counted by hand. No pipeline is needed here."""

from typing import Any

import numpy as np
import pytest

from gec_core.metrics.base import stack
from gec_core.metrics.errant import rows as errant_rows
from gec_core.types import Edit


def counts(edits: list[Edit], *golds: list[Edit], mode: Any = "span", weights: Any = None) -> Any:
    return errant_rows.counts(stack([errant_rows.encode(edits, golds)]), mode, weights)[0].tolist()


A, B = Edit(1, 2, "x", "R:NOUN"), Edit(4, 4, "y", "M:DET")


@pytest.mark.parametrize(
    ("edits", "gold", "expected"),
    [
        ([], [], [0, 0, 0]),
        ([A], [A], [1, 0, 0]),
        ([A], [], [0, 1, 0]),
        ([], [A], [0, 0, 1]),
        ([A, B], [A, Edit(4, 4, "z")], [1, 1, 1]),
        ([A], [Edit(1, 2, "x", "of another type")], [1, 0, 0]),
        ([A], [Edit(1, 3, "x")], [0, 1, 1]),
        ([A], [Edit(1, 2, "z", "", ("x",))], [1, 0, 0]),
    ],
    ids=[
        "nothing",
        "found",
        "overdone",
        "missed",
        "another correction",
        "types do not matter",
        "another span",
        "alternatives",
    ],
)
def test_span_and_correction(edits: list[Edit], gold: list[Edit], expected: list[int]) -> None:
    assert counts(edits, gold) == [expected]


def test_a_gold_edit_annotated_twice_is_found_twice_and_missed_twice() -> None:
    assert counts([A], [A, A]) == [[2, 0, 0]]
    assert counts([], [A, A]) == [[0, 0, 2]]


def test_an_edit_made_twice_is_overdone_twice() -> None:
    assert counts([B, B], []) == [[0, 2, 0]]
    assert counts([B, B], [B]) == [[1, 0, 0]]


def test_errors_that_were_not_corrected_count_for_detection_only() -> None:
    unknown = Edit(1, 2, "", "UNK")
    assert counts([Edit(1, 2, "")], [unknown]) == [[0, 1, 0]]
    assert counts([], [unknown]) == [[0, 0, 0]]
    assert counts([Edit(1, 2, "z")], [unknown], mode="detection") == [[1, 0, 0]]
    assert counts([], [unknown], mode="token") == [[0, 0, 1]]


def test_detection_compares_spans() -> None:
    assert counts([A], [Edit(1, 2, "z")], mode="detection") == [[1, 0, 0]]
    assert counts([A], [Edit(1, 3, "x")], mode="detection") == [[0, 1, 1]]


def test_tokens_of_an_edit_count_one_by_one() -> None:
    assert counts([Edit(1, 3, "x")], [Edit(2, 5, "y")], mode="token") == [[1, 1, 2]]


def test_an_insertion_is_about_the_token_on_its_right() -> None:
    assert counts([Edit(4, 4, "x")], [Edit(4, 5, "y")], mode="token") == [[1, 0, 0]]


def test_every_annotator_has_counts_of_its_own() -> None:
    assert counts([A], [A], [B], []) == [[1, 0, 0], [0, 1, 1], [0, 1, 0]]


def test_sentences_with_fewer_annotators_or_edits() -> None:
    rows = stack([errant_rows.encode([A], [[A]]), errant_rows.encode([], [[], [B]])])
    found = errant_rows.counts(rows, "span")
    assert np.array_equal(found, [[[1, 0, 0], [np.nan] * 3], [[0, 0, 0], [0, 0, 1]]], equal_nan=True)  # type: ignore[arg-type]


def test_weights() -> None:
    """Records are the output's edits, then the gold edits."""
    assert counts([A, B], [A, Edit(5, 6, "z")], weights=np.array([[8.0, 0.5, 0.25, 2.0]])) == [[0.25, 0.5, 2.0]]
