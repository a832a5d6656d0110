"""The chunks of a source under one annotator, what a system did to each of them, and their weights.

Every gold edit is a chunk, every token outside gold edits is one, and between two neighbouring chunks, as well as at
both ends, there is an empty chunk for insertions unless a gold edit inserts something there. A system is correct on a
chunk if its text has there what the reference has. Where it is not, it modified the chunk if one of its edits replaces
some of it or inserts something before one of its tokens.

A row has records of seven numbers. The first record of an annotator gives the number of chunks; after it come the
gold edits and all other chunks that the system modified. Chunks without a record are unmodified and correct. Every row
also has the records of an annotator NOBODY without edits, for an annotator who found nothing to correct in a sentence
is not in its M2 file.

Weights come from systems, are all 1, or are read from a file. A weight file of the authors' code has the number of
systems in its first line, and then one line per sentence: for each chunk the number of systems that are correct on it.
gec-metrics writes JSON instead: a list of {"weights": [...]}.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.errors import OptionError
from gec_core.types import Array, Edit, Flags

ANNOTATOR, INDEX, ERROR, CORRECT, MODIFIED, TYPE, CHUNKS = range(7)
"""The columns of a record: the annotator, the position of the chunk in the sentence, whether it is a gold edit, what
the system did, the type of the gold edit, and the number of chunks (first record of an annotator only, whose position
is HEAD)."""
_WIDTH = 7
HEAD = -1
NOBODY = -1
UNCORRECTED = ("noop", "UNK", "Um")
"""Types of edits that say nothing about how to correct: they make no chunk."""


class Chunk(NamedTuple):
    """Source tokens [start, end), or a position between two tokens; `edit` is None where nothing is to be corrected."""

    start: int
    end: int
    edit: Edit | None = None

    @property
    def inserts(self) -> bool:
        return self.start == self.end

    def replaced_by(self, edit: Edit) -> bool:
        """Whether the edit leaves nothing of this chunk as a chunk of its own: insertions do so to insertions only."""
        if self.inserts or edit.start == edit.end:
            return (self.start, self.end) == (edit.start, edit.end)
        return self.start < edit.end and edit.start < self.end

    def touched_by(self, edit: Edit) -> bool:
        """Whether the edit replaces this chunk, or inserts something before one of its tokens."""
        return self.replaced_by(edit) or (not self.inserts and self.start <= edit.start == edit.end < self.end)

    def is_made_by(self, edit: Edit, tokens: Sequence[str]) -> bool:
        """Whether the edit does exactly what is correct here."""
        return (edit.start, edit.end) == (self.start, self.end) and edit.correction in self.texts(tokens)

    def text(self, tokens: Sequence[str]) -> str:
        return " ".join(tokens[self.start : self.end])

    def texts(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """All texts that are correct here."""
        return self.edit.corrections if self.edit else (self.text(tokens),)


def corrections(edits: Sequence[Edit]) -> list[Edit]:
    """The edits that correct something, from left to right."""
    return sorted((edit for edit in edits if edit.type not in UNCORRECTED), key=lambda edit: (edit.start, edit.end))


def chunks(length: int, gold: Sequence[Edit]) -> list[Chunk]:
    """Divide a source of this many tokens into chunks by the gold edits.

    >>> [(chunk.start, chunk.end) for chunk in chunks(3, [Edit(1, 1, "a"), Edit(2, 3, "b")])]
    [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]
    """
    basic: list[Chunk] = []
    at = 0
    for edit in corrections(gold):
        basic += [Chunk(token, token + 1) for token in range(at, edit.start)]
        basic.append(Chunk(edit.start, edit.end, edit))
        at = max(at, edit.end)
    basic += [Chunk(token, token + 1) for token in range(at, length)]
    found: list[Chunk] = []
    for chunk in basic:
        if chunk.start < chunk.end and not (found and found[-1].start == found[-1].end):
            found.append(Chunk(chunk.start, chunk.start))
        found.append(chunk)
    if not found or found[-1].start < found[-1].end:
        found.append(Chunk(length, length))
    return found


_divided = lru_cache(maxsize=1024)(chunks)
"""`chunks` for a tuple of edits: many texts of a sentence are compared with the same gold edits."""


class ChunkOutcome(NamedTuple):
    """What a system did to a chunk."""

    correct: bool
    modified: bool


def outcome(chunk: Chunk, edits: Sequence[Edit], tokens: Sequence[str]) -> ChunkOutcome:
    """Compare a chunk with the edits of a system."""
    touching = [edit for edit in edits if chunk.touched_by(edit)]
    if any(chunk.is_made_by(edit, tokens) for edit in touching):
        return ChunkOutcome(correct=True, modified=True)
    if not any(chunk.replaced_by(edit) for edit in touching) and _is_correct_as_it_is(chunk, tokens):
        return ChunkOutcome(correct=True, modified=False)
    return ChunkOutcome(correct=False, modified=bool(touching))


def _is_correct_as_it_is(chunk: Chunk, tokens: Sequence[str]) -> bool:
    """A system that replaces nothing here has the tokens as they are, each of them a chunk of its own."""
    return chunk.edit is None or (chunk.end - chunk.start == 1 and chunk.text(tokens) in chunk.edit.corrections)


def encode(tokens: Sequence[str], edits: Sequence[Edit], golds: Mapping[int, Sequence[Edit]]) -> Array:
    """Encode what a system's edits did to the chunks of each annotator as one row."""
    made = corrections(edits)
    found = [record for each, gold in {NOBODY: (), **golds}.items() for record in _records(each, tokens, made, gold)]
    return np.array(found, float).ravel()


