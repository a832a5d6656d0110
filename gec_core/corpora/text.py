"""Text files: UTF-8, one sentence per line, optionally compressed, within limits of size.

Sizes written in archive headers are claims of whoever made the archive, so what comes out is counted
while it comes out, and unpacking stops at the limit. Files that visitors of a server send are held to tighter
limits than those that somebody has on a machine of their own.

Only `\n` ends a line: some published system outputs have a stray carriage return inside one, and
counting it would shift every sentence after it.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
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


_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_KINDS = {
    b"\x1f\x8b": "a gzip file: its name should end in .gz",
    b"PK\x03\x04": "a zip file (its name should end in .zip), or an office document",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xd0\xcf\x11\xe0": "an office document",
}
"""What files that are not text begin with."""
_BYTES_A_TOKEN = 50
_LINES_A_SENTENCE = 20
"""Lines that a sentence may take in files that have several a sentence (M2, scores)."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file to read, and what messages call it (a file out of a zip has no path worth showing)."""

    path: Path
    name: str
    limits: Limits = ANY

    @classmethod
    def at(cls, path: str | Path) -> TextFile:
        return cls(Path(path), str(path))

    def error(self, message: str, line: int | None = None) -> CorpusError:
        """An error about this file, or about one line of it."""
        place = self.name if line is None else f"{self.name}:{line}"
        return CorpusError(f"{place}: {message}")

    def data(self) -> bytes:
        """The bytes, decompressed if the name ends in .gz."""
        try:
            with self.path.open("rb") as raw:
                if self.path.suffix.lower() == ".gz":
                    budget = Budget(self.name, packed=self.path.stat().st_size, most=self.limits.bytes)
                    with gzip.open(raw) as stream:
                        return b"".join(budget.read(stream))
                if os.fstat(raw.fileno()).st_size > self.limits.bytes:
                    most = f"{self.limits.bytes / 1e6:.0f} MB"
                    raise self.error(f"is larger than {most}, which no corpus of sentences needs.")
                return raw.read()
        except FileNotFoundError:
            raise self.error("there is no such file.") from None
        except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
            raise self.error(f"not a whole gzip file ({problem}). Compress it again, or leave out .gz.") from None
        except OSError as problem:
            raise self.error(f"cannot be read ({problem.strerror}).") from None

    def text(self) -> str:
        """The text, without a byte order mark; refuses what is not UTF-8 text."""
        data = self._text_bytes()
        try:
            return data.decode()
        except UnicodeDecodeError:
            return "\n".join(self._decoded(data.split(b"\n")))

    def _text_bytes(self) -> bytes:
        """What may be UTF-8 text; refuses what cannot be."""
        data = self.data().removeprefix(_BOM)
        if data.startswith(_UTF16_BOMS):
            raise self.error("this is UTF-16 text. Save the file as UTF-8.", line=1)
        for start, kind in _KINDS.items():
            if data.startswith(start):
                raise self.error(f"this is {kind}. Expected plain text, one sentence a line.")
        if (at := data.find(b"\x00")) >= 0:
            raise self.error("a NUL byte: this is not a text file.", line=data.count(b"\n", 0, at) + 1)
        return data

    def _decoded(self, lines: list[bytes]) -> list[str]:
        """Lines as text. One by one: a single rare character makes a string take four bytes for each."""
        try:
            return [line.decode() for line in lines]
        except UnicodeDecodeError as problem:
            number = next(number for number, line in enumerate(lines, 1) if not _is_utf8(line))
            advice = "Save the file as UTF-8 (it may be Latin-1 or Windows-1252)."
            if any(not line.isascii() and _is_utf8(line) for line in lines):
                advice = "Other lines are UTF-8, so encodings are mixed: convert this line, or mend what wrote it."
            found = f"byte 0x{problem.object[problem.start]:02X}, the {_ordinal(problem.start + 1)} of the line"
            raise self.error(f"not UTF-8: {found}. {advice}", number) from None

    def raw_lines(self, per_sentence: int = _LINES_A_SENTENCE) -> list[str]:
        """The lines as they are; a final line end does not start another line."""
        return self._split(per_sentence)

    def lines(self) -> list[str]:
        """The lines as tokens joined by single spaces. An empty line is an empty sentence."""
        lines = [normalise(line) for line in self._split(1)]
        for number, line in enumerate(lines, 1):
            if self.limits.tokens is not None and line.count(" ") >= self.limits.tokens:
                raise self._too_long(f"{line.count(' ') + 1:,} tokens", number)
        return lines

    def _too_long(self, told: str, line: int) -> CorpusError:
        most = f"sentences of more than {self.limits.tokens:,} tokens are not read"
        return self.error(f"{told}; {most}. Is there one sentence a line?", line)

    def _split(self, per_sentence: int) -> list[str]:
        """The lines, counted before they are made: each takes much more memory than its text."""
        data = self._text_bytes()
        most = self.limits.sentences
        if most is not None and (count := data.count(b"\n")) > most * per_sentence:
            raise self.error(f"{count:,} lines; more than {most * per_sentence:,} are not read here.")
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, 1):
            if self.limits.tokens is not None and len(line) > self.limits.tokens * _BYTES_A_TOKEN:
                raise self._too_long(f"{len(line):,} bytes", number)
        return self._decoded(lines)


def normalise(text: str) -> str:
    """Tokens joined by single spaces."""
    return " ".join(text.split())


def quote(text: str, longest: int = 60) -> str:
    """Text of a file, to be shown in a message: on one line, and not too long."""
    return repr(text if len(text) <= longest else f"{text[: longest - 1]}…")


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 line, 2 lines."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
