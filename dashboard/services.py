"""What pages ask for, computed once and shared by all visitors. The only user of Streamlit's caches.

What holds words of a text is kept for one visitor's session only: the text may be the visitor's own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import streamlit as st

from dashboard.errands import Errands
from dashboard.jobs import Job, Jobs
from gec_core import analysis, corpora, metrics
from gec_core.align import errant_pipeline
from gec_core.analysis.changes import Changes
from gec_core.analysis.changes import changes as compare_outputs
from gec_core.analysis.correction import Correction
from gec_core.analysis.gains import TypeGain
from gec_core.errors_by_type import (
    NAMES,
    Level,
    Outcome,
    TypeCounts,
    edits_behind,
    gold_types,
    outcomes,
    tally,
)
from gec_core.explain import words
from gec_core.explain.edits import corpus_edits, unread_edits
from gec_core.explain.edits import output_edits as explain_edits
from gec_core.explain.native import Case
from gec_core.explain.steps import Step, steps
from gec_core.explain.worth import Worth
from gec_core.explain.worth import worth as explain_worth
from gec_core.human import Pairs, Ranking, sources
from gec_core.human.bootstrap import Interval
from gec_core.human.pairs import Integers
from gec_core.human.sources import PairSet
from gec_core.imported import Imported
from gec_core.meta.disagreement import Disagreements
from gec_core.meta.disagreement import disagreements as compare_sides
from gec_core.meta.disagreement_types import TypeTable, of_systems, type_tables
from gec_core.meta.tau import PairAgreement, Ties, compare, preferences
from gec_core.metrics.base import Array, Metric
from gec_core.metrics.errant import Errant
from gec_core.precomputed import ScoresOnly, all_precomputed, open_corpus
from gec_core.reproduce import reproduce
from gec_core.scores import MetricScores, ScoreTable
from gec_core.scoring import Progress, missing, score, stored_rows
from gec_core.store import MemoryStore, Store
from gec_core.types import Corpus, Edit, Judgments

AT_ONCE = 1.5
"""Seconds of scoring that a page does while the visitor waits."""
UNASKED = 120
"""Seconds of scoring that are started in the background without being asked for."""
SAMPLES = {"ew": 1000, "ts": 60}
"""Bootstrap samples behind the rank ranges of a human ranking: each takes TrueSkill a run of its own."""

_by_content: dict[str | type[Any], Callable[[Any], Any]] = {Corpus: lambda corpus: corpus.fingerprint}


def corpus_names() -> list[str]:
    """The corpora that can be opened on this machine, be it without their texts."""
    return [entry.name for entry in corpora.catalogue_entries() if entry.path or entry.name in all_precomputed()]


def load_corpus(name: str) -> Corpus:
    """The corpus of that name, read again when one of its files has changed."""
    return _load_corpus(name, _stamp(name, os.environ.get("GEC_LENS_DATA", "")))


@st.cache_resource(show_spinner="Reading the corpus …", max_entries=8)
def _load_corpus(name: str, stamp: str) -> Corpus:
    return open_corpus(name)


@st.cache_data(show_spinner=False, ttl=1, max_entries=64)
def _stamp(name: str, folders: str) -> str:
    """What tells one state of a corpus folder from another: a hash of its files, their times and sizes.

    Taken once a second: a page asks for its corpus dozens of times.
    """
    found = next((entry.path for entry in corpora.catalogue_entries() if entry.name == name), None)
    files = sorted(path for path in found.rglob("*") if path.is_file()) if found else []
    known = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    return hashlib.blake2b(repr(known).encode(), digest_size=16).hexdigest()


def human_rankings(corpus: Corpus) -> dict[str, str]:
    """The human rankings that the corpus allows, with their titles."""
    return sources.available(corpus)


@st.cache_data(show_spinner="Ranking by human judgments …", max_entries=64, hash_funcs=_by_content)
def human_ranking(corpus: Corpus, name: str) -> Ranking:
    return sources.ranking_for(corpus, name, samples=SAMPLES.get(name, 0))


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=_by_content)
def judged_pairs(corpus: Corpus, which: PairSet) -> Pairs:
    """All pairs of outputs that judges compared."""
    return sources.judged_pairs(corpus, which)


@st.cache_resource
def all_metrics() -> dict[str, Metric]:
    """All metrics by id, in the order of the lists, whether they can run here or not."""
    return {id: cls() for id, cls in metrics.registry().items()}


@st.cache_resource
def available_metrics() -> dict[str, Metric]:
    """The metrics that can run here."""
    return {id: metric for id, metric in all_metrics().items() if metric.availability().ready}


def metrics_for(corpus: Corpus) -> dict[str, Metric]:
    """The metrics that can be shown for a corpus: those that can run here, or all that are scored already."""
    if not isinstance(corpus, ScoresOnly):
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
        if _quickly_scored(corpus, metric):
            columns.append(_column(corpus, metric.signature, metric))
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
    done = _complete()
    key = (corpus.fingerprint, metric.statistics_signature)
    if key in done:
        return 0
    pairs = missing(corpus, metric, Store())
    if not pairs:
        done.add(key)
    return pairs


@st.cache_resource
def _complete() -> set[tuple[str, str]]:
    return set()


@st.cache_resource(show_spinner="Scoring …", max_entries=200, hash_funcs=_by_content)
def _column(corpus: Corpus, signature: str, _metric: Metric) -> MetricScores:
    return score(corpus, [_metric], store=Store()).columns[0]


@st.cache_resource(show_spinner=False, max_entries=200, hash_funcs=_by_content)
def sentence_arrays(corpus: Corpus, signature: str, _column: MetricScores) -> dict[str, Array]:
    """Sentence scores under one metric, of all systems that have them."""
    return {system: _column.sentence_scores(system) for system in corpus.systems if _column.has_sentences([system])}


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=_by_content)
def pairs_among(corpus: Corpus, which: PairSet, systems: tuple[str, ...]) -> Pairs:
    """The judged pairs of which both systems are among these."""
    return judged_pairs(corpus, which).among(systems)


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=_by_content)
def preferred(
    corpus: Corpus, which: PairSet, systems: tuple[str, ...], signature: str, _column: MetricScores
) -> Integers:
    """What a metric says of each of these pairs."""
    return preferences(pairs_among(corpus, which, systems), sentence_arrays(corpus, signature, _column))


@st.cache_resource(show_spinner="Comparing with the judges …", max_entries=400, hash_funcs=_by_content)
def agreements(
    corpus: Corpus, which: PairSet, systems: tuple[str, ...], signature: str, _column: MetricScores
) -> dict[Ties, tuple[PairAgreement, Interval]]:
    """How far a metric agrees with the judges under every convention on ties, with the interval of tau."""
    pairs, answers = pairs_among(corpus, which, systems), preferred(corpus, which, systems, signature, _column)
    found = {ties: compare(pairs, answers, ties) for ties in get_args(Ties)}
    return {ties: (result, result.tau_interval()) for ties, result in found.items()}


@st.cache_data(show_spinner=False, max_entries=32, hash_funcs=_by_content)
def facts(corpus: Corpus) -> list[tuple[str, str, str]]:
    """The corpus in numbers: label, value, explanation."""
    if isinstance(corpus, ScoresOnly):
        systems = ", ".join(corpus.systems)
        return [
            ("Sentences", f"{len(corpus):,}", "without their texts"),
            ("Systems", f"{len(corpus.systems)}", systems),
        ]
    summary = corpora.summarise(corpus)
    rows = [
        ("Sentences", f"{summary.sentences:,}", f"{summary.tokens:,} tokens"),
        ("Systems", f"{summary.systems}", ", ".join(corpus.systems)),
        ("References", f"{summary.references}", f"a sentence; {summary.edits:,} gold edits in all"),
    ]
    if corpus.judgments:
        pairs = judged_pairs(corpus, "expanded")
        ties = pairs.ties / len(pairs) if len(pairs) else 0
        rows += [
            ("Judges", f"{summary.judges}", f"{summary.judgments:,} rankings of outputs"),
            ("Judged pairs", f"{len(pairs):,}", "pairs of outputs, systems with the same output included"),
            ("Ties", f"{ties:.0%}", "of the judged pairs, most of them between equal outputs"),
        ]
    return rows


@st.cache_data(show_spinner="Computing the paper's figures …", max_entries=32, hash_funcs=_by_content)
def reproduced(corpus: Corpus, paper: str) -> list[dict[str, str]]:
    """The figures of a paper beside ours, as text."""
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


QUICK = 0.002
"""Seconds a pair of metrics whose credits are computed while the visitor waits."""
IN_BACKGROUND = 20.0
"""Seconds that the credits of one output may take a slow metric in the background."""


def quick(metric: Metric) -> bool:
    """Whether the credits of an output under this metric can be had at once."""
    return metric.pace <= QUICK and metric.availability().ready


def worth(corpus: Corpus, metric: Metric, index: int, output: str) -> Worth | None:
    """What a metric makes of an output, among the other systems' outputs; None if it takes a model that nobody has
    asked yet (`ask_model`)."""
    if quick(metric):
        return quick_worth(corpus, metric.signature, metric, index, output)
    job = jobs().known(model_key(corpus, metric, index, output))
    found: Worth | None = job.result if job else None
    return found


@st.cache_resource(show_spinner=False, max_entries=5000, hash_funcs=_by_content, scope="session")
def quick_worth(corpus: Corpus, signature: str, _metric: Metric, index: int, output: str) -> Worth:
    """What a metric without a model makes of an output, among the other systems' outputs."""
    return explain_worth(_metric, corpus.sentences[index], output, peers=_peers(corpus, index, output), store=Store())


