"""Tables that people open in a spreadsheet, which takes some texts for formulas and runs them."""

from __future__ import annotations

from typing import Any

_FORMULA = ("=", "+", "-", "@")


def cell(value: Any) -> Any:
    """A value as it may stand in a CSV file: text that would be run as a formula gets an apostrophe before it.

    Names of systems and texts of a corpus come from anybody. Numbers stay as they are, those with a sign, too.
    """
    if isinstance(value, str) and value.startswith(_FORMULA) and not _is_number(value):
        return f"'{value}"
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