def _records(
    annotator: int, tokens: Sequence[str], made: Sequence[Edit], gold: Sequence[Edit]
) -> Iterator[tuple[float, ...]]:
    divided = _divided(len(tokens), tuple(gold))
    yield annotator, HEAD, 0, 0, 0, errant_types.NO_TYPE, len(divided)
    near = {position for edit in made for position in range(edit.start, edit.end + 1)}
    for index, chunk in enumerate(divided):
        if chunk.edit is None and chunk.start not in near and chunk.end not in near:
            continue  # it is correct, and no edit touches it
        did = outcome(chunk, made, tokens)
        if chunk.edit or did.modified:
            type_ = errant_types.number(chunk.edit.type) if chunk.edit else errant_types.NO_TYPE
            yield annotator, index, chunk.edit is not None, did.correct, did.modified, type_, 0


class ChunkRecords(NamedTuple):
    """The records of one annotator in all sentences, one after the other."""

    lines: NDArray[np.intp]
    """The sentence of each record."""
    table: Array
    sizes: NDArray[np.intp]
    """The number of chunks of each sentence."""

    @property
    def indices(self) -> NDArray[np.intp]:
        return self.table[:, INDEX].astype(np.intp)

    def where(self, column: int) -> Flags:
        return np.asarray(self.table[:, column] == 1)


def knows(rows: Array, annotator: int) -> bool:
    """Whether the annotator is in any of the sentences."""
    return bool(np.any(rows.reshape(len(rows), -1, _WIDTH)[..., ANNOTATOR] == annotator))


def records(rows: Array, annotator: int) -> ChunkRecords:
    """The records of one annotator; of NOBODY in sentences that the annotator is not in."""
    table = rows.reshape(len(rows), -1, _WIDTH)
    mine = table[..., ANNOTATOR] == annotator
    mine = np.where(mine.any(axis=1)[:, None], mine, table[..., ANNOTATOR] == NOBODY)
    lines, found = np.nonzero(mine)[0], table[mine]
    heads = found[:, INDEX] == HEAD
    sizes = np.zeros(len(rows), np.intp)
    sizes[lines[heads]] = found[heads, CHUNKS].astype(np.intp)
    return ChunkRecords(lines[~heads], found[~heads], sizes)


