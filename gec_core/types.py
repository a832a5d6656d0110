"""The values everything else is about: edits, sentences, corpora, judgments.

All of them are frozen. Text is kept as tokens joined by single spaces (what `split()` gives), so that
two outputs that differ in white space only are the same output.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import CorpusError

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Reads = Literal["source", "references", "gold"]
"""What a metric looks at besides the output: the source alone, the references, or the gold edits."""


class _Parcel:
    """Packs a value as its class and its fields, several times quicker than frozen dataclasses are packed.

    Sentences with their edits go to other processes by the ten thousand.
    """

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Edit(_Parcel):
    """Replace source tokens [start, end) by `correction`; an empty span inserts."""

    start: int
    end: int
    correction: str
    type: str = ""
    alternatives: tuple[str, ...] = ()
    """Further corrections that the annotator accepts besides `correction` (`a||b` in M2 files)."""

    @property
    def corrections(self) -> tuple[str, ...]:
        return (self.correction, *self.alternatives)

    def overlaps(self, other: Edit) -> bool:
        """Whether the two cannot both be made: equal spans, or spans that share a token.

        A pure insertion overlaps another span only strictly inside it.
        """
        if (self.start, self.end) == (other.start, other.end):
            return True
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Annotation(_Parcel):
    """One annotator's edits of one sentence, in the order of the file; no edits means "it is fine"."""

    annotator: int
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorGroup(_Parcel):
    """One error and its mutually exclusive corrections (an `<error>` of the I-measure format).

    An error that not every annotator corrects is optional: leaving it alone is right, too.
    """

    alternatives: tuple[Annotation, ...]
    required: bool
    type: str = ""


@dataclass(frozen=True, slots=True)
class Sentence(_Parcel):
    """A source sentence with what is known to be right about it."""

    source: str
    references: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    errors: tuple[ErrorGroup, ...] | None = None
    """Gold errors already grouped by a person; None when grouping is left to the metric."""

    @property
    def tokens(self) -> list[str]:
        return self.source.split()


class Pair(NamedTuple):
    """A sentence of the corpus and one output for it."""

    sentence: Sentence
    output: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """Systems with one and the same output, and the place a judge gave it (1 is best)."""

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's ranking of some outputs for one sentence (0-based)."""

    sentence: int
    judge: str
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True)
class Judgments:
    """All rankings of a corpus, in the order of the file."""

    items: tuple[Judgment, ...]

    @cached_property
    def judges(self) -> tuple[str, ...]:
        return tuple(sorted({item.judge for item in self.items}))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return tuple(sorted({name for item in self.items for place in item.ranked for name in place.systems}))

    def by(self, judges: Iterable[str]) -> Judgments:
        """Only what these judges said."""
        wanted = set(judges)
        unknown = sorted(wanted - set(self.judges))
        if unknown:
            raise CorpusError(f"No judge {', '.join(unknown)}. There are: {', '.join(self.judges)}.")
        return Judgments(tuple(item for item in self.items if item.judge in wanted))


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """What corpus.toml says about a corpus."""

    title: str = ""
    language: str = "en"
    licence: str = ""
    citation: str = ""
    notice: str = ""
    """Shown wherever the corpus is: for example that its judgments are made up."""


@dataclass(frozen=True)
class Corpus:
    """Sources with references and gold edits, system outputs, and what people thought of them.

    The constructor refuses what does not fit together. A corpus may lack outputs or judgments. Either every
    sentence has references and annotations (readers derive one from the other), or none has any.
    """

    name: str
    sentences: tuple[Sentence, ...]
    systems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    judgments: Judgments | None = None
    human: Mapping[str, float] | None = None
    """A ranking of the systems by people, given as plain scores (human.tsv)."""
    info: CorpusInfo = CorpusInfo()

    def __post_init__(self) -> None:
        if not self.sentences:
            raise CorpusError(f"{self.name}: the corpus is empty. It needs at least one source sentence.")
        for name, outputs in self.systems.items():
            if len(outputs) != len(self):
                raise CorpusError(f"{self.name}: {name} has {len(outputs)} outputs for {len(self)} sentences.")
        for number, item in enumerate(self.judgments.items if self.judgments else ()):
            if not 0 <= item.sentence < len(self):
                raise CorpusError(
                    f"{self.name}: judgment {number + 1} is about sentence {item.sentence} (counted from 0), "
                    f"but the corpus has {len(self)} sentences."
                )

    def __len__(self) -> int:
        return len(self.sentences)

    def __repr__(self) -> str:
        return f"<corpus {self.name}: {len(self):,} sentences, {len(self.systems)} systems>"

    @property
    def has_texts(self) -> bool:
        """Whether the sentences and outputs can be read; False where only their scores are on this machine."""
        return True

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the content: text, edits, outputs and judgments, not names of folders."""
        digest = hashlib.blake2b(digest_size=8)
        for part in self._content():
            digest.update(part.encode())
            digest.update(b"\x00")
        return digest.hexdigest()

    def _content(self) -> Iterator[str]:
        for sentence in self.sentences:
            yield repr((sentence.source, sentence.references, sentence.annotations, sentence.errors))
        for name in sorted(self.systems):
            yield name
            yield from self.systems[name]
        yield repr(self.judgments.items if self.judgments else None)
        yield repr(sorted(self.human.items()) if self.human else None)

    def outputs(self, system: str) -> tuple[str, ...]:
        """The outputs of one system, one a sentence."""
        self._check_systems([system])
        return self.systems[system]

    def only(self, systems: Sequence[str]) -> Corpus:
        """The same corpus with these systems, in this order."""
        self._check_systems(systems)
        return replace(self, systems={name: self.systems[name] for name in systems})

    def _check_systems(self, systems: Iterable[str]) -> None:
        unknown = [name for name in systems if name not in self.systems]
        if unknown:
            known = ", ".join(self.systems) or "none"
            raise CorpusError(f"{self.name}: no system {', '.join(unknown)}. There are: {known}.")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scoring run has come, in (sentence, output) pairs."""

    what: str
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Pairs a second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None as long as there is nothing to estimate it from."""
        return (self.total - self.done) / self.rate if self.done and self.rate else None


def ignore(progress: Progress) -> None:
    """The progress callback of those who do not care. A callback may raise to cancel the run."""
