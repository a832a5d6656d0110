"""Sentences parsed by spaCy, as the arrays that ERRANT's alignment and merging rules compare."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.align.errant_pipeline import load

BATCH = 64
"""Sentences that a component of the pipeline takes at once."""
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
"""Characters that two spellings of one word may differ in, besides white space and case."""


class ParsedTokens(NamedTuple):
    """The properties of a sentence's tokens that alignment and merging compare."""

    orth: NDArray[np.uint64]
    lower: NDArray[np.uint64]
    lemma: NDArray[np.uint64]
    pos: NDArray[np.int32]
    flags: NDArray[np.uint8]
    at: NDArray[np.int32]
    """Where the letters of each token begin, and where those of the last one end."""
    letters: NDArray[np.uint32]
    bare_at: NDArray[np.int32]
    """The same for `bare`: in lower case, without apostrophes and hyphens."""
    bare: NDArray[np.uint32]


def parse(texts: Iterable[str]) -> dict[str, Any]:
    """Tag and parse the distinct texts, in batches; their tokens are what `split()` gives."""
    from spacy.tokens import Doc

    nlp = load().nlp
    distinct = list(dict.fromkeys(texts))
    docs = (Doc(nlp.vocab, words=text.split()) for text in distinct)
    for _, component in nlp.pipeline:
        docs = component.pipe(docs, batch_size=BATCH)
    return dict(zip(distinct, docs, strict=True))


def tokens(doc: Any) -> ParsedTokens:
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
    return ParsedTokens(orth, lower, lemma, pos.astype(np.int32), flags, at, letters, bare_at, bare)


def _letters(words: list[str]) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    at = np.array([0, *accumulate(map(len, words))], np.int32)
    return at, np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def _flags_of_classes() -> NDArray[np.uint8]:
    """The flags of every part of speech, by its number."""
    from spacy.parts_of_speech import IDS

    table = np.zeros(1 + max(IDS.values()), np.uint8)
    for flag, names in _CLASSES.items():
        table[[IDS[name] for name in names]] |= flag
    return table
