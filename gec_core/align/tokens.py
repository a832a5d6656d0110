"""Tokens as small integers, which is what the compiled inner loops compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

TokenIds = NDArray[np.int32]


def encode(*sequences: Sequence[str]) -> list[TokenIds]:
    """The sequences with every distinct token replaced by a number of its own."""
    numbers: dict[str, int] = {}
    return [
        np.array([numbers.setdefault(token, len(numbers)) for token in tokens], dtype=np.int32) for tokens in sequences
    ]
