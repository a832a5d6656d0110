"""The edits of two systems, each with its error type and what became of it.

What became of an edit is told by the references, whatever a metric makes of it:

* it is *in a reference*: an annotator made it, or it lies on a shortest way from the source to a reference, however
  that way is cut into edits;
* it is *at an error* but says something else: it touches what an annotator changed;
* it is *elsewhere*: no reference changes anything there.

Of two systems, an edit in a reference that only one of them made was *missed* by the other one.

Where the texts of a corpus are not here, edits that come with the project (data/precomputed/NAME-credits) tell the
same: they have spans, types, matches and hashes of corrections.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from gec_core.align import errant_pipeline, errant_types
from gec_core.align.edits import apply_edits, diff_edits
from gec_core.errors import MissingInput
from gec_core.explain.credit import corpus_edits, errant_problem, unread_edits
from gec_core.meta.gap_credits import Edits, SystemOutput
from gec_core.metrics.readings import trimmed
from gec_core.scoring import pair_keys
from gec_core.shipped import lookup
from gec_core.store import Store
from gec_core.types import Array, Corpus, Edit, Progress, Sentence, ignore

Match = Literal["reference", "error", "elsewhere", "unknown"]
Fate = Literal["reference", "missed", "error", "elsewhere", "unknown"]
MATCHES: tuple[Match, ...] = ("reference", "error", "elsewhere", "unknown")
"""How an edit compares with the references; numbered in shipped rows, so new ones go to the end."""
FATES: dict[Fate, str] = {
    "missed": "in a reference, missed by the other system",
    "reference": "in a reference, made by both systems",
    "error": "at an error, but not the correction of a reference",
    "elsewhere": "where no reference changes anything",
    "unknown": "no reference to compare with",
}
VERSION = 1
"""Raised whenever the same texts would give other matches."""


class ReadEdit(NamedTuple):
    """An edit of an output, and how it compares with the references."""

    start: int
    end: int
    type: str
    """ERRANT's; empty where nothing reads types."""
    match: Match
    hash: int
    """Of the correction: tells two corrections of one span apart where the texts are not here."""
    correction: str | None = None
    """None where the texts are not here."""

    @property
    def key(self) -> tuple[int, int, int]:
        return self.start, self.end, self.hash


class MadeEdit(NamedTuple):
    """An edit of one of two systems, and what became of it beside the other system."""

    place: SystemOutput
    edit: ReadEdit
    fate: Fate


@dataclass(frozen=True, eq=False)
class PairEdits:
    """All edits of two systems."""

    systems: tuple[str, str]
    made: tuple[MadeEdit, ...]
    """Those of the first system, then those of the second, in the order of sentences, from left to right."""
    differ: NDArray[np.bool_]
    """Of every sentence whether the two outputs are different."""
    lengths: NDArray[np.intp]
    """Of every sentence the number of tokens of the source."""
    sentences: NDArray[np.intp]
    """The sentence of every edit."""
    signs: Array
    """Of every edit 1 if the first system made it, −1 if the second did."""


def matches_signature() -> str:
    """What matches depend on besides texts."""
    return f"edit-matches|v{VERSION}|{errant_pipeline.label()}"


