"""Which errors a system corrects: by error type against a rival, and over- and under-correction of all systems.

**Error types** are ERRANT's, counted as `errors_by_type` does: correct and missed edits by the type of the gold edit,
wrong ones by that of the system's edit, in each sentence against the annotator that ERRANT chooses for the system.

**Over- and under-correction** goes by gold edits as M² matches them:

- *Proposed* edits are the system's, *correct* ones those that the annotator has too, *wrong* ones the others;
  *missed* are the annotator's edits that the system did not make. In each sentence the annotator is the one that M²
  chooses for the system, so missed + correct need not be the same for all systems.
- A sentence is *error-free* if no annotator changed it, and *has errors* if every annotator did; the rest is disputed
  and in neither group. The groups do not depend on the system.
- *Overcorrected* is the share of the error-free sentences that the system changed, *untouched* the share of the
  sentences with errors that it left exactly as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_core.errors import MissingInput
from gec_core.meta.error_types import Level, TypeCounts, errors_by_type
from gec_core.metrics.errant import Errant
from gec_core.metrics.m2 import M2
from gec_core.scoring import score
from gec_core.scoring.parallel import Workers
from gec_core.scoring.table import Scored, ScoreTable
from gec_core.types import Corpus, Progress, ignore

if TYPE_CHECKING:
    from gec_core.store import Store

NONE = TypeCounts(0, 0, 0)


@dataclass(frozen=True, slots=True)
class TypeGain:
    """The counts of the system and of the rival for one error type."""

    type: str
    system: TypeCounts
    rival: TypeCounts

    @property
    def correct(self) -> int:
        """Correct edits of the system minus those of the rival."""
        return self.system.tp - self.rival.tp

    @property
    def wrong(self) -> int:
        """Wrong edits of the system minus those of the rival."""
        return self.system.fp - self.rival.fp

    def f(self, beta: float) -> float:
        """F of the system minus that of the rival."""
        return self.system.f(beta) - self.rival.f(beta)


@dataclass(frozen=True, slots=True)
class CorrectionCounts:
    """How much a system corrects, and how much of it is correct."""

    system: str
    proposed: int
    correct: int
    missed: int
    error_free: int
    """Sentences that no annotator changed."""
    error_free_changed: int
    with_errors: int
    """Sentences that every annotator changed."""
    with_errors_untouched: int

    @property
    def wrong(self) -> int:
        return self.proposed - self.correct

    @property
    def overcorrected(self) -> float | None:
        """None where no sentence is error-free."""
        return self.error_free_changed / self.error_free if self.error_free else None

    @property
    def untouched(self) -> float | None:
        """None where no sentence has errors."""
        return self.with_errors_untouched / self.with_errors if self.with_errors else None


def type_gains(
    corpus: Corpus,
    metric: Errant,
    system: str,
    rival: str,
    level: Level = "group",
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> list[TypeGain]:
    """Compare two systems by error type; types with the most additional correct edits of the system come first."""
    both = corpus.only([system, rival])
    found = errors_by_type(both, metric, level, store=store, on_progress=on_progress, workers=workers)
    types = sorted({*found[system], *found[rival]})
    gains = [TypeGain(type_, found[system].get(type_, NONE), found[rival].get(type_, NONE)) for type_ in types]
    return sorted(gains, key=lambda gain: (-gain.correct, gain.wrong, gain.type))


def counts_scored(table: ScoreTable) -> bool:
    """Whether a table has the rows that `correction_counts` needs, so that these come without scoring."""
    return any(column.metric.statistics_signature == M2().statistics_signature for column in table.columns)


def correction_counts(
    corpus: Corpus,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> list[CorrectionCounts]:
    """Count the edits of all systems of a corpus with gold edits and texts.

    Raises:
        MissingInput: The corpus has no gold edits, or its texts are not on this machine.
    """
    if not corpus.has_texts:
        raise MissingInput(f"{corpus.name}: its texts are not here, so nobody can see what a system changed.")
    scored = score(corpus, [M2()], store=store, on_progress=on_progress, workers=workers).columns[0].systems
    edits = [[len(each.edits) for each in sentence.annotations] for sentence in corpus.sentences]
    error_free = [line for line, counts in enumerate(edits) if not any(counts)]
    with_errors = [line for line, counts in enumerate(edits) if all(counts)]
    return [_counts(corpus, system, scored[system], error_free, with_errors) for system in corpus.systems]


def _counts(
    corpus: Corpus, system: str, scored: Scored, error_free: list[int], with_errors: list[int]
) -> CorrectionCounts:
    details, outputs = scored.score.details, corpus.systems[system]
    changed = [output != sentence.source for output, sentence in zip(outputs, corpus.sentences, strict=True)]
    return CorrectionCounts(
        system,
        details["proposed"],
        details["correct"],
        details["gold"] - details["correct"],
        len(error_free),
        sum(changed[line] for line in error_free),
        len(with_errors),
        sum(not changed[line] for line in with_errors),
    )
