"""What PT-M2 and PT-ERRANT weigh: edits of an output beside an annotator's, and how M2 reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gec_core.align.edits import apply_edits, encode_gold
from gec_core.types import Annotation, Edit, Pair

Verdict = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True, slots=True)
class Reading:
    """An output held against one annotator's gold edits. Edits have a span and one correction, nothing else."""

    source: str
    reference: str
    """The source with all gold edits of the annotator made."""
    proposed: tuple[Edit, ...]
    matches: tuple[int, ...]
    """How many gold edits each proposed edit meets."""
    gold: tuple[Edit, ...]
    """With the alternative that the output has, where there are several; otherwise with the first."""

    @property
    def correct(self) -> int:
        return sum(self.matches)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All different edits, from left to right."""
        return tuple(sorted({*self.proposed, *self.gold}, key=lambda edit: (edit.start, edit.end, edit.correction)))

    @property
    def perfect(self) -> bool:
        """Whether exactly the gold edits are proposed: F is 1, whatever they weigh."""
        return set(self.matches) <= {1} and Counter(self.proposed) == Counter(self.gold)

    @property
    def decided(self) -> bool:
        """Whether F is the same for all weights, as long as weights that are all zero count as equal ones."""
        return self.perfect or not self.correct

    def changed(self, edit: Edit) -> str:
        """The source with this edit alone."""
        return apply_edits(self.source, [edit])

    def verdict(self, edit: Edit) -> Verdict:
        if edit not in self.proposed:
            return "missed"
        met = any(matches for each, matches in zip(self.proposed, self.matches, strict=True) if each == edit)
        return "correct" if met else "wrong"


def readings(pair: Pair, max_unchanged: int) -> tuple[list[Reading], bool]:
    """One reading an annotator, and whether the lattice behind them was complete."""
    from gec_core.align.lattice import MOST_NODES, best_edits

    output = pair.output.split()
    encoded = encode_gold(pair.sentence.tokens, output, pair.sentence.annotations)
    rows, complete = best_edits(max_unchanged, MOST_NODES, *encoded)
    found: list[list[tuple[Edit, int]]] = [[] for _ in pair.sentence.annotations]
    for annotator, start, end, at, to, matches in rows.tolist():
        found[annotator].append((Edit(start, end, " ".join(output[at:to])), matches))
    read = zip(pair.sentence.annotations, found, strict=True)
    return [_reading(pair.sentence.source, annotation, edits) for annotation, edits in read], bool(complete)


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
    """The gold edit with the one of its corrections that the output has; otherwise with the first."""
    ways = [Edit(gold.start, gold.end, " ".join(correction.split())) for correction in gold.corrections]
    return next((way for way in ways if way in correct), ways[0])
