"""Outputs that are cut into tokens in another way than their sources."""

import pytest

from gec_core.corpora.suspicions import mismatch, mismatches, with_mismatches_noted
from gec_core.types import Corpus, Sentence


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("It is fine .", "It is fine .", None),
        ("It is fine .", "This is fine .", None),
        ("It is fine .", "It is fine.", ("fine.", "fine .")),
        ("It are fine .", "It is well.", ("well.", ".")),
        ("I do n't know .", "I don't know .", ("don't", "do n't")),
        ("I don't know .", "I do n't know .", ("do n't", "don't")),
        ("( see above )", "(see above )", ("(see", "( see")),
        ("Ask Mr. Bean .", "Ask Mr. Bean .", None),
        ("It is fine", "It is fine.", None),
        ("", "Fine .", None),
        ("Fine .", "", None),
    ],
)
def test_mismatch(source: str, output: str, expected: tuple[str, str] | None) -> None:
    assert mismatch(source, output) == expected


def test_one_joined_word_is_a_correction_many_are_another_tokeniser() -> None:
    sentences = (*(Sentence(f"I do n't know w{number} .") for number in range(10)), Sentence("any one ?"))
    fine = (*(each.source for each in sentences[:-1]), "anyone ?")
    joined = (*fine[:8], "I don't know w8 .", "I don't know w9 .", "any one ?")
    assert list(mismatches(Corpus("made", sentences, {"A": fine}))) == []
    (message,) = mismatches(Corpus("made", sentences, {"A": fine, "B": joined}))
    assert message.startswith(
        "B: 2 of 11 outputs are tokenised unlike their sources, the first in line 9: "
        '"don\'t" where the source has "do n\'t".'
    )
    marked = with_mismatches_noted(Corpus("made", sentences, {"A": fine, "B": joined}))
    assert (marked.mark("A"), marked.mark("B")) == ("", " †")
