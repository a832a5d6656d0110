"""Choosing the best combination of parts, when all that counts is the sum of their counts.

A part is a stretch of the sentence with the rows of counts that its alternatives give. The best choice
has the highest weighted accuracy, a quotient of two sums of integers. Dinkelbach's iteration finds it:
for a quotient n/d that some choice reaches, let every part take the alternative with the greatest
d * top - n * bottom; either the sum of these is 0 and n/d is the highest, or the new choice has a higher
one. The choices that reach the highest quotient are those made of such alternatives in every part; among
them, the other criteria decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

import numpy as np

from gec_core.metrics._imeasure_counts import WEIGHT, criteria

Row = tuple[int, ...]
"""Counts as in `_imeasure_counts`."""
Part = Mapping[Row, int]
"""The different rows of a part's alternatives, each with the first alternative that gives it."""


def best_choice(parts: Sequence[Part]) -> tuple[Row, list[int]]:
    """The counts of the best choice, and the alternative it takes of every part."""
    quotient = _quotient(_add(next(iter(part)) for part in parts))
    while True:
        kept = [_most(part, quotient) for part in parts]
        better = _quotient(_add(next(iter(part)) for part in kept))
        if better[0] * quotient[1] == quotient[0] * better[1]:
            break
        quotient = better
    sums = _sums(kept)
    rows = list(sums)
    best = rows[0] if len(rows) == 1 else max(zip(criteria(np.array(rows)), rows, strict=True), key=itemgetter(0))[1]
    return best, sums[best]


def _sums(parts: Sequence[Part]) -> dict[Row, list[int]]:
    """Every sum of rows, one of each part, with the first choice that gives it."""
    first, *others = parts
    sums = {row: [index] for row, index in first.items()}
    for part in others:
        longer: dict[Row, list[int]] = {}
        for total, choice in sums.items():
            for row, index in part.items():
                longer.setdefault(_add([total, row]), [*choice, index])
        sums = longer
    return sums


def _most(part: Part, quotient: tuple[int, int]) -> Part:
    """The rows with the greatest d * top - n * bottom."""
    n, d = quotient
    values = {}
    for row in part:
        top, bottom = _quotient(row)
        values[row] = d * top - n * bottom
    most = max(values.values())
    return {row: part[row] for row, value in values.items() if value == most}


def _quotient(row: Row) -> tuple[int, int]:
    """Weighted accuracy as two integers."""
    tp, tn, fp, fn, fpn = row[:5]
    return 2 * (WEIGHT * tp + tn), 2 * (WEIGHT * (tp + fp) + tn + fn) - (WEIGHT + 1) * fpn


def _add(rows: Iterable[Row]) -> Row:
    return tuple(map(sum, zip(*rows, strict=True)))
