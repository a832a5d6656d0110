"""Phrases for edits, numbers and lists, word for word."""

import pytest

from gec_core.explain.phrases import apart, doing, done, number, quoted, times
from gec_core.types import Edit

TOKENS = ["the", "cat", "saw", "the", "dog"]


@pytest.mark.parametrize(
    ("edit", "did", "was"),
    [
        (Edit(1, 2, "cats"), "changes `cat` to `cats`", "changing `cat` to `cats`"),
        (
            Edit(0, 1, ""),
            "deletes `the` before `cat`",
            "deleting `the` before `cat`",
        ),
        (Edit(4, 5, ""), "deletes `dog`", "deleting `dog`"),
        (Edit(5, 5, "."), "inserts `.` at the end", "inserting `.` at the end"),
        (Edit(2, 2, "``"), "inserts “``” before `saw`", "inserting “``” before `saw`"),
    ],
)
def test_edits_in_words(edit: Edit, did: str, was: str) -> None:
    assert (done([edit], TOKENS), doing(edit, TOKENS)) == (did, was)


def test_equal_words_are_told_apart() -> None:
    tokens = ["his", "or", "her", "cat", "and", "his", "or", "her", "cat", "and", "her", "dog"]
    assert doing(Edit(1, 3, ""), tokens) == "deleting the first `or her`"
    assert doing(Edit(6, 8, ""), tokens) == "deleting the second `or her`"
    assert doing(Edit(10, 11, "a"), tokens) == "changing `her` before `dog` to `a`"


def test_several_edits_share_a_verb() -> None:
    edits = [Edit(1, 2, "dog"), Edit(4, 4, "big"), Edit(4, 5, "cat")]
    assert done(edits, TOKENS, by_both=True) == "change `cat` to `dog` and `dog` to `cat` and insert `big` before `dog`"


def test_numbers_and_lists() -> None:
    assert [number(value) for value in (0.714, 15.04, -5.77, 0.00716, 0.0)] == [
        "0.71",
        "15.0",
        "−5.77",
        "0.0072",
        "0.00",
    ]
    assert apart(0.8321, 0.8279) == ("0.832", "0.828")
    assert apart(0.5, 0.25) == ("0.50", "0.25")
    assert [times(ratio) for ratio in (2.02, 4.16, 31.4, 1e6)] == ["twice", "4.2 times", "31 times", "over 1,000 times"]
    assert quoted("it's") == "`it's`"
    assert quoted("a b c d e f g h") == "`a b c d e f g h`"
    assert quoted("a b c d e f g h i") == "`a b c d … f g h i`"
