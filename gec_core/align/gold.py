"""Gold edits as arrays, which is what the compiled lattice search reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.align.tokens import TokenIds, encode
from gec_core.types import Annotation

Ints = NDArray[np.int32]


class Encoded(NamedTuple):
    """A source, an output and all annotators' gold edits, in the order that `lattice.best_edits` takes them."""

    source: TokenIds
    hypothesis: TokenIds
    annotator_at: Ints
    spans: Ints
    gold_at: Ints
    word_at: Ints
    words: TokenIds


def encode_gold(source: Sequence[str], hypothesis: Sequence[str], annotations: Sequence[Annotation]) -> Encoded:
    """Numbers for the tokens of all three, and where each annotator, edit and correction begins."""
    edits = [edit for annotation in annotations for edit in annotation.edits]
    corrections = [correction.split() for edit in edits for correction in edit.corrections]
    source_ids, hypothesis_ids, *words = encode(source, hypothesis, *corrections)
    return Encoded(
        source=source_ids,
        hypothesis=hypothesis_ids,
        annotator_at=_starts(len(annotation.edits) for annotation in annotations),
        spans=np.array([(edit.start, edit.end) for edit in edits], np.int32).reshape(-1, 2),
        gold_at=_starts(len(edit.corrections) for edit in edits),
        word_at=_starts(len(correction) for correction in corrections),
        words=np.concatenate(words) if words else np.zeros(0, np.int32),
    )


def _starts(sizes: Iterable[int]) -> Ints:
    return np.cumsum([0, *sizes]).astype(np.int32)
