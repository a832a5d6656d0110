"""Numbers, names and cells as people and spreadsheets read them."""

import pytest

from gec_core.formatting import minus, spreadsheet_cell


@pytest.mark.parametrize(
    ("written", "read"),
    [("-0.25", "−0.25"), ("0.25", "0.25"), ("-12,345", "−12,345"), ("1e-05", "1e−05"), ("+1", "+1"), ("-0.00", "0.00")],
)
def test_a_number_below_zero_has_a_minus_sign(written, read):
    assert minus(written) == read


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-a b", "@SUM(A1)", "-", "=0.5"])
def test_formulas_become_text(text):
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-0.25", "+3", "-1e-5", "a=b", "–", "", "'=1", -2, -0.5, None, True])
def test_numbers_and_other_texts_stay(value):
    assert spreadsheet_cell(value) is value
