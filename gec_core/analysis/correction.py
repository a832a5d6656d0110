"""Does a system correct too much, or too little? Counted by gold edits, as M² matches them.

- **proposed** edits are those of the system, **correct** ones those that the annotator has, too, **wrong** ones the
  others; **missed** are the annotator's edits that the system did not make. In each sentence the annotator counts
  whom M² chooses for the system, so missed + correct need not be the same for all systems.
- A sentence is **free of errors** if no annotator changed anything in it, and **has errors** if every annotator did;
  the rest is disputed and is in neither share. The two shares do not depend on the system that is looked at.
- **Overcorrected** is the share of the sentences free of errors in which the system changed something,
  **untouched** the share of the sentences with errors that it left exactly as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_core.errors import MissingInput
from gec_core.metrics.m2 import M2
from gec_core.scoring import score
from gec_core.scoring.parallel import Workers
from gec_core.scoring.table import Scored
from gec_core.types import Corpus, Progress, ignore

if TYPE_CHECKING:
    from gec_core.store import Store


@dataclass(frozen=True, slots=True)
class Correction:
    """How much a system corrects, and how much of it is right."""

    system: str
    proposed: int
    correct: int
    missed: int
    error_free: int
    """Sentences in which no annotator changed anything."""
    error_free_changed: int
    with_errors: int
    """Sentences in which every annotator changed something."""
    with_errors_untouched: int

    @property
    def wrong(self) -> int:
        return self.proposed - self.correct

    @property
    def overcorrected(self) -> float | None:
        """None where no sentence is free of errors."""
        return self.error_free_changed / self.error_free if self.error_free else None

    @property
    def untouched(self) -> float | None:
        """None where no sentence has errors."""
        return self.with_errors_untouched / self.with_errors if self.with_errors else None


def corrections(
    corpus: Corpus,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> list[Correction]:
    """All systems of a corpus with gold edits and texts."""
    if not corpus.has_texts:
        raise MissingInput(f"{corpus.name}: its texts are not here, so nobody can see what a system changed.")
    scored = score(corpus, [M2()], store=store, on_progress=on_progress, workers=workers).columns[0].systems
    edits = [[len(each.edits) for each in sentence.annotations] for sentence in corpus.sentences]
    free = [line for line, counts in enumerate(edits) if not any(counts)]
    wrong = [line for line, counts in enumerate(edits) if all(counts)]
    return [_correction(corpus, system, scored[system], free, wrong) for system in corpus.systems]


def _correction(corpus: Corpus, system: str, scored: Scored, free: list[int], wrong: list[int]) -> Correction:
    details, outputs = scored.score.details, corpus.systems[system]
    changed = [output != sentence.source for output, sentence in zip(outputs, corpus.sentences, strict=True)]
    return Correction(
        system,
        details["proposed"],
        details["correct"],
        details["gold"] - details["correct"],
        len(free),
        sum(changed[line] for line in free),
        len(wrong),
        sum(not changed[line] for line in wrong),
    )
