"""Text files: UTF-8, one sentence per line or columns between tabs, optionally compressed, within limits of size.

An archive header may lie about sizes, so bytes are counted as they are unpacked, and unpacking stops at the limit.
Files that visitors of a server upload have tighter limits than files on one's own machine.

Only `\n` ends a line: some published system outputs have a stray carriage return inside one, and
counting it would shift every sentence after it.
"""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gec_core.errors import CorpusError
from gec_core.formatting import counted

MOST_BYTES = 500_000_000
MOST_RATIO = 200
"""The largest compression ratio: text rarely reaches 20, a zip bomb has 1,000."""
RATIO_COUNTS_FROM = 10_000_000
"""Unpacked bytes below which the ratio is not checked."""
_CHUNK = 1 << 16
_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_KINDS = {
    b"\x1f\x8b": "a gzip file: its name should end in .gz",
    b"PK\x03\x04": "a zip file (its name should end in .zip), or an office document",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"version https://git-lfs": "a Git LFS pointer, not the file itself (`git lfs pull` gets that)",
    **dict.fromkeys((b"<!DOCTYPE html", b"<!doctype html", b"<html"), "a web page: a download may have been refused"),
}
"""The first bytes of files that are not text, and what such a file is."""
_HEADINGS = ("source", "src", "input", "original")
"""What the first cell of a TSV file says if its first line is a heading."""
_BYTES_A_TOKEN = 50
_LINES_A_SENTENCE = 20
"""The most lines per sentence in formats that have several (M2, scores)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one file may hold, after unpacking; None for no limit."""

    bytes: int = MOST_BYTES
    sentences: int | None = None
    tokens: int | None = None
    """Tokens of one sentence: alignment is quadratic in them, in time and memory."""
    references: int | None = None
    """References of one sentence, or annotators of a corpus: every sentence gets one reference per annotator."""
    references_in_all: int | None = None
    tree: int = MOST_BYTES
    """Bytes of XML or JSON: the parsed tree is many times as large as its text."""


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
    """The bytes that one compressed file of `packed` bytes may still unpack to."""

    def __init__(self, name: str, packed: int, most: int = MOST_BYTES) -> None:
        self.name = name
        self.packed = packed
        self.most = most
        self.used = 0

    def spend(self, amount: int) -> None:
        """Count unpacked bytes.

        Raises:
            CorpusError: They are too many, or too many for the size of the compressed file.
        """
        self.used += amount
        if self.used > self.most:
            raise CorpusError(
                f"{self.name}: unpacks to more than {self.most / 1e6:.0f} MB, which no corpus of sentences needs. "
                "Unpack it yourself to see what is in it."
            )
        if self.used > RATIO_COUNTS_FROM and self.used > MOST_RATIO * self.packed:
            raise CorpusError(
                f"{self.name}: unpacks to more than {MOST_RATIO} times its size, like an archive made to do harm. "
                "Unpack it yourself to see what is in it."
            )

    def read(self, stream: Readable) -> Iterator[bytes]:
        """The content of a stream in pieces, each of them counted."""
        while piece := stream.read(_CHUNK):
            self.spend(len(piece))
            yield piece


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file to read, and its name in messages (the path of a file from a zip means nothing to its user)."""

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
        """The content as bytes, decompressed if the file name ends in .gz."""
        try:
            self._check_kind()
            with self.path.open("rb") as raw:
                if self.path.suffix.lower() == ".gz":
                    budget = Budget(self.name, packed=self.path.stat().st_size, most=self.limits.bytes)
                    with gzip.open(raw) as stream:
                        return b"".join(budget.read(stream))
                if os.fstat(raw.fileno()).st_size > self.limits.bytes:
                    raise self._too_large()
                content = raw.read(self.limits.bytes + 1)  # a pipe does not tell its size
                if len(content) > self.limits.bytes:
                    raise self._too_large()
                return content
        except FileNotFoundError:
            raise self.error("there is no such file. Check the name and the folder.") from None
        except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
            raise self.error(
                f"not a complete gzip file ({problem}). Compress it again, or remove .gz from its name."
            ) from None
        except (OSError, ValueError) as problem:  # ValueError: a NUL in its name
            raise self.error(f"cannot be read ({getattr(problem, 'strerror', None) or problem}).") from None

    def _check_kind(self) -> None:
        """Refuse what has no end or never answers; `<(command)` of a shell is a pipe that does."""
        mode = os.stat(self.path).st_mode
        piped = stat.S_ISFIFO(mode) and str(self.path).startswith(("/dev/", "/proc/"))
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or piped):
            kind = "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
            raise self.error(f"is {kind}, not a file. Write its content to a file first.")

    def _too_large(self) -> CorpusError:
        return self.error(f"is larger than {self.limits.bytes / 1e6:.0f} MB, which no corpus of sentences needs.")

    def text(self) -> str:
        """The content as text, without a byte order mark.

        Raises:
            CorpusError: The file is not UTF-8 text.
        """
        data = self._text_bytes()
        try:
            return data.decode()
        except UnicodeDecodeError:
            return "\n".join(self._decoded(data.split(b"\n")))

    def _text_bytes(self) -> bytes:
        """The content, unless it is known not to be UTF-8 text."""
        data = self.data().removeprefix(_BOM)
        if data.startswith(_UTF16_BOMS):
            raise self.error("this is UTF-16 text. Save the file as UTF-8.", line=1)
        self.refuse_other_kinds(data, "plain text, one sentence per line")
        if (at := data.find(b"\x00")) >= 0:
            line = data.count(b"\n", 0, at) + 1
            raise self.error("found a NUL byte: this is not a text file. Save it as UTF-8 text.", line)
        return data

    def refuse_other_kinds(self, data: bytes, expected: str) -> None:
        """Raise an error if the content is that of an archive, a document, a picture or a web page."""
        for start, kind in _KINDS.items():
            if data.startswith(start):
                raise self.error(f"this is {kind}. Expected {expected}.")

    def _decoded(self, lines: list[bytes]) -> list[str]:
        """Decode lines one by one: in one string, a single rare character would make all take four bytes each."""
        try:
            return [line.decode() for line in lines]
        except UnicodeDecodeError as problem:
            number = next(number for number, line in enumerate(lines, 1) if not _is_utf8(line))
            advice = "Save the file as UTF-8 (it may be Latin-1 or Windows-1252)."
            if any(not line.isascii() and _is_utf8(line) for line in lines):
                advice = "Other lines are UTF-8, so encodings are mixed: convert this line, or fix what wrote it."
            found = f"byte 0x{problem.object[problem.start]:02X}, the {_ordinal(problem.start + 1)} of the line"
            raise self.error(f"not UTF-8: {found}. {advice}", number) from None

    def raw_lines(self, per_sentence: int = _LINES_A_SENTENCE) -> list[str]:
        """The lines unchanged; a newline at the end of the file does not start another line."""
        return self._split(per_sentence)

    def lines(self) -> list[str]:
        """The lines as tokens joined by single spaces; an empty line is an empty sentence."""
        lines = [normalise(line) for line in self._split(1)]
        for number, line in enumerate(lines, 1):
            if self.limits.tokens is not None and line.count(" ") >= self.limits.tokens:
                raise self._too_long(f"{line.count(' ') + 1:,} tokens", number)
        return lines

    def _too_long(self, found: str, line: int) -> CorpusError:
        most = f"a sentence may have at most {self.limits.tokens:,} tokens"
        return self.error(f"{found}; {most}. Put one sentence on each line.", line)

    def _split(self, per_sentence: int) -> list[str]:
        """The lines, counted before they are split: each takes much more memory than its text."""
        data = self._text_bytes()
        most = self.limits.sentences
        if most is not None and (count := data.count(b"\n")) > most * per_sentence:
            raise self.error(f"{count:,} lines; at most {most * per_sentence:,} are allowed. Split the file.")
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, 1):
            if self.limits.tokens is not None and len(line) > self.limits.tokens * _BYTES_A_TOKEN:
                raise self._too_long(f"{len(line):,} bytes", number)
        return self._decoded(lines)


@dataclass(frozen=True, slots=True)
class LinesFile(TextFile):
    """Lines that are known already, as those of a column of a TSV file, read like a text file of their own."""

    cells: tuple[str, ...] = ()

    def _split(self, per_sentence: int) -> list[str]:
        return list(self.cells)


def tsv_columns(file: TextFile) -> list[LinesFile]:
    """The columns of a TSV file of sources and references. Only tabs divide columns; there is no quoting.

    Raises:
        CorpusError: The file has one column only, or too many, or lines of different widths.
    """
    lines = file.raw_lines(per_sentence=1)
    wanted = _width(file, lines[0] if lines else "")
    for number, line in enumerate(lines, 1):
        if (width := line.count("\t") + 1) != wanted:
            raise file.error(
                f"{counted(width, 'column')}, but the first line has {wanted}. Found {quote(line)}; "
                "expected the source, a tab, and a reference (or several, each after a tab).",
                number,
            )
    rows = [line.split("\t") for line in lines]
    if _is_heading(rows[0]):
        del rows[0]
    by_column = zip(*rows, strict=True) if rows else [()] * wanted
    return [LinesFile(file.path, file.name, file.limits, cells) for cells in by_column]


def _width(file: TextFile, first: str) -> int:
    """The number of columns of the first line."""
    count, most = first.count("\t") + 1, file.limits.references
    if count < 2:
        raise file.error(
            f"found {quote(first)}; expected the source, a tab, and a reference. Sources alone go into a .txt file.", 1
        )
    if most is not None and count > most + 1:
        raise file.error(f"{count:,} columns; at most the source and {most} references are allowed.", 1)
    return count


def _is_heading(cells: list[str]) -> bool:
    return cells[0].strip().lower() in _HEADINGS and all(len(cell.split()) <= 2 for cell in cells)


def normalise(text: str) -> str:
    """Tokens joined by single spaces."""
    return " ".join(text.split())


def quote(text: str, longest: int = 60) -> str:
    """Text from a file for a message: quoted, on one line, cut at `longest` characters."""
    return repr(text if len(text) <= longest else f"{text[: longest - 1]}…")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
