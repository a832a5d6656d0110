"""The table of error types: what is kept as a number must stay the same number."""

import pytest

from gec_core.align import errant_types
from gec_core.align.errant_types import NO_TYPE, OFFICIAL, TYPES, group, meaning, number, operation


def test_there_are_the_55_types_of_the_paper() -> None:
    assert len(OFFICIAL) == len(set(OFFICIAL)) == 55
    assert {"M:DET", "R:NOUN:NUM", "U:VERB:TENSE", "R:WO", "UNK"} <= set(OFFICIAL)


def test_stored_numbers_keep_their_meaning() -> None:
    assert [number(name) for name in ("M:ADJ", "R:ADJ", "U:VERB:TENSE", "R:WO", "UNK", "U:SPACE")] == [
        0,
        15,
        44,
        53,
        54,
        57,
    ]
    assert len(TYPES) == 58
    assert number("ArtOrDet") == NO_TYPE


@pytest.mark.parametrize(
    ("name", "what", "word"),
    [
        ("R:NOUN:NUM", "R", "NOUN:NUM"),
        ("M:DET", "M", "DET"),
        ("UNK", "UNK", "UNK"),
        ("ArtOrDet", "ArtOrDet", "ArtOrDet"),
    ],
)
def test_operation_and_group(name: str, what: str, word: str) -> None:
    assert (operation(name), group(name)) == (what, word)


def test_every_type_is_an_operation_and_a_group() -> None:
    assert {operation(name) for name in TYPES} == {*errant_types.OPERATIONS, "UNK"}


def test_every_type_is_told_in_words() -> None:
    assert meaning("M:PREP") == "preposition, missing"
    assert (meaning("NOUN:NUM"), meaning("U")) == ("number of a noun", "unnecessary")
    assert meaning("ArtOrDet") == ""
    assert all(meaning(name) and meaning(group(name)) for name in TYPES)
