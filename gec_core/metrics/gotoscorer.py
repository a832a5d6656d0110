"""GoToScorer (Gotou et al. 2020): ERRANT, where an edit counts for as much as the systems find it hard.

The weight of an edit is 1 − the share of the systems that got its place right. At the place of a gold edit
these are the systems that made this very edit, same span and same correction. At the place of a wrong edit
they are those that did what the annotator did: all their edits that overlap the wrong one are the
annotator's, and they made all of the annotator's that do. So it counts little to find what everybody finds,
and costs little to spoil what nobody else spoils.

The paper cuts a sentence into chunks by one reference; here edits are the units, so that with all weights 1
this is ERRANT, and the reference is chosen as ERRANT chooses it. Weights depend on the systems that are scored
together: a score is one among these systems, and a single system alone gets nothing for what it got right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gec_core.metrics import _errant_rows, register
from gec_core.metrics._errant_family import EditMetric
from gec_core.types import Array


@register
class GoToScorer(EditMetric):
    id = "gotoscorer"
    name = "GoToScorer"
    order = 17
    summary = "ERRANT with edits weighted by how few of the systems got them right."
    citation = "Gotou et al. 2020, Taking the Correction Difficulty into Account in GEC Evaluation, COLING"
    weighted = True
    by_peers = True

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """For each sentence and annotator: weights of true positives, false positives, false negatives."""
        weights = difficulty(list(statistics.values()))
        return {
            system: _errant_rows.counts(rows, "span", weight).reshape(len(rows), -1)
            for (system, rows), weight in zip(statistics.items(), weights, strict=True)
        }


class _Record(NamedTuple):
    """An edit of one side, whether the other side has it, too, and where it stands in its row."""

    annotator: int
    is_gold: bool
    start: int
    end: int
    same: bool
    at: int

    def overlaps(self, other: _Record) -> bool:
        """Whether the two cannot both be made (as `Edit.overlaps`)."""
        if (self.start, self.end) == (other.start, other.end):
            return True
        return self.start < other.end and other.start < self.end


def difficulty(systems: Sequence[Array]) -> list[Array]:
    """For each system, given by its rows, the weight of every record of every sentence."""
    tables = [_errant_rows.records(rows) for rows in systems]
    weights = [np.ones(table.shape[:2]) for table in tables]
    for line in range(len(tables[0])):
        found = [_read(table[line]) for table in tables]
        for annotator in {record.annotator for records in found for record in records}:
            _weigh([[each for each in records if each.annotator == annotator] for records in found], weights, line)
    return weights


def _read(table: Array) -> list[_Record]:
    """The records of one sentence, but for errors that were not corrected: there nothing can be right."""
    filled = table[~np.isnan(table[:, 0])].tolist()
    return [
        _Record(
            int(record[_errant_rows.ANNOTATOR]),
            record[_errant_rows.IS_GOLD] == 1,
            int(record[_errant_rows.START]),
            int(record[_errant_rows.END]),
            record[_errant_rows.SAME] == 1,
            at,
        )
        for at, record in enumerate(filled)
        if record[_errant_rows.TYPE] != _errant_rows.UNKNOWN
    ]


def _weigh(systems: list[list[_Record]], weights: list[Array], line: int) -> None:
    """Fill in the weights of one sentence under one annotator, given what every system did."""
    golds = [[record for record in records if record.is_gold] for records in systems]
    hard = [sum(not record.same for record in column) / len(systems) for column in zip(*golds, strict=True)]
    spoilt: dict[tuple[int, int], float] = {}
    for own, gold, weight in zip(systems, golds, weights, strict=True):
        for record, share in zip(gold, hard, strict=True):
            weight[line, record.at] = share
        for record in own:
            if not record.is_gold and not record.same:
                place = (record.start, record.end)
                if place not in spoilt:
                    spoilt[place] = sum(_wrong_at(record, records) for records in systems) / len(systems)
                weight[line, record.at] = spoilt[place]


def _wrong_at(place: _Record, records: list[_Record]) -> bool:
    """Whether a system did anything else at this place than the annotator."""
    return any(not record.same and record.overlaps(place) for record in records)
