"""Metrics, their scores, and how far these agree with the judges.

Scores that are in the store or quick to compute are there at once; the others are computed by background jobs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from dashboard.background import Jobs, Tasks
from dashboard.cache.corpora import by_content, corpus_names, load_corpus, pairs_among
from dashboard.cache.judging import with_sessions
from gec_core import corpora
from gec_core.human.ranking import Aggregate, Interval, Method
from gec_core.human.ranking import aggregated as aggregate
from gec_core.human.sources import PairSet
from gec_core.judging.results import PREFIX
from gec_core.meta.across import Cell, cells, views
from gec_core.meta.agreement import PairAgreement, Ties, compare, preferences
from gec_core.meta.permutation import MetricTests, compare_on_pairs
from gec_core.metrics import registry
from gec_core.metrics.base import Metric
from gec_core.scoring import known_column, missing, score
from gec_core.scoring.imported import Imported
from gec_core.scoring.pace import estimate
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.shipped import all_precomputed
from gec_core.store import MemoryStore, Store, store_version
from gec_core.types import Array, Corpus, Integers

AT_ONCE = 1.5
"""Seconds of scoring that a page does while the visitor waits."""
TEST_SAMPLES = 300
"""The most swaps of a permutation test while the visitor waits."""
UNASKED = 120
"""Seconds of scoring that are started in the background without a click."""


@st.cache_resource
def all_metrics() -> dict[str, Metric]:
    """Return all metrics by id, in the order of the lists, whether they can run here or not."""
    return {id: cls() for id, cls in registry().items()}


@st.cache_resource
def available_metrics() -> dict[str, Metric]:
    """Return the metrics that can run here."""
    return {id: metric for id, metric in all_metrics().items() if metric.availability().ready}


def metrics_for(corpus: Corpus) -> dict[str, Metric]:
    """Return the metrics to show for a corpus: those that can run here, or, without texts, those with scores."""
    if corpus.has_texts:
        first = corpus.sentences[0]
        had = {"source": True, "references": bool(first.references), "gold": bool(first.annotations)}
        return {
            id: metric
            for id, metric in available_metrics().items()
            if had[metric.reads] and not metric.unsuited(corpus.language)
        }
    scored = all_precomputed()[corpus.name]
    return {id: metric for id, metric in all_metrics().items() if scored.has(metric.statistics_signature)}


@st.cache_resource
def jobs() -> Jobs:
    """Return the long jobs of this server."""
    return Jobs()


@st.cache_resource
def tasks() -> Tasks:
    """Return the short tasks of this server; they run one at a time, because models are much slower side by side."""
    return Tasks()


@dataclass(frozen=True)
class ScoresSoFar:
    """The metrics that are scored, and those that are not yet."""

    table: ScoreTable
    waiting: tuple[Metric, ...]


def scores(corpus: Corpus, ids: Sequence[str], imported: Mapping[str, Imported] | None = None) -> ScoresSoFar:
    """Return the scores that are there or quick to compute, and start background jobs for the others.

    Args:
        corpus: The corpus to score.
        ids: The chosen metrics.
        imported: The visitor's own scores, of which `ids` may name some.
    """
    known = metrics_for(corpus) | dict(imported or {})
    columns, waiting, version = [], [], store_version()
    for id in ids:
        metric = known[id]
        if isinstance(metric, Imported):
            columns.append(metric.column(corpus))
            continue
        job = jobs().find(corpus, metric)
        if job and job.result and job.result.metric.signature == metric.signature:
            columns.append(job.result)
            continue
        known_now = _is_known(corpus, metric.signature, version, metric)
        if known_now and (column := _known_column(corpus, metric.signature, metric)):
            columns.append(column)
        elif quickly_scored(corpus, metric):
            columns.append(scored(corpus, metric))
        else:
            waiting.append(metric)
    return ScoresSoFar(ScoreTable(corpus.name, corpus.fingerprint, tuple(columns)), tuple(waiting))


def read_ahead(name: str, ids: Sequence[str]) -> None:
    """Read a corpus and the scores that are known, which the next page finds; computes none."""
    corpus = load_corpus(name)
    for id, metric in metrics_for(corpus).items():
        if id in ids:
            _known_column(corpus, metric.signature, metric)


def quickly_scored(corpus: Corpus, metric: Metric) -> bool:
    """Whether the visitor can wait for the scores; if not, start a job, unless it takes very long."""
    pairs = _missing(corpus, metric)
    seconds = estimate(metric, pairs)
    if not pairs or (seconds <= AT_ONCE and not metric.own_process):  # whose model takes a while to load
        return True
    if seconds <= UNASKED and not metric.paid and jobs().find(corpus, metric) is None:
        jobs().submit(corpus, metric)
    return False


def time_to_score(corpus: Corpus, metric: Metric) -> float:
    """Return the seconds that scoring will take, by the measured pace of this machine."""
    return estimate(metric, _missing(corpus, metric))


def _missing(corpus: Corpus, metric: Metric) -> int:
    """Count the pairs that are not in the store; once there are none, that is remembered."""
    done = complete()
    key = (corpus.fingerprint, metric.statistics_signature)
    if key in done:
        return 0
    pairs = _count_missing(corpus, metric.statistics_signature, store_version(), metric)
    if not pairs:
        done.add(key)
    return pairs


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=by_content)
def _count_missing(corpus: Corpus, signature: str, version: Hashable, _metric: Metric) -> int:
    return missing(corpus, _metric, Store())


@st.cache_resource
def complete() -> set[tuple[str, str]]:
    """Return what is known to be complete in the store: fingerprints of corpora with signatures."""
    return set()


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=by_content)
def _is_known(corpus: Corpus, signature: str, version: Hashable, _metric: Metric) -> bool:
    """Whether all scores of a metric are in this version of the store: if not, that takes long to find out."""
    return _known_column(corpus, signature, _metric) is not None


@st.cache_resource(
    show_spinner=False, max_entries=200, hash_funcs=by_content, validate=lambda column: column is not None
)
def _known_column(corpus: Corpus, signature: str, _metric: Metric) -> MetricScores | None:
    """The scores of a metric if all of them are in the store; None is not cached."""
    return known_column(corpus, _metric, Store())


def scored(corpus: Corpus, metric: Metric) -> MetricScores:
    """Return the scores of a metric whose rows are in the store or quick to compute."""
    return _column(corpus, metric.signature, metric)


@st.cache_resource(show_spinner="Scoring …", max_entries=200, hash_funcs=by_content)
def _column(corpus: Corpus, signature: str, _metric: Metric) -> MetricScores:
    return score(corpus, [_metric], store=Store()).columns[0]


def aggregated(corpus: Corpus, column: MetricScores, how: Aggregate) -> MetricScores:
    """Return the scores of a metric, with those of systems made as human rankings are."""
    return _aggregated(corpus, column.metric.signature, how, column)


@st.cache_resource(show_spinner="Ranking systems by sentence scores …", max_entries=100, hash_funcs=by_content)
def _aggregated(corpus: Corpus, signature: str, how: Aggregate, _column: MetricScores) -> MetricScores:
    return aggregate(_column, how)


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=by_content)
def sentence_arrays(corpus: Corpus, signature: str, _column: MetricScores) -> dict[str, Array]:
    """Return the sentence scores of one metric, for all systems that have them."""
    return {system: _column.sentence_scores(system) for system in corpus.systems if _column.has_sentences([system])}


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=by_content)
def typed_scores(corpus: Corpus, signatures: tuple[str, ...], _metrics: Sequence[Metric]) -> ScoreTable:
    """Score typed text with quick metrics; what has not changed since the last key stroke is not scored again."""
    return score(corpus, _metrics, store=_typing(), workers=1)


@st.cache_resource
def _typing() -> MemoryStore:
    """The store for typed text: rows of quick metrics are not worth writing to the disk."""
    return MemoryStore(16 << 20)


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=by_content)
def preferred(
    corpus: Corpus, which: PairSet, systems: tuple[str, ...], signature: str, _column: MetricScores
) -> Integers:
    """Return which output of each judged pair a metric prefers."""
    return preferences(pairs_among(corpus, which, systems), sentence_arrays(corpus, signature, _column))


@st.cache_resource(show_spinner="Comparing with the judges …", max_entries=400, hash_funcs=by_content)
def agreements(
    corpus: Corpus, which: PairSet, systems: tuple[str, ...], signature: str, _column: MetricScores
) -> dict[Ties, tuple[PairAgreement, Interval]]:
    """Return how far a metric agrees with the judges under every treatment of ties, with the interval of tau."""
    pairs, answers = pairs_among(corpus, which, systems), preferred(corpus, which, systems, signature, _column)
    found = {ties: compare(pairs, answers, ties) for ties in get_args(Ties)}
    return {ties: (result, result.tau_interval()) for ties, result in found.items()}


@st.cache_resource(show_spinner="Testing metrics against each other …", max_entries=32, hash_funcs=by_content)
def permutation_tests(
    corpus: Corpus, systems: tuple[str, ...], titles: tuple[str, ...], _columns: Sequence[MetricScores]
) -> MetricTests:
    """Return how metrics compare on the judged pairs of these systems; `titles` name the columns."""
    scores = {
        column.metric.title: sentence_arrays(corpus, column.metric.signature, column)
        for column in _columns
        if column.metric.title in titles
    }
    return compare_on_pairs(pairs_among(corpus, "unexpanded", systems), scores, samples=TEST_SAMPLES)


@st.cache_data(show_spinner="Computing the paper's figures …", max_entries=32, hash_funcs=by_content)
def reproduced(corpus: Corpus, paper: str) -> list[dict[str, str]]:
    """Return the figures of a paper beside ours, as text."""
    from gec_core.papers import reproduce  # imported when asked for, so that the first page shows soon

    folder = next((entry.path for entry in corpora.catalogue_entries() if entry.name == corpus.name), None)
    found = reproduce(paper, corpus, folder=folder, store=Store())
    return [
        {name: _told(value) for name, value in row.as_dict().items()} | {"published": row.cell.published}
        for row in found.rows
    ]


def _told(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


LEFT_OUT = ("demo",)
"""Corpora whose judgments are made up; those of sessions of the page Judge are not."""


def across(method: Method, owned: Mapping[str, str], how: Aggregate = "usual") -> list[Cell]:
    """Return the cells of all corpora, with the metrics whose scores are known.

    Args:
        method: The ranking where people ranked outputs.
        owned: The visitor's own sessions of judging, whose judgments are views, too.
        how: How the metrics' scores of systems are made.
    """
    found: list[Cell] = []
    for name in corpus_names():
        corpus = with_sessions(load_corpus(name), owned)
        sets = tuple(
            (id, each.evidence)
            for id, each in corpus.judgment_sets.items()
            if name not in LEFT_OUT or id.startswith(PREFIX)
        )
        if sets or name not in LEFT_OUT:
            found += _cells(corpus, sets, method, how)
    return found


@st.cache_resource(show_spinner="Comparing metrics on every corpus …", max_entries=32, hash_funcs=by_content)
def _cells(corpus: Corpus, sets: tuple[tuple[str, str], ...], method: Method, how: Aggregate) -> list[Cell]:
    """The cells of a corpus by these sets of judgments, or by whatever ranking it has without any."""
    store = Store()
    scored = [metric for metric in metrics_for(corpus).values() if metric.family != "sanity"]
    columns = [column for metric in scored if (column := known_column(corpus, metric, store))]
    scores = {column.metric.id: aggregated(corpus, column, how).values for column in columns}
    found = [view for view in views(corpus, method) if not sets or view.corpus.chosen_set in dict(sets)]
    return [cell for view in found for cell in cells(view, scores)]
