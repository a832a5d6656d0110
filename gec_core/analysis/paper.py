"""Tables for papers: LaTeX, Markdown and CSV, with a caption that says where every number comes from."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from gec_core import __version__
from gec_core.environment import packages
from gec_core.formatting import spreadsheet_cell

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}",  # signatures are long
    "²": r"\textsuperscript{2}",
    "−": r"\ensuremath{-}",
    "↑": r"\ensuremath{\uparrow}",
    "↓": r"\ensuremath{\downarrow}",
    "→": r"\ensuremath{\rightarrow}",
    "±": r"\ensuremath{\pm}",
    "✓": r"\ensuremath{=}",  # a tick takes another package
    "ρ": r"\ensuremath{\rho}",
    "τ": r"\ensuremath{\tau}",
    "…": r"\ldots{}",
    "†": r"\textdagger{}",
    "–": "--",
    "—": "---",
    "\u202f": r"\,",
}
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Kinds of characters that cannot be printed."""
_BEYOND_PDFLATEX = re.compile(r"[^\x00-\u017f\u2010-\u2026\u20ac\u2122]")
_SMALL_LETTERS, _COLUMN_LETTERS, _PAGE_LETTERS = 38, 45, 80
"""Letters that fit side by side into a column as they are, into a column if they are small, and into a page."""
_SENTENCE = 40
"""Letters from which on the text of a cell is broken into lines."""
_MARKDOWN = str.maketrans({"\\": r"\\", "|": r"\|", "*": r"\*", "_": r"\_", "`": r"\`", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table as a paper prints it.

    Attributes:
        heads: The headings, one per column.
        rows: Cells: text, whole numbers, or numbers that are rounded; None for what is not there.
        caption: What it shows and where its numbers come from, in sentences.
        digits: Digits after the decimal point.
        best: Columns, counted from 0, whose largest number is printed in bold.
        bold: Rows and columns, counted from 0, of other cells that are printed in bold.
        numbers: The headings and rows of the CSV file, where cells of the table are more than numbers.
        centred: Whether the columns after the first are centred.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    caption: Sequence[str] = ()
    digits: int = 3
    best: frozenset[int] = frozenset()
    bold: frozenset[tuple[int, int]] = frozenset()
    numbers: tuple[Sequence[str], Sequence[Sequence[Any]]] | None = None
    centred: bool = False

    def latex(self) -> str:
        r"""The table for a LaTeX document that loads booktabs.

        >>> print(PaperTable(["system", "F"], [["A_1", 0.5], ["B", 0.25]], best=frozenset({1})).latex())
        \begin{table}
        \centering
        \begin{tabular}{lr}
        \toprule
        system & F \\
        \midrule
        A\_1 & \textbf{0.500} \\
        B & 0.250 \\
        \bottomrule
        \end{tabular}
        \end{table}
        """
        aligned = "".join(self._aligned(column) for column in range(len(self.heads)))
        kind = "table*" if self._letters > _COLUMN_LETTERS else "table"  # across both columns of a page
        small = self._letters > _PAGE_LETTERS or _SMALL_LETTERS < self._letters <= _COLUMN_LETTERS
        size = [r"\footnotesize"] if small else []
        lines = [rf"\begin{{{kind}}}", r"\centering", *size, rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
        lines += [" & ".join(map(latex_text, self.heads)) + r" \\", r"\midrule"]
        for row in self._texts(latex_text, r"\textbf{{{}}}"):
            lines.append(" & ".join(row) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
        if self.caption:
            lines.append(rf"\caption{{{latex_text(' '.join(self.caption))}}}")
        if others := sorted(set(_BEYOND_PDFLATEX.findall("".join(lines)))):
            lines.insert(
                1, f"% pdflatex lacks these letters; use lualatex and a font that has them: {' '.join(others)}"
            )
        return "\n".join([*lines, rf"\end{{{kind}}}"])

    def markdown(self) -> str:
        """The table for GitHub, notebooks and most wikis."""
        marks = ["---:" if self._numeric(column) else "---" for column in range(len(self.heads))]
        lines = [list(map(_markdown_text, self.heads)), marks, *self._texts(_markdown_text, "**{}**")]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{text}\n\n{_markdown_text(' '.join(self.caption))}" if self.caption else text

    def csv(self) -> str:
        """All digits, cells that no spreadsheet runs, and the caption in lines after the table."""
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        heads, rows = self.numbers or (self.heads, self.rows)
        writer.writerow([spreadsheet_cell(head) for head in heads])
        writer.writerows([spreadsheet_cell("" if cell is None else cell) for cell in row] for row in rows)
        written.writelines(f"# {' '.join(sentence.split())}\n" for sentence in self.caption)
        return written.getvalue()

    def text(self, format: str) -> str:
        """The table in a format: latex, markdown or csv."""
        made: str = {"latex": self.latex, "markdown": self.markdown, "csv": self.csv}[format]()
        return made if made.endswith("\n") else f"{made}\n"

    def _aligned(self, column: int) -> str:
        if self._widths[column] > _SENTENCE:
            return r"p{0.4\linewidth}"
        return "r" if self._numeric(column) else "c" if self.centred and column else "l"

    @property
    def _widths(self) -> list[int]:
        """The letters of the widest cell of each column."""
        return [max(map(len, cells)) for cells in zip(self.heads, *self._texts(str, "{}"), strict=True)]

    @property
    def _letters(self) -> int:
        return sum(min(width, _SENTENCE) + 2 for width in self._widths)

    def _numeric(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(isinstance(cell, int | float) for cell in cells)

    def _texts(self, escaped: Any, bold: str) -> Iterable[list[str]]:
        largest = {
            column: max((row[column] for row in self.rows if isinstance(row[column], int | float)), default=None)
            for column in self.best
        }
        for number, row in enumerate(self.rows):
            yield [
                bold.format(escaped(self._cell(cell)))
                if (number, column) in self.bold or (cell is not None and column in largest and cell == largest[column])
                else escaped(self._cell(cell))
                for column, cell in enumerate(row)
            ]

    def _cell(self, cell: Any) -> str:
        if cell is None or cell != cell:
            return "–"
        return f"{cell:.{self.digits}f}".replace("-", "−") if isinstance(cell, float) else str(cell)


def latex_text(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> latex_text("100% of M² & co_1")
    '100\\% of M\\textsuperscript{2} \\& co\\_1'
    """
    spaced = "".join(" " if letter.isspace() else letter for letter in text)
    shown = (letter for letter in spaced if unicodedata.category(letter) not in _UNSEEN)
    return " ".join("".join(_LATEX.get(letter, letter) for letter in shown).split())


def provenance(
    what: str,
    corpus: str,
    *,
    left_out: Sequence[str] = (),
    human: str = "",
    signatures: Mapping[str, str] | None = None,
    citations: Mapping[str, str] | None = None,
) -> list[str]:
    """The sentences of a caption.

    Args:
        what: What the table shows.
        corpus: The name of the corpus.
        left_out: Systems that are not in the table.
        human: The human ranking, if there is one.
        signatures: The signature of each metric, by its name.
        citations: The publication of each metric, by its name.
    """
    found = [f"{what} on {corpus}."]
    if human:
        found.append(f"Human ranking: {human}.")
    if left_out:
        found.append(f"Left out: {', '.join(left_out)}.")
    found += [f"{name}: {signature}." for name, signature in (signatures or {}).items()]
    found += [f"{name}: {citation.rstrip('.')}." for name, citation in (citations or {}).items() if citation]
    versions = ", ".join(f"{name} {version}" for name, version in packages().items())
    return [*found, f"GEC Lens {__version__} ({versions})."]


def bibtex(citations: Iterable[str]) -> str:
    """Publications as BibTeX, each once; a citation that is not written as authors, year, title, venue is a note.

    >>> print(bibtex(["Dahlmeier and Ng 2012, Better Evaluation for Grammatical Error Correction, NAACL"]))
    @inproceedings{dahlmeier2012,
      author = {Dahlmeier and Ng},
      year = {2012},
      title = {{Better Evaluation for Grammatical Error Correction}},
      booktitle = {NAACL},
    }
    """
    entries: dict[str, str] = {}
    for citation in dict.fromkeys(part for each in citations for part in _publications(each)):
        if found := re.fullmatch(r"(.+?) (\d{4}), (.+?)(?:, ([^,]+))?", citation):
            authors, year, title, venue = found.groups(default="")
            fields = {
                "author": latex_text(authors.replace(" et al.", " and others")),
                "year": year,
                "title": f"{{{latex_text(title)}}}",
                "booktitle": latex_text(venue),
            }
            kind, key = "inproceedings", "".join(filter(str.isalpha, authors.split()[0])).lower() + year
        else:
            fields = {"note": latex_text(citation)}
            kind, key = "misc", "metric"
        name = next(each for each in (key, *(f"{key}{letter}" for letter in ascii_lowercase)) if each not in entries)
        lines = "".join(f"  {field} = {{{value}}},\n" for field, value in fields.items() if value)
        entries[name] = f"@{kind}{{{name},\n{lines}}}"
    return "\n\n".join(entries.values())


def _publications(citation: str) -> list[str]:
    """The parts of a citation; one that begins with a year is by the authors of the part before it."""
    found: list[str] = []
    for part in filter(None, (part.strip().rstrip(".") for part in citation.split(";"))):
        authors = re.match(r"(.+?) \d{4},", found[-1]) if found else None
        found.append(f"{authors[1]} {part}" if authors and re.match(r"\d{4},", part) else part)
    return found


def _markdown_text(text: str) -> str:
    return " ".join(text.translate(_MARKDOWN).split())
