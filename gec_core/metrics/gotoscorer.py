"""GoToScorer (Gotou et al. 2020): ERRANT with edits weighted by how difficult the systems find them.

The weight of an edit is 1 − the share of the systems that are correct at its place. At the place of a gold edit these
are the systems that made this edit, with the same span and correction. At the place of a wrong edit they are the
systems that did what the annotator did: all their edits that overlap the wrong one are the annotator's, and they made
all of the annotator's edits that do. Corrections that all systems make therefore count little, and so do wrong edits
that no other system makes.

The paper divides a sentence into chunks by one reference; here edits are the units, so that with all weights 1 this is
ERRANT, and the annotator is chosen as in ERRANT. Weights depend on the systems that are scored together: a score is
valid among these systems, and a single system alone gets nothing for its correct edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import NamedTuple

import numpy as np

from gec_core.metrics import register
from gec_core.metrics.base import Case, stack, text_rows
from gec_core.metrics.blocks import Edits, Explanation, Step
from gec_core.metrics.errant import rows as errant_rows
from gec_core.metrics.errant.family import EditMetric
from gec_core.types import Array


@register
class GoToScorer(EditMetric):
    id = "gotoscorer"
    name = "GoToScorer"
    order = 17
    summary = "ERRANT with edits weighted by how few of the systems made them correctly."
    citation = "Gotou et al. 2020, Taking the Correction Difficulty into Account in GEC Evaluation, COLING"
    weighted = True
    by_peers = True
    card = cleandoc(r"""
        ### Formula
        ERRANT with a weight for each edit:

        $$
        w_u = 1 - \frac{\text{systems that are correct at the place of } u}{\text{all systems}}
        $$

        What all systems correct counts little, what only one system corrects counts much.

        ### Strengths
        It separates systems that differ in difficult errors.

        ### Known failures
        A score depends on the systems that are scored together, so it cannot be compared across corpora or with a score
        among other systems.
        """)

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """For each sentence and annotator: weights of true positives, false positives, false negatives."""
        weights = difficulty(list(statistics.values()))
        return {
            system: errant_rows.counts(rows, "span", weight).reshape(len(rows), -1)
            for (system, rows), weight in zip(statistics.items(), weights, strict=True)
        }

    def record_weights(self, case: Case) -> Array:
        texts = [case.output, *case.peers]
        rows = text_rows(self, case.sentence, texts, store=case.store)
        return difficulty([stack([rows[text]]) for text in texts])[0]

    def weight_steps(self, explanation: Explanation) -> Iterator[Step]:
        yield Step(
            "The weights of the edits",
            "The weight of an edit is the share of the systems that are wrong at its place. An edit that all systems "
            "make correctly has weight 0.",
            tuple(explanation.all(Edits)),
        )


class _Record(NamedTuple):
    """An edit of one side, whether the other side has it as well, and its position in its row."""

    annotator: int
    is_gold: bool
    start: int
    end: int
    same: bool
    at: int

    def overlaps(self, other: _Record) -> bool:
        """Whether the two exclude each other (as in `Edit.overlaps`)."""
        if (self.start, self.end) == (other.start, other.end):
            return True
        return self.start < other.end and other.start < self.end


def difficulty(systems: Sequence[Array]) -> list[Array]:
    """Compute the weight of every record of every sentence, for each system given by its rows."""
    tables = [errant_rows.records(rows) for rows in systems]
    weights = [np.ones(table.shape[:2]) for table in tables]
    for line in range(len(tables[0])):
        found = [_read(table[line]) for table in tables]
        for annotator in {record.annotator for records in found for record in records}:
            _weigh([[each for each in records if each.annotator == annotator] for records in found], weights, line)
    return weights


def _read(table: Array) -> list[_Record]:
    """The records of one sentence, without errors that were marked but not corrected."""
    filled = table[~np.isnan(table[:, 0])].tolist()
    return [
        _Record(
            int(record[errant_rows.ANNOTATOR]),
            record[errant_rows.IS_GOLD] == 1,
            int(record[errant_rows.START]),
            int(record[errant_rows.END]),
            record[errant_rows.SAME] == 1,
            at,
        )
        for at, record in enumerate(filled)
        if record[errant_rows.TYPE] != errant_rows.UNKNOWN
    ]


def _weigh(systems: list[list[_Record]], weights: list[Array], line: int) -> None:
    """Fill in the weights of one sentence under one annotator, given the edits of every system."""
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
    """Say whether a system differs from the annotator at this place."""
    return any(not record.same and record.overlaps(place) for record in records)
