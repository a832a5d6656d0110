"""What the n-gram metrics share: rows of counts for each reference or for all, and the n-grams behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import TokenIds, Vocabulary
from gec_core.errors import ScoreError
from gec_core.metrics.blocks import NGram
from gec_core.types import Array, Pair

Count = Callable[[TokenIds, NDArray[np.intp], int], Array]
"""Counts the n-grams of texts that follow each other in one array: the texts, where each ends, the number of words."""
ORDERS = range(1, 5)
MOST_WORDS = 55_000
"""The number of distinct words up to which an n-gram of four fits into 63 bits."""


def for_each_reference(pairs: Sequence[Pair], count: Count) -> list[Array]:
    """Compute one row per pair: the counts of source, output and reference, one reference after the other."""
    rows = []
    for sentence, outputs in groupby(pairs, key=attrgetter("sentence")):
        known = _vocabulary(sentence.source, *sentence.references)
        source, *references = known.texts
        for _, output in outputs:
            hypothesis = known.encode(output.split())
            rows.append(np.concatenate([_counted(count, source, hypothesis, each) for each in references]))
    return rows


def for_all_references(pairs: Sequence[Pair], count: Count) -> list[Array]:
    """Compute one row per pair: the counts of the output and all its references at once."""
    rows = []
    for sentence, outputs in groupby(pairs, key=attrgetter("sentence")):
        known = _vocabulary(*sentence.references)
        rows += [_counted(count, known.encode(output.split()), *known.texts) for _, output in outputs]
    return rows


def _vocabulary(*texts: str) -> Vocabulary:
    return Vocabulary(*(text.split() for text in texts))


def _counted(count: Count, *texts: TokenIds) -> Array:
    flat = np.concatenate(texts)
    words = 1 + int(flat.max(initial=0))
    if words > MOST_WORDS:
        raise ScoreError(f"A sentence has {words:,} distinct words; at most {MOST_WORDS:,} are supported. Split it.")
    return count(flat, np.cumsum([len(text) for text in texts]), words)


def ngrams(text: str, order: int) -> Counter[str]:
    """Count the n-grams of one order."""
    tokens = text.split()
    return Counter(" ".join(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def listed(counts: Mapping[str, int], what: Mapping[str, str] | str = "") -> tuple[NGram, ...]:
    """List n-grams with their counts, and what became of them: all alike, or each its own."""
    if isinstance(what, str):
        return tuple(NGram(text, count, what) for text, count in counts.items())
    return tuple(NGram(text, count, what.get(text, "")) for text, count in counts.items())
