from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gec_core.align.edits import apply_edits, diff_edits
from gec_core.types import Edit

texts = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)


def test_edits_are_in_source_positions() -> None:
    assert apply_edits("a b c", [Edit(0, 1, "x y"), Edit(2, 3, "")]) == "x y b"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply_edits("a b", [Edit(1, 1, "x"), Edit(1, 1, "y")]) == "a x y b"


def test_neighbouring_changes_are_one_edit() -> None:
    assert diff_edits("a b c d", "a x y d") == (Edit(1, 3, "x y"),)


def test_an_insertion_has_an_empty_span() -> None:
    assert diff_edits("a b", "a x b") == (Edit(1, 1, "x"),)


@given(texts, texts)
def test_applying_the_difference_gives_the_target(source: str, target: Any) -> None:
    assert apply_edits(source, diff_edits(source, target)) == target


@given(texts, texts)
def test_edits_of_a_difference_do_not_touch(source: str, target: Any) -> None:
    edits = diff_edits(source, target)
    assert all(left.end < right.start for left, right in pairwise(edits))


def test_an_insertion_overlaps_a_span_only_inside_it() -> None:
    span = Edit(2, 4, "x")
    assert span.overlaps(Edit(3, 3, "y"))
    assert not span.overlaps(Edit(2, 2, "y"))
    assert not span.overlaps(Edit(4, 4, "y"))
    assert span.overlaps(Edit(3, 6, "y"))
    assert not span.overlaps(Edit(4, 6, "y"))
    assert Edit(2, 2, "x").overlaps(Edit(2, 2, "y"))
