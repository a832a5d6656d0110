"""The analysis of one system beside the others of its corpus, and where its numbers come from."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from gec_core import __version__
from gec_core.analysis.errors import CorrectionCounts, TypeGain, correction_counts, type_gains
from gec_core.analysis.sentences import CostlySentence, RivalComparison, compare_outputs, costly_sentences
from gec_core.analysis.significance import (
    SAMPLES,
    SEED,
    RankedScore,
    ScoreDifference,
    keep_resampleable,
    paired_bootstrap,
    randomisation,
    ranked_scores,
    resampled_scores,
)
from gec_core.environment import how_to_run, packages
from gec_core.errors import CorpusError, MissingInput
from gec_core.human.ranking import places
from gec_core.meta.error_types import types_metric
from gec_core.meta.gap import GapSide, split_quickly
from gec_core.meta.trust import Edits
from gec_core.metrics.base import Metric
from gec_core.scoring.imported import Imported
from gec_core.scoring.parallel import Workers
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Array, Corpus, Progress, ignore

if TYPE_CHECKING:
    from gec_core.store import Store


SOURCE = "the unchanged source"
"""What a system that is alone in its corpus is compared with: a baseline, which is not one of the systems."""
BY_PEERS = "Its scores depend on the other systems of the corpus, and there is none."


@dataclass(frozen=True)
class MetricAnalysis:
    """What one metric says about a system."""

    metric: Metric
    standings: tuple[RankedScore, ...]
    """All systems of the corpus, best first."""
    differences: tuple[ScoreDifference, ...]
    """From every other system, or from the unchanged source."""
    costly: tuple[CostlySentence, ...]

    def standing(self, system: str) -> RankedScore:
        return next(row for row in self.standings if row.system == system)

    def difference(self, rival: str) -> ScoreDifference:
        return next(row for row in self.differences if row.rival == rival)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the numbers of an analysis come from, for someone else to get the same."""

    version: str
    """Of GEC Lens."""
    corpus: str
    fingerprint: str
    """Of the corpus with all systems that were scored."""
    sentences: int
    systems: tuple[str, ...]
    samples: int
    seed: int
    signatures: Mapping[str, str]
    """By the id of the metric. They name options and models."""
    labels: Mapping[str, str]
    """The names of the metrics, with their models."""
    problems: Mapping[str, str]
    """Why a metric that was asked for is left out, by its id."""
    packages: Mapping[str, str]
    asked: tuple[str, ...] = ()
    """Command-line arguments that name corpus and systems; empty where the name of the corpus is enough."""


