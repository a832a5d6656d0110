"""Apply edits, derive edits from two versions of a sentence, and encode tokens and gold edits as integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from gec_core.types import Annotation, Edit

TokenIds = NDArray[np.int32]
"""Tokens as integers: equal tokens have equal numbers."""
Offsets = NDArray[np.int32]


class Encoded(NamedTuple):
    """A source, a hypothesis and all annotators' gold edits, in the order of the arguments of `lattice.best_edits`."""

    source: TokenIds
    hypothesis: TokenIds
    annotator_at: Offsets
    spans: Offsets
    gold_at: Offsets
    word_at: Offsets
    words: TokenIds


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """Apply the first correction of every edit to the source, from the last edit to the first.

    Spans count source tokens and should not overlap; insertions at one place keep their order.

    >>> apply_edits("He go home .", [Edit(1, 2, "goes")])
    'He goes home .'
    """
    tokens = source.split()
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end))[::-1]:
        tokens[edit.start : edit.end] = edit.correction.split()
    return " ".join(tokens)


def diff_edits(source: str, target: str) -> tuple[Edit, ...]:
    """The edits that turn source into target: a token diff with adjacent changes merged into one edit."""
    before, after = source.split(), target.split()
    edits: list[Edit] = []
    for code in Levenshtein.opcodes(before, after):
        if code.tag == "equal":
            continue
        start, end = code.src_start, code.src_end
        correction = " ".join(after[code.dest_start : code.dest_end])
        if edits and edits[-1].end == start:
            last = edits.pop()
            start, correction = last.start, f"{last.correction} {correction}".strip()
        edits.append(Edit(start, end, correction))
    return tuple(edits)


class Vocabulary:
    """Texts with every distinct token replaced by an integer, and the integers of further texts beside them."""

    def __init__(self, *sequences: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self.texts = [_ids(numbers.setdefault(token, len(numbers)) for token in tokens) for tokens in sequences]
        self._numbers = numbers

    def encode(self, tokens: Sequence[str]) -> TokenIds:
        """Encode another text; tokens that are new have integers of their own, in this text only."""
        numbers = self._numbers
        new: dict[str, int] = {}
        for token in tokens:
            if token not in numbers:
                new.setdefault(token, len(numbers) + len(new))
        return _ids(new[token] if token in new else numbers[token] for token in tokens)


def encode(*sequences: Sequence[str]) -> list[TokenIds]:
    """The sequences with every distinct token replaced by an integer."""
    return Vocabulary(*sequences).texts


def _ids(numbers: Iterable[int]) -> TokenIds:
    return np.array(list(numbers), np.int32)


class GoldEncoder:
    """The source and the gold edits of one sentence, encoded once for many hypotheses."""

    def __init__(self, source: Sequence[str], annotations: Sequence[Annotation]) -> None:
        edits = [edit for annotation in annotations for edit in annotation.edits]
        corrections = [correction.split() for edit in edits for correction in edit.corrections]
        words = [word for correction in corrections for word in correction]
        self._vocabulary = Vocabulary(source, words)
        self._gold = Encoded(
            source=self._vocabulary.texts[0],
            hypothesis=self._vocabulary.texts[0],
            annotator_at=_starts(len(annotation.edits) for annotation in annotations),
            spans=np.array([(edit.start, edit.end) for edit in edits], np.int32).reshape(-1, 2),
            gold_at=_starts(len(edit.corrections) for edit in edits),
            word_at=_starts(len(correction) for correction in corrections),
            words=self._vocabulary.texts[1],
        )

    def encode(self, hypothesis: Sequence[str]) -> Encoded:
        """Encode a hypothesis beside them."""
        return self._gold._replace(hypothesis=self._vocabulary.encode(hypothesis))


def encode_gold(source: Sequence[str], hypothesis: Sequence[str], annotations: Sequence[Annotation]) -> Encoded:
    """Encode the tokens of all three, and where each annotator, edit and correction begins."""
    return GoldEncoder(source, annotations).encode(hypothesis)


def _starts(sizes: Iterable[int]) -> Offsets:
    return np.cumsum([0, *sizes]).astype(np.int32)
