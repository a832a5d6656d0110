"""What the n-gram metrics share: one block of counts for each reference of a pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gec_core.align.tokens import TokenIds, encode
from gec_core.metrics.base import Array, Pair

Counts = Callable[[TokenIds, TokenIds, TokenIds, int], Array]
"""From source, hypothesis, reference and the number of distinct words."""


def reference_blocks(pairs: Sequence[Pair], counts: Counts) -> list[Array]:
    """A row a pair: the counts for one reference after the other."""
    rows = []
    for sentence, output in pairs:
        source, hypothesis, *references = encode(
            sentence.tokens, output.split(), *(reference.split() for reference in sentence.references)
        )
        words = 1 + max((int(ids.max()) for ids in (source, hypothesis, *references) if len(ids)), default=0)
        rows.append(np.concatenate([counts(source, hypothesis, each, words) for each in references]))
    return rows