@dataclass(frozen=True)
class Weights:
    """The weight of every chunk of every sentence: sentences × chunks, 0 after the last chunk of a sentence."""

    table: Array

    @classmethod
    def ones(cls, sizes: NDArray[np.intp]) -> Weights:
        return cls((np.arange(max(sizes.max(initial=0), 1)) < sizes[:, None]).astype(np.float64))

    def at(self, lines: Sequence[int]) -> Weights:
        """The weights of these sentences, in this order."""
        return Weights(self.table[np.asarray(lines, np.intp)])

    def of(self, line: int, size: int) -> Array:
        """The weights of the chunks of one sentence."""
        row = np.zeros(size)
        row[: min(size, self.table.shape[1])] = self.table[line, :size]
        return row

    def sums(self, records: ChunkRecords) -> Array:
        """For each sentence: tp, fp, fn, tn, and the weight of all chunks."""
        own = self.table[records.lines, records.indices]
        error, correct, modified = (records.where(column) for column in (ERROR, CORRECT, MODIFIED))
        everything = self.table.sum(axis=1)

        def total(which: NDArray[np.bool_]) -> Array:
            return np.bincount(records.lines[which], own[which], len(self.table)).astype(np.float64)

        wrong = total(~correct | modified)
        return np.column_stack(
            [
                total(correct & modified),
                total(~correct & modified),
                total(~correct & error),
                everything - wrong,
                everything,
            ]
        )


def from_systems(systems: Sequence[ChunkRecords]) -> Weights:
    """The share of the systems that are wrong on each chunk."""
    first = systems[0]
    table = np.zeros((len(first.sizes), max(first.sizes.max(initial=0), 1)))
    for records in systems:
        wrong = ~records.where(CORRECT)
        np.add.at(table, (records.lines[wrong], records.indices[wrong]), 1)
    return Weights(table / len(systems))


def from_file(path: str, sizes: NDArray[np.intp]) -> Weights:
    """Read a weight file that has one line for each of the sentences, which have these numbers of chunks."""
    lines = _read(Path(path))
    if len(lines) != len(sizes):
        raise OptionError(
            f"gotoscorer.weights={path}: {len(lines):,} sentences, but {len(sizes):,} are scored. A weight file knows "
            "sentences by their number only: score the whole corpus that it was made for."
        )
    table = np.zeros((len(sizes), max(sizes.max(initial=0), 1)))
    for number, (weights, size) in enumerate(zip(lines, sizes.tolist(), strict=True)):
        if len(weights) != size:
            raise OptionError(
                f"gotoscorer.weights={path}: sentence {number + 1} has {len(weights)} chunks, but {size} here. It was "
                "made for another source, other gold edits or another annotator (see the options references and "
                "annotator)."
            )
        table[number, :size] = weights
    return Weights(table)


def _read(path: Path) -> list[list[float]]:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            return [[float(weight) for weight in each["weights"]] for each in json.loads(text)]
        first, *rest = text.rstrip().split("\n")
        systems = int(first)
        return [[1 - int(correct) / systems for correct in line.split()] for line in rest]
    except OSError as error:
        raise OptionError(
            f"gotoscorer.weights={path}: {error.strerror}. Write systems, none, or the name of a weight file."
        ) from None
    except (ValueError, KeyError, TypeError, ZeroDivisionError, UnicodeDecodeError):
        raise OptionError(
            f"gotoscorer.weights={path}: this is not a weight file. Its first line is the number of systems, and every "
            "other line has for each chunk of a sentence the number of systems that are correct."
        ) from None


@dataclass(frozen=True, slots=True)
class TypeDifficulty:
    """How difficult the gold edits of one type are: mean and standard deviation of their weights."""

    type: str
    mean: float
    deviation: float
    """Of a sample (n − 1 in the denominator), as the authors report it; 0 for a single edit."""
    count: int


def by_type(weights: Weights, records: ChunkRecords, name: Callable[[str], str] = str) -> list[TypeDifficulty]:
    """The difficulty of the gold edits by error type, the most difficult type first.

    Args:
        weights: The weights of the chunks.
        records: The records of any system.
        name: From an ERRANT type to the type to count it under; types of another scheme are left out.
    """
    gold = records.where(ERROR) & (records.table[:, TYPE] != errant_types.NO_TYPE)
    found: dict[str, list[float]] = {}
    values = weights.table[records.lines[gold], records.indices[gold]]
    for number, weight in zip(records.table[gold, TYPE].astype(int).tolist(), values.tolist(), strict=True):
        found.setdefault(name(errant_types.TYPES[number]), []).append(weight)
    rows = [
        TypeDifficulty(type_, mean(each), stdev(each) if len(each) > 1 else 0.0, len(each))
        for type_, each in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.mean, -row.count, row.type))
