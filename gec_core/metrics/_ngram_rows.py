"""What the n-gram metrics share: texts as numbers, and a row of counts for each reference or for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import TokenIds, encode
from gec_core.errors import ScoreError
from gec_core.types import Array, Pair

Count = Callable[[TokenIds, NDArray[np.intp], int], Array]
"""Counts n-grams of texts that follow each other in one array: the texts, where each ends, the number of words."""

MOST_WORDS = 55_000
"""Distinct words that a number of 63 bits can tell apart in n-grams of four."""


def for_each_reference(pairs: Sequence[Pair], count: Count) -> list[Array]:
    """A row a pair: the counts of source, output and reference, for one reference after the other."""
    rows = []
    for sentence, output in pairs:
        source, hypothesis, *references = _encoded(sentence.source, output, *sentence.references)
        rows.append(np.concatenate([_counted(count, source, hypothesis, each) for each in references]))
    return rows


def for_all_references(pairs: Sequence[Pair], count: Count) -> list[Array]:
    """A row a pair: the counts of the output and all its references at once."""
    return [_counted(count, *_encoded(output, *sentence.references)) for sentence, output in pairs]


def _encoded(*texts: str) -> list[TokenIds]:
    return encode(*(text.split() for text in texts))


def _counted(count: Count, *texts: TokenIds) -> Array:
    flat = np.concatenate(texts)
    words = 1 + int(flat.max(initial=0))
    if words > MOST_WORDS:
        raise ScoreError(f"A sentence has {words:,} different words, and {MOST_WORDS:,} are the most. Split it up.")
    return count(flat, np.cumsum([len(text) for text in texts]), words)
