"""Counts of alignment columns: the I-measure's scores made from them, and the choice of the reference by them.

A row of counts is TP, TN, FP, FN, FPN of the output (for correction), then TN and FN of the *baseline*, the source
taken as output with the same reference.

A reference is put together from parts: stretches of the sentence, each with the rows of counts that its alternatives
give. The best choice has the highest weighted accuracy, a quotient of two sums of integers. Dinkelbach's iteration
finds it: for a quotient n/d that some choice reaches, let every part take the alternative with the greatest
d * top - n * bottom; either the sum of these is 0 and n/d is the highest quotient, or the new choice has a higher one.
The choices that reach the highest quotient are those made of such alternatives in every part; among them, the other
criteria decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np

from gec_core.types import Array

Row = tuple[int, ...]
"""A row of counts."""
Part = Mapping[Row, int]
"""The distinct rows of a part's alternatives, each with the first alternative that gives it."""
Aspect = Literal["correction", "detection"]
COUNTS = 7
COUNTED = ("tp", "tn", "fp", "fn", "fpn")
WEIGHT = 2
"""The weight of a changed token in weighted accuracy; that of an unchanged one is 1."""


class Rates(NamedTuple):
    """Counts and the rates computed from them, as shares (not in percent)."""

    tp: Array
    tn: Array
    fp: Array
    fn: Array
    fpn: Array
    p: Array
    r: Array
    acc: Array
    acc_base: Array
    wacc: Array
    wacc_base: Array
    i: Array


def rates(rows: Array, aspect: Aspect) -> Rates:
    """Compute the rates of every row, for correction or for detection; 0/0 is defined as 1.

    Complex counts are allowed, so that derivatives can be taken by complex steps.
    """
    rows = rows if np.iscomplexobj(rows) else np.asarray(rows, dtype=np.float64)
    tp, tn, fp, fn, fpn, tn_base, fn_base = np.moveaxis(rows, -1, 0)
    if aspect == "detection":
        # For detection, any change in the right place is correct.
        tp, fp, fn, fpn = tp + fpn, fp - fpn, fn - fpn, np.zeros_like(fpn)
    wacc = _share(WEIGHT * tp + tn, WEIGHT * (tp + fp) + tn + fn - (WEIGHT + 1) * fpn / 2)
    base = _share(tn_base, tn_base + fn_base)
    return Rates(
        *(tp, tn, fp, fn, fpn),
        p=_share(tp, tp + fp),
        r=_share(tp, tp + fn),
        acc=_share(tp + tn, tp + tn + fp + fn - fpn),
        acc_base=base,
        wacc=wacc,
        wacc_base=base,
        i=_improvement(wacc, base),
    )


def criteria(rows: Array) -> list[list[float]]:
    """The criteria for choosing a reference: of two rows the better one has the greater list."""
    correction, detection = rates(rows, "correction"), rates(rows, "detection")
    keys = [getattr(aspect, name) for aspect in (correction, detection) for name in ("wacc", "i", "acc")]
    found: list[list[float]] = np.stack(keys, axis=-1).tolist()
    return found


def _share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.ones_like(part), where=whole != 0)


def _improvement(wacc: Array, base: Array) -> Array:
    """The share of the errors that were corrected, or minus the share of what was correct that was lost."""
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.where(wacc > base, (wacc - base) / (1 - base), wacc / base - 1)
    return np.where(wacc == base, np.floor(wacc.real), change)


def best_choice(parts: Sequence[Part]) -> tuple[Row, list[int]]:
    """Find the best choice: its counts, and the alternative it takes of every part."""
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
    """Every sum of rows, one from each part, with the first choice that gives it."""
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
