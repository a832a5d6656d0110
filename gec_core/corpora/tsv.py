"""Sources and references side by side: a line a sentence, the source, a tab, and one reference a column.

A first line that says `source` and so on is a heading. Tabs divide columns and nothing else; there are no quotes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gec_core.corpora.text import TextFile, counted, quote

_HEADINGS = ("source", "src", "input", "original")


@dataclass(frozen=True, slots=True)
class TsvColumn(TextFile):
    """One column of such a file, read as if it were a file of its own."""

    column: int = 0

    @classmethod
    def of(cls, file: TextFile, column: int) -> Self:
        return cls(file.path, file.name, file.limits, column)

    def _split(self, per_sentence: int) -> list[str]:
        rows = TextFile._split(self, per_sentence)
        wanted = columns_of(self)
        lines = []
        for number, row in enumerate(rows, 1):
            cells = row.split("\t")
            if len(cells) != wanted:
                raise self.error(
                    f"{counted(len(cells), 'column')} instead of {wanted} as in the first line. Found {quote(row)}; "
                    "expected the source, a tab, and a reference (or several, each after a tab).",
                    number,
                )
            if number > 1 or not _is_heading(cells):
                lines.append(cells[self.column])
        return lines


def columns_of(file: TextFile) -> int:
    """How many columns the first line has; refuses a file that has but one."""
    first = file.text().split("\n", 1)[0]
    count = first.count("\t") + 1
    if count < 2:
        raise file.error(
            f"found {quote(first)}; expected the source, a tab, and a reference. Sources alone go into a .txt file.", 1
        )
    return count


def _is_heading(cells: list[str]) -> bool:
    return cells[0].strip().lower() in _HEADINGS and all(len(cell.split()) <= 2 for cell in cells)