def model_key(corpus: Corpus, metric: Metric, index: int, output: str) -> tuple[str, str, int, str]:
    """The key of the job that asks a model about an output."""
    return corpus.fingerprint, metric.signature, index, output


def ask_model(corpus: Corpus, metric: Metric, index: int, output: str, system: str) -> Job:
    """Compute in the background what a slow metric makes of an output."""

    def work(follow: Callable[[Progress], None]) -> Worth:
        sentence, peers = corpus.sentences[index], _peers(corpus, index, output)
        return explain_worth(
            metric, sentence, output, peers=peers, store=Store(), on_progress=follow, seconds=IN_BACKGROUND
        )

    return jobs().start(model_key(corpus, metric, index, output), f"{metric.name}, {system}", work)


@st.cache_resource(show_spinner=False, max_entries=20_000, scope="session")
def output_edits(source: str, output: str) -> tuple[Edit, ...]:
    """The edits of an output, with their types where ERRANT can run."""
    return explain_edits(source, output, Store())


def disagreements(corpus: Corpus, first: str, second: str, columns: tuple[MetricScores, ...]) -> Disagreements:
    """Where two sides, each a metric's id or `judges`, order outputs of systems that both know in opposite ways; by
    error type, if these are known by now."""
    by_id = {column.metric.id: column for column in columns}
    signatures = tuple(by_id[side].metric.signature if side in by_id else side for side in (first, second))
    types = error_types(corpus)
    return _disagreements(corpus, (*signatures, str(len(types or ()))), tuple(map(by_id.get, (first, second))), types)


