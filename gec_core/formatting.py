"""Numbers, names and cells as people and spreadsheets read them."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterable
from typing import Any

from gec_core.errors import OptionError

MINUS = "−"


def minus(number: str) -> str:
    """A number as Python writes it, with a minus sign in place of its hyphens; one that rounds to 0 has none."""
    if number.startswith("-") and not any(digit in number for digit in "123456789"):
        number = number[1:]
    return number.replace("-", MINUS)


def parse_names(*texts: str) -> list[str]:
    """What stands between the commas; double quotes keep a comma that is part of a name."""
    rows = csv.reader(texts, skipinitialspace=True)
    try:
        return [name.strip() for row in rows for name in row if name.strip()]
    except csv.Error:
        raise OptionError(
            f"{', '.join(map(repr, texts))}: not a list of names. Write them on one line, with commas between them."
        ) from None


def join_names(names: Iterable[str]) -> str:
    """Names with commas between them, as `parse_names` reads them."""
    return ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' if set(',"') & set(name) else name for name in names)


def similar(name: str, known: Iterable[str]) -> str:
    """` Did you mean 'm2'?`, or nothing if no known name is like this one: the end of an error message."""
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return f" Did you mean {close[0]!r}?" if close else ""


_FORMULA = ("=", "+", "-", "@")


def spreadsheet_cell(value: Any) -> Any:
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
