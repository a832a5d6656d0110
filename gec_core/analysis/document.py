"""The values a report is made of: sections of prose, tables, figures and sentences.

The page *My system* and the HTML file render the same sections, and the CSV and JSON files are written from them, so
that wording and numbers exist once. Text from a corpus is kept as it is; whoever renders a value escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from gec_core.analysis.significance import Verdict
from gec_core.formatting import minus

TITLES = {
    "summary": "Summary",
    "verdict": "Verdict",
    "trust": "Which metric to trust",
    "standing": "Ranks",
    "significance": "Significance",
    "why": "Why the scores differ",
    "types": "Error types",
    "correction": "Over- and under-correction",
    "costly": "Costly sentences",
    "splits": "Metric disagreements",
    "changes": "Changed outputs",
    "sentences": "Sentences",
    "reproducibility": "Reproducibility",
}
"""Of sections, by id; known before a section is computed."""
Role = Literal["system", "rival", "other"]
"""The analysed system is a square in figures, its rival a diamond, every other system a circle."""
Tone = Literal["good", "bad", "neutral"]
Style = Literal["plain", "strong", "code", "link"]
"""A link is its own address."""
Kind = Literal[
    "text", "code", "passage", "names", "number", "signed", "count", "share", "level", "p", "interval", "change",
    "verdict", "sentence",
]  # fmt: skip
"""How the cells of a column are written. A passage is text of the corpus: the page shows it in the table, the HTML file
among its sentences. A level is a number from 0 to 1 that may be drawn as a bar. A sentence is counted from 0 in the
value and from 1 where people read it."""


class Run(NamedTuple):
    """A piece of a paragraph in one style."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Prose, without a mark-up of its own."""

    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def paragraph(template: str, **values: object) -> Paragraph:
    """Fill in a template in which `**` encloses strong text and backticks code.

    Values are filled in afterwards, so that a name with asterisks stays a name.

    >>> paragraph("**{name}** ranks first.", name="A**").runs
    (Run(text='A**', style='strong'), Run(text=' ranks first.', style='plain'))
    """
    runs: list[Run] = []
    style: Style = "plain"
    for piece in re.split(r"(\*\*|`)", template):
        if piece in ("**", "`"):
            marked: Style = "strong" if piece == "**" else "code"
            style = "plain" if style == marked else marked
        elif piece:
            runs.append(Run(piece.format(**values), style))
    return Paragraph(tuple(runs))


class Range(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


class Share(NamedTuple):
    """A part of a whole."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """None of nothing."""
        return self.part / self.whole if self.whole else None


class MarkedDifference(NamedTuple):
    """A difference, and whether it is significant."""

    difference: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its head, and how its cells are written."""

    name: str
    kind: Kind = "text"
    digits: int = 4
    of: str = ""
    """What an interval is the interval of."""
    help: str = ""


@dataclass(frozen=True, slots=True)
class SectionTable:
    """A table of typed cells; the first column names the row."""

    id: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str = ""
    prose: tuple[Paragraph, ...] = ()
    metric: str = ""
    """The metric that the table is about, where a section has such a table for every metric."""
    roles: tuple[Role, ...] = ()
    """Of the systems of the rows."""
    beside: tuple[str | None, ...] = ()
    """For rows that are sentences: the system to put beside the analysed one when the sentence is opened."""
    brief: int | None = None
    """The number of rows that the HTML file shows; all if None."""

    @property
    def of_sentences(self) -> bool:
        """Whether its rows are sentences."""
        return self.columns[0].kind == "sentence"


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A value with its interval."""

    label: str
    value: float
    low: float
    high: float
    role: Role = "other"


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """Points with intervals, one per row."""

    id: str
    title: str
    unit: str
    points: tuple[PlotPoint, ...]
    digits: int = 4
    ranks: int | None = None
    """The number of ranks, where the values are ranks; the best rank is on the left."""
    metric: str = ""


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Bars to the right of 0 for more and to the left for less."""

    id: str
    title: str
    unit: str
    bars: tuple[tuple[str, int], ...]
    more_is_better: bool = True
    metric: str = ""


@dataclass(frozen=True, slots=True)
class StackedPlot:
    """One bar per row, divided into parts."""

    id: str
    title: str
    unit: str
    parts: tuple[tuple[str, Tone], ...]
    bars: tuple[tuple[str, Role, tuple[int, ...]], ...]
    metric: str = ""


Plot = IntervalPlot | BarPlot | StackedPlot


class Piece(NamedTuple):
    """Some words of an output beside the source."""

    text: str
    change: Literal["kept", "deleted", "inserted"] = "kept"


@dataclass(frozen=True, slots=True)
class SentenceExample:
    """A sentence with its references, some outputs and their scores."""

    sentence: int
    reasons: tuple[str, ...]
    """Why it is listed."""
    texts: tuple[tuple[str, tuple[Piece, ...]], ...]
    """By what they are: source, reference 1, the names of systems."""
    scores: SectionTable


@dataclass(frozen=True)
class Section:
    """One subject of a report, rendered in the order of its fields."""

    id: str
    warnings: tuple[Paragraph, ...] = ()
    prose: tuple[Paragraph, ...] = ()
    figures: tuple[Plot, ...] = ()
    tables: tuple[SectionTable, ...] = ()
    notes: tuple[Paragraph, ...] = ()
    """How the numbers are defined."""
    examples: tuple[SentenceExample, ...] = ()
    code: str = ""
    """A command line."""
    data: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    """The numbers for programs, by the name of their file: all rows, all digits, sentences counted from 0."""
    missing: str = ""
    """Why the section is empty; the HTML file leaves it out then."""

    @property
    def title(self) -> str:
        return TITLES[self.id]


@dataclass(frozen=True)
class Report:
    """All sections, and what they are about."""

    title: str
    subtitle: tuple[Paragraph, ...]
    summary: Section
    sections: tuple[Section, ...]
    about: Mapping[str, Any]
    """For programs."""


def number_text(value: float | None, digits: int = 4) -> str:
    """As many digits as the command line prints."""
    return "–" if value is None else minus(f"{value:,.{digits}f}")


def signed_text(value: float, digits: int = 4) -> str:
    """A number with its sign; 0 has none."""
    shown = minus(f"{value:+,.{digits}f}")
    return shown.removeprefix("+") if not shown.strip("+0.,") else shown


def range_text(low: float, high: float, digits: int = 4) -> str:
    """One number where both ends are the same."""
    return number_text(low, digits) if low == high else f"{number_text(low, digits)} to {number_text(high, digits)}"


def p_text(p: float | None) -> str:
    return "–" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def percent_text(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def verdict_text(verdict: Verdict) -> str:
    return {"better": "▲ better", "worse": "▼ worse"}.get(verdict, verdict)


def change_text(change: MarkedDifference, digits: int = 4) -> str:
    mark = {"better": "▲ ", "worse": "▼ "}.get(change.verdict, "")
    return f"{mark}{signed_text(change.difference, digits)}"


def cell_text(column: TableColumn, value: Any) -> str:
    """A cell as people read it."""
    match column.kind:
        case "number" | "level":
            return number_text(value, column.digits)
        case "signed":
            return signed_text(value, column.digits)
        case "count":
            return number_text(value, 0)
        case "share":
            return f"{percent_text(value.value)} ({value.part:,} of {value.whole:,})"
        case "p":
            return p_text(value)
        case "interval":
            return range_text(value.low, value.high, column.digits)
        case "change":
            return change_text(value, column.digits)
        case "verdict":
            return verdict_text(value)
        case "sentence":
            return str(value + 1)
        case "names":
            return ", ".join(value)
        case _:
            return str(value)
