"""What an explanation is made of: a few kinds of blocks that a page can draw and JSON can carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

Verdict = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True, slots=True)
class EditLine:
    """An edit that was made or should have been, without unchanged words at its ends."""

    start: int
    end: int
    original: str
    correction: str
    verdict: Verdict
    """correct: made, and the annotator has it, too; wrong: made, but the annotator does not have it; missed."""
    weight: float = 1.0
    """What it counts for."""
    type: str = ""
    changed: str | None = None
    """The source with this edit alone (S′), where the weight comes from comparing that with the reference."""
    value: float | None = None
    """What the comparison of S′ with the reference gives."""

    @property
    def key(self) -> tuple[int, int, str]:
        return self.start, self.end, self.correction


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits of the output beside those of one annotator, from left to right."""

    title: str
    edits: tuple[EditLine, ...]
    kind: Literal["edits"] = field(default="edits", init=False)


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """One column of an alignment; None is a gap."""

    source: str | None
    hypothesis: str | None
    reference: str | None
    correction: str
    """Its class: TP, TN, FP, FN or FPN."""
    detection: str
    """Its class when only the place counts."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Source, hypothesis and reference, aligned."""

    title: str
    columns: tuple[ColumnLine, ...]
    kind: Literal["columns"] = field(default="columns", init=False)


@dataclass(frozen=True, slots=True)
class NGram:
    """Some words in a row, how often they count, and what became of them."""

    text: str
    count: int
    what: str = ""


@dataclass(frozen=True, slots=True)
class NGramOrder:
    """The n-grams of one order: what they were counted as."""

    order: int
    rewarded: tuple[NGram, ...]
    penalised: tuple[NGram, ...]
    other: tuple[NGram, ...]
    """Neither: they only lower precision, or recall."""
    top: int
    bottom: int
    """The fraction that enters the score is top / bottom."""


@dataclass(frozen=True, slots=True)
class NGrams:
    """N-grams for every order."""

    title: str
    orders: tuple[NGramOrder, ...]
    kind: Literal["ngrams"] = field(default="ngrams", init=False)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the model with its number."""

    text: str
    value: float
    partner: str = ""
    """The token of the other text that it was matched with."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as the model reads it, a number a token."""

    title: str
    measure: str
    """What the numbers are: surprisal in nats, cosine similarity."""
    tokens: tuple[Token, ...]
    kind: Literal["tokens"] = field(default="tokens", init=False)


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values, in the order in which they are worth reading."""

    title: str
    values: Mapping[str, Any]
    kind: Literal["facts"] = field(default="facts", init=False)


Block = Edits | Columns | NGrams | Tokens | Facts
B = TypeVar("B", Edits, Columns, NGrams, Tokens, Facts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an output gets its score from a metric, in the metric's own terms."""

    metric: str
    name: str
    signature: str
    score: float
    blocks: tuple[Block, ...]
    annotator: int | None = None
    """Whose edits it was scored with, if one annotator was chosen."""
    reference: str | None = None
    """The reference it was scored with, if one was chosen."""

    def all(self, kind: type[B]) -> Iterator[B]:
        """The blocks of one kind."""
        return (block for block in self.blocks if isinstance(block, kind))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
