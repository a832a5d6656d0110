"""True and false positives and false negatives of systems by ERRANT's error types.

As in `errant_compare -cat`: what is found or missed goes by the type of the gold edit, what is overdone by
that of the system's edit; in each sentence the annotator counts whom ERRANT's corpus score chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gec_core.align import errant_types
from gec_core.metrics.blocks import Verdict
from gec_core.metrics.errant import Errant
from gec_core.metrics.errant import rows as errant_rows
from gec_core.metrics.errant.rows import ANNOTATOR, END, IS_GOLD, START, TYPE, edits_beside_gold
from gec_core.metrics.fscore import f_score, ratio
from gec_core.metrics.gotoscorer import GoToScorer
from gec_core.metrics.gotoscorer.chunks import TypeDifficulty
from gec_core.scoring import stored_rows
from gec_core.scoring.parallel import Workers
from gec_core.types import Array, Corpus, Edit, Pair, Progress, ignore

if TYPE_CHECKING:
    from gec_core.store import Store

Level = Literal["type", "group", "operation"]
"""All types (R:NOUN:NUM), types whatever was done (NOUN:NUM), or what was done (R)."""
NAMES: Mapping[Level, Callable[[str], str]] = {
    "type": str,
    "group": errant_types.group,
    "operation": errant_types.operation,
}


References = Literal["auto", "gold"]
"""Gold edits read off the references and typed by ERRANT, or as they were annotated."""


def types_metric(references: References = "auto") -> Errant:
    """The ERRANT that error types come from: with gold edits read off the references, all types are its own."""
    return Errant(Errant.Options(references=references))


def gold_has_errant_types(corpus: Corpus) -> bool:
    """Whether annotators used ERRANT's types. With others, what is found and what is overdone never share a type."""
    used = {edit.type for each in corpus.sentences for gold in each.annotations for edit in gold.edits}
    return bool(used) and used <= set(errant_types.TYPES)


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


_NONE = TypeCounts(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one edit counts for: an annotator's that was made or missed, or a system's that no annotator made."""

    sentence: int
    annotator: int
    """The place of the annotator whom the sentence is compared with."""
    start: int
    end: int
    type: str
    counts: TypeCounts

    @property
    def verdict(self) -> Verdict:
        """In words; where single tokens count, an edit is correct if any of its tokens is."""
        return "correct" if self.counts.tp else "wrong" if self.counts.fp else "missed"


def outcomes(
    corpus: Corpus,
    metric: Errant,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> dict[str, list[Outcome]]:
    """For each system what became of every error, in the order of sentences.

    The options of the metric say which gold edits are meant and what must agree. Gold edits keep the types
    that they were annotated with, which need not be ERRANT's; with `references=auto` all types are.
    """
    rows = stored_rows(corpus, metric, store=store, on_progress=on_progress, workers=workers)
    return {system: list(_outcomes(corpus, metric, own)) for system, own in rows.items()}


def tally(found: Iterable[Outcome], level: Level = "type") -> dict[str, TypeCounts]:
    """Counts by type, in alphabetical order."""
    name = NAMES[level]
    sums: dict[str, TypeCounts] = {}
    for each in found:
        type_ = name(each.type)
        sums[type_] = sums.get(type_, _NONE) + each.counts
    return {type_: sums[type_] for type_ in sorted(sums)}


def errors_by_type(
    corpus: Corpus,
    metric: Errant,
    level: Level = "type",
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> dict[str, dict[str, TypeCounts]]:
    """For each system its counts by type."""
    found = outcomes(corpus, metric, store=store, on_progress=on_progress, workers=workers)
    return {system: tally(own, level) for system, own in found.items()}


def difficulty_by_type(
    corpus: Corpus,
    metric: GoToScorer,
    level: Level = "type",
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> list[TypeDifficulty]:
    """How few of the systems correct the errors of each type, the most difficult type first (Gotou et al. 2020)."""
    rows = stored_rows(corpus, metric, store=store, on_progress=on_progress, workers=workers)
    return metric.difficulty(rows, NAMES[level])


def edits_behind(
    corpus: Corpus, metric: Errant, system: str, found: Sequence[Outcome], store: Store | None = None
) -> list[Edit]:
    """The edits that outcomes of a system are about: the system's where they are wrong, the annotator's otherwise."""
    outputs = corpus.systems[system]
    pairs = [Pair(corpus.sentences[each.sentence], outputs[each.sentence]) for each in found]
    beside = edits_beside_gold(pairs, metric.options.references, store)
    return [
        next(
            edit
            for edit in (made if each.verdict == "wrong" else golds[each.annotator])
            if (edit.start, edit.end, edit.type) == (each.start, each.end, each.type)
        )
        for each, (made, golds) in zip(found, beside, strict=True)
    ]


def gold_types(rows: Array, level: Level = "type") -> list[set[str]]:
    """The types of the errors that annotators found in each sentence, from the rows of any system.

    Types of another scheme than ERRANT's are not among them.
    """
    table = errant_rows.records(rows)
    gold = (table[..., IS_GOLD] == 1) & (table[..., TYPE] != errant_types.NO_TYPE)
    found: list[set[str]] = [set() for _ in rows]
    for line, number in zip(np.nonzero(gold)[0].tolist(), table[gold][:, TYPE].astype(int).tolist(), strict=True):
        found[line].add(NAMES[level](errant_types.TYPES[number]))
    return found


def _outcomes(corpus: Corpus, metric: Errant, rows: Array) -> Iterator[Outcome]:
    """Every edit of the system and of the annotator chosen for its sentence that counts for something."""
    mode = metric.options.mode
    chosen = metric.chosen(errant_rows.counts(rows, mode))
    table = errant_rows.records(rows)
    counted = table[..., ANNOTATOR] == chosen[:, None]
    place_in_gold = np.cumsum(counted & (table[..., IS_GOLD] == 1), axis=1) - 1
    size, right = errant_rows.units(table, mode)
    columns = (np.nonzero(counted)[0], place_in_gold[counted], size[counted], right[counted], table[counted])
    for line, place, units, agreed, record in zip(*(column.astype(int).tolist() for column in columns), strict=True):
        others = units - agreed
        counts = TypeCounts(agreed, 0, others) if record[IS_GOLD] else TypeCounts(0, others, 0)
        if counts == _NONE:
            continue
        number, annotator = record[TYPE], int(chosen[line])
        if number == errant_types.NO_TYPE:
            type_ = corpus.sentences[line].annotations[annotator].edits[place].type
        else:
            type_ = errant_types.TYPES[number]
        yield Outcome(line, annotator, record[START], record[END], type_, counts)