def read_edits(
    corpus: Corpus,
    systems: Sequence[str],
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> dict[SystemOutput, Edits]:
    """The edits of all changed outputs, from left to right: ERRANT's, or token differences.

    Token differences where ERRANT cannot run, and in languages other than English.
    """
    some = corpus.only(systems)
    read: Mapping[tuple[str, str], Edits] = {}
    if not errant_problem(corpus):
        read = corpus_edits(some, store, on_progress)
    return {
        SystemOutput(system, line): _in_order(sentence.source, output, read.get((sentence.source, output), ()))
        for system, outputs in some.systems.items()
        for line, (sentence, output) in enumerate(zip(corpus.sentences, outputs, strict=True))
        if sentence.source != output
    }


def unread(corpus: Corpus, systems: Sequence[str], store: Store) -> int:
    """How many outputs of these systems `read_edits` would have to parse."""
    if not corpus.has_texts or errant_problem(corpus):
        return 0
    some = corpus.only(systems)
    return unread_edits(some, store)


def _in_order(source: str, output: str, read: Edits) -> Edits:
    """The edits from left to right; token differences where those read do not lead to the output."""
    edits = tuple(sorted(read, key=lambda edit: (edit.start, edit.end)))
    return edits if apply_edits(source, edits) == output else diff_edits(source, output)


def matched(corpus: Corpus, edits: Mapping[SystemOutput, Edits]) -> dict[SystemOutput, tuple[ReadEdit, ...]]:
    """The edits of outputs with how they compare with the references."""
    wanted = {line: _Wanted.of(corpus.sentences[line]) for line in {place.line for place in edits}}
    return {place: tuple(wanted[place.line].matched(here)) for place, here in edits.items()}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the references of a sentence change."""

    tokens: list[str]
    gold: tuple[Edit, ...]
    keys: frozenset[tuple[int, int, str]]
    references: tuple[tuple[list[str], int], ...]
    """The tokens of every reference, and how far the source is from it."""

    @classmethod
    def of(cls, sentence: Sentence) -> _Wanted:
        tokens = sentence.tokens
        gold = tuple(
            trimmed(Edit(edit.start, edit.end, text), tokens)
            for each in sentence.annotations
            for edit in each.edits
            for text in edit.corrections
        )
        references = tuple((text.split(), Levenshtein.distance(tokens, text.split())) for text in sentence.references)
        return cls(tokens, gold, frozenset((edit.start, edit.end, edit.correction) for edit in gold), references)

    def matched(self, edits: Edits) -> Iterator[ReadEdit]:
        """The edits of one output with how they compare with the references."""
        for edit in edits:
            short = trimmed(edit, self.tokens)
            if not self.gold and not self.references:
                match: Match = "unknown"
            elif (short.start, short.end, short.correction) in self.keys or self._on_the_way(short):
                match = "reference"
            else:
                match = "error" if any(_touch(short, other) for other in self.gold) else "elsewhere"
            yield ReadEdit(edit.start, edit.end, edit.type, match, correction_hash(edit.correction), edit.correction)

    def _on_the_way(self, edit: Edit) -> bool:
        """Whether the edit brings the source closer to a reference by all that it changes."""
        words = edit.correction.split()
        changed = [*self.tokens[: edit.start], *words, *self.tokens[edit.end :]]
        size = Levenshtein.distance(self.tokens[edit.start : edit.end], words)
        return any(
            Levenshtein.distance(changed, text, score_cutoff=distance) == distance - size
            for text, distance in self.references
        )


def _touch(edit: Edit, other: Edit) -> bool:
    """Whether two edits share a token, or one inserts at an end of the other."""
    if edit.start == edit.end or other.start == other.end:
        return edit.start <= other.end and other.start <= edit.end
    return edit.overlaps(other)


def correction_hash(correction: str) -> int:
    """32 bits that tell corrections apart."""
    return int.from_bytes(hashlib.blake2b(correction.encode(), digest_size=4).digest(), "little")


def pair_edits(corpus: Corpus, first: str, second: str, texts: Mapping[SystemOutput, Edits] | None) -> PairEdits:
    """All edits of two systems, given those read off their texts, or from what comes with the project."""
    keys = pair_keys(corpus, "gold")
    differ = np.array([one != other for one, other in zip(keys[first], keys[second], strict=True)], np.bool_)
    lengths, read = edits_with_matches(corpus, (first, second), texts)
    made = []
    for system, other in ((first, second), (second, first)):
        for line in range(len(corpus)):
            beside = {edit.key for edit in read.get(SystemOutput(other, line), ())}
            for edit in read.get(SystemOutput(system, line), ()):
                missed = edit.match == "reference" and edit.key not in beside
                made.append(MadeEdit(SystemOutput(system, line), edit, "missed" if missed else edit.match))
    return PairEdits(
        systems=(first, second),
        made=tuple(made),
        differ=differ,
        lengths=lengths,
        sentences=np.array([each.place.line for each in made], np.intp),
        signs=np.array([1.0 if each.place.system == first else -1.0 for each in made]),
    )


def edits_with_matches(
    corpus: Corpus, systems: Sequence[str], texts: Mapping[SystemOutput, Edits] | None
) -> tuple[NDArray[np.intp], dict[SystemOutput, tuple[ReadEdit, ...]]]:
    """The length of every source, and the edits of systems with how they compare with the references.

    Args:
        corpus: The corpus.
        systems: The systems whose edits are wanted.
        texts: The edits read off their texts; None: use what comes with the project.

    Raises:
        MissingInput: There are neither texts nor shipped edits.
    """
    if texts is None:
        return _shipped(corpus, systems)
    return np.array([len(sentence.tokens) for sentence in corpus.sentences], np.intp), matched(corpus, texts)


def match_row(sentence: Sentence, edits: Sequence[ReadEdit]) -> Array:
    """What is shipped of an output: tokens of the source, then span, type, match and hash of each edit."""
    numbers = [
        number
        for edit in edits
        for number in (edit.start, edit.end, errant_types.number(edit.type), MATCHES.index(edit.match), edit.hash)
    ]
    return np.array([len(sentence.tokens), *numbers], float)


def _shipped(
    corpus: Corpus, systems: Sequence[str]
) -> tuple[NDArray[np.intp], dict[SystemOutput, tuple[ReadEdit, ...]]]:
    """The lengths of all sources, and the edits of systems, from what comes with the project."""
    keys = {name: pair_keys(corpus, "gold")[name] for name in systems}
    rows = lookup(matches_signature(), {key for column in keys.values() for key in column})
    if any(key not in rows for column in keys.values() for key in column):
        raise MissingInput(
            f"{corpus.name}: the texts are not on this machine, and the edits of {' and '.join(systems)} do not come "
            "with the project, so the gap can be split into sentences only."
        )
    read = {
        SystemOutput(name, line): tuple(
            ReadEdit(start, end, errant_types.TYPES[type_] if type_ >= 0 else "", MATCHES[match], hash_)
            for start, end, type_, match, hash_ in rows[key][1:].reshape(-1, 5).astype(int).tolist()
        )
        for name, column in keys.items()
        for line, key in enumerate(column)
    }
    return np.array([rows[key][0] for key in keys[systems[0]]], np.intp), read
