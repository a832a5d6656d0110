"""ERRANT's typed edits of an output (Bryant et al. 2017), from sentences parsed once and in batches.

Sentences are parsed once and in batches; aligning them and merging the steps into edits is compiled code that
gives what the official `errant` package gives, which then classifies the edits. What was found is kept in the
store as numbers, so that a second run needs neither spaCy nor a pipeline to be loaded.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.align import errant_types
from gec_core.align.errant_pipeline import label, load
from gec_core.types import Edit, Sentence

if TYPE_CHECKING:
    from gec_core.store import Store
    from gec_core.types import Array


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

    from gec_core.align.errant_alignment import align, merge
    from gec_core.align.errant_edits import parse, tokens

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


BATCH = 64
POSSESSIVE, UPPER, PUNCTUATION, DETERMINER, VERBAL, CONTENT, OPEN = (1 << bit for bit in range(7))
"""Flags of a token: a possessive ending, begins with a capital, is punctuation; and by its part of speech:
a determiner, part of a verb phrase, a content word, of an open class (auxiliaries are content words, but closed)."""
_CLASSES = {
    DETERMINER: ("DET",),
    VERBAL: ("AUX", "PART", "VERB"),
    CONTENT: ("ADJ", "ADV", "AUX", "NOUN", "VERB"),
    OPEN: ("ADJ", "ADV", "NOUN", "VERB"),
    PUNCTUATION: ("PUNCT",),
}
_IGNORED = str.maketrans("", "", "'-")
"""What may differ between two spellings of a word, beside white space and case."""


class Tokens(NamedTuple):
    """What the alignment and the merging rules compare of a sentence's tokens."""

    orth: NDArray[np.uint64]
    lower: NDArray[np.uint64]
    lemma: NDArray[np.uint64]
    pos: NDArray[np.int32]
    flags: NDArray[np.uint8]
    at: NDArray[np.int32]
    """Where the letters of each token begin, and where the last one's end."""
    letters: NDArray[np.uint32]
    bare_at: NDArray[np.int32]
    """The same for `bare`: in lower case, without apostrophes and hyphens."""
    bare: NDArray[np.uint32]


def parse(texts: Iterable[str]) -> dict[str, Any]:
    """The distinct texts, tagged and parsed; their tokens are what `split()` gives."""
    from spacy.tokens import Doc

    nlp = load().nlp
    distinct = list(dict.fromkeys(texts))
    docs = (Doc(nlp.vocab, words=text.split()) for text in distinct)
    for _, component in nlp.pipeline:
        docs = component.pipe(docs, batch_size=BATCH)
    return dict(zip(distinct, docs, strict=True))


def tokens(doc: Any) -> Tokens:
    """The tokens of a parsed sentence as arrays."""
    from spacy import attrs

    columns = [attrs.ORTH, attrs.LOWER, attrs.LEMMA, attrs.POS, attrs.TAG]
    orth, lower, lemma, pos, tag = doc.to_array(columns).reshape(-1, len(columns)).T.copy()
    words = [token.text for token in doc]
    flags = _flags_of_classes()[pos]
    flags[tag == doc.vocab.strings["POS"]] |= POSSESSIVE
    for index, word in enumerate(words):
        if word[0].isupper():
            flags[index] |= UPPER
        elif word in string.punctuation:
            flags[index] |= PUNCTUATION
    at, letters = _letters(words)
    bare_at, bare = _letters([token.lower_.translate(_IGNORED) for token in doc])
    return Tokens(orth, lower, lemma, pos.astype(np.int32), flags, at, letters, bare_at, bare)


def _letters(words: list[str]) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    at = np.array([0, *accumulate(map(len, words))], np.int32)
    return at, np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def _flags_of_classes() -> NDArray[np.uint8]:
    """The flags of every part of speech, by its number."""
    from spacy import parts_of_speech

    table = np.zeros(1 + max(parts_of_speech.IDS.values()), np.uint8)
    for flag, names in _CLASSES.items():
        table[[getattr(parts_of_speech, name) for name in names]] |= flag
    return table
