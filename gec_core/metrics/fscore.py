"""Precision, recall and F: the arithmetic, and the steps that show it."""

from __future__ import annotations

import numpy as np

from gec_core.metrics.blocks import Step, shown
from gec_core.types import Array

RATES = {"p": "precision", "r": "recall", "f": "F"}
"""The names of the rates in details, and in words."""
Amounts = tuple[float, float, float]
"""How much is correct, how much was proposed, how much is gold: numbers of edits, or sums of their weights."""


def ratio(top: float, bottom: float, empty: float = 1.0) -> float:
    """Compute top / bottom; 0/0 is defined as 1, or as `empty`."""
    return float(top / bottom) if bottom else empty


def ratios(top: Array, bottom: Array) -> Array:
    """Compute top / bottom element by element; 0/0 is defined as 1."""
    return np.where(bottom == 0, 1.0, top / np.where(bottom == 0, 1.0, bottom))


def f_score(precision: float, recall: float, beta: float) -> float:
    """Compute the weighted harmonic mean of precision and recall; it is 0 when both are 0."""
    weight = beta * beta
    bottom = weight * precision + recall
    return float((1 + weight) * precision * recall / bottom) if bottom > 0 else 0.0


def f_scores(precision: Array, recall: Array, beta: float) -> Array:
    """Compute F element by element; NaN stays NaN."""
    weight = beta**2
    bottom = weight * precision + recall
    return (1 + weight) * precision * recall / np.where(bottom == 0, 1, bottom)


def rate_steps(names: tuple[str, str, str], amounts: Amounts, beta: float, empty: float = 1.0) -> list[Step]:
    """The steps from amounts to F.

    Args:
        names: What the three amounts are called in formulas.
        amounts: How much is correct, proposed, and gold.
        beta: The weight of recall.
        empty: What 0/0 is defined as.
    """
    correct, proposed, gold = amounts
    p, r = ratio(correct, proposed, empty), ratio(correct, gold, empty)
    rates = Step(
        "Precision and recall",
        "Precision is the share of the proposed edits that are correct. Recall is the share of the gold edits that "
        f"were proposed. 0/0 is defined as {empty:g}.",
        formulas=(
            f"P = {names[0]} / {names[1]} = {shown(correct)} / {shown(proposed)} = {shown(p)}",
            f"R = {names[0]} / {names[2]} = {shown(correct)} / {shown(gold)} = {shown(r)}",
        ),
    )
    return [rates, f_step(p, r, beta)]


def f_step(p: float, r: float, beta: float) -> Step:
    """The step from precision and recall to F."""
    f = f_score(p, r, beta)
    square = beta * beta
    filled = f"{shown(1 + square)} · {shown(p)} · {shown(r)} / ({shown(square)} · {shown(p)} + {shown(r)})"
    weighing = f" {'Recall' if beta > 1 else 'Precision'} counts more." if beta != 1 else ""
    return Step(
        f"F with β = {beta:g}",
        f"F is the weighted harmonic mean of both, and 0 where both are 0.{weighing}",
        formulas=("F = (1 + β²) · P · R / (β² · P + R)", f"F = {filled} = {shown(f)}"),
        value=f,
    )
