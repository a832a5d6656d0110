"""ERRANT's edits of an output, with their types (Bryant et al. 2017).

Sentences are parsed once and in batches; aligning them and merging the steps into edits is compiled code that
gives what the official `errant` package gives, which then classifies the edits. What was found is kept in the
store as numbers, so that a second run needs neither spaCy nor a pipeline to be loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gec_core.align import errant_types
from gec_core.align.errant_pipeline import label, load
from gec_core.types import Edit, Sentence

if TYPE_CHECKING:
    from gec_core.metrics.base import Array
    from gec_core.store import Store

VERSION = 1
"""Raised whenever the same sentences would give other edits."""
_COLUMNS = 5


class TextPair(NamedTuple):
    """A source and what became of it; both as tokens joined by single spaces."""

    source: str
    output: str


def signature() -> str:
    """What the edits depend on besides the texts."""
    return f"errant-edits|v{VERSION}|{label()}"


def edit_types(source: str, output: str, store: Store | None = None) -> tuple[Edit, ...]:
    """The edits that turn source into output, with their ERRANT types."""
    pair = TextPair(" ".join(source.split()), " ".join(output.split()))
    return edits_of([pair], store)[pair]


def edits_of(pairs: Iterable[TextPair], store: Store | None = None) -> dict[TextPair, tuple[Edit, ...]]:
    """The edits of every pair, from the store as far as it knows them."""
    distinct = dict.fromkeys(pairs)
    keys = {pair: _key(pair) for pair in distinct if pair.source != pair.output}
    kept = store.get(signature(), keys.values()) if store else {}
    unknown = [pair for pair, key in keys.items() if key not in kept]
    if unknown:
        fresh = dict(zip((keys[pair] for pair in unknown), _annotate(unknown), strict=True))
        if store:
            store.put(signature(), fresh)
        kept |= fresh
    return {pair: _decode(kept[keys[pair]], pair) if pair in keys else () for pair in distinct}


def unread(pairs: Iterable[TextPair], store: Store) -> int:
    """How many of these pairs the store does not know."""
    keys = {_key(pair) for pair in pairs if pair.source != pair.output}
    return len(keys - store.get(signature(), keys).keys())


def _key(pair: TextPair) -> bytes:
    from gec_core.store import context_key, pair_key

    return pair_key(context_key(Sentence(pair.source), "source"), pair.output)


def _decode(row: Array, pair: TextPair) -> tuple[Edit, ...]:
    words = pair.output.split()
    return tuple(
        Edit(start, end, " ".join(words[at:to]), errant_types.TYPES[number])
        for start, end, at, to, number in row.reshape(-1, _COLUMNS).astype(int).tolist()
    )


def _annotate(pairs: Sequence[TextPair]) -> list[Array]:
    """For each pair its edits, as (start, end, output start, output end, number of the type)."""
    from errant.edit import Edit as OfficialEdit

    from gec_core.align.errant_alignment import align
    from gec_core.align.errant_merge import merge
    from gec_core.align.errant_parse import parse, tokens

    classify = load().classify
    docs = parse(text for pair in pairs for text in pair)
    arrays = {text: tokens(doc) for text, doc in docs.items()}
    rows = []
    for source, output in pairs:
        steps = align(arrays[source], arrays[output])
        spans = merge(steps, arrays[source], arrays[output]).tolist()
        types = [classify(OfficialEdit(docs[source], docs[output], span)).type for span in spans]
        rows.append(
            np.array([[*span, _number(type_)] for span, type_ in zip(spans, types, strict=True)], float).ravel()
        )
    return rows


def _number(type_: str) -> int:
    """The number of a type; one that the table does not know yet counts as OTHER."""
    number = errant_types.number(type_)
    if number == errant_types.NO_TYPE:
        number = errant_types.number(f"{errant_types.operation(type_)}:OTHER")
    return number
