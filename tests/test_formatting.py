"""Numbers, names and cells as people and spreadsheets read them."""

import doctest

import pytest

from gec_core import formatting
from gec_core.errors import OptionError
from gec_core.formatting import counted, duration, join_names, joined, minus, parse_names, similar, spreadsheet_cell


def test_examples_in_docstrings() -> None:
    found = doctest.testmod(formatting)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    ("written", "read"),
    [("-0.25", "−0.25"), ("0.25", "0.25"), ("-12,345", "−12,345"), ("1e-05", "1e−05"), ("+1", "+1"), ("-0.00", "0.00")],
)
def test_a_number_below_zero_has_a_minus_sign(written: str, read: str) -> None:
    assert minus(written) == read


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-a b", "@SUM(A1)", "-", "=0.5", "\t=1+1", "\r=1+1", "＝1+1", "＋1+1", "－a", "＠SUM(A1)"]
)
def test_formulas_become_text(text: str) -> None:
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-0.25", "+3", "-1e-5", "a=b", "–", "", "'=1", -2, -0.5, None, True])
def test_numbers_and_other_texts_stay(value: object) -> None:
    assert spreadsheet_cell(value) is value


def test_counting_in_words() -> None:
    assert [counted(number, "line") for number in (0, 1, 2, 1200)] == ["0 lines", "1 line", "2 lines", "1,200 lines"]
    assert [joined(["a", "b", "c"][:count]) for count in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize(("seconds", "read"), [(0.4, "0 s"), (89, "89 s"), (95, "2 min"), (5400, "1.5 h")])
def test_a_length_of_time_has_the_unit_that_suits_it(seconds: float, read: str) -> None:
    assert duration(seconds) == read


@pytest.mark.parametrize("names", [["A", "B"], ["A,B", "C"], ['say "no"', "C"], []])
def test_names_survive_being_joined_and_parsed(names: list[str]) -> None:
    assert parse_names(join_names(names)) == names


def test_what_is_no_list_of_names_is_refused() -> None:
    with pytest.raises(OptionError, match="not a list of names"):
        parse_names("A\rB")


def test_a_similar_name_is_suggested() -> None:
    assert similar("GLUE", ["m2", "gleu"]) == " Did you mean 'gleu'?"
    assert similar("nothing", ["m2", "gleu"]) == ""
