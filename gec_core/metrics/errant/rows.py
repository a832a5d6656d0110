"""The edits that ERRANT extracts from outputs, compared with those of every annotator, as rows of numbers.

A row is the number of annotators, followed by records: for every annotator the edits of the output, then the
annotator's own. A record has the span of an edit, its type, and how far the other side agrees. All options of all
metrics of the family are computed from these, so that a pair is compared once.

Two conventions differ from `errant_compare`, which takes both literally: `a||b` in a gold file gives alternatives, and
`-NONE-` is the empty correction. Gold edits without a type come from a corpus that has references only; they are
extracted from these as with `references=auto`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.align.edits import apply_edits
from gec_core.align.errant_edits import TextPair, edits_of
from gec_core.types import Annotation, Array, Edit, Pair, Sentence

if TYPE_CHECKING:
    from gec_core.store import Store

Edits = Sequence[Edit]
References = Literal["gold", "auto"]
"""Gold edits as annotated, or extracted from the references by ERRANT."""
Mode = Literal["span", "detection", "token"]
ANNOTATOR, IS_GOLD, START, END, TYPE, SAME, SAME_SPAN, SAME_TOKENS = range(8)
"""The columns of a record. The last three: whether the other side has an edit with this span and correction, whether it
has one with this span, and how many of this edit's tokens it changes as well."""
_WIDTH = 8
UNKNOWN = errant_types.number(errant_types.UNKNOWN)


def edits_beside_gold(
    pairs: Sequence[Pair], references: References, store: Store | None, pipeline: str = ""
) -> list[tuple[Edits, list[Edits]]]:
    """Extract for each pair the edits of the output, and those of every annotator."""
    outputs = [TextPair(pair.sentence.source, pair.output) for pair in pairs]
    golds = [_gold(pair.sentence, references) for pair in pairs]
    to_read = [each for gold in golds for each in gold if isinstance(each, TextPair)]
    found = edits_of([*outputs, *to_read], store, pipeline)
    return [
        (found[output], [found[each] if isinstance(each, TextPair) else each.edits for each in gold])
        for output, gold in zip(outputs, golds, strict=True)
    ]


def _gold(sentence: Sentence, references: References) -> list[Annotation | TextPair]:
    """For each annotator the annotation, or the texts to extract it from."""
    if references == "auto":
        return [TextPair(sentence.source, reference) for reference in sentence.references]
    return [
        each if _typed(each.edits) else TextPair(sentence.source, apply_edits(sentence.source, each.edits))
        for each in sentence.annotations
    ]


def _typed(edits: Sequence[Edit]) -> bool:
    """Whether someone annotated these edits; edits without any type were derived from a reference."""
    return not edits or any(edit.type for edit in edits)


def encode(edits: Sequence[Edit], golds: Sequence[Sequence[Edit]]) -> Array:
    """Encode the edits of an output and the gold edits of each annotator as one row."""
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
    """What must agree for a correction to be correct; None for an error that was marked but not corrected."""
    return None if edit.type == errant_types.UNKNOWN else (edit.start, edit.end, correction)


def _tokens(edit: Edit) -> range:
    """The tokens that an edit concerns; an insertion concerns the token on its right."""
    return range(edit.start, max(edit.end, edit.start + 1))


def annotators(rows: Array) -> NDArray[np.intp]:
    """The number of annotators of each sentence."""
    return rows[:, 0].astype(np.intp)


def records(rows: Array) -> Array:
    """Sentences × records × columns; NaN after the last record of a sentence."""
    return rows[:, 1:].reshape(len(rows), -1, _WIDTH)


def counts(rows: Array, mode: Mode, weights: Array | None = None) -> Array:
    """Count edits: sentences × annotators × (tp, fp, fn); NaN where a sentence has no such annotator.

    Gold edits that the output has are true positives, the annotator's other edits false negatives; edits of the output
    that the annotator does not have are false positives. With `weights` (sentences × records) weights are summed.
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
    """How much each record counts, and how much of it the other side has."""
    if mode == "token":
        return np.maximum(table[..., END] - table[..., START], 1), table[..., SAME_TOKENS]
    if mode == "detection":
        return np.ones(table.shape[:2]), table[..., SAME_SPAN]
    return np.where(table[..., TYPE] == UNKNOWN, 0.0, 1.0), table[..., SAME]
