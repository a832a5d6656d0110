"""Arrange a sentence, its outputs and what metrics say of them in the columns of a grid."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from gec_core.explain.credit import CreditDifference, OutputExplanation, output_edits
from gec_core.explain.grid import (
    UNCHANGED,
    ClassCell,
    DecidingCell,
    GridColumn,
    GridEntry,
    MetricRow,
    OutputBlock,
    SentenceGrid,
    TextCell,
    TextRow,
    ValueCell,
    WordCell,
    WordRow,
    unions,
)
from gec_core.explain.verdict import deciding_edit
from gec_core.metrics.blocks import Edits, Tokens, ValuedEdit
from gec_core.types import Edit, Sentence

if TYPE_CHECKING:
    from gec_core.align.threeway import Alignment


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
        direction = right_to_left(self.sentence.source)
        return SentenceGrid(self.columns, source, tuple(references), blocks, direction, self._deciding())

    def _deciding(self) -> tuple[DecidingCell, ...]:
        """For every metric that prefers one of two outputs, the edit that contributes most to its preference."""
        found: dict[tuple[int, int], dict[str, list[str]]] = {}
        for metric in self.metrics if len(self.outputs) == 2 else ():
            one, other = metric.found
            difference = CreditDifference(one.credits, other.credits) if one and other else None
            if difference and (edit := deciding_edit(difference)):
                better = self.outputs[difference.value < 0][0]
                by_output = found.setdefault(self.columns_of(edit.start, edit.end), {})
                by_output.setdefault(better, []).append(metric.name)
        joint = {
            span: [by_output for own, by_output in found.items() if span[0] <= own[0] and own[1] <= span[1]]
            for span in unions(set(found))
        }
        return tuple(DecidingCell(*span, _joined(members)) for span, members in joint.items())

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
        for start, end in unions({(edit.start, edit.end) for edit in edits}):
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
            for start, end in unions(set(spans))
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


def _joined(members: Iterable[Mapping[str, Sequence[str]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The metrics that prefer each output, of several edits that share their columns."""
    found: dict[str, list[str]] = {}
    for member in members:
        for output, metrics in member.items():
            found.setdefault(output, []).extend(metrics)
    return tuple((output, tuple(metrics)) for output, metrics in found.items())


def word_values(block: Tokens, words: Sequence[str]) -> list[float]:
    """The number of each word: the sum of those of its pieces where numbers add up, else their mean.

    Pieces are found in the words by their letters, since models write words in their own way: in lower case, without
    accents, with marks for pieces within a word. A word without a piece has the value 0.

    >>> from gec_core.metrics.blocks import Token, Tokens
    >>> pieces = (Token("He", 1.0), Token(" go", 2.0), Token("es", 0.5), Token(".", 0.1))
    >>> word_values(Tokens("", "surprisal (nats)", pieces, adds=True), ["He", "goes", "."])
    [1.0, 2.5, 0.1]
    """
    letters = [(number, letter) for number, word in enumerate(words) for letter in _plain(word)]
    pieces = [
        (number, letter)
        for number, piece in enumerate(block.tokens)
        for letter in _plain(piece.text.removeprefix("##"))
    ]
    word_of: dict[int, int] = {}
    codes = Levenshtein.opcodes([letter for _, letter in pieces], [letter for _, letter in letters])
    for code in codes:
        if code.tag in ("equal", "replace"):
            for one, other in zip(
                range(code.src_start, code.src_end), range(code.dest_start, code.dest_end), strict=False
            ):
                word_of.setdefault(pieces[one][0], letters[other][0])
    found: list[list[float]] = [[] for _ in words]
    for number, piece in enumerate(block.tokens):
        if number in word_of:
            found[word_of[number]].append(piece.value)
    return [sum(own) / (1 if block.adds else max(len(own), 1)) for own in found]


def _plain(text: str) -> str:
    """The letters of a text in lower case, without accents and white space."""
    split = unicodedata.normalize("NFD", text.lower())
    return "".join(each for each in split if not unicodedata.combining(each) and not each.isspace())


def right_to_left(text: str) -> bool:
    """Whether most letters of a text belong to a script that is written from right to left.

    >>> right_to_left("هذا كتاب ."), right_to_left("this is a book .")
    (True, False)
    """
    kinds = [unicodedata.bidirectional(each) for each in text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
