"""The building blocks of explanations and of step-by-step computations.

A block is a frozen value that a page can draw, a terminal can print and JSON can carry. `Explanation` says why an
output gets its score from a metric; a `Step` is one stage of the computation of that score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

from gec_core.formatting import minus
from gec_core.types import Edit

Verdict = Literal["correct", "wrong", "missed"]
"""correct: proposed, and a gold edit; wrong: proposed, but no gold edit; missed: a gold edit that was not proposed."""
EditKey = tuple[int, int, str]
"""What identifies an edit within a sentence: start, end and correction."""
NO_WORDS = "∅"
"""Shown in place of the empty side of an insertion or a deletion."""


@dataclass(frozen=True, slots=True)
class ValuedEdit:
    """An edit with a number: its credit, or its weight in a metric."""

    start: int
    end: int
    original: str
    """The source tokens [start, end), joined by spaces."""
    correction: str
    type: str = ""
    verdict: Verdict | None = None
    """What became of the edit; None where it is not compared with gold edits."""
    value: float = 1.0

    @property
    def key(self) -> EditKey:
        return self.start, self.end, self.correction

    def __str__(self) -> str:
        return arrow(self.original, self.correction)

    def as_dict(self, measure: str) -> dict[str, Any]:
        """The fields by name, with the number under the name of what it measures."""
        fields = asdict(self)
        value = fields.pop("value")
        return fields | {measure: value}


def valued(edit: Edit, tokens: list[str], value: float = 1.0, verdict: Verdict | None = None) -> ValuedEdit:
    """Attach a number to an edit of these source tokens."""
    original = " ".join(tokens[edit.start : edit.end])
    return ValuedEdit(edit.start, edit.end, original, edit.correction, edit.type, verdict, value)


def arrow(original: str, correction: str) -> str:
    """Format an edit as `original → correction`."""
    return f"{original or NO_WORDS} → {correction or NO_WORDS}"


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits of the output beside the gold edits of one annotator, from left to right."""

    title: str
    edits: tuple[ValuedEdit, ...]
    measure: str = "weight"
    """What the numbers of the edits are."""
    kind: Literal["edits"] = field(default="edits", init=False)


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """One column of a three-way alignment; None is a gap."""

    source: str | None
    hypothesis: str | None
    reference: str | None
    correction: str
    """Its class for correction: TP, TN, FP, FN or FPN."""
    detection: str
    """Its class for detection, where only the position counts."""


@dataclass(frozen=True, slots=True)
class Columns:
    """A three-way alignment of source, hypothesis and reference."""

    title: str
    columns: tuple[ColumnLine, ...]
    kind: Literal["columns"] = field(default="columns", init=False)


@dataclass(frozen=True, slots=True)
class NGram:
    """An n-gram, how often it counts, and what became of it."""

    text: str
    count: int
    what: str = ""


@dataclass(frozen=True, slots=True)
class NGramOrder:
    """The n-grams of one order, by how they enter the score."""

    order: int
    rewarded: tuple[NGram, ...]
    penalised: tuple[NGram, ...]
    other: tuple[NGram, ...]
    """N-grams that are neither: they only lower precision or recall."""
    top: int
    bottom: int
    """The fraction that enters the score is top / bottom."""


@dataclass(frozen=True, slots=True)
class NGrams:
    """The n-grams of an output, order by order."""

    title: str
    orders: tuple[NGramOrder, ...]
    kind: Literal["ngrams"] = field(default="ngrams", init=False)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a model's vocabulary with its number."""

    text: str
    value: float
    partner: str = ""
    """The token of the other text that it was matched with."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as a model tokenises it, with one number per token."""

    title: str
    measure: str
    """What the numbers are: surprisal in nats, cosine similarity."""
    tokens: tuple[Token, ...]
    of: Literal["source", "output", "reference"] = "output"
    """The text that the tokens are of."""
    adds: bool = False
    """Whether the number of a word is the sum of those of its tokens (surprisals) rather than their mean (cosines)."""
    kind: Literal["tokens"] = field(default="tokens", init=False)


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values, the most important ones first."""

    title: str
    values: Mapping[str, Any]
    kind: Literal["facts"] = field(default="facts", init=False)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under column headings."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    kind: Literal["table"] = field(default="table", init=False)


@dataclass(frozen=True, slots=True)
class Matrix:
    """A number for each row and column; the maximum of each row and of each column enters the score."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    kind: Literal["matrix"] = field(default="matrix", init=False)


Block = Edits | Columns | NGrams | Tokens | Facts | Table | Matrix
B = TypeVar("B", Edits, Columns, NGrams, Tokens, Facts, Table, Matrix)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an output gets its score from a metric, in the metric's own terms."""

    metric: str
    """The id of the metric."""
    name: str
    signature: str
    score: float
    blocks: tuple[Block, ...]
    annotator: int | None = None
    """The annotator whose edits the output was scored against, counted from 0 as in M2 files; None if no one
    annotator was chosen."""
    reference: str | None = None
    """The reference that the output was scored against; None if no one reference was chosen."""

    def all(self, kind: type[B]) -> Iterator[B]:
        """The blocks of one kind."""
        return (block for block in self.blocks if isinstance(block, kind))

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return asdict(self) | {"blocks": [_block_dict(block) for block in self.blocks]}


def _block_dict(block: Block) -> dict[str, Any]:
    if isinstance(block, Edits):
        return asdict(block) | {"edits": [edit.as_dict(block.measure) for edit in block.edits]}
    return asdict(block)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the computation of a score."""

    title: str
    text: str
    """What is done, in one or two sentences. Words of the text are between backticks."""
    blocks: tuple[Block, ...] = ()
    formulas: tuple[str, ...] = ()
    """Plain text: symbols, then numbers, then the result."""
    value: float | None = None
    """The result of the step, if it is a number; that of the last step is the score."""


def shown(value: float) -> str:
    """Format a number for a formula: four significant digits, and a real minus sign."""
    if abs(value) < 5e-7:
        return "0"
    return minus(f"{value:.4g}".replace("e-0", "e-"))
