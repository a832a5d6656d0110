"""References from gold edits, and gold edits from references, where a corpus has only one of them."""

from __future__ import annotations

from collections.abc import Sequence

from gec_core.align.edits import apply_edits, diff_edits
from gec_core.types import Annotation, Sentence


def references_from_gold(sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
    """One reference an annotator of the corpus: the source with all edits of that annotator made.

    Where an annotator did not see a sentence, the reference of its first annotator is repeated, so
    that every sentence has the same number of references.
    """
    annotators = sorted({annotation.annotator for sentence in sentences for annotation in sentence.annotations})
    return [_references(sentence, annotators) for sentence in sentences]


def _references(sentence: Sentence, annotators: Sequence[int]) -> tuple[str, ...]:
    corrected = {
        annotation.annotator: apply_edits(sentence.source, annotation.edits) for annotation in sentence.annotations
    }
    first = corrected[sentence.annotations[0].annotator]
    return tuple(corrected.get(annotator, first) for annotator in annotators)


def gold_from_references(source: str, references: Sequence[str]) -> tuple[Annotation, ...]:
    """One annotator a reference, with the token differences as edits."""
    return tuple(Annotation(number, diff_edits(source, reference)) for number, reference in enumerate(references))
