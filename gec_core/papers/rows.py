"""A published figure beside ours, and the verdict on the two.

Published figures are kept as printed, since they are compared at the printed precision: a value equals `0.500`
if it rounds to it. Besides numbers there are names (the system on a rank of a ranking) and statements (`p < 0.10`).

The tables of data/published are named after first author, year and table. Examples that the authors made up are there
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
"""The prefix of a cause that is not known; what was tried follows."""
OTHER = "another model or tool"
"""The prefix of the cause of a figure that was not computed with the paper's model or tool, even if the two agree."""

FOLDER = bundled("data", "published")
_NUMBER = re.compile(r"-?\d+(?:\.(?P<decimals>\d+))?")
_STATEMENT = re.compile(r"(?:\w+ )?(?P<relation>[<>=]|>=) (?P<number>-?\d+(?:\.\d+)?)")
_HALF = 0.5 + 1e-6
"""Half a unit of the last printed digit, since a value exactly between two figures may be rounded either way."""


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A published figure: its place in a paper, and the figure as printed."""

    paper: str
    table: str
    row: str
    column: str
    published: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """A value of ours, with a note on how it was computed if that is not obvious."""

    value: Value
    note: str = ""
    instead: str = ""
    """The model used where the paper's is not available: `X, in place of Y`."""

    @property
    def said(self) -> str:
        """The model used and the note."""
        return "; ".join(part for part in (f"{OTHER}: {self.instead}" if self.instead else "", self.note) if part)


@dataclass(frozen=True, slots=True)
class Row:
    """A published figure, ours, and how they compare."""

    cell: PublishedFigure
    ours: Value | None
    verdict: Verdict
    cause: str = ""
    """Why they differ, what is missing, or under which condition they are equal."""

    @property
    def off(self) -> float | None:
        """The difference between ours and the published figure, if both are numbers."""
        if isinstance(self.ours, str) or self.ours is None or not _NUMBER.fullmatch(self.cell.published):
            return None
        return self.ours - float(self.cell.published)

    @property
    def why(self) -> str:
        """The cause, with the difference if there is one."""
        if self.verdict != "differs" or self.off is None:
            return self.cause
        return f"off by {self.off:+.{max(2, decimals(self.cell.published))}f}: {self.cause}"

    def as_dict(self) -> dict[str, Any]:
        """The row for machine formats; a published number as a number."""
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
    """The figures of some papers with their verdicts."""

    corpus: str
    fingerprint: str
    rows: tuple[Row, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of figures in all, by verdict, and differing for an unknown cause.

        Equal figures that another model or tool than the paper's gave are not counted as `equal`, but as
        `other_model_equal`; `other_model` are all figures that one gave.
        """
        verdicts = {verdict: sum(row.verdict == verdict for row in self.rows) for verdict in get_args(Verdict)}
        unknown = sum(row.verdict == "differs" and row.cause.startswith(UNKNOWN) for row in self.rows)
        other = [row.verdict for row in self.rows if row.cause.startswith(OTHER)]
        by_others = {"other_model": len(other), "other_model_equal": other.count("equal")}
        verdicts["equal"] -= by_others["other_model_equal"]
        return {"published": len(self.rows)} | verdicts | {"unknown": unknown} | by_others

    @property
    def summary(self) -> str:
        """The counts in one line."""
        count = self.counts
        parts = [
            f"{count['published']} figures published",
            f"{count['equal']} equal",
            f"{count['other_model_equal']} equal by another model or tool than the paper's",
            f"{count['differs'] - count['unknown']} differing with a stated cause",
            f"{count['unknown']} differing for a cause unknown",
            f"{count['missing']} missing with what is missing",
        ]
        optional = {2: "other_model", 4: "unknown"}
        summary = ", ".join(part for place, part in enumerate(parts) if count.get(optional.get(place, ""), 1))
        if count["other_model"]:
            summary += f"; {count['other_model']} of ours are by another model or tool"
        return summary


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a published table, by column."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines, delimiter="\t"))


def judge(cell: PublishedFigure, compute: Callable[[], Sequence[Attempt]], cause: str) -> Row:
    """The verdict on a cell.

    `compute` returns one or several values, the most natural first: the first that agrees with the published
    figure is taken, with its note; otherwise the first one differs, because of `cause`, or because it was made
    with another model. A missing input (`MissingInput`) makes the figure missing.
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
    """Whether our value is the published one, at the printed precision."""
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
