"""Arrays, edits, sentences, notes on outputs, and the progress of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Reads = Literal["source", "references", "gold"]
"""What a metric compares the output with: the source alone, the references, or the gold edits."""


class _Parcel:
    """Pickle a value as its class and its fields, which is several times faster than what frozen dataclasses do.

    Tens of thousands of sentences with their edits are sent to worker processes.
    """

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Edit(_Parcel):
    """Replace source tokens [start, end) by `correction`; an empty span inserts.

    >>> Edit(1, 2, "is").overlaps(Edit(0, 3, "These are"))
    True
    """

    start: int
    end: int
    correction: str
    type: str = ""
    alternatives: tuple[str, ...] = ()
    """Other corrections that the annotator accepts (`a||b` in M2 files)."""

    @property
    def corrections(self) -> tuple[str, ...]:
        """All corrections that the annotator accepts."""
        return (self.correction, *self.alternatives)

    def overlaps(self, other: Edit) -> bool:
        """Whether the two exclude each other: their spans are equal or share a token.

        An insertion overlaps another span only if it is strictly inside it.
        """
        if (self.start, self.end) == (other.start, other.end):
            return True
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Annotation(_Parcel):
    """The edits of one annotator (counted from 0) in one sentence; none if the annotator finds it correct."""

    annotator: int
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorGroup(_Parcel):
    """One error with its mutually exclusive corrections (an `<error>` of the I-measure format).

    An error that some annotator does not correct is optional: leaving it uncorrected is right, too.
    """

    alternatives: tuple[Annotation, ...]
    required: bool
    type: str = ""


@dataclass(frozen=True, slots=True)
class Sentence(_Parcel):
    """A source sentence with its references and gold edits."""

    source: str
    references: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    errors: tuple[ErrorGroup, ...] | None = None
    """Gold errors grouped by a person; None if the grouping is left to the metric."""

    @property
    def tokens(self) -> list[str]:
        return self.source.split()


class Pair(NamedTuple):
    """A sentence and one output for it: what metrics score."""

    sentence: Sentence
    output: str


@dataclass(frozen=True, slots=True)
class Note:
    """What was done to the outputs of a system before they were scored, or what is wrong with them.

    Notes stand beside the scores, in tables, exports and reports.
    """

    text: str
    caution: bool = False
    """Whether it changes the meaning of scores: the system is marked."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scoring run has come, in (sentence, output) pairs."""

    what: str
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Pairs per second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the time left; None before the first pair is done."""
        return (self.total - self.done) / self.rate if self.done and self.rate else None


def ignore(progress: Progress) -> None:
    """A progress callback that does nothing. A callback may raise an error to cancel the run."""
