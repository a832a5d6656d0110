"""Format numbers, lists of names and cells of spreadsheets."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from gec_core.errors import OptionError

MINUS = "−"


def minus(number: str) -> str:
    """A formatted number with minus signs instead of hyphens, and without the sign of a negative 0.

    >>> minus("-0.50"), minus("-0.00"), minus("1e-05")
    ('−0.50', '0.00', '1e−05')
    """
    if number.startswith("-") and not any(digit in number for digit in "123456789"):
        number = number[1:]
    return number.replace("-", MINUS)


def duration(seconds: float) -> str:
    """A length of time in the unit that suits it: 40 s, 12 min, 1.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "line"), counted(1200, "line")
    ('1 line', '1,200 lines')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence as a list in words.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def parse_names(*texts: str) -> list[str]:
    """Split lists of names at commas; double quotes protect a comma that is part of a name.

    >>> parse_names('A, "B,C"', "D")
    ['A', 'B,C', 'D']
    """
    rows = csv.reader(texts, skipinitialspace=True)
    try:
        return [name.strip() for row in rows for name in row if name.strip()]
    except csv.Error:
        raise OptionError(
            f"{', '.join(map(repr, texts))}: not a list of names. Write them on one line, with commas between them."
        ) from None


def join_names(names: Iterable[str]) -> str:
    """Join names with commas, as `parse_names` reads them.

    >>> join_names(["A", "B,C"])
    'A,"B,C"'
    """
    return ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' if set(',"') & set(name) else name for name in names)


def similar(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the known name that is most like this one, if any is.

    >>> similar("errand", ["m2", "errant"]), similar("bleurt", ["m2"])
    (" Did you mean 'errant'?", '')
    """
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return f" Did you mean {close[0]!r}?" if close else ""


_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def spreadsheet_cell(value: Any) -> Any:
    """A value that is safe in a CSV file: an apostrophe before text that a spreadsheet would run as a formula.

    Names of systems and texts of a corpus may come from strangers. Numbers stay as they are, with or without a sign.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("-0.5"), spreadsheet_cell(-0.5)
    ("'=1+1", '-0.5', -0.5)
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
