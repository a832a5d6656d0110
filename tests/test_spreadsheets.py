"""Cells of CSV files: text that a spreadsheet would run is marked as text, and nothing else is touched."""

import pytest

from gec_core.formatting import spreadsheet_cell


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-a b", "@SUM(A1)", "-", "=0.5"])
def test_formulas_become_text(text):
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-0.25", "+3", "-1e-5", "a=b", "–", "", "'=1", -2, -0.5, None, True])
def test_numbers_and_other_texts_stay(value):
    assert spreadsheet_cell(value) is value
