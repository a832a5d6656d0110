"""Sources and references side by side: a line a sentence, the source, a tab, and one reference a column.

A first line that says `source` and so on is a heading. Tabs divide columns and nothing else; there are no quotes.
"""

from __future__ import annotations

from dataclasses import dataclass

from gec_core.corpora.text import TextFile, counted, quote

_HEADINGS = ("source", "src", "input", "original")


@dataclass(frozen=True, slots=True)
class TsvColumn(TextFile):
    """One column of such a file, which passes for a file of its own."""

    cells: tuple[str, ...] = ()

    def _split(self, per_sentence: int) -> list[str]:
        return list(self.cells)


def columns(file: TextFile) -> list[TsvColumn]:
    """The columns of a file, which is read once; refuses a file that has but one, or too many."""
    lines = file.raw_lines(per_sentence=1)
    wanted = _width(file, lines[0] if lines else "")
    for number, line in enumerate(lines, 1):
        if (width := line.count("\t") + 1) != wanted:
            raise file.error(
                f"{counted(width, 'column')} instead of {wanted} as in the first line. Found {quote(line)}; "
                "expected the source, a tab, and a reference (or several, each after a tab).",
                number,
            )
    rows = [line.split("\t") for line in lines]
    if _is_heading(rows[0]):
        del rows[0]
    by_column = zip(*rows, strict=True) if rows else [()] * wanted
    return [TsvColumn(file.path, file.name, file.limits, cells) for cells in by_column]


def _width(file: TextFile, first: str) -> int:
    """How many columns the first line has."""
    count, most = first.count("\t") + 1, file.limits.references
    if count < 2:
        raise file.error(
            f"found {quote(first)}; expected the source, a tab, and a reference. Sources alone go into a .txt file.", 1
        )
    if most is not None and count > most + 1:
        raise file.error(f"{count:,} columns; the source and more than {most} references are not read here.", 1)
    return count


def _is_heading(cells: list[str]) -> bool:
    return cells[0].strip().lower() in _HEADINGS and all(len(cell.split()) <= 2 for cell in cells)
