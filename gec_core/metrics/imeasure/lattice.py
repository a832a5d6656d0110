"""The references that choices among gold edits give, without enumerating them.

A sentence with thirty optional errors has a thousand million references, but they differ only in places. A lattice
keeps the source and its *slots*: stretches that do not overlap, each with its alternative token sequences. Choosing one
sequence for every slot gives a reference.

A set of changes is applied as in the original: two changes with the same span exclude each other; changes are applied
from the last to the first; a change that would leave the sentence empty is skipped. Changes that overlap interact (the
later one has moved the tokens that the earlier one counts), so errors whose changes overlap share a slot, and its
sequences are found by applying every combination.

Without mixing, every annotator has a lattice of references, usually a single one; with mixing, one lattice holds every
combination of the annotators' corrections of every error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import NamedTuple

from gec_core.types import Annotation, Edit, ErrorGroup, Sentence

Words = tuple[str, ...]
COMBINATION_LIMIT = 10_000
"""The largest number of combinations that are enumerated for one stretch of a sentence."""


class TooManyReferences(Exception):
    """There are too many combinations to find the best one with certainty."""


class Change(NamedTuple):
    """Replace the source tokens [start, end) by these tokens."""

    start: int
    end: int
    tokens: Words


Alternative = tuple[Change, ...]
"""Changes that are applied together; none means that the source stays as it is."""
Error = Sequence[Alternative]
"""Alternative corrections, exactly one of which is chosen."""


class Slot(NamedTuple):
    """The alternatives for the source tokens [start, end)."""

    start: int
    end: int
    alternatives: tuple[Words, ...]


class Unchanged(NamedTuple):
    """A source token outside all slots."""

    position: int
    slots_before: int


@dataclass(frozen=True)
class Lattice:
    """A source and its slots from left to right; slots do not overlap."""

    source: Words
    slots: tuple[Slot, ...]

    @cached_property
    def size(self) -> int:
        """The number of references (some may be equal)."""
        return prod(len(slot.alternatives) for slot in self.slots)

    @cached_property
    def longest(self) -> int:
        """The length of the longest reference."""
        return len(self.source) + sum(max(map(len, slot.alternatives)) - (slot.end - slot.start) for slot in self.slots)

    def unchanged(self) -> Iterator[Unchanged]:
        """The source tokens that all references keep."""
        starts, ends = [slot.start for slot in self.slots], [slot.end for slot in self.slots]
        for number, (start, end) in enumerate(zip([0, *ends], [*starts, len(self.source)], strict=True)):
            yield from (Unchanged(position, number) for position in range(start, end))

    def count(self, start: int, end: int) -> int:
        """The number of choices within the source tokens [start, end)."""
        return prod(len(slot.alternatives) for slot in self._within(start, end))

    def write_out(self, start: int, end: int) -> tuple[Words, ...]:
        """Enumerate the token sequences that references have in place of the source tokens [start, end)."""
        if self.count(start, end) > COMBINATION_LIMIT:
            raise TooManyReferences
        pieces: list[tuple[Words, ...]] = []
        for slot in self._within(start, end):
            pieces += [(self.source[start : slot.start],), slot.alternatives]
            start = slot.end
        return tuple(tuple(chain.from_iterable(choice)) for choice in product(*pieces, (self.source[start:end],)))

    def _within(self, start: int, end: int) -> list[Slot]:
        return [slot for slot in self.slots if start <= slot.start and slot.end <= end]


def lattice(source: Sequence[str], errors: Iterable[Error]) -> Lattice:
    """Build the lattice of all choices of one alternative for every error."""
    tokens = tuple(source)
    corrected = sorted((error for error in errors if any(error)), key=_span)
    tangles: list[_Tangle] = []
    for error in corrected:
        tangle = _tangle(tokens, [error])
        while tangles and tangles[-1].touches(tangle):
            tangle = _tangle(tokens, [*tangles.pop().errors, *tangle.errors])
        tangles.append(tangle)
    slots = [tangle.slot for tangle in tangles]
    if _may_vanish(slots, len(tokens)):
        slots = [_tangle(tokens, corrected, whole=True).slot]
    return Lattice(tokens, tuple(slot for slot in slots if slot.alternatives != (tokens[slot.start : slot.end],)))


def _may_vanish(slots: Sequence[Slot], length: int) -> bool:
    """Say whether the sentence may become empty at some point, so that every change depends on all others.

    Changes are applied from right to left, so the leftmost source tokens are deleted last.
    """
    if not length or sum(slot.end - slot.start for slot in slots) < length:
        return False
    first = next(index for index, slot in enumerate(slots) if slot.start < slot.end)
    return all(() in slot.alternatives for slot in slots[first + 1 :])


@dataclass(frozen=True, slots=True)
class _Tangle:
    """Errors whose changes may interact."""

    errors: Sequence[Error]
    slot: Slot
    reach: int
    """The end of their changes; it may lie beyond the sentence, in what others add to its end."""

    def touches(self, other: _Tangle) -> bool:
        """Whether a change of this tangle may interact with a change of one to its right."""
        overlap = self.slot.start < other.reach and other.slot.start < self.reach
        return overlap or not _spans(self.errors).isdisjoint(_spans(other.errors))


def _spans(errors: Iterable[Error]) -> set[tuple[int, int]]:
    return {(change.start, change.end) for error in errors for way in error for change in way}


def _span(error: Error) -> tuple[int, int]:
    starts, ends = zip(*_spans([error]), strict=True)
    return min(starts), max(ends)


def _tangle(source: Words, errors: Sequence[Error], *, whole: bool = False) -> _Tangle:
    """Combine errors that may interact into one slot.

    Only if these are all errors of the sentence (`whole`) is it known whether the sentence becomes empty.
    """
    if prod(map(len, errors)) > COMBINATION_LIMIT:
        raise TooManyReferences
    ways = [list(chain.from_iterable(way)) for way in product(*errors)]
    ways = [way for way in ways if len({change[:2] for change in way}) == len(way)]
    start, end = min(_span(error)[0] for error in errors), max(_span(error)[1] for error in errors)
    # Overlapping deletions reach beyond the last of them, at most by the number of tokens they delete.
    beyond = 0 if whole else max((sum(change.end - change.start for change in way) for way in ways), default=0)
    length = len(source) + beyond
    results = [_made(length, way, keep_some=whole) for way in ways]
    reach = max([end, *(length - _kept(result, length) for result in results)])
    end = min(reach, len(source))
    texts = dict.fromkeys(_text(result[start:], source, end) for result in results)
    return _Tangle(errors, Slot(start, end, tuple(texts) or (source[start:end],)), reach)


def _made(length: int, changes: Iterable[Change], *, keep_some: bool) -> list[int | str]:
    """Apply the changes: source positions where tokens remain, new tokens elsewhere."""
    sentence: list[int | str] = list(range(length))
    for change in sorted(changes, key=lambda change: change[:2], reverse=True):
        before = sentence[:]
        sentence[change.start : change.end] = change.tokens
        if keep_some and not sentence:
            sentence = before
    return sentence


def _kept(sentence: Sequence[int | str], length: int) -> int:
    """The number of tokens at the end that are still the source's."""
    kept = 0
    while kept < min(length, len(sentence)) and sentence[-1 - kept] == length - 1 - kept:
        kept += 1
    return kept


def _text(sentence: Iterable[int | str], source: Words, end: int) -> Words:
    """New tokens and source tokens before `end`."""
    return tuple(
        item if isinstance(item, str) else source[item] for item in sentence if isinstance(item, str) or item < end
    )


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
