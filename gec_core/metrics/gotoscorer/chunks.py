"""The chunks of a source under one annotator, and what a system did to each of them, as rows of numbers.

Every gold edit is a chunk, every token outside gold edits is one, and between two neighbouring chunks, as well as at
both ends, there is an empty chunk for insertions unless a gold edit inserts something there. A system is correct on a
chunk if its text has there what the reference has. Where it is not, it modified the chunk if one of its edits replaces
some of it or inserts something before one of its tokens.

A row has records of seven numbers. The first record of an annotator gives the number of chunks; after it come the
gold edits and all other chunks that the system modified. Chunks without a record are unmodified and correct. Every row
also has the records of an annotator NOBODY without edits, for an annotator who found nothing to correct in a sentence
is not in its M2 file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
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


class Outcome(NamedTuple):
    """What a system did to a chunk."""

    correct: bool
    modified: bool


def outcome(chunk: Chunk, edits: Sequence[Edit], tokens: Sequence[str]) -> Outcome:
    """Compare a chunk with the edits of a system."""
    touching = [edit for edit in edits if chunk.touched_by(edit)]
    if any(chunk.is_made_by(edit, tokens) for edit in touching):
        return Outcome(correct=True, modified=True)
    if not any(chunk.replaced_by(edit) for edit in touching) and _is_correct_as_it_is(chunk, tokens):
        return Outcome(correct=True, modified=False)
    return Outcome(correct=False, modified=bool(touching))


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
    divided = chunks(len(tokens), gold)
    yield annotator, HEAD, 0, 0, 0, errant_types.NO_TYPE, len(divided)
    for index, chunk in enumerate(divided):
        did = outcome(chunk, made, tokens)
        if chunk.edit or did.modified:
            type_ = errant_types.number(chunk.edit.type) if chunk.edit else errant_types.NO_TYPE
            yield annotator, index, chunk.edit is not None, did.correct, did.modified, type_, 0


class Records(NamedTuple):
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


def records(rows: Array, annotator: int) -> Records:
    """The records of one annotator; of NOBODY in sentences that the annotator is not in."""
    table = rows.reshape(len(rows), -1, _WIDTH)
    mine = table[..., ANNOTATOR] == annotator
    mine = np.where(mine.any(axis=1)[:, None], mine, table[..., ANNOTATOR] == NOBODY)
    lines, found = np.nonzero(mine)[0], table[mine]
    heads = found[:, INDEX] == HEAD
    sizes = np.zeros(len(rows), np.intp)
    sizes[lines[heads]] = found[heads, CHUNKS].astype(np.intp)
    return Records(lines[~heads], found[~heads], sizes)
