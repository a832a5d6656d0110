"""The edits of an output beside one annotator's gold edits, as M², PT-M² and PT-ERRANT count and weigh them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gec_core.align.edits import apply_edits, encode_gold
from gec_core.formatting import counted
from gec_core.metrics.blocks import ValuedEdit, Verdict, valued
from gec_core.types import Annotation, Array, Edit, Pair


@dataclass(frozen=True, slots=True)
class Reading:
    """An output compared with one annotator. Its edits have a span and one correction, nothing else."""

    source: str
    reference: str
    """The source with all gold edits of the annotator applied."""
    proposed: tuple[Edit, ...]
    matches: tuple[int, ...]
    """How many gold edits each proposed edit matches."""
    gold: tuple[Edit, ...]
    """Each with the alternative that the output has, if it has one; otherwise with the first."""

    @property
    def correct(self) -> int:
        return sum(self.matches)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All distinct edits, from left to right."""
        return tuple(sorted({*self.proposed, *self.gold}, key=lambda edit: (edit.start, edit.end, edit.correction)))

    @property
    def perfect(self) -> bool:
        """Whether exactly the gold edits are proposed: F is 1 for all weights."""
        return set(self.matches) <= {1} and Counter(self.proposed) == Counter(self.gold)

    @property
    def decided(self) -> bool:
        """Whether F is the same for all weights, if weights that are all zero are replaced by equal ones."""
        return self.perfect or not self.correct

    def changed(self, edit: Edit) -> str:
        """The source with this edit alone (S′)."""
        return apply_edits(self.source, [edit])

    def verdict(self, edit: Edit) -> Verdict:
        if edit not in self.proposed:
            return "missed"
        met = any(matches for each, matches in zip(self.proposed, self.matches, strict=True) if each == edit)
        return "correct" if met else "wrong"

    def shown(self, edit: Edit, value: float = 1.0, type: str = "") -> ValuedEdit:
        """The edit with its verdict and number, without the unchanged words at its ends."""
        tokens = self.source.split()
        core = trimmed(Edit(edit.start, edit.end, edit.correction, type), tokens)
        return valued(core, tokens, value, self.verdict(edit))

    def annotated_types(self, annotation: Annotation) -> dict[Edit, str]:
        """The types that the annotator gave to the gold edits."""
        return {met: gold.type for met, gold in zip(self.gold, annotation.edits, strict=True)}


EXACT, APPROXIMATE = 1.0, -1.0
"""The first number of the rows of M² and PT-M²: how the lattice was searched. Rows with 0 are from earlier versions,
whose search of lattices with more than 1,500 nodes was wrong in a third of the cases."""


def outdated_lattices(rows: Mapping[bytes, Array]) -> set[bytes]:
    """The rows that earlier versions got from large lattices."""
    return {key for key, row in rows.items() if row[0] == 0}


def lattice_notes(statistics: Array) -> dict[str, int]:
    """The number of sentences whose lattice was too large to be searched exactly."""
    return {"linear_lattices": int(np.sum(statistics[:, 0] != EXACT))}


def lattice_caveat(details: Mapping[str, Any]) -> str:
    """What has to be said beside a score if lattices were too large."""
    count = details.get("linear_lattices", 0)
    return f"approximate in {counted(count, 'sentence')}, whose lattices are too large" if count else ""


def lattice_readings(pair: Pair, max_unchanged: int) -> tuple[list[Reading], bool]:
    """Extract the edits of an output with M²'s lattice, for each annotator the ones that match best.

    Returns:
        One reading per annotator, and whether the lattice was searched exactly.
    """
    from gec_core.align.lattice import MOST_NODES, best_edits

    output = pair.output.split()
    encoded = encode_gold(pair.sentence.tokens, output, pair.sentence.annotations)
    rows, exact = best_edits(max_unchanged, MOST_NODES, *encoded)
    found: list[list[tuple[Edit, int]]] = [[] for _ in pair.sentence.annotations]
    for annotator, start, end, at, to, matches in rows.tolist():
        found[annotator].append((Edit(start, end, " ".join(output[at:to])), matches))
    read = zip(pair.sentence.annotations, found, strict=True)
    return [_reading(pair.sentence.source, annotation, edits) for annotation, edits in read], bool(exact)


def _reading(source: str, annotation: Annotation, found: Sequence[tuple[Edit, int]]) -> Reading:
    correct = {edit for edit, matches in found if matches}
    return Reading(
        source,
        apply_edits(source, annotation.edits),
        tuple(edit for edit, _ in found),
        tuple(matches for _, matches in found),
        tuple(as_met(edit, correct) for edit in annotation.edits),
    )


def as_met(gold: Edit, correct: set[Edit]) -> Edit:
    """The gold edit with the alternative that the output has; with its first correction if the output has none."""
    ways = [Edit(gold.start, gold.end, " ".join(correction.split())) for correction in gold.corrections]
    return next((way for way in ways if way in correct), ways[0])


def trimmed(edit: Edit, tokens: list[str]) -> Edit:
    """Remove the unchanged words at the ends of an edit; an edit that changes nothing is returned as it is."""
    before, after = tokens[edit.start : edit.end], edit.correction.split()
    if before == after:
        return edit
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Edit(edit.start + start, edit.end - end, " ".join(after[start : len(after) - end]), edit.type)
