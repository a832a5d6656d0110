"""The offline correctors: what they mend, what a tag does, and that they keep off the standard output."""

import pytest

from gec_core.errors import MissingInput
from gec_core.models import corrector
from gec_core.models.corrector import correct, harper_errors


def test_corrections_are_tokenised_like_their_sources() -> None:
    assert correct(["He go to school ."]) == ["He goes to school ."]


def test_raw_corrections_are_ordinary_text() -> None:
    assert correct(["He go to school ."], raw=True) == ["He goes to school."]


def test_nothing_is_written_to_the_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert harper_errors("I am looking forward to visit you.")  # Harper 0.2.0 prints a line about "visiting"
    print("a table")
    assert capfd.readouterr().out == "a table\n"


@pytest.mark.parametrize(
    ("word", "tag", "told"),
    [
        ("go", "$KEEP", "go"),
        ("go", "$REPLACE_goes", "goes"),
        ("the", "$DELETE", ""),
        ("However", "$APPEND_,", "However,"),
        ("went", "$APPEND_to", "went to"),
        ("paris", "$CASE_CAPITAL", "Paris"),
        ("He", "$CASE_LOWER", "he"),
        ("go", "$SOMETHING_new", "go"),
    ],
)
def test_what_a_tag_does(word: str, tag: str, told: str) -> None:
    assert corrector._after_tag(word, tag) == told


def test_the_tagger_corrects_or_says_how_to_get_it() -> None:
    if corrector.has_tagger():
        assert corrector.correct(["I has a dog ."], corrector="tagger") == ["I have a dog ."]
    else:
        with pytest.raises(MissingInput, match=r"\[tagger\]"):
            corrector.correct(["I has a dog ."], corrector="tagger")
