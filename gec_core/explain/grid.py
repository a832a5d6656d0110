"""One sentence as a grid: texts, classes, and every metric's numbers under the words that they are about.

A column is a token of the source, or a place between two tokens where some text inserts words. Texts, classes, credits
and weights are cells that span the columns of their edits, so that everything about an edit stands in one place. Cells
of one row never overlap: where edits do, they share a cell with several entries.

Columns in which no text differs from the source are quiet; views fold runs of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from gec_core.metrics.blocks import ValuedEdit

Kind = Literal["credit", "weight", "missed"]
Keep = Literal["texts", "outputs", "differences"]
"""The columns that stay when a grid is folded: those that any text changes, an output, or the outputs differently."""
UNCHANGED = "TN"


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A token of the source, or a place where words are inserted before token `at`."""

    at: int
    token: str | None
    """None for a place between tokens."""
    quiet: bool
    """Whether all texts have the word of the source here."""


@dataclass(frozen=True, slots=True)
class TextCell:
    """What a text has in the columns [start, end)."""

    start: int
    end: int
    before: str
    """The words of the source."""
    after: str
    """The words of the text."""
    type: str = ""
    """The error type of the edit; empty where nothing changed or ERRANT cannot run."""

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class ClassCell:
    """The classes of the three-way alignment in the columns [start, end), each once."""

    start: int
    end: int
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GridEntry:
    """One number: the credit of an edit, or the weight that a metric gives it."""

    kind: Kind
    edit: ValuedEdit
    value: float


@dataclass(frozen=True, slots=True)
class ValueCell:
    """The numbers of the edits in the columns [start, end)."""

    start: int
    end: int
    entries: tuple[GridEntry, ...]


@dataclass(frozen=True, slots=True)
class WordCell:
    """A model's numbers of the words that a text has in the columns [start, end)."""

    start: int
    end: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class WordRow:
    """A number for every word of a text: surprisal, cosine."""

    metric: str
    measure: str
    cells: tuple[WordCell, ...]


@dataclass(frozen=True, slots=True)
class TextRow:
    """The source, a reference or an output."""

    name: str
    cells: tuple[TextCell, ...]
    chosen_by: tuple[str, ...] = ()
    """The metrics that compare an output with this reference."""
    words: tuple[WordRow, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric's score of an output, and what each edit contributes to it."""

    metric: str
    percent: bool
    reference: str
    """The name of the reference that the metric chose; empty if it chose no single one."""
    score: float | None = None
    """None while the numbers are being computed."""
    source_score: float | None = None
    error: float = 0.0
    """The largest standard error of a credit; 0 where credits are exact."""
    credits: tuple[ValueCell, ...] = ()
    weights: tuple[ValueCell, ...] = ()
    """Empty for metrics that give all edits the same weight."""

    @property
    def largest(self) -> float:
        """The largest absolute credit, the scale of the row's shades."""
        entries = (entry for cell in self.credits for entry in cell.entries)
        return max((abs(entry.value) for entry in entries if entry.kind == "credit"), default=0.0)


@dataclass(frozen=True, slots=True)
class OutputBlock:
    """An output with its classes and the rows of all metrics."""

    text: TextRow
    reference: str
    """The name of the reference that classes refer to; empty without references."""
    classes: tuple[ClassCell, ...]
    metrics: tuple[MetricRow, ...]


@dataclass(frozen=True, slots=True)
class DecidingCell:
    """The edit in the columns [start, end) that decides between two outputs, and for which one, by which metrics."""

    start: int
    end: int
    prefers: tuple[tuple[str, tuple[str, ...]], ...]
    """Names of outputs, each with the metrics that prefer it because of this edit."""


@dataclass(frozen=True, slots=True)
class SentenceGrid:
    """A sentence with one output, or with several that share their columns."""

    columns: tuple[GridColumn, ...]
    source: TextRow
    references: tuple[TextRow, ...]
    outputs: tuple[OutputBlock, ...]
    right_to_left: bool
    deciding: tuple[DecidingCell, ...] = ()
    """What decides between two outputs; empty for one."""

    def runs(self, keep: Keep = "texts") -> Iterator[tuple[int, int, bool]]:
        """The columns in runs to be folded and runs to be shown: start, end, whether to fold the run.

        Args:
            keep: Which columns to show; `differences` are the edits that only some outputs have.
        """
        if keep == "texts":
            shown = {at for at, column in enumerate(self.columns) if not column.quiet}
        else:
            shown = self._changed(apart=keep == "differences" and len(self.outputs) > 1)
        for fold, members in groupby(range(len(self.columns)), key=lambda at: at not in shown):
            run = list(members)
            yield run[0], run[-1] + 1, fold

    def _changed(self, *, apart: bool) -> set[int]:
        """The columns that an output changes, with those of all cells that overlap them.

        Args:
            apart: Leave out those that all outputs change in the same way, unless an edit there decides.
        """
        rows = [row for block in self.outputs for row in block.metrics]
        values = {(cell.start, cell.end) for row in rows for cell in (*row.credits, *row.weights)}
        texts = [{cell for cell in block.text.cells if cell.changed} for block in self.outputs]
        shared = set.intersection(*texts) if apart else set()
        made = {(cell.start, cell.end) for cells in texts for cell in cells - shared}
        made |= {(cell.start, cell.end) for cell in self.deciding}
        sites = unions({*self.sites(), *values, *made})
        kept = [site for site in sites if any(site[0] <= start and end <= site[1] for start, end in made)]
        return {at for site in kept for at in range(*site)}

    def sites(self) -> list[tuple[int, int]]:
        """The columns [start, end) of edits; overlapping edits of different texts are one site."""
        texts = [*self.references, *(block.text for block in self.outputs)]
        spans = {(cell.start, cell.end) for row in texts for cell in row.cells if cell.changed}
        spans |= {
            (cell.start, cell.end)
            for block in self.outputs
            for cell in block.classes
            if set(cell.classes) != {UNCHANGED}
        }
        return unions(spans)


def unions(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans that share a token; an insertion joins a span only strictly inside it."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif not found or (start, end) != found[-1]:
            found.append((start, end))
    return found