@st.cache_resource(show_spinner="Looking for disagreements …", max_entries=64, hash_funcs=_by_content)
def _disagreements(
    corpus: Corpus,
    signatures: tuple[str, ...],
    _columns: tuple[MetricScores | None, ...],
    _types: Mapping[str, TypeTable] | None,
) -> Disagreements:
    sides = [
        (column.metric.name, sentence_arrays(corpus, column.metric.signature, column))
        if column
        else ("the judges", corpus.judgments or Judgments(()))
        for column in _columns
    ]
    known = [name for name in corpus.systems if all(column.has_sentences([name]) for column in _columns if column)]
    types = of_systems(_types or {}, corpus, known)
    return compare_sides(corpus if len(known) == len(corpus.systems) else corpus.only(known), *sides, types=types)


def error_types(corpus: Corpus) -> Mapping[str, TypeTable] | None:
    """In which error types outputs differ: nothing where ERRANT cannot run, None while their edits are being read."""
    if errant_pipeline.find() is None or isinstance(corpus, ScoresOnly):
        return {}
    key = edits_key(corpus)
    job = jobs().known(key)
    if job and job.status == "done":
        found: dict[str, TypeTable] = job.result
        return found
    if key in _complete() or not unread_edits(corpus, Store()):
        _complete().add(key)
        return _error_types(corpus)
    if job is None:
        read_edits(corpus)
    return None


def edits_key(corpus: Corpus) -> tuple[str, str]:
    """The key of the job that reads the edits of all outputs."""
    return corpus.fingerprint, errant_pipeline.label()


def read_edits(corpus: Corpus) -> None:
    """Read the edits of all outputs in the background."""
    jobs().start(
        edits_key(corpus),
        "Error types",
        lambda follow: type_tables(corpus, corpus_edits(corpus, Store(), follow)),
    )


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=_by_content)
def _error_types(corpus: Corpus) -> dict[str, TypeTable]:
    return type_tables(corpus, corpus_edits(corpus, Store()))


def _peers(corpus: Corpus, index: int, output: str) -> list[str]:
    """The outputs of the other systems; of those with this output, one is left out."""
    outputs = [column[index] for column in corpus.systems.values()]
    if output in outputs:
        outputs.remove(output)
    return outputs


