"""One sentence as a grid: texts, classes, and every metric's numbers under the words that they are about.

A column is a token of the source, or a place between two tokens where some text inserts words. Texts, classes, credits
and weights are cells that span the columns of their edits, so that everything about an edit stands in one place. Cells
of one row never overlap: where edits do, they share a cell with several entries.

Columns in which no text differs from the source are quiet; views fold runs of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from gec_core.explain.credit import OutputExplanation, output_edits
from gec_core.explain.pieces import right_to_left, word_values
from gec_core.metrics.blocks import Edits, Tokens, ValuedEdit
from gec_core.types import Edit, Sentence

if TYPE_CHECKING:
    from gec_core.align.threeway import Alignment

Kind = Literal["credit", "weight", "missed"]
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
class SentenceGrid:
    """A sentence with one output, or with several that share their columns."""

    columns: tuple[GridColumn, ...]
    source: TextRow
    references: tuple[TextRow, ...]
    outputs: tuple[OutputBlock, ...]
    right_to_left: bool

    def runs(self) -> Iterator[tuple[int, int, bool]]:
        """The columns in runs of quiet and of other ones: start, end, whether the run is quiet."""
        for quiet, members in groupby(range(len(self.columns)), key=lambda at: self.columns[at].quiet):
            run = list(members)
            yield run[0], run[-1] + 1, quiet

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
        return _unions(spans)


@dataclass(frozen=True, slots=True)
class ExplainedMetric:
    """A metric and its explanations of the outputs, in their order; None where one is not known yet."""

    name: str
    found: tuple[OutputExplanation | None, ...]
    percent: bool = False


def sentence_grid(
    sentence: Sentence,
    outputs: Sequence[tuple[str, str]],
    metrics: Sequence[ExplainedMetric],
    alignments: Sequence[Alignment | None] = (),
    *,
    edits_of: Callable[[str, str], tuple[Edit, ...]] = output_edits,
) -> SentenceGrid:
    """Arrange a sentence, its outputs and what metrics say of them in columns.

    Args:
        outputs: The name and the text of each output.
        metrics: The metrics with their explanations of all outputs.
        alignments: The three-way alignment of each output, for the classes; none without references.
        edits_of: Extracts the edits between the source and another text.
    """
    return _GridBuilder(sentence, outputs, metrics, alignments, edits_of).grid()


COMBINED = "combined reference"
"""The name of a reference that takes corrections from several annotators."""


def reference_names(sentence: Sentence, chosen: Iterable[str]) -> dict[str, str]:
    """Name the references that metrics chose, by their texts: `reference 1` is the first one of the sentence."""
    numbers = {text: number for number, text in reversed([*enumerate(sentence.references, 1)])}
    names: dict[str, str] = {}
    for text in dict.fromkeys(chosen):
        others = sum(name.startswith(COMBINED) for name in names.values())
        combined = f"{COMBINED} {others + 1}" if others else COMBINED
        names[text] = f"reference {numbers[text]}" if text in numbers else combined
    return names


class _GridBuilder:
    """What is needed while a grid is built: the columns, and the edits of all texts."""

    def __init__(
        self,
        sentence: Sentence,
        outputs: Sequence[tuple[str, str]],
        metrics: Sequence[ExplainedMetric],
        alignments: Sequence[Alignment | None],
        edits_of: Callable[[str, str], tuple[Edit, ...]],
    ) -> None:
        self.sentence, self.outputs, self.metrics = sentence, outputs, metrics
        self.tokens = sentence.tokens
        self.alignments = [*alignments, *[None] * (len(outputs) - len(alignments))]
        self.edits = [edits_of(sentence.source, text) for _, text in outputs]
        self.references = self._chosen_references()
        self.names = reference_names(sentence, self.references)
        self.reference_edits = {text: edits_of(sentence.source, text) for text in self.references}
        self.classes = [
            list(_classes(alignment, edits, self.tokens)) if alignment else []
            for alignment, edits in zip(self.alignments, self.edits, strict=True)
        ]
        spans = self._spans()
        gaps = {start for start, end in spans if start == end}
        self.places = [
            (at, token)
            for at in range(len(self.tokens) + 1)
            for token in ([None] if at in gaps else []) + self.tokens[at : at + 1]
        ]
        self.token_at = {at: number for number, (at, token) in enumerate(self.places) if token is not None}
        self.gap_at = {at: number for number, (at, token) in enumerate(self.places) if token is None}
        busy = {column for span in spans for column in range(*self.columns_of(*span))}
        self.columns = tuple(
            GridColumn(at, token, number not in busy) for number, (at, token) in enumerate(self.places)
        )

    def _chosen_references(self) -> dict[str, list[str]]:
        """The texts of the references that some metric chose, or that classes refer to, with the metrics."""
        found: dict[str, list[str]] = {}
        for metric in self.metrics:
            for each in filter(None, metric.found):
                if each.explanation.reference is not None:
                    who = found.setdefault(each.explanation.reference, [])
                    who += [metric.name] if metric.name not in who else []
        for alignment in filter(None, self.alignments):
            found.setdefault(_reference_of(alignment), [])
        if not found:
            found |= {text: [] for text in self.sentence.references[:1]}
        return found

    def _spans(self) -> set[tuple[int, int]]:
        """The spans of the source that some cell stands under."""
        edits = [*self.edits, *self.reference_edits.values()]
        spans = {(edit.start, edit.end) for each in edits for edit in each}
        spans |= {(start, end) for each in self.classes for start, end, kinds in each if kinds != (UNCHANGED,)}
        for metric in self.metrics:
            for found in filter(None, metric.found):
                spans |= {(edit.start, edit.end) for edit in (*found.credits.edits, *_own_edits(found))}
        return spans

    def columns_of(self, start: int, end: int) -> tuple[int, int]:
        """The columns of source tokens [start, end), or of the place of an insertion."""
        if start == end:
            return self.gap_at[start], self.gap_at[start] + 1
        return self.token_at[start], self.token_at[end - 1] + 1

    def grid(self) -> SentenceGrid:
        references = [
            TextRow(self.names[text], self._text(self.reference_edits[text]), tuple(who))
            for text, who in self.references.items()
        ]
        references.sort(key=lambda row: (row.name.startswith(COMBINED), row.name))
        source = TextRow("source", self._text(()), words=tuple(self._words("source", 0, ())))
        blocks = tuple(self._block(number) for number in range(len(self.outputs)))
        return SentenceGrid(self.columns, source, tuple(references), blocks, right_to_left(self.sentence.source))

    def _block(self, number: int) -> OutputBlock:
        name, _ = self.outputs[number]
        edits, alignment = self.edits[number], self.alignments[number]
        text = TextRow(name, self._text(edits), words=tuple(self._words("output", number, edits)))
        classes = tuple(ClassCell(*self.columns_of(start, end), kinds) for start, end, kinds in self.classes[number])
        reference = self.names[_reference_of(alignment)] if alignment else ""
        rows = tuple(self._row(metric, number) for metric in self.metrics)
        return OutputBlock(text, reference, classes, rows)

    def _text(self, edits: Iterable[Edit]) -> tuple[TextCell, ...]:
        """The cells of a text: changed ones where it has edits, and one for every other token."""
        cells: list[TextCell] = []
        for start, end in _unions({(edit.start, edit.end) for edit in edits}):
            inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
            inside = [edit for edit in inside if (edit.start == edit.end) == (start == end)] or inside
            after = " ".join(edit.correction for edit in inside if edit.correction)
            kinds = ", ".join(dict.fromkeys(edit.type for edit in inside if edit.type))
            cells.append(TextCell(*self.columns_of(start, end), " ".join(self.tokens[start:end]), after, kinds))
        taken = {column for cell in cells for column in range(cell.start, cell.end)}
        for at, token in enumerate(self.tokens):
            if (column := self.token_at[at]) not in taken:
                cells.append(TextCell(column, column + 1, token, token))
        return tuple(sorted(cells, key=lambda cell: cell.start))

    def _row(self, metric: ExplainedMetric, number: int) -> MetricRow:
        found = metric.found[number]
        if found is None:
            return MetricRow(metric.name, metric.percent, "")
        credits = [GridEntry("credit", edit, edit.value) for edit in found.credits.edits]
        taken = [self.columns_of(edit.start, edit.end) for edit in found.credits.edits]
        own = _own_edits(found)
        missed = [
            GridEntry("missed", edit, edit.value)
            for edit in own
            if edit.verdict == "missed" and not _touches(self.columns_of(edit.start, edit.end), taken)
        ]
        differ = len({round(edit.value, 9) for edit in own}) > 1 or any(edit.value not in (0.0, 1.0) for edit in own)
        return MetricRow(
            metric.name,
            metric.percent,
            self.names.get(found.explanation.reference or "", ""),
            found.credits.score,
            found.credits.source_score,
            found.credits.error,
            self._cells([*credits, *missed]),
            self._cells([GridEntry("weight", edit, edit.value) for edit in own]) if differ else (),
        )

    def _cells(self, entries: Sequence[GridEntry]) -> tuple[ValueCell, ...]:
        """Cells of entries; those whose columns overlap share one."""
        spans = [self.columns_of(entry.edit.start, entry.edit.end) for entry in entries]
        placed = list(zip(spans, entries, strict=True))
        return tuple(
            ValueCell(start, end, tuple(entry for span, entry in placed if start <= span[0] and span[1] <= end))
            for start, end in _unions(set(spans))
        )

    def _words(self, of: str, number: int, edits: Sequence[Edit]) -> Iterator[WordRow]:
        """The rows of numbers that models give to the words of the source or of an output."""
        cells = self._text(edits)
        for metric in self.metrics:
            found = metric.found[number]
            blocks = [block for block in found.explanation.all(Tokens) if block.of == of] if found else []
            for block in blocks:
                values = iter(word_values(block, [word for cell in cells for word in cell.after.split()]))
                placed = [
                    WordCell(cell.start, cell.end, tuple(next(values) for _ in cell.after.split())) for cell in cells
                ]
                yield WordRow(metric.name, block.measure, tuple(cell for cell in placed if cell.values))


def _own_edits(found: OutputExplanation) -> list[ValuedEdit]:
    """The edits of the output and of the annotator as the metric itself reads them."""
    return [edit for block in found.explanation.all(Edits) for edit in block.edits]


def _reference_of(alignment: Alignment) -> str:
    return " ".join(column.reference for column in alignment.columns if column.reference is not None)


def _classes(
    alignment: Alignment, edits: Sequence[Edit], tokens: Sequence[str]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The spans of the source with their classes: those of the edits, and single columns elsewhere."""
    by_span: dict[tuple[int, int], list[str]] = {}
    owners = _owners(edits, len(tokens))
    at = word = 0
    for column in alignment.columns:
        span: tuple[int, int] | None = None
        if column.hypothesis is not None:
            span = owners.words.get(word)
            word += 1
        if column.source is not None:
            span = span or owners.tokens.get(at) or (at, at + 1)
            at += 1
        span = span or owners.gaps.get(at) or (at, at)
        kinds = by_span.setdefault(span, [])
        if column.correction not in kinds:
            kinds.append(column.correction)
    for (start, end), kinds in sorted(by_span.items()):
        wrong = tuple(kind for kind in kinds if kind != UNCHANGED) or (UNCHANGED,)
        yield start, end, wrong


@dataclass(frozen=True, slots=True)
class _Owners:
    """The edit that each source token, each word of the output and each place between tokens belongs to."""

    tokens: dict[int, tuple[int, int]]
    words: dict[int, tuple[int, int]]
    gaps: dict[int, tuple[int, int]]


def _owners(edits: Sequence[Edit], size: int) -> _Owners:
    found = _Owners({}, {}, {})
    shift = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        span = edit.start, edit.end
        made = edit.correction.split()
        found.tokens.update(dict.fromkeys(range(edit.start, edit.end), span))
        found.words.update(dict.fromkeys(range(edit.start + shift, edit.start + shift + len(made)), span))
        inner = [edit.start] if edit.start == edit.end else range(edit.start + 1, edit.end)
        found.gaps.update(dict.fromkeys(inner, span))
        shift += len(made) - (edit.end - edit.start)
    return found


def _touches(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _unions(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans that share a token; an insertion joins a span only strictly inside it."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif not found or (start, end) != found[-1]:
            found.append((start, end))
    return found
