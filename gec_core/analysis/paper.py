"""Tables for papers: LaTeX, Markdown and CSV, with a caption that says where every number comes from."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from gec_core import __version__
from gec_core.environment import packages
from gec_core.formatting import minus, spreadsheet_cell

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


_AUTHORS = {
    "Asano et al. 2017": "Asano, Hiroki and Mizumoto, Tomoya and Inui, Kentaro",
    "Bryant et al. 2017": "Bryant, Christopher and Felice, Mariano and Briscoe, Ted",
    "Chollampatt and Ng 2018": "Chollampatt, Shamil and Ng, Hwee Tou",
    "Dahlmeier and Ng 2012": "Dahlmeier, Daniel and Ng, Hwee Tou",
    "Felice and Briscoe 2015": "Felice, Mariano and Briscoe, Ted",
    "Gong et al. 2022": "Gong, Peiyuan and Liu, Xuebo and Huang, Heyan and Zhang, Min",
    "Gotou et al. 2020": "Gotou, Takumi and Nagata, Ryo and Mita, Masato and Hanawa, Kazuaki",
    "Grundkiewicz et al. 2015": "Grundkiewicz, Roman and Junczys-Dowmunt, Marcin and Gillian, Edward",
    "Islam and Magnani 2021": "Islam, Md Asadul and Magnani, Enrico",
    "Kobayashi et al. 2024": "Kobayashi, Masamune and Mita, Masato and Komachi, Mamoru",
    "Kobayashi, Mita and Komachi 2024": "Kobayashi, Masamune and Mita, Masato and Komachi, Mamoru",
    "Koyama et al. 2024": "Koyama, Shota and Nagata, Ryo and Takamura, Hiroya and Okazaki, Naoaki",
    "Maeda et al. 2022": "Maeda, Koki and Kaneko, Masahiro and Okazaki, Naoaki",
    "Napoles et al. 2015": "Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel",
    "Napoles et al. 2016": "Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel",
    "Napoles, Nădejde and Tetreault 2019": "Napoles, Courtney and Nădejde, Maria and Tetreault, Joel",
    "Ng et al. 2014": "Ng, Hwee Tou and Wu, Siew Mei and Briscoe, Ted and Hadiwinoto, Christian and Susanto, Raymond "
    "Hendy and Bryant, Christopher",
    "Papineni et al. 2002": "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    "Post 2018": "Post, Matt",
    "Yoshimura et al. 2020": "Yoshimura, Ryoma and Kaneko, Masahiro and Kajiwara, Tomoyuki and Komachi, Mamoru",
    "Yoshimura, Kaneko, Kajiwara and Komachi 2020": "Yoshimura, Ryoma and Kaneko, Masahiro and Kajiwara, Tomoyuki and "
    "Komachi, Mamoru",
    "Zhang et al. 2020": "Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav",
    "Yuan et al. 2021": "Yuan, Weizhe and Neubig, Graham and Liu, Pengfei",
}
"""All authors of publications that metrics and corpora cite by the first one."""
_TITLES = {
    "Ng et al. 2014": "The CoNLL-2014 Shared Task on Grammatical Error Correction, CoNLL",
    "Grundkiewicz et al. 2015": "Human Evaluation of Grammatical Error Correction Systems, EMNLP",
    "Napoles et al. 2015": "Ground Truth for Grammatical Error Correction Metrics, ACL",
    "Chollampatt and Ng 2018": "A Reassessment of Reference-Based Grammatical Error Correction Metrics, COLING",
    "Napoles, Nădejde and Tetreault 2019": "Enabling Robust Grammatical Error Correction in New Domains: Data Sets, "
    "Metrics, and Analyses, TACL",
    "Kobayashi, Mita and Komachi 2024": "Revisiting Meta-evaluation for Grammatical Error Correction, TACL",
    "Yoshimura, Kaneko, Kajiwara and Komachi 2020": "SOME: Reference-less Sub-Metrics Optimized for Manual Evaluations "
    "of GEC, COLING",
}
"""Titles and venues of publications that corpora cite without them."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table as a paper prints it.

    Attributes:
        heads: The headings, one per column.
        rows: Cells: text, whole numbers, or numbers that are rounded; None for what is not there.
        caption: What it shows and where its numbers come from, in sentences.
        notes: Signatures and versions: comments in LaTeX, a list in Markdown, lines after the table in CSV.
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
    notes: Sequence[str] = ()

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
        lines += [f"% {' '.join(note.split())}" for note in self.notes]
        if others := sorted(set(_BEYOND_PDFLATEX.findall("".join(lines[: len(lines) - len(self.notes)])))):
            lines.insert(
                1, f"% pdflatex lacks these letters; use lualatex and a font that has them: {' '.join(others)}"
            )
        return "\n".join([*lines, rf"\end{{{kind}}}"])

    def markdown(self) -> str:
        """The table for GitHub, notebooks and most wikis."""
        marks = ["---:" if self._numeric(column) else "---" for column in range(len(self.heads))]
        lines = [list(map(_markdown_text, self.heads)), marks, *self._texts(_markdown_text, "**{}**")]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        caption = _markdown_text(" ".join(self.caption))
        notes = "\n".join(f"- {_markdown_text(note)}" for note in self.notes)
        return "\n\n".join(filter(None, [text, caption, notes]))

    def csv(self) -> str:
        """All digits, cells that no spreadsheet runs, and the caption in lines after the table."""
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        heads, rows = self.numbers or (self.heads, self.rows)
        writer.writerow([spreadsheet_cell(head) for head in heads])
        writer.writerows([spreadsheet_cell("" if cell is None else cell) for cell in row] for row in rows)
        written.writelines(f"# {' '.join(sentence.split())}\n" for sentence in (*self.caption, *self.notes))
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
        return minus(f"{cell:.{self.digits}f}") if isinstance(cell, float) else str(cell)