def in_words(
    corpus: Corpus, index: int, metrics: Mapping[str, Metric], first: Sequence[str], second: Sequence[str]
) -> words.Comparison:
    """Two outputs, each given by the systems that have it, compared in plain words under metrics that know both."""
    texts = [corpus.systems[systems[0]][index] for systems in (first, second)]
    valued = []
    for name, metric in metrics.items():
        one, other = (worth(corpus, metric, index, text) for text in texts)
        if one and other:
            valued.append(words.Valued(name, one, other))
    votes = words.count_votes(corpus.judgments, index, first, second) if corpus.judgments else None
    return words.compare(corpus.sentences[index].source, (first[0], second[0]), valued, votes)


@st.cache_resource
def type_metric() -> Errant:
    """ERRANT as error types are counted: gold edits are read off the references, so that all types are ERRANT's."""
    return Errant(Errant.Options(references="auto"))


def types_ready(corpus: Corpus) -> bool:
    """Whether error types can be had now; if not, they are being read in the background."""
    return bool(Store().problem) or _quickly_scored(corpus, type_metric())


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=_by_content)
def error_outcomes(corpus: Corpus) -> dict[str, list[Outcome]]:
    """For each system what became of every error; see `types_ready`."""
    return outcomes(corpus, type_metric(), store=Store())


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs=_by_content)
def errors_by_type(corpus: Corpus, level: Level) -> dict[str, dict[str, TypeCounts]]:
    """For each system its counts by type, as the `types` command gives them."""
    return {system: tally(own, level) for system, own in error_outcomes(corpus).items()}


@st.cache_resource(show_spinner=False, max_entries=256, hash_funcs=_by_content, scope="session")
def errors_of_type(corpus: Corpus, system: str, level: Level, type: str) -> list[tuple[Outcome, Edit]]:
    """What became of the errors of one type, with the edits that they are about."""
    found = [each for each in error_outcomes(corpus)[system] if NAMES[level](each.type) == type]
    return list(zip(found, edits_behind(corpus, type_metric(), system, found, Store()), strict=True))


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=_by_content)
def gold_type_groups(corpus: Corpus) -> list[set[str]]:
    """The groups of error types that annotators found in each sentence; see `types_ready`."""
    one = next(iter(corpus.systems))
    return gold_types(stored_rows(corpus.only([one]), type_metric(), store=Store())[one], "group")


@st.cache_resource
def errands() -> Errands:
    return Errands()


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=_by_content)
def typed_scores(corpus: Corpus, signatures: tuple[str, ...], _metrics: Sequence[Metric]) -> ScoreTable:
    """Scores of typed text under quick metrics; what did not change since the last key stroke is remembered."""
    return score(corpus, _metrics, store=_typing(), workers=1)


@st.cache_resource
def _typing() -> MemoryStore:
    """What somebody types in passing is not worth a place on the disk."""
    return MemoryStore(16 << 20)


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=_by_content)
def quick_steps(corpus: Corpus, signature: str, _metric: Metric, output: str) -> tuple[Step, ...]:
    """The steps of a metric that needs no model."""
    return typed_steps(corpus, _metric, output)


def typed_steps(corpus: Corpus, metric: Metric, output: str) -> tuple[Step, ...]:
    """How a metric comes to the score of an output of typed text, one step at a time."""
    return steps(Case(metric, corpus.sentences[0], output, Store(), _peers(corpus, 0, output)))


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=_by_content)
def only(corpus: Corpus, systems: tuple[str, ...]) -> Corpus:
    """The corpus with these systems alone, which is asked for its fingerprint again and again."""
    return corpus.only(systems)


@st.cache_resource(show_spinner="Drawing sentences anew …", max_entries=500, hash_funcs=_by_content)
def under_metric(
    corpus: Corpus, signature: str, _column: MetricScores, system: str, rival: str | None
) -> analysis.UnderMetric:
    """Where a system stands under a metric, whether that is chance, and what costs it most."""
    return analysis.analyse_metric(_column, system, rival)


@st.cache_resource(show_spinner="Comparing error types …", max_entries=64, hash_funcs=_by_content)
def type_gains(corpus: Corpus, system: str, rival: str) -> tuple[TypeGain, ...]:
    """Error types on which a system does better or worse than another."""
    return analysis.possible_gains(corpus, system, rival, store=Store())


@st.cache_resource(show_spinner="Counting edits …", max_entries=64, hash_funcs=_by_content)
def corrections(corpus: Corpus) -> tuple[Correction, ...]:
    """How much each system corrects, and how much of it is right."""
    return analysis.possible_corrections(corpus, store=Store())


@st.cache_resource(show_spinner="Comparing outputs …", max_entries=64, hash_funcs=_by_content)
def changes(corpus: Corpus, signatures: tuple[str, ...], _table: ScoreTable, system: str, rival: str) -> Changes:
    """What the metrics make of the sentences on which two systems differ."""
    return compare_outputs(corpus, _table, system, rival)
