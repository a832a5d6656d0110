"""A corpus of one sentence, from texts that somebody typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gec_core.corpora.derive import gold_from_references
from gec_core.errors import CorpusError
from gec_core.types import Corpus, Sentence

MOST_TOKENS = 150
"""Tokens of a text: what a person types and a screen shows."""
NAME = "typed"


def typed_sentence(source: str, references: Sequence[str]) -> Sentence:
    """A source with references as text; empty ones are left out, and gold edits are read off the others."""
    source = _tokens("The source", source)
    if not source:
        raise CorpusError("There is no source yet: type the sentence as the learner wrote it.")
    texts = (_tokens(f"Reference {number}", text) for number, text in enumerate(references, 1))
    given = tuple(text for text in texts if text)
    return Sentence(source, given, gold_from_references(source, given))


def typed_corpus(sentence: Sentence, outputs: Mapping[str, str]) -> Corpus:
    """One sentence, and an output for each name that has one."""
    named = {name: _tokens(name, text) for name, text in outputs.items()}
    return Corpus(NAME, (sentence,), {name: (text,) for name, text in named.items() if text})


def _tokens(what: str, text: str) -> str:
    tokens = text.split()
    if len(tokens) > MOST_TOKENS:
        raise CorpusError(f"{what} has {len(tokens)} tokens; {MOST_TOKENS} fit here. Take one sentence at a time.")
    return " ".join(tokens)
