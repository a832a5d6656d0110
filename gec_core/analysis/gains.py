"""Error types on which a system does better or worse than another, by ERRANT's edits and types.

Counts are those of `errors_by_type`: what is found or missed goes by the type of the gold edit, what is overdone by
that of the system's edit, and in each sentence the annotator counts whom ERRANT chooses for the system.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_core.meta.error_types import Level, TypeCounts, errors_by_type
from gec_core.metrics.errant import Errant
from gec_core.scoring.parallel import Workers
from gec_core.types import Corpus, Progress, ignore

if TYPE_CHECKING:
    from gec_core.store import Store

NONE = TypeCounts(0, 0, 0)


@dataclass(frozen=True, slots=True)
class TypeGain:
    """One type of errors: what the system does about it, and what the rival does."""

    type: str
    system: TypeCounts
    rival: TypeCounts

    @property
    def found(self) -> int:
        """Errors found more than by the rival; below 0 fewer."""
        return self.system.tp - self.rival.tp

    @property
    def overdone(self) -> int:
        """Wrong edits more than the rival's; below 0 fewer."""
        return self.system.fp - self.rival.fp

    def f(self, beta: float) -> float:
        """How far the system's F is above the rival's."""
        return self.system.f(beta) - self.rival.f(beta)


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
    """Every type that either of the two has to do with, those first of which the system finds more."""
    both = corpus.only([system, rival])
    found = errors_by_type(both, metric, level, store=store, on_progress=on_progress, workers=workers)
    types = sorted({*found[system], *found[rival]})
    gains = [TypeGain(type_, found[system].get(type_, NONE), found[rival].get(type_, NONE)) for type_ in types]
    return sorted(gains, key=lambda gain: (-gain.found, gain.overdone, gain.type))