def latex_text(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> latex_text("100% of M² & co_1")
    '100\\% of M\\textsuperscript{2} \\& co\\_1'
    """
    spaced = "".join(" " if letter.isspace() else letter for letter in text)
    shown = (letter for letter in spaced if unicodedata.category(letter) not in _UNSEEN)
    return " ".join("".join(_LATEX.get(letter, letter) for letter in shown).split())


def provenance(what: str, corpus: str, *, left_out: Sequence[str] = (), human: str = "") -> list[str]:
    """The sentences of a caption.

    Args:
        what: What the table shows.
        corpus: The name of the corpus.
        left_out: Systems that are not in the table.
        human: The human ranking, if there is one.
    """
    found = [f"{what} on {corpus}."]
    if human:
        found.append(f"Human ranking: {human}.")
    if left_out:
        found.append(f"Left out: {', '.join(left_out)}.")
    return found


def made_with(metrics: Iterable[tuple[str, str, str]]) -> list[str]:
    """What is noted below a caption: name, signature and publication of each metric, and the versions.

    >>> made_with([("M²", "m2|v1", "Dahlmeier and Ng 2012, Better Evaluation")])[0]
    'M²: m2|v1 (Dahlmeier and Ng 2012).'
    """
    published = ((name, signature, re.match(r".+? \d{4}", citation)) for name, signature, citation in metrics)
    lines = [f"{name}: {signature}{f' ({found[0]})' if found else ''}." for name, signature, found in published]
    versions = ", ".join(f"{name} {version}" for name, version in packages().items())
    return [*lines, f"GEC Lens {__version__} ({versions})."]


def bibtex(citations: Iterable[str]) -> str:
    """Publications as BibTeX, each once; a citation that is not written as authors, year, title, venue is a note.

    >>> print(bibtex(["Dahlmeier and Ng 2012, Better Evaluation for Grammatical Error Correction, NAACL"]))
    @inproceedings{dahlmeier2012,
      author = {Dahlmeier, Daniel and Ng, Hwee Tou},
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
                "author": latex_text(_AUTHORS.get(f"{authors} {year}", authors.replace(" et al.", " and others"))),
                "year": year,
                "title": f"{{{latex_text(title)}}}",
                "booktitle": latex_text(venue),
            }
            kind, key = "inproceedings", "".join(filter(str.isalpha, authors.split()[0])).lower() + year
        else:
            fields = {"note": latex_text(citation)}
            kind, key = "misc", "cited"
        name = next(each for each in (key, *(f"{key}{letter}" for letter in ascii_lowercase)) if each not in entries)
        lines = "".join(f"  {field} = {{{value}}},\n" for field, value in fields.items() if value)
        entries[name] = f"@{kind}{{{name},\n{lines}}}"
    return "\n\n".join(entries.values())


def _publications(citation: str) -> list[str]:
    """The parts of a citation, with titles; one that begins with a year is by the authors of the part before it."""
    found: list[str] = []
    if named := [name for name in _TITLES if name in citation and f"{name}," not in citation]:
        return [f"{name}, {_TITLES[name]}" for name in named]
    if not re.search(r"\d{4}, ", citation):
        return [citation.rstrip(".")] if citation else []
    for part in filter(None, (part.strip().rstrip(".") for part in citation.split(";"))):
        authors = re.match(r"(.+?) \d{4},", found[-1]) if found else None
        found.append(f"{authors[1]} {part}" if authors and re.match(r"\d{4},", part) else part)
    return found


def _markdown_text(text: str) -> str:
    return " ".join(text.translate(_MARKDOWN).split())
