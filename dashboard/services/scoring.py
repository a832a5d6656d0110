"""Metrics, and scores: those that are there at once, and those that are worked out in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.jobs import Jobs
from dashboard.services.caching import by_content
from gec_core.metrics import registry
from gec_core.metrics.base import Metric
from gec_core.scoring import known_column, missing, score
from gec_core.scoring.imported import Imported
from gec_core.scoring.precomputed import all_precomputed
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.store import Store
from gec_core.types import Array, Corpus

AT_ONCE = 1.5
"""Seconds of scoring that a page does while the visitor waits."""

UNASKED = 120
"""Seconds of scoring that are started in the background without being asked for."""


@st.cache_resource
def all_metrics() -> dict[str, Metric]:
    """All metrics by id, in the order of the lists, whether they can run here or not."""
    return {id: cls() for id, cls in registry().items()}


@st.cache_resource
def available_metrics() -> dict[str, Metric]:
    """The metrics that can run here."""
    return {id: metric for id, metric in all_metrics().items() if metric.availability().ready}


def metrics_for(corpus: Corpus) -> dict[str, Metric]:
    """The metrics that can be shown for a corpus: those that can run here, or all that are scored already."""
    if corpus.has_texts:
        first = corpus.sentences[0]
        had = {"source": True, "references": bool(first.references), "gold": bool(first.annotations)}
        return {id: metric for id, metric in available_metrics().items() if had[metric.reads]}
    scored = all_precomputed()[corpus.name]
    return {id: metric for id, metric in all_metrics().items() if scored.has(metric.statistics_signature)}


@st.cache_resource
def jobs() -> Jobs:
    return Jobs()


@dataclass(frozen=True)
class Scores:
    """What is scored, and what still has to be."""

    table: ScoreTable
    waiting: tuple[Metric, ...]


def scores(corpus: Corpus, ids: Sequence[str], imported: Mapping[str, Imported] | None = None) -> Scores:
    """The metrics that are scored or quickly are; the others are started in the background, or wait to be.

    Some of the ids may be those of `imported` scores, which are the visitor's own.
    """
    known = metrics_for(corpus) | dict(imported or {})
    columns, waiting = [], []
    for id in ids:
        metric = known[id]
        if isinstance(metric, Imported):
            columns.append(metric.column(corpus))
            continue
        job = jobs().find(corpus, metric)
        if job and job.result and job.result.metric.signature == metric.signature:
            columns.append(job.result)
            continue
        if column := _known_column(corpus, metric.signature, metric):
            columns.append(column)
        elif _quickly_scored(corpus, metric):
            columns.append(scored(corpus, metric))
        else:
            waiting.append(metric)
    return Scores(ScoreTable(corpus.name, corpus.fingerprint, tuple(columns)), tuple(waiting))


def _quickly_scored(corpus: Corpus, metric: Metric) -> bool:
    """Whether the visitor can wait for it; if not, a run in the background begins, unless it takes very long."""
    pairs = _missing(corpus, metric)
    seconds = pairs * metric.pace
    if not pairs or (seconds <= AT_ONCE and not metric.own_process):  # loading a model takes a while
        return True
    if seconds <= UNASKED and jobs().find(corpus, metric) is None:
        jobs().submit(corpus, metric)
    return False


def _missing(corpus: Corpus, metric: Metric) -> int:
    """Pairs that are not in the store; once there are none, there never will be."""
    done = complete()
    key = (corpus.fingerprint, metric.statistics_signature)
    if key in done:
        return 0
    pairs = missing(corpus, metric, Store())
    if not pairs:
        done.add(key)
    return pairs


@st.cache_resource
def complete() -> set[tuple[str, str]]:
    return set()


@st.cache_resource(
    show_spinner=False, max_entries=200, hash_funcs=by_content, validate=lambda column: column is not None
)
def _known_column(corpus: Corpus, signature: str, _metric: Metric) -> MetricScores | None:
    """The scores under a metric if they are all in the store; asked for again as long as they are not."""
    return known_column(corpus, _metric, Store())


def scored(corpus: Corpus, metric: Metric) -> MetricScores:
    """The scores under a metric whose rows are in the store, or quickly computed."""
    return _column(corpus, metric.signature, metric)


@st.cache_resource(show_spinner="Scoring …", max_entries=200, hash_funcs=by_content)
def _column(corpus: Corpus, signature: str, _metric: Metric) -> MetricScores:
    return score(corpus, [_metric], store=Store()).columns[0]


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=by_content)
def sentence_arrays(corpus: Corpus, signature: str, _column: MetricScores) -> dict[str, Array]:
    """Sentence scores under one metric, of all systems that have them."""
    return {system: _column.sentence_scores(system) for system in corpus.systems if _column.has_sentences([system])}
