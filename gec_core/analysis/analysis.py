"""All parts of an analysis together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gec_core.analysis.changes import Changes, changes
from gec_core.analysis.correction import Correction, corrections
from gec_core.analysis.costly import CostlySentence, costly_sentences
from gec_core.analysis.gains import TypeGain, type_gains
from gec_core.analysis.provenance import Provenance, provenance
from gec_core.analysis.resampling import SAMPLES, SEED, fit_to_resample, resampled_scores
from gec_core.analysis.significance import Difference, paired_bootstrap, randomisation
from gec_core.analysis.standing import Standing, standings, usual_rival
from gec_core.errors import CorpusError, MissingInput
from gec_core.meta.error_types import types_metric
from gec_core.metrics.base import Metric
from gec_core.scoring.parallel import Workers
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Corpus, Progress, ignore

if TYPE_CHECKING:
    from gec_core.store import Store


@dataclass(frozen=True)
class UnderMetric:
    """What one metric says of a system."""

    metric: Metric
    standings: tuple[Standing, ...]
    """Of all systems, best first."""
    differences: tuple[Difference, ...]
    """From every other system."""
    costly: tuple[CostlySentence, ...]

    def standing(self, system: str) -> Standing:
        return next(row for row in self.standings if row.system == system)

    def difference(self, rival: str) -> Difference:
        return next(row for row in self.differences if row.rival == rival)


@dataclass(frozen=True)
class Analysis:
    """What is to be said about one system. Parts that the corpus or this machine does not allow are empty."""

    corpus: Corpus
    table: ScoreTable
    system: str
    rival: str | None
    """None where there is no other system, and so nothing to compare with."""
    metrics: tuple[UnderMetric, ...]
    gains: tuple[TypeGain, ...]
    corrections: tuple[Correction, ...]
    changes: Changes | None
    provenance: Provenance
    waiting: tuple[str, ...] = ()
    """The names of metrics that were asked for, but not scored yet when the analysis was made."""


def analyse_metric(
    column: MetricScores, system: str, rival: str | None, *, samples: int = SAMPLES, seed: int = SEED
) -> UnderMetric:
    """The parts that look at one metric; both significance tests are made against the rival."""
    drawn = resampled_scores(column, samples=samples, seed=seed)
    differences = [
        replace(row, p_randomisation=randomisation(column, system, row.rival, samples=samples, seed=seed))
        if row.rival == rival
        else row
        for row in paired_bootstrap(column, drawn, system)
    ]
    costly = costly_sentences(column, system)
    return UnderMetric(column.metric, tuple(standings(column, drawn)), tuple(differences), tuple(costly))


def choose_rival(corpus: Corpus, table: ScoreTable, system: str, rival: str | None) -> str | None:
    """The rival asked for, or the one of the other systems with the best mean rank; None if there is no other."""
    if rival == system:
        raise CorpusError(f"{system} cannot be compared with itself: name another system.")
    corpus.only([system] if rival is None else [system, rival])
    return rival or usual_rival(table, system)


def analyse(
    corpus: Corpus,
    table: ScoreTable,
    system: str,
    rival: str | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
    asked: Sequence[str] = (),
) -> Analysis:
    """The analysis of a system from the scores of all systems of its corpus.

    Metrics whose scores do not follow from those of sentences are left out. `asked` are the arguments that name
    corpus and systems on the command line, where these are not just a corpus known by its name.
    """
    table = fit_to_resample(table, corpus.systems)
    rival = choose_rival(corpus, table, system, rival)
    metrics = tuple(analyse_metric(column, system, rival, samples=samples, seed=seed) for column in table.columns)
    how: dict[str, Any] = {"store": store, "on_progress": on_progress, "workers": workers}
    return Analysis(
        corpus=corpus,
        table=table,
        system=system,
        rival=rival,
        metrics=metrics,
        gains=possible_gains(corpus, system, rival, **how) if rival else (),
        corrections=possible_corrections(corpus, **how),
        changes=changes(corpus, table, system, rival) if rival else None,
        provenance=provenance(table, len(corpus), samples=samples, seed=seed, asked=asked),
    )


def possible_gains(corpus: Corpus, system: str, rival: str, **how: Any) -> tuple[TypeGain, ...]:
    """Nothing where ERRANT cannot run, or there is nothing for it to read."""
    try:
        return tuple(type_gains(corpus, types_metric(), system, rival, **how))
    except MissingInput:
        return ()


def possible_corrections(corpus: Corpus, **how: Any) -> tuple[Correction, ...]:
    """Nothing where there are no gold edits, or no texts."""
    try:
        return tuple(corrections(corpus, **how))
    except MissingInput:
        return ()
