"""The rows of the ERRANT family: the edits of an output beside those of every annotator, as numbers.

A row is the number of annotators, then one record after the other: for every annotator the edits of the
output, then the annotator's own. Each says where it is, its type, and how far the other side agrees. All
options of all metrics of the family are made from these, so that a pair is compared once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.types import Array, Edit

Mode = Literal["span", "detection", "token"]
ANNOTATOR, IS_GOLD, START, END, TYPE, SAME, SAME_SPAN, SAME_TOKENS = range(8)
"""The columns of a record. The last three: whether the other side has an edit with this span and correction,
whether it has one with this span, and how many of this edit's tokens it changes, too."""
_WIDTH = 8
UNKNOWN = errant_types.number(errant_types.UNKNOWN)


def encode(edits: Sequence[Edit], golds: Sequence[Sequence[Edit]]) -> Array:
    """The row of an output with these edits, under annotators with these gold edits."""
    found = [record for annotator, gold in enumerate(golds) for record in _records(annotator, edits, gold)]
    return np.concatenate([[len(golds)], np.array(found, float).ravel()])


def _records(annotator: int, edits: Sequence[Edit], gold: Sequence[Edit]) -> Iterator[list[int]]:
    for is_gold, own, others in ((0, edits, gold), (1, gold, edits)):
        said = {_said(edit, correction) for edit in others for correction in edit.corrections} - {None}
        spans = {(edit.start, edit.end) for edit in others}
        touched = {token for edit in others for token in _tokens(edit)}
        for edit in own:
            yield [
                annotator,
                is_gold,
                edit.start,
                edit.end,
                errant_types.number(edit.type),
                any(_said(edit, correction) in said for correction in edit.corrections),
                (edit.start, edit.end) in spans,
                sum(token in touched for token in _tokens(edit)),
            ]


def _said(edit: Edit, correction: str) -> tuple[int, int, str] | None:
    """What must agree for a correction to be right; None for an error that was not corrected."""
    return None if edit.type == errant_types.UNKNOWN else (edit.start, edit.end, correction)


def _tokens(edit: Edit) -> range:
    """The tokens that an edit is about; an insertion is about the token on its right."""
    return range(edit.start, max(edit.end, edit.start + 1))


def annotators(rows: Array) -> NDArray[np.intp]:
    """How many annotators each sentence has."""
    return rows[:, 0].astype(np.intp)


def records(rows: Array) -> Array:
    """Sentences × records × columns; NaN after the last record of a sentence."""
    return rows[:, 1:].reshape(len(rows), -1, _WIDTH)


def counts(rows: Array, mode: Mode, weights: Array | None = None) -> Array:
    """Sentences × annotators × (tp, fp, fn); NaN where a sentence has no such annotator.

    Gold edits that the output has are true positives, the others of the annotator false negatives; edits
    of the output that the annotator does not have are false positives. With `weights` (sentences × records)
    an edit counts for its weight.
    """
    table = records(rows)
    size, right = units(table, mode)
    weight = np.ones_like(size) if weights is None else weights
    gold = table[..., IS_GOLD] == 1
    parts = [
        np.where(gold, right * weight, 0.0),
        np.where(gold, 0.0, (size - right) * weight),
        np.where(gold, (size - right) * weight, 0.0),
    ]
    having = annotators(rows)
    result = np.full((len(rows), int(having.max(initial=0)), 3), np.nan)
    for annotator in range(result.shape[1]):
        own = table[..., ANNOTATOR] == annotator
        sums = np.stack([np.sum(part, axis=1, where=own) for part in parts], axis=-1)
        result[:, annotator] = np.where((having > annotator)[:, None], sums, np.nan)
    return result


def units(table: Array, mode: Mode) -> tuple[Array, Array]:
    """How much each record counts for, and how much of it the other side has."""
    if mode == "token":
        return np.maximum(table[..., END] - table[..., START], 1), table[..., SAME_TOKENS]
    if mode == "detection":
        return np.ones(table.shape[:2]), table[..., SAME_SPAN]
    return np.where(table[..., TYPE] == UNKNOWN, 0.0, 1.0), table[..., SAME]