@dataclass(frozen=True)
class Analysis:
    """One system beside the others. Every part is computed when it is first read.

    Parts that the corpus or this machine does not allow are empty.
    """

    corpus: Corpus
    table: ScoreTable
    """Metrics that can be resampled, under which all systems of the corpus are scored, and the rival."""
    system: str
    rival: str | None
    """Another system, or `SOURCE`; None where there is nothing to compare with."""
    samples: int = SAMPLES
    seed: int = SEED
    asked: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    """The names of metrics that were asked for, but were not scored yet when the analysis was made."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of metrics that are left out, by id, as far as they are known."""
    dashboard: str = ""
    """The address of the dashboard that makes the report, for links to its pages; empty on the command line."""
    edits: Edits = "minimal"
    """What the systems are for, which decides the metrics to trust."""
    language_models: bool | None = None
    """Whether language models are among the systems; None for what their files suggest."""
    scoring: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """How to score what is not scored yet: store, on_progress, workers."""

    def __repr__(self) -> str:
        beside = f" beside {self.rival}" if self.rival else ""
        ids = ", ".join(map(self.table.column_name, self.table.columns))
        return f"<analysis of {self.system}{beside} on {self.corpus.name}, under {ids}>"

    @cached_property
    def compared(self) -> Corpus:
        """The corpus with the outputs of the rival, also where that is the unchanged source."""
        return beside_source(self.corpus) if self.rival == SOURCE else self.corpus

    @cached_property
    def metrics(self) -> tuple[MetricAnalysis, ...]:
        how: dict[str, Any] = {"among": tuple(self.corpus.systems), "samples": self.samples, "seed": self.seed}
        return tuple(analyse_metric(column, self.system, self.rival, **how) for column in self.table.columns)

    @cached_property
    def gains(self) -> tuple[TypeGain, ...]:
        """Empty without a rival, without references or texts, and where ERRANT cannot run."""
        if self.rival is None:
            return ()
        try:
            return tuple(type_gains(self.compared, types_metric(), self.system, self.rival, **self.scoring))
        except MissingInput:
            return ()

    @cached_property
    def corrections(self) -> tuple[CorrectionCounts, ...]:
        """Empty without gold edits or texts."""
        try:
            return tuple(correction_counts(self.corpus, **self.scoring))
        except MissingInput:
            return ()

    @cached_property
    def comparison(self) -> RivalComparison | None:
        """None without a rival."""
        return compare_outputs(self.compared, self.table, self.system, self.rival) if self.rival else None

    @cached_property
    def sides(self) -> tuple[GapSide, ...]:
        """The gap to the rival, split into edits, under metrics whose credits are known or quick to compute.

        Empty without a rival.
        """
        if self.rival is None:
            return ()
        how = {name: value for name, value in self.scoring.items() if name != "workers"}
        return split_quickly(self.compared, self.table.columns, self.system, self.rival, **how)

    @cached_property
    def provenance(self) -> Provenance:
        columns = self.table.columns
        return Provenance(
            version=__version__,
            corpus=self.table.corpus,
            fingerprint=self.table.fingerprint,
            sentences=len(self.corpus),
            systems=tuple(self.corpus.systems),
            samples=self.samples,
            seed=self.seed,
            signatures={column.metric.id: column.metric.signature for column in columns},
            labels={column.metric.id: column.metric.label for column in columns},
            problems=dict(self.table.problems),
            packages={"python": platform.python_version()} | packages(),
            asked=self.asked,
        )


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
    edits: Edits = "minimal",
    language_models: bool | None = None,
) -> Analysis:
    """Analyse a system from the scores of all systems of its corpus, all parts at once.

    Args:
        corpus: The corpus with the outputs of all systems.
        table: Scores of all systems, and of the unchanged source if that is the rival (`with_source`); metrics whose
            scores do not follow from those of sentences are left out.
        system: The system to analyse.
        rival: The system to compare it with; the best of the others by mean rank if None.
        samples: How many samples of sentences to draw for intervals and significance tests.
        seed: Where the samples begin.
        store: Keeps what ERRANT and M² have to score for error types and edits.
        on_progress: Called while that is scored.
        workers: Processes that score it.
        asked: Command-line arguments that name corpus and systems, where `--corpus NAME --system NAME` is not enough.
        edits: What the systems are for, which decides the metrics to trust.
        language_models: Whether language models are among the systems; None for what their files suggest.

    Raises:
        CorpusError: There is no such system, or it is to be compared with itself.
        MissingInput: No metric is left.
    """
    fit = keep_resampleable(table, corpus.systems)
    found = Analysis(
        corpus,
        fit,
        system,
        choose_rival(corpus, fit, system, rival),
        samples,
        seed,
        tuple(asked),
        names={column.metric.id: column.metric.title for column in table.columns},
        edits=edits,
        language_models=language_models,
        scoring={"store": store, "on_progress": on_progress, "workers": workers},
    )
    _ = found.metrics, found.gains, found.corrections, found.comparison
    return found


