"""How much a file may hold.

Sizes written in archive headers are claims of whoever made the archive, so what comes out is counted
while it comes out, and unpacking stops at the limit. Files that visitors of a server send are held to tighter
limits than those that somebody has on a machine of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from gec_core.errors import CorpusError

MOST_BYTES = 500_000_000
MOST_RATIO = 200
"""Text rarely shrinks to less than a twentieth; a bomb shrinks to a thousandth."""
RATIO_COUNTS_FROM = 10_000_000
"""Small files may compress as well as they like."""
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may hold, after unpacking; None where it does not matter."""

    bytes: int = MOST_BYTES
    sentences: int | None = None
    tokens: int | None = None
    """Tokens of one sentence: alignments take their square in time and memory."""
    references: int | None = None
    """References of one sentence, or annotators of a corpus: every sentence gets a reference of each."""
    references_in_all: int | None = None
    tree: int = MOST_BYTES
    """Bytes of XML or JSON, whose tree takes many times its text."""


ANY = Limits()
UPLOAD = Limits(
    bytes=200_000_000,
    sentences=100_000,
    tokens=2_000,
    references=50,
    references_in_all=1_000_000,
    tree=20_000_000,
)


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int = ..., /) -> bytes: ...


class Budget:
    """What one compressed file of `packed` bytes may still unpack to."""

    def __init__(self, name: str, packed: int, most: int = MOST_BYTES) -> None:
        self.name = name
        self.packed = packed
        self.most = most
        self.used = 0

    def spend(self, amount: int) -> None:
        """Count bytes that came out; refuses when they are too many."""
        self.used += amount
        if self.used > self.most:
            raise CorpusError(
                f"{self.name}: unpacks to more than {self.most / 1e6:.0f} MB, which no corpus of sentences needs. "
                f"Unpack it yourself and look at what is in it."
            )
        if self.used > RATIO_COUNTS_FROM and self.used > MOST_RATIO * self.packed:
            raise CorpusError(
                f"{self.name}: unpacks to more than {MOST_RATIO} times its size, as archives made to do harm do. "
                f"Unpack it yourself and look at what is in it."
            )

    def read(self, stream: Readable) -> Iterator[bytes]:
        """The stream in pieces, every piece counted."""
        while piece := stream.read(_CHUNK):
            self.spend(len(piece))
            yield piece
