"""ERRANT's typed edits from a source to an output (Bryant et al. 2017).

Sentences are parsed once and in batches (`errant_pipeline`); compiled code aligns them and merges the steps into
the edits that the official `errant` package finds (`errant_alignment`), which then classifies them. The edits are
kept in the store as numbers, so that a second run loads neither spaCy nor a pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gec_core.align import errant_types
from gec_core.align.errant_pipeline import label, load, parse, tokens
from gec_core.shipped import lookup
from gec_core.store import Store, context_key, pair_key
from gec_core.types import Array, Edit, Sentence

VERSION = 1
"""Raised whenever the same sentences would give other edits."""
_COLUMNS = 5
"""Source start and end, output start and end, number of the type."""


class TextPair(NamedTuple):
    """A source and a corrected version of it, both as tokens joined by single spaces."""

    source: str
    output: str


def signature(pipeline: str = "") -> str:
    """The version and the pipeline that the edits depend on besides the texts."""
    return f"errant-edits|v{VERSION}|{label(pipeline)}"


def edit_types(source: str, output: str, store: Store | None = None) -> tuple[Edit, ...]:
    """The edits that turn source into output, with their ERRANT types."""
    pair = TextPair(" ".join(source.split()), " ".join(output.split()))
    return edits_of([pair], store)[pair]


def edits_of(
    pairs: Iterable[TextPair], store: Store | None = None, pipeline: str = ""
) -> dict[TextPair, tuple[Edit, ...]]:
    """The edits of every pair; those that the store lacks come with the project or are computed, and are added to it.

    Args:
        pairs: Sources and outputs.
        store: Where edits are kept; without one, all are computed.
        pipeline: A spaCy pipeline of another language; its edits have no types but OTHER.
    """
    distinct = dict.fromkeys(pairs)
    keys = {pair: key_of(pair) for pair in distinct if pair.source != pair.output}
    kept = _known(keys.values(), store, signature(pipeline)) if store else {}
    unknown = [pair for pair, key in keys.items() if key not in kept]
    if unknown:
        fresh = dict(zip((keys[pair] for pair in unknown), _annotate(unknown, pipeline), strict=True))
        if store:
            store.put(signature(pipeline), fresh)
        kept |= fresh
    return {pair: _decode(kept[keys[pair]], pair) if pair in keys else () for pair in distinct}


def row_of(pair: TextPair, edits: Iterable[Edit]) -> tuple[bytes, Array]:
    """Key and row, as `edits_of` keeps them, of a pair whose edits are known, from left to right."""
    row: list[float] = []
    longer = 0
    for edit in edits:
        words = len(edit.correction.split())
        at = edit.start + longer
        row += [edit.start, edit.end, at, at + words, _number(edit.type)]
        longer += words - (edit.end - edit.start)
    return key_of(pair), np.array(row, float)


def unread(pairs: Iterable[TextPair], store: Store) -> int:
    """The number of distinct pairs whose edits are neither in the store nor come with the project."""
    keys = {key_of(pair) for pair in pairs if pair.source != pair.output}
    return len(keys - _known(keys, store, signature()).keys())


def _known(keys: Iterable[bytes], store: Store, signature: str) -> dict[bytes, Array]:
    """The rows in the store, and those that come with the project, which are put into it."""
    wanted = set(keys)
    found = store.get(signature, wanted)
    if ours := lookup(signature, wanted - found.keys()):
        store.put(signature, ours)
    return found | ours


def key_of(pair: TextPair) -> bytes:
    """The key under which the edits of a pair are kept."""
    return pair_key(context_key(Sentence(pair.source), "source"), pair.output)


def _decode(row: Array, pair: TextPair) -> tuple[Edit, ...]:
    words = pair.output.split()
    return tuple(
        Edit(start, end, " ".join(words[at:to]), errant_types.TYPES[number])
        for start, end, at, to, number in row.reshape(-1, _COLUMNS).astype(int).tolist()
    )


def _annotate(pairs: Sequence[TextPair], pipeline: str) -> list[Array]:
    """The edits of each pair as one row of numbers, `_COLUMNS` for each edit."""
    from gec_core.align.errant_alignment import align, merge

    docs = parse((text for pair in pairs for text in pair), pipeline)
    classify = _untyped if pipeline else _english_type()
    arrays = {text: tokens(doc) for text, doc in docs.items()}
    rows = []
    for source, output in pairs:
        steps = align(arrays[source], arrays[output])
        spans = merge(steps, arrays[source], arrays[output]).tolist()
        types = [classify(docs[source], docs[output], span) for span in spans]
        rows.append(
            np.array([[*span, _number(type_)] for span, type_ in zip(spans, types, strict=True)], float).ravel()
        )
    return rows


def _english_type() -> Callable[[Any, Any, list[int]], str]:
    """ERRANT's own classifier of edits."""
    from errant.edit import Edit as OfficialEdit

    classify = load().classify
    return lambda source, output, span: str(classify(OfficialEdit(source, output, span)).type)


def _untyped(source: Any, output: Any, span: list[int]) -> str:
    """The operation alone, as the rules of types are English."""
    operation = "M" if span[0] == span[1] else "U" if span[2] == span[3] else "R"
    return f"{operation}:OTHER"


def _number(type_: str) -> int:
    """The number of a type; one that is not in the table counts as OTHER."""
    number = errant_types.number(type_)
    if number == errant_types.NO_TYPE:
        number = errant_types.number(f"{errant_types.operation(type_)}:OTHER")
    return number
