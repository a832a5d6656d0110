"""What the analysis of a system is about, and its parts, each of which is made when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dashboard import cache, session
from dashboard.components.comparison import Comparison
from gec_core import report
from gec_core.analysis import Analysis, UnderMetric
from gec_core.analysis.changes import Changes
from gec_core.analysis.correction import Correction
from gec_core.analysis.gains import TypeGain
from gec_core.analysis.provenance import provenance
from gec_core.analysis.resampling import SAMPLES, SEED, fit_to_resample
from gec_core.analysis.standing import usual_rival
from gec_core.formatting import join_names
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.types import Corpus


@dataclass(frozen=True)
class Analysing:
    """One system beside the others; systems that are left out take no part."""

    corpus: Corpus
    table: ScoreTable
    system: str
    rival: str | None
    asked: tuple[str, ...] = ()
    """What names corpus and systems on the command line."""
    waiting: tuple[str, ...] = ()
    """The names of the metrics that were asked for and are not scored yet: the report says so."""

    @property
    def samples(self) -> int:
        return SAMPLES

    @cached_property
    def metrics(self) -> tuple[UnderMetric, ...]:
        return tuple(cache.under_metric(self.corpus, column, self.system, self.rival) for column in self.table.columns)

    @cached_property
    def gains(self) -> tuple[TypeGain, ...]:
        return cache.type_gains(self.corpus, self.system, self.rival) if self.rival else ()

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        return cache.corrections(self.corpus)

    @cached_property
    def changes(self) -> Changes | None:
        if self.rival is None:
            return None
        signatures = tuple(column.metric.signature for column in self.table.columns)
        return cache.changes(self.corpus, signatures, self.table, self.system, self.rival)

    def whole(self) -> Analysis:
        """Everything together, for a report."""
        return Analysis(
            corpus=self.corpus,
            table=self.table,
            system=self.system,
            rival=self.rival,
            metrics=self.metrics,
            gains=self.gains,
            corrections=self.corrections,
            changes=self.changes,
            provenance=provenance(self.table, len(self.corpus), samples=SAMPLES, seed=SEED, asked=self.asked),
            waiting=self.waiting,
        )

    def page(self) -> bytes:
        return report.page(self.whole()).encode()

    def bundle(self) -> bytes:
        return report.bundle(self.whole())

    def source(self, sentence: int) -> str:
        return self.corpus.sentences[sentence].source

    def outputs(self, sentence: int) -> tuple[str, str]:
        """The rival's output and the system's."""
        if not self.corpus.has_texts or self.rival is None:
            return "", ""
        return self.corpus.systems[self.rival][sentence], self.corpus.systems[self.system][sentence]


def to_analyse(found: Comparison) -> tuple[Corpus, ScoreTable]:
    """The corpus and the scores of the systems that are not left out, under metrics that can be resampled.

    The problems of the table say which metrics cannot.
    """
    if not found.left_out:
        return found.corpus, fit_to_resample(found.table, found.corpus.systems)
    corpus = cache.only(found.corpus, tuple(found.kept))
    columns = tuple(_among(corpus, column) for column in found.table.columns)
    return corpus, fit_to_resample(
        replace(found.table, columns=columns, fingerprint=corpus.fingerprint), corpus.systems
    )


def _among(corpus: Corpus, column: MetricScores) -> MetricScores:
    """The column as it is where only these systems are scored."""
    if column.metric.by_peers:
        return cache.scored(corpus, column.metric)
    return MetricScores(
        column.metric, {name: column.systems[name] for name in corpus.systems if name in column.systems}
    )


def asked(found: Comparison, system: str, own: Collection[str]) -> tuple[str, ...]:
    """The arguments that name corpus and systems on the command line, where the visitor's `own` need their files."""
    given = [name for name in found.kept if name not in own]
    fewer = len(given) < len(set(found.corpus.systems) - set(own))
    added = [name for name in found.kept if name in own and name != system]
    named = [f"{name}=FILE" if name in own else name for name in (system, *added)]
    return (
        "--corpus",
        found.corpus.name,
        *(("--systems", join_names(given)) if fewer else ()),
        *(word for name in named for word in ("--system", name)),
    )


def first_rival(corpus: Corpus, table: ScoreTable, system: str, others: Sequence[str]) -> str:
    """Whom to compare a system with to begin with; the same for the whole visit, whatever is scored meanwhile."""
    name = f"rival-{corpus.name}-{system}"
    known = session.kept(name, "")
    if known not in others:
        quick = tuple(column for column in table.columns if cache.quick(column.metric))
        known = usual_rival(replace(table, columns=quick or table.columns), system) or others[0]
        session.keep(name, known)
    return known
