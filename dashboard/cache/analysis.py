"""The analysis of a system, whose parts are computed when a section shows them, and shared by all visitors."""

from __future__ import annotations

from functools import cached_property, partial

import streamlit as st

from dashboard.cache.corpora import by_content
from dashboard.cache.gap import sentence_gap, split
from gec_core.analysis.analysis import Analysis, MetricAnalysis, analyse_metric
from gec_core.analysis.errors import CorrectionCounts, TypeGain
from gec_core.analysis.sentences import RivalComparison, compare_outputs
from gec_core.analysis.significance import resampled_scores
from gec_core.errors import GecLensError
from gec_core.meta.gap import GapSide, split_quickly
from gec_core.meta.gap_edits import EditGap
from gec_core.scoring.imported import Imported
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.store import Store
from gec_core.types import Array, Corpus

_NO_SCORES = ScoreTable("", "", ())


class SharedAnalysis(Analysis):
    """An analysis with the usual samples and seed. Changing the metrics computes only what is new."""

    @cached_property
    def metrics(self) -> tuple[MetricAnalysis, ...]:
        return tuple(_metric(self, column) for column in self.table.columns)

    @cached_property
    def gains(self) -> tuple[TypeGain, ...]:
        return _gains(self.compared, self.system, self.rival)

    @cached_property
    def corrections(self) -> tuple[CorrectionCounts, ...]:
        return _corrections(self.corpus)

    @cached_property
    def sides(self) -> tuple[GapSide, ...]:
        if self.rival is None:
            return ()
        found = []
        for column in self.table.columns:
            try:
                gap = sentence_gap(self.compared, column, self.system, self.rival)
                edits = split(self.compared, gap)
            except GecLensError:
                continue
            if isinstance(edits, EditGap):
                found.append(GapSide(gap, edits))
        return tuple(found)

    @cached_property
    def comparison(self) -> RivalComparison | None:
        signatures = tuple(column.metric.signature for column in self.table.columns)
        return _comparison(self.compared, signatures, self.table, self.system, self.rival) if self.rival else None


class WholeAnalysis(SharedAnalysis):
    """An analysis for a report, which waits for splits of gaps that the page leaves for later."""

    @cached_property
    def sides(self) -> tuple[GapSide, ...]:
        if self.rival is None:
            return ()
        _ = self.gains  # reads the edits
        return split_quickly(self.compared, self.table.columns, self.system, self.rival, store=Store())


def _metric(found: Analysis, column: MetricScores) -> MetricAnalysis:
    """The result holds the metric. An imported one holds the visitor's file, so it stays within the session."""
    imported = isinstance(column.metric, Imported)
    cached, draws = (_imported_metric, _imported_draws) if imported else (_any_metric, _any_draws)
    drawn = draws(found.compared, column.metric.signature, column)
    return cached(found.corpus, column.metric.signature, column, drawn, found.system, found.rival)


def _analyse_metric(
    corpus: Corpus, signature: str, _column: MetricScores, _drawn: Array, system: str, rival: str | None
) -> MetricAnalysis:
    return analyse_metric(_column, system, rival, among=tuple(corpus.systems), drawn=_drawn)


def _draw(corpus: Corpus, signature: str, _column: MetricScores) -> Array:
    """The scores of all systems on samples of sentences: most of the work, and the same whichever system is chosen."""
    return resampled_scores(_column)


_resampling = partial(st.cache_resource, show_spinner="Resampling sentences …", max_entries=500, hash_funcs=by_content)
_any_metric = _resampling()(_analyse_metric)
_imported_metric = _resampling(scope="session")(_analyse_metric)
_any_draws = _resampling()(_draw)
_imported_draws = _resampling(scope="session")(_draw)


@st.cache_resource(show_spinner="Comparing error types …", max_entries=64, hash_funcs=by_content)
def _gains(corpus: Corpus, system: str, rival: str | None) -> tuple[TypeGain, ...]:
    return Analysis(corpus, _NO_SCORES, system, rival, scoring={"store": Store()}).gains


@st.cache_resource(show_spinner="Counting edits …", max_entries=64, hash_funcs=by_content)
def _corrections(corpus: Corpus) -> tuple[CorrectionCounts, ...]:
    return Analysis(corpus, _NO_SCORES, "", None, scoring={"store": Store()}).corrections


@st.cache_resource(show_spinner="Comparing outputs …", max_entries=64, hash_funcs=by_content)
def _comparison(
    corpus: Corpus, signatures: tuple[str, ...], _table: ScoreTable, system: str, rival: str
) -> RivalComparison:
    return compare_outputs(corpus, _table, system, rival)
