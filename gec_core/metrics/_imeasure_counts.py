"""From counts to the I-measure's scores.

A row of counts is TP, TN, FP, FN, FPN of the output (for correction), then TN and FN of the *baseline*,
the source taken as output against the same reference. Everything here works on many rows at once.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Aspect = Literal["correction", "detection"]
COUNTS = 7
COUNTED = ("tp", "tn", "fp", "fn", "fpn")
WEIGHT = 2
"""How much more a change weighs than a token left alone, in weighted accuracy."""


class Rates(NamedTuple):
    """Counts and what follows from them, as shares (not in percent)."""

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
    """The rates of every row, for correction or for detection.

    Where nothing was asked for and nothing done (0/0) all is right: 1.
    """
    tp, tn, fp, fn, fpn, tn_base, fn_base = np.moveaxis(np.asarray(rows, dtype=np.float64), -1, 0)
    if aspect == "detection":
        # A change in the right place is right, whatever it says.
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
    """What references are chosen by: of two rows the better one has the greater list."""
    correction, detection = rates(rows, "correction"), rates(rows, "detection")
    keys = [getattr(aspect, name) for aspect in (correction, detection) for name in ("wacc", "i", "acc")]
    found: list[list[float]] = np.stack(keys, axis=-1).tolist()
    return found


def _share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.ones_like(part), where=whole != 0)


def _improvement(wacc: Array, base: Array) -> Array:
    """The share of what was wrong that is right now, or minus the share of what was right that is lost."""
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.where(wacc > base, (wacc - base) / (1 - base), wacc / base - 1)
    return np.where(wacc == base, np.floor(wacc), change)
