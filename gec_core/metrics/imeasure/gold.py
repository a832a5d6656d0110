"""From gold edits to the references that the I-measure may choose from.

Without mixing, every annotator has a lattice of references, usually a single one; with mixing, one lattice holds every
combination of the annotators' corrections of every error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product

from gec_core.metrics.imeasure.lattice import Change, Lattice, Words, lattice
from gec_core.types import Annotation, Edit, ErrorGroup, Sentence

Corrections = Callable[[Edit], list[Words]]
"""Selects the corrections of an edit that are used, and tokenises them."""

TREEBANK_RULES = [
    (re.compile(r'(?:^|(?<=[\s(\[{<]))"'), " `` "),
    (re.compile(r'"'), " '' "),
    (re.compile(r"[;@#$%&?!()\[\]{}<>]|--|\.{2,}|[:,](?!\d)"), r" \g<0> "),
    (re.compile(r"(?<=[^.])\.(?=[\s')\]}>]*$)"), " . "),
    (re.compile(r"(?<=[^\s'])(?:n't|'(?:s|m|d|re|ve|ll)?)(?=\s|$)", re.IGNORECASE), r" \g<0>"),
    (re.compile(r"\bcan(?=not\b)", re.IGNORECASE), r"\g<0> "),
]


def every_correction(edit: Edit) -> list[Words]:
    """All corrections that the annotator accepts."""
    return [tuple(correction.split()) for correction in edit.corrections]


def first_correction(edit: Edit) -> list[Words]:
    """The first correction only."""
    return [tuple(edit.correction.split())]


def converted_correction(edit: Edit) -> list[Words]:
    """The first correction, retokenised as by the original's converter."""
    return [tuple(treebank_tokens(edit.correction))]


def treebank_tokens(text: str) -> list[str]:
    """Tokenise a correction by the Penn Treebank's rules, as the original's converter does.

    Only `compat` needs it, and only for corrections that annotators typed without spaces (`known,the`). The converter
    calls NLTK. These are the rules that ordinary corrections need; its rarer ones (`gonna`, single opening quotes) and
    its splitting into sentences, which would matter for a full stop in the middle of a correction, are left out.
    """
    for pattern, replacement in TREEBANK_RULES:
        text = pattern.sub(replacement, text)
    return text.split()


def annotator_lattices(sentence: Sentence, corrections: Corrections) -> list[tuple[int, Lattice]]:
    """Every annotator with their own references; without annotators, the source is the reference (annotator -1)."""
    source = sentence.tokens
    return [
        (
            annotation.annotator,
            lattice(source, [[(change,) for change in span] for span in _changes(annotation, corrections)]),
        )
        for annotation in sentence.annotations
    ] or [(-1, lattice(source, []))]


def mixed_lattice(sentence: Sentence, corrections: Corrections) -> Lattice:
    """All combinations of corrections, one for every error; optional errors may be left uncorrected."""
    errors = []
    for group in cluster(sentence.annotations) if sentence.errors is None else sentence.errors:
        ways = [way for annotation in group.alternatives for way in product(*_changes(annotation, corrections))]
        errors.append(ways if group.required else [(), *ways])
    return lattice(sentence.tokens, errors)


def _changes(annotation: Annotation, corrections: Corrections) -> list[list[Change]]:
    """For every span that the annotator corrects, the changes to choose from.

    Several edits of one span are joined in the order in which they were given.
    """
    spans: dict[tuple[int, int], list[list[Words]]] = {}
    for edit in annotation.edits:
        spans.setdefault((edit.start, edit.end), []).append(corrections(edit))
    return [
        [Change(start, end, tuple(chain.from_iterable(choice))) for choice in product(*alternatives)]
        for (start, end), alternatives in spans.items()
    ]


def clusters_cleanly(sentence: Sentence) -> bool:
    """Say whether overlap alone can tell which corrections of a sentence are alternatives.

    Felice and Briscoe left out sentences that "require human knowledge", 601 of CoNLL-2014's 1,312, without saying how
    they found them. This is our interpretation. An error that some annotators correct and an error that others correct
    may be the same (`This machines`: `These machines` or `This machine`), so all optional errors must have the same
    annotators; and an annotator must have one edit per error. With the annotations and alternatives of CoNLL-2014 this
    keeps 739 sentences.
    """
    errors = cluster(sentence.annotations)
    annotators = {frozenset(each.annotator for each in error.alternatives) for error in errors if not error.required}
    single = all(len(each.edits) == 1 for error in errors for each in error.alternatives)
    return single and len(annotators) <= 1


def cluster(annotations: Sequence[Annotation]) -> tuple[ErrorGroup, ...]:
    """Group gold edits into errors: edits that overlap are alternative corrections of one error.

    Edits are taken from the longest span to the shortest, and each joins the first error in which any edit overlaps it.
    An error is required when every annotator, including those without edits, has a correction for it.
    """
    edits = [(edit, annotation.annotator) for annotation in annotations for edit in annotation.edits]
    clusters: list[list[tuple[Edit, int]]] = []
    for edit, annotator in sorted(edits, key=lambda item: item[0].start - item[0].end):
        for found in clusters:
            if any(edit.overlaps(other) for other, _ in found):
                found.append((edit, annotator))
                break
        else:
            clusters.append([(edit, annotator)])
    clusters.sort(key=lambda found: (found[0][0].start, found[0][0].end))
    return tuple(_error(found, len(annotations)) for found in clusters)


def _error(edits: Iterable[tuple[Edit, int]], annotators: int) -> ErrorGroup:
    by_annotator: dict[int, list[Edit]] = {}
    for edit, annotator in edits:
        by_annotator.setdefault(annotator, []).append(edit)
    alternatives = tuple(Annotation(annotator, tuple(found)) for annotator, found in sorted(by_annotator.items()))
    types = dict.fromkeys(edit.type for annotation in alternatives for edit in annotation.edits)
    return ErrorGroup(alternatives, required=len(alternatives) == annotators, type="/".join(types))
