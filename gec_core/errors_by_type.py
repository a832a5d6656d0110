"""True and false positives and false negatives of systems by ERRANT's error types.

As in `errant_compare -cat`: what is found or missed goes by the type of the gold edit, what is overdone by
that of the system's edit; in each sentence the annotator counts whom ERRANT's corpus score chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gec_core.align import errant_types
from gec_core.metrics import _errant_rows
from gec_core.metrics._errant_rows import ANNOTATOR, IS_GOLD, TYPE
from gec_core.metrics.base import Array, f_score, ratio
from gec_core.metrics.errant import Errant
from gec_core.scoring import Progress, ignore, stored_rows
from gec_core.types import Corpus
from gec_core.workers import Workers

if TYPE_CHECKING:
    from gec_core.store import Store

Level = Literal["type", "group", "operation"]
"""All types (R:NOUN:NUM), types whatever was done (NOUN:NUM), or what was done (R)."""
NAMES: Mapping[Level, Callable[[str], str]] = {
    "type": str,
    "group": errant_types.group,
    "operation": errant_types.operation,
}


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """How a system did on one type of errors."""

    tp: int
    fp: int
    fn: int

    def __add__(self, other: TypeCounts) -> TypeCounts:
        return TypeCounts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def p(self) -> float:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def r(self) -> float:
        return ratio(self.tp, self.tp + self.fn)

    def f(self, beta: float) -> float:
        return f_score(self.p, self.r, beta)


def errors_by_type(
    corpus: Corpus,
    metric: Errant,
    level: Level = "type",
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> dict[str, dict[str, TypeCounts]]:
    """For each system its counts by type, in alphabetical order.

    The options of the metric say which gold edits are meant and what must agree. Gold edits keep the types
    that they were annotated with, which need not be ERRANT's; with `references=auto` all types are.
    """
    rows = stored_rows(corpus, metric, store=store, on_progress=on_progress, workers=workers)
    return {system: _tally(_outcomes(corpus, metric, own), NAMES[level]) for system, own in rows.items()}


def _tally(outcomes: Iterable[tuple[str, TypeCounts]], name: Callable[[str], str]) -> dict[str, TypeCounts]:
    found: dict[str, TypeCounts] = {}
    for type_, counts in outcomes:
        found[name(type_)] = found.get(name(type_), TypeCounts(0, 0, 0)) + counts
    return {type_: found[type_] for type_ in sorted(found) if found[type_] != TypeCounts(0, 0, 0)}


def _outcomes(corpus: Corpus, metric: Errant, rows: Array) -> Iterator[tuple[str, TypeCounts]]:
    """Every edit of the system and of the annotator chosen for its sentence: its type, and what it counts for."""
    mode = metric.options.mode
    chosen = metric.chosen(_errant_rows.counts(rows, mode))
    table = _errant_rows.records(rows)
    counted = table[..., ANNOTATOR] == chosen[:, None]
    place_in_gold = np.cumsum(counted & (table[..., IS_GOLD] == 1), axis=1) - 1
    size, right = _errant_rows.units(table, mode)
    columns = (np.nonzero(counted)[0], place_in_gold[counted], size[counted], right[counted], table[counted])
    for line, place, units, agreed, record in zip(*(column.astype(int).tolist() for column in columns), strict=True):
        number = record[TYPE]
        if number == errant_types.NO_TYPE:
            type_ = corpus.sentences[line].annotations[chosen[line]].edits[place].type
        else:
            type_ = errant_types.TYPES[number]
        others = units - agreed
        yield type_, TypeCounts(agreed, 0, others) if record[IS_GOLD] else TypeCounts(0, others, 0)
