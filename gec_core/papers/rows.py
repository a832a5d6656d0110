"""A published figure beside ours, and the verdict on the two.

Published figures are kept as printed, since the number of decimals says how far they can be compared:
`0.500` is met by anything that rounds to it, and by nothing else. Besides numbers there are names (the
system on a rank of a ranking) and statements (`p < 0.10`).

Files are called after first author, year and table. Worked examples that the authors made up stand there
with their text; those taken from a corpus are given by the number of the sentence.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from gec_core.environment import bundled
from gec_core.errors import MissingInput

Value = float | int | str
Verdict = Literal["equal", "differs", "missing"]
UNKNOWN = "cause unknown"
"""How a cause begins that is none: what follows is what was tried."""
OTHER = "another model or tool"
"""How the cause of a figure begins that was not made with what the paper used; it says so even if the two agree."""

_NUMBER = re.compile(r"-?\d+(?:\.(?P<decimals>\d+))?")
_STATEMENT = re.compile(r"(?:\w+ )?(?P<relation>[<>=]|>=) (?P<number>-?\d+(?:\.\d+)?)")
_HALF = 0.5 + 1e-6
"""Of a unit of the last printed digit; what lies exactly between two figures may have been rounded either way."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a figure stands, and the figure as it is printed."""

    paper: str
    table: str
    row: str
    column: str
    published: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """A value of ours, and what must be said about how it came about; nothing if it is the obvious way."""

    value: Value
    note: str = ""
    instead: str = ""
    """What it was made with in place of the paper's model, where that is not here: `X, in place of Y`."""

    @property
    def said(self) -> str:
        """All that must be said."""
        return "; ".join(part for part in (f"{OTHER}: {self.instead}" if self.instead else "", self.note) if part)


@dataclass(frozen=True, slots=True)
class Row:
    """A published figure, ours, and how they compare."""

    cell: Cell
    ours: Value | None
    verdict: Verdict
    cause: str = ""
    """Why they differ, what is missing, or on what condition they are equal."""

    @property
    def off(self) -> float | None:
        """By how much ours is larger, if both are numbers."""
        if isinstance(self.ours, str) or self.ours is None or not _NUMBER.fullmatch(self.cell.published):
            return None
        return self.ours - float(self.cell.published)

    @property
    def why(self) -> str:
        """The cause, with the distance where there is one to state."""
        if self.verdict != "differs" or self.off is None:
            return self.cause
        return f"off by {self.off:+.{max(2, decimals(self.cell.published))}f}: {self.cause}"

    def as_dict(self) -> dict[str, Any]:
        """The row as programs get it; a published number as a number."""
        text = self.cell.published
        return {
            "paper": self.cell.paper,
            "table": self.cell.table,
            "row": self.cell.row,
            "column": self.cell.column,
            "published": (float(text) if decimals(text) else int(text)) if _NUMBER.fullmatch(text) else text,
            "ours": self.ours,
            "verdict": self.verdict,
            "why": self.why,
        }


@dataclass(frozen=True)
class Reproduction:
    """All figures of some papers that were looked at, with their verdicts."""

    corpus: str
    fingerprint: str
    rows: tuple[Row, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many figures there are, of each verdict, differing for a cause unknown, and made with another model."""
        verdicts = {verdict: sum(row.verdict == verdict for row in self.rows) for verdict in get_args(Verdict)}
        unknown = sum(row.verdict == "differs" and row.cause.startswith(UNKNOWN) for row in self.rows)
        other = [row.verdict for row in self.rows if row.cause.startswith(OTHER)]
        by_others = {"other_model": len(other), "other_model_equal": other.count("equal")}
        return {"published": len(self.rows)} | verdicts | {"unknown": unknown} | by_others

    @property
    def summary(self) -> str:
        """The counts in a line."""
        count = self.counts
        parts = [
            f"{count['published']} figures published",
            f"{count['equal']} equal",
            f"{count['differs'] - count['unknown']} differing with a stated cause",
            f"{count['missing']} missing with what is missing",
        ]
        if count["unknown"]:
            parts.insert(3, f"{count['unknown']} differing for a cause unknown")
        summary = ", ".join(parts)
        if count["other_model"]:
            summary += (
                f"; {count['other_model']} of ours are by another model or tool than the paper's, "
                f"{count['other_model_equal']} of them among the equal ones"
            )
        return summary


def judge(cell: Cell, compute: Callable[[], Sequence[Attempt]], cause: str) -> Row:
    """The verdict on a cell.

    `compute` gives one value or several, the most natural first: the first that agrees with the published
    figure is taken, with its note; otherwise the first of all differs, because of `cause`, or because it was made
    with another model. Whatever it needs and does not find (`MissingInput`) makes the figure missing.
    """
    try:
        attempts = compute()
    except MissingInput as error:
        return Row(cell, None, "missing", str(error))
    for attempt in attempts:
        if agrees(cell.published, attempt.value):
            return Row(cell, attempt.value, "equal", attempt.said)
    first = attempts[0]
    return Row(cell, first.value, "differs", first.said if first.instead else cause)


def agrees(published: str, ours: Value) -> bool:
    """Whether our value is the published one, at the precision in which that is printed."""
    if isinstance(ours, str):
        return ours == published
    if statement := _STATEMENT.fullmatch(published):
        relation, number = statement["relation"], statement["number"]
        bound = float(number)
        met = {"<": ours < bound, ">": ours > bound, ">=": ours >= bound, "=": agrees(number, ours)}
        return met[relation]
    return abs(ours - float(published)) <= _HALF * 10 ** -decimals(published)


def decimals(published: str) -> int:
    """The number of decimals with which a figure is printed."""
    match = _NUMBER.fullmatch(published)
    return len(match["decimals"] or "") if match else 0


FOLDER = bundled("data", "published")


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a published table, by column."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines, delimiter="\t"))