def analyse_metric(
    column: MetricScores,
    system: str,
    rival: str | None,
    *,
    among: Collection[str] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    drawn: Array | None = None,
) -> MetricAnalysis:
    """Analyse a system under one metric; both significance tests are made against the rival.

    Args:
        column: The scores of all systems and of the rival.
        system: The system.
        rival: What to compare it with, if there is anything.
        among: The systems to rank; all of the column if None.
        samples: How many samples of sentences to draw.
        seed: Where the samples begin.
        drawn: What `resampled_scores` returns for them, where it is known: it is the same for every system.
    """
    if drawn is None:
        drawn = resampled_scores(column, samples=samples, seed=seed)
    differences = [
        replace(row, p_randomisation=randomisation(column, system, row.rival, samples=samples, seed=seed))
        if row.rival == rival
        else row
        for row in paired_bootstrap(column, drawn, system)
    ]
    ranks = [among is None or name in among for name in column.systems]
    ranked = MetricScores(column.metric, dict(compress(column.systems.items(), ranks)))
    standings = ranked_scores(ranked, drawn[:, ranks])
    return MetricAnalysis(column.metric, tuple(standings), tuple(differences), tuple(costly_sentences(ranked, system)))


def choose_rival(corpus: Corpus, table: ScoreTable, system: str, rival: str | None) -> str | None:
    """The rival asked for, or the usual one; None if there is nothing to compare with."""
    if rival == system:
        raise CorpusError(f"{system} cannot be compared with itself: name another system.")
    corpus.only([system])
    if rival is not None and rival not in table.columns[0].systems:
        corpus.only([rival])
    return rival or usual_rival(table, system)


def beside_source(corpus: Corpus) -> Corpus:
    """The corpus with its sources as outputs beside those of its only system; as it is if it has several."""
    baseline = source_alone(corpus)
    return replace(corpus, systems={**corpus.systems, **baseline.systems}) if baseline else corpus


def source_alone(corpus: Corpus) -> Corpus | None:
    """The sources as the only outputs, to score the baseline with; None if the corpus has systems to compare."""
    if len(corpus.systems) != 1 or SOURCE in corpus.systems or not corpus.has_texts:
        return None
    return replace(corpus, systems={SOURCE: tuple(sentence.source for sentence in corpus.sentences)}, notes={})


def with_source(table: ScoreTable, baseline: ScoreTable) -> ScoreTable:
    """The scores of a system that is alone, with those of the unchanged source.

    Metrics whose scores depend on the other systems are left out, since the source is none: `problems` names them.
    Metrics without scores of the source are left out, too. If no metric is left, the table stays as it is.

    Args:
        table: The scores of the system.
        baseline: The scores of `source_alone`.
    """
    sources = {column.metric.signature: column.systems for column in baseline.columns if not column.metric.by_peers}
    columns = tuple(
        MetricScores(column.metric, {**column.systems, **sources[column.metric.signature]})
        for column in table.columns
        if column.metric.signature in sources
    )
    problems = {column.metric.id: BY_PEERS for column in table.columns if column.metric.by_peers}
    return replace(table, columns=columns, problems={**table.problems, **problems}) if columns else table


def usual_rival(table: ScoreTable, system: str) -> str | None:
    """The best of the others by mean rank over all metrics."""
    others = [name for name in table.columns[0].systems if name != system]
    ranks = np.mean([places(np.array([column.values[name] for name in others])) for column in table.columns], axis=0)
    return others[int(np.argmin(ranks))] if others else None


def command(found: Analysis) -> str:
    """The command line that makes the report of this analysis."""
    asked = list(found.asked) or ["--corpus", found.table.corpus, "--system", found.system]
    asked += ["--against", found.rival] if found.rival else []
    metrics = [column.metric for column in found.table.columns]
    imported = [metric for metric in metrics if isinstance(metric, Imported)]
    built_in = [metric for metric in metrics if not isinstance(metric, Imported)]
    asked += ["--metric", ",".join(metric.id for metric in built_in)] if built_in else []
    for metric in built_in:
        asked += [word for part in metric.options.changed() for word in ("--option", f"{metric.id}.{part}")]
    asked += [word for file in dict.fromkeys(metric.file for metric in imported) for word in ("--scores", file)]
    asked += ["--purpose", found.edits] if found.edits != "minimal" else []
    if found.language_models is not None:
        asked += ["--language-models" if found.language_models else "--no-language-models"]
    asked += ["--samples", str(found.samples), "--seed", str(found.seed), "--out", "report.html"]
    return how_to_run(f"report {shlex.join(asked)}")
