"""Explanations in a metric's own terms.

`explain` gives every metric an explanation: the numbers behind its sentence score, and for the metrics that
the `native_*` modules know, the edits, columns, n-grams or tokens that these were counted on. A module registers
its functions for the classes of its metrics, so that metrics made from them inherit their explanations.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_core.explain.blocks import Block, Explanation, Facts
from gec_core.explain.texts import digested_rows
from gec_core.metrics.base import Metric
from gec_core.types import Array, Sentence

if TYPE_CHECKING:
    from gec_core.store import Store


@dataclass(frozen=True)
class Case:
    """An output to be explained, with what it takes to score it."""

    metric: Metric
    sentence: Sentence
    output: str
    store: Store | None = None
    peers: Sequence[str] = ()

    @cached_property
    def rows(self) -> Array:
        """Its statistics, as the metric's scores read them: a table of one row."""
        return digested_rows(self.metric, self.sentence, [self.output], peers=self.peers, store=self.store)

    @cached_property
    def score(self) -> float:
        return float(self.metric.sentence_scores(self.rows)[0])

    @cached_property
    def details(self) -> dict[str, Any]:
        return self.metric.sentence_details(self.rows)[0]


@dataclass(frozen=True)
class Native:
    """What a metric's own explanation adds to its score."""

    blocks: tuple[Block, ...]
    annotator: int | None = None
    reference: str | None = None


def explain(case: Case) -> Explanation:
    """Why the output gets its score."""
    _register_all()
    metric = case.metric
    found = native(metric, case)
    return Explanation(
        metric.id, metric.name, metric.signature, case.score, found.blocks, found.annotator, found.reference
    )


@singledispatch
def native(metric: Metric, case: Case) -> Native:
    """The blocks for a metric that has nothing to show but numbers."""
    return Native((Facts("What the score is made of", case.details),) if case.details else ())


@cache
def _register_all() -> None:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith("native_"):
            importlib.import_module(f"{__package__}.{module.name}")
