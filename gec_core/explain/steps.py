"""A metric's score computed one step at a time, with the numbers filled in: for a projector, and for doubters.

Steps are made anew from the counts and texts, not copied from the score: the value of the last step is what the
formulas give, and must be the score. The `steps_*` modules know the metrics; a metric that they do not know
shows its own explanation block by block.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, singledispatch
from pathlib import Path

from gec_core.explain.blocks import Block
from gec_core.explain.native import Case, explain
from gec_core.formatting import minus
from gec_core.metrics.base import Metric, f_score, ratio


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under headings."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A number for each pair of a row and a column; the largest of a row, and of a column, are what counts."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


Picture = Block | Table | Matrix


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the metric does."""

    title: str
    text: str
    """What is done, in a sentence or two. Words of the text stand between backticks."""
    pictures: tuple[Picture, ...] = ()
    formulas: tuple[str, ...] = ()
    """Plain text: letters, then numbers, then the result."""
    value: float | None = None
    """What comes out, if it is a number."""


def steps(case: Case) -> tuple[Step, ...]:
    """How the metric comes to the score of the output; the last step has the score."""
    _register_all()
    return tuple(computed(case.metric, case))


@singledispatch
def computed(metric: Metric, case: Case) -> Iterable[Step]:
    """The blocks of the metric's explanation one after the other, for metrics whose arithmetic is a model's."""
    for number, block in enumerate(explain(case).blocks):
        yield Step(block.title, "" if number else metric.summary, (block,))
    yield Step("The score", "What comes out.", (), (f"{metric.name} = {shown(case.score)}",), case.score)


def shown(value: float) -> str:
    """A number as formulas print it: four digits that count, a real minus sign."""
    if abs(value) < 5e-7:
        return "0"
    return minus(f"{value:.4g}".replace("e-0", "e-"))


Amounts = tuple[float, float, float]
"""How much is right, how much was done, how much should have been done: counts, or sums of weights."""


def fraction_steps(names: tuple[str, str, str], amounts: Amounts, beta: float) -> list[Step]:
    """Precision, recall and F; `names` are what the three amounts are called. Nothing out of nothing is 1."""
    correct, made, wanted = amounts
    p, r = ratio(correct, made), ratio(correct, wanted)
    rates = Step(
        "Precision and recall",
        "Precision: how much of what was done is right. Recall: how much of what should have been done was done. "
        "Nothing out of nothing counts as 1.",
        formulas=(
            f"P = {names[0]} / {names[1]} = {shown(correct)} / {shown(made)} = {shown(p)}",
            f"R = {names[0]} / {names[2]} = {shown(correct)} / {shown(wanted)} = {shown(r)}",
        ),
    )
    return [rates, f_step(p, r, beta)]


def f_step(p: float, r: float, beta: float) -> Step:
    """F from precision and recall."""
    f = f_score(p, r, beta)
    square = beta * beta
    filled = f"{shown(1 + square)} · {shown(p)} · {shown(r)} / ({shown(square)} · {shown(p)} + {shown(r)})"
    counts_more = "recall" if beta > 1 else "precision"
    weighing = f" {counts_more.capitalize()} counts more." if beta != 1 else ""
    return Step(
        f"F with β = {beta:g}",
        f"One number from both, 0 where both are 0.{weighing}",
        formulas=("F = (1 + β²) · P · R / (β² · P + R)", f"F = {filled} = {shown(f)}"),
        value=f,
    )


@cache
def _register_all() -> None:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith("steps_"):
            importlib.import_module(f"{__package__}.{module.name}")
