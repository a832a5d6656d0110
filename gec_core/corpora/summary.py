"""A corpus in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from gec_core.types import Corpus


@dataclass(frozen=True, slots=True)
class Summary:
    """How much of everything a corpus has."""

    sentences: int
    tokens: int
    references: int
    """References a sentence."""
    annotators: int
    edits: int
    """Gold edits of all annotators together."""
    systems: int
    judgments: int
    judges: int


def summarise(corpus: Corpus) -> Summary:
    """Count what is in a corpus."""
    annotations = [annotation for sentence in corpus.sentences for annotation in sentence.annotations]
    return Summary(
        sentences=len(corpus),
        tokens=sum(len(sentence.tokens) for sentence in corpus.sentences),
        references=len(corpus.sentences[0].references),
        annotators=len({annotation.annotator for annotation in annotations}),
        edits=sum(len(annotation.edits) for annotation in annotations),
        systems=len(corpus.systems),
        judgments=len(corpus.judgments.items) if corpus.judgments else 0,
        judges=len(corpus.judgments.judges) if corpus.judgments else 0,
    )
