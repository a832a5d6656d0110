import math

import pytest

pytest.importorskip("wordfreq")

from gec_core.metrics.asano.fluency import frequency, is_content, log_probability, source


def test_words_and_marks_share_the_whole() -> None:
    assert frequency(",") == pytest.approx(58334 / 1161192)
    assert frequency("the") > frequency("cat") > frequency("aardvark") > frequency("qzxvk")
    assert frequency("The") == frequency("the")
    assert frequency('"') == frequency("``")


def test_a_clitic_is_as_frequent_as_the_words_that_end_in_it() -> None:
    assert 0.003 < frequency("n't") < 0.006
    assert frequency("'s") > frequency("'ll")


def test_nothing_is_impossible() -> None:
    assert 0 < frequency("qzxvk") < 1e-7
    assert 0 < frequency("~") <= 1e-4


def test_the_log_probability_is_a_sum() -> None:
    assert log_probability(["the", "cat"]) == pytest.approx(math.log(frequency("the")) + math.log(frequency("cat")))
    assert log_probability([]) == 0


@pytest.mark.parametrize(
    ("token", "expected"),
    [("cat", True), ("The", False), ("of", False), (",", False), ("'s", False), ("1945", True), ("qzxvk", True)],
)
def test_content_words(token: str, expected: bool) -> None:
    assert is_content(token) == expected


def test_the_source_is_named_with_its_version() -> None:
    assert source().startswith("wordfreq-3")
