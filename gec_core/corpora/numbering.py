"""Find out whether a file of judgments counts sentences from 0 or from 1.

Files do not say which. That of Grundkiewicz et al. (2015) counts from 0, that of SEEDA from 1. Read with the wrong
number, every judgment is about the sentence next to it. Two facts decide:

* systems that share a place of a ranking have the same output;
* outputs that are the same text are tied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from gec_core.corpora.text import TextFile
from gec_core.formatting import counted
from gec_core.types import Judgment, Judgments, Ranked

FITS = 0.9
"""The share of places, or of pairs with one output, from which on a way of counting fits."""
ENOUGH = 5
"""Facts below which nothing can be decided."""
NOT_CHECKED = "not checked: no place is shared by two systems, and no two outputs that were compared are the same"
Outputs = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for one number of the first sentence."""

    first: int
    beyond: int
    """Judgments of sentences that the corpus does not have."""
    shared: tuple[int, int]
    """Places shared by several systems: those with one output, all."""
    tied: tuple[int, int]
    """Pairs of systems with one output: those that are tied, all."""

    @property
    def fits(self) -> bool:
        return not self.beyond and all(part >= FITS * whole for part, whole in (self.shared, self.tied))

    @property
    def facts(self) -> int:
        return self.shared[1] + self.tied[1]

    @property
    def score(self) -> float:
        """The share of facts that speak for it."""
        return (self.shared[0] + self.tied[0]) / self.facts if self.facts else 0.0

    def __str__(self) -> str:
        parts = []
        if self.shared[1]:
            parts.append(f"{self.shared[0]:,} of {self.shared[1]:,} shared places have one output")
        if self.tied[1]:
            parts.append(f"{self.tied[0]:,} of {self.tied[1]:,} pairs with one output are tied")
        if self.beyond:
            parts.append(f"{counted(self.beyond, 'judgment')} of sentences that the corpus does not have")
        return "; ".join(parts) or NOT_CHECKED


def numbered(
    file: TextFile,
    judgments: Judgments,
    size: int,
    systems: Outputs,
    *,
    first: int | None = None,
    every: Judgments | None = None,
) -> tuple[Judgments, int, str]:
    """The judgments with sentences counted from 0, the number of the first sentence, and the evidence for it.

    Args:
        file: The file they come from, for messages.
        judgments: With the numbers of the file.
        size: The number of sentences of the corpus.
        systems: The outputs of each system.
        first: The number of the first sentence, if it is known (corpus.toml).
        every: All judgments of the file, if some are left out, for messages.

    Raises:
        CorpusError: Neither 0 nor 1 fits; the message has an example.
    """
    known = {name for name in judgments.systems if name in systems}
    if not judgments.systems and len(judgments.items) >= ENOUGH:
        raise file.error("no <ranking-item> has a <translation>, so nothing is ranked.")
    if systems and not known and len(judgments.items) >= ENOUGH:
        raise file.error(
            f"none of the judged systems has outputs here: {', '.join(judgments.systems[:5])} …. "
            f"The corpus has {', '.join(list(systems)[:5])} …. Are these judgments of another corpus?"
        )
    found = [evidence(judgments, size, systems, each) for each in ((0, 1) if first is None else (first,))]
    possible = [each for each in found if each.fits or (not each.beyond and each.facts < ENOUGH)]
    if not possible:
        raise file.error(_misfit(judgments, every or judgments, size, systems, found))
    best = max(possible, key=lambda each: (each.fits, each.score, -each.first))
    told = str(best)
    if first is None and best.facts < ENOUGH:
        told = f"assumed; {told}" if best.facts else NOT_CHECKED
    if not best.first:
        return judgments, 0, told
    return Judgments(tuple(replace(item, sentence=item.sentence - best.first) for item in judgments.items)), 1, told


def evidence(judgments: Judgments, size: int, systems: Outputs, first: int) -> Evidence:
    """Count what speaks for sentences counted from `first`."""
    beyond, one_output, places, tied, pairs = 0, 0, 0, 0, 0
    for item in judgments.items:
        at = item.sentence - first
        if not 0 <= at < size:
            beyond += 1
            continue
        for place in item.ranked:
            if len(place.systems) > 1:
                outputs = {systems[name][at] for name in place.systems if name in systems}
                places += bool(outputs)
                one_output += len(outputs) == 1
        for rank, other in _same_text(item, systems, at):
            pairs += 1
            tied += rank == other
    return Evidence(first, beyond, (one_output, places), (tied, pairs))


def _same_text(item: Judgment, systems: Outputs, at: int) -> list[tuple[int, int]]:
    """The ranks of every two places with the same output."""
    return [
        (one.rank, other.rank)
        for (one, name), (other, other_name) in combinations(_with_output(item, systems), 2)
        if systems[name][at] == systems[other_name][at]
    ]


def _with_output(item: Judgment, systems: Outputs) -> list[tuple[Ranked, str]]:
    """The places of which a system has outputs, each with the first such system."""
    named = ((place, next((name for name in place.systems if name in systems), None)) for place in item.ranked)
    return [(place, name) for place, name in named if name is not None]


def described(item: Judgment, every: Judgments) -> str:
    """A judgment in words, with its number among all judgments of the file and the file's number of the sentence."""
    number = next(number for number, each in enumerate(every.items, 1) if each is item)
    return f"judgment {number} (by {item.judge}, of the sentence {item.sentence})"


def wrongly_shared(judgments: Judgments, systems: Outputs, first: int) -> list[tuple[Judgment, str]]:
    """The places that systems with different outputs share, in words; sentences have the numbers of the file."""
    return [
        (item, f"gives one place to {' and '.join(names)}, whose outputs differ")
        for item in judgments.items
        for place in item.ranked
        for names in [[name for name in place.systems if name in systems]]
        if len({systems[name][item.sentence - first] for name in names}) > 1
    ]


def _misfit(judgments: Judgments, every: Judgments, size: int, systems: Outputs, found: Sequence[Evidence]) -> str:
    told = ". ".join(f"Counted from {each.first}: {each}" for each in found)
    best = max(found, key=lambda each: (not each.beyond, each.score))
    return (
        f"the judgments do not fit the outputs, whether sentences are counted from 0 or from 1. {told}. "
        f"For example, {_example(judgments, every, size, systems, best.first)}. Are the outputs those that were "
        "judged, and in the same order?"
    )


def _example(judgments: Judgments, every: Judgments, size: int, systems: Outputs, first: int) -> str:
    for item in judgments.items:
        at = item.sentence - first
        if not 0 <= at < size:
            return f"{described(item, every)} is of a sentence that the corpus does not have: it has {size:,} sentences"
        for place in item.ranked:
            names = [name for name in place.systems if name in systems]
            if len({systems[name][at] for name in names}) > 1:
                return f"{described(item, every)} gives one place to {' and '.join(names)}, whose outputs differ"
        for (one, a), (other, b) in combinations(_with_output(item, systems), 2):
            if one.rank != other.rank and systems[a][at] == systems[b][at]:
                told = f"ranks {a} {one.rank} and {b} {other.rank}, although they have the same output"
                return f"{described(item, every)} {told}"
    return "see `corpora check`"
