"""Error types of systems, and the disagreements of two sides, which they filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard.cache.corpora import by_content
from dashboard.cache.scoring import complete, jobs, quickly_scored, sentence_arrays
from gec_core.align import errant_pipeline
from gec_core.explain.credit import corpus_edits, unread_edits
from gec_core.meta.disagreement import Disagreements
from gec_core.meta.disagreement import disagreements as compare_sides
from gec_core.meta.error_types import (
    NAMES,
    Level,
    Outcome,
    References,
    TypeCounts,
    difficulty_by_type,
    edits_behind,
    gold_has_errant_types,
    gold_types,
    outcomes,
    tally,
    types_metric,
)
from gec_core.meta.sides import TypeTable, of_systems, type_tables
from gec_core.metrics.base import Metric
from gec_core.metrics.gotoscorer import GoToScorer
from gec_core.metrics.gotoscorer.chunks import TypeDifficulty
from gec_core.scoring import stored_rows
from gec_core.scoring.table import MetricScores
from gec_core.shipped import all_precomputed
from gec_core.store import Store
from gec_core.types import Corpus, Edit, Judgments


def gold_choices(corpus: Corpus) -> list[References]:
    """Return the kinds of gold edits to count by: the annotators' own only if these have ERRANT's types."""
    return ["auto", "gold"] if _gold_has_errant_types(corpus) else ["auto"]


@st.cache_resource(show_spinner=False, max_entries=64, hash_funcs=by_content)
def _gold_has_errant_types(corpus: Corpus) -> bool:
    return corpus.has_texts and gold_has_errant_types(corpus)


def types_shipped(corpus: Corpus) -> bool:
    """Whether the error types of a corpus come with the project, so that its texts are not needed."""
    return _shipped(corpus, types_metric())


def _shipped(corpus: Corpus, metric: Metric) -> bool:
    return corpus.name in all_precomputed() and all_precomputed()[corpus.name].has(metric.statistics_signature)


def types_ready(corpus: Corpus, references: References = "auto") -> bool:
    """Whether the error types of a corpus are known; if not, a background job is reading them."""
    return bool(Store().problem) or quickly_scored(corpus, types_metric(references))


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=by_content)
def error_outcomes(corpus: Corpus, references: References) -> dict[str, list[Outcome]]:
    """Return what became of every error, by system; ask `types_ready` first."""
    return outcomes(corpus, types_metric(references), store=Store())


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs=by_content)
def errors_by_type(corpus: Corpus, level: Level, references: References) -> dict[str, dict[str, TypeCounts]]:
    """Return the counts by type of each system, as the `types` command prints them."""
    return {system: tally(own, level) for system, own in error_outcomes(corpus, references).items()}


def difficulty(corpus: Corpus, level: Level, references: References) -> list[TypeDifficulty] | None:
    """Return how few systems correct the errors of each type; None while that is not known."""
    metric = difficulty_metric(references)
    if not corpus.has_texts and not _shipped(corpus, metric):
        return None
    return _difficulty(corpus, level, references, metric) if quickly_scored(corpus, metric) else None


def difficulty_metric(references: References) -> GoToScorer:
    """Return the metric whose weights are the difficulty of errors."""
    return GoToScorer(GoToScorer.Options(references=references))


@st.cache_resource(show_spinner=False, max_entries=24, hash_funcs=by_content)
def _difficulty(corpus: Corpus, level: Level, references: References, _metric: GoToScorer) -> list[TypeDifficulty]:
    return difficulty_by_type(corpus, _metric, level, store=Store())


def errors_of_type(corpus: Corpus, system: str, level: Level, type: str, references: References) -> list[Outcome]:
    """Return what became of the errors of one type."""
    return [each for each in error_outcomes(corpus, references)[system] if NAMES[level](each.type) == type]


def edits_of_errors(corpus: Corpus, system: str, found: Sequence[Outcome], references: References) -> list[Edit]:
    """Return the edits behind errors of a system; ask for few at a time, because outputs may have to be parsed."""
    return _edits_of_errors(corpus, system, repr(found), found, references)


@st.cache_resource(show_spinner=False, max_entries=256, hash_funcs=by_content, scope="session")
def _edits_of_errors(
    corpus: Corpus, system: str, key: str, _found: Sequence[Outcome], references: References
) -> list[Edit]:
    return edits_behind(corpus, types_metric(references), system, _found, Store())


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=by_content)
def gold_type_groups(corpus: Corpus) -> list[set[str]]:
    """Return the groups of error types that annotators found in each sentence; ask `types_ready` first."""
    one = next(iter(corpus.systems))
    return gold_types(stored_rows(corpus.only([one]), types_metric(), store=Store())[one], "group")


def disagreements(
    corpus: Corpus, first: str, second: str, columns: tuple[MetricScores, ...], *, typed: bool = True
) -> Disagreements:
    """Return the pairs of outputs that two sides, each a metric's id or `judges`, order in opposite ways.

    Only systems that both sides know are compared.

    Args:
        corpus: The corpus.
        first: One side.
        second: The other side.
        columns: The scores of the metrics.
        typed: Whether error types are needed: pairs have them if they are quick to read, else once a job has read them.
            Otherwise pairs have them if somebody needed them before.
    """
    by_id = {column.metric.id: column for column in columns}
    signatures = tuple(by_id[side].metric.signature if side in by_id else side for side in (first, second))
    types = error_types(corpus) if typed or edits_key(corpus) in complete() else None
    return _disagreements(corpus, (*signatures, str(len(types or ()))), tuple(map(by_id.get, (first, second))), types)


@st.cache_resource(show_spinner="Looking for disagreements …", max_entries=64, hash_funcs=by_content)
def _disagreements(
    corpus: Corpus,
    signatures: tuple[str, ...],
    _columns: tuple[MetricScores | None, ...],
    _types: Mapping[str, TypeTable] | None,
) -> Disagreements:
    sides = [
        (column.metric.title, sentence_arrays(corpus, column.metric.signature, column))
        if column
        else ("the judges", corpus.judgments or Judgments(()))
        for column in _columns
    ]
    known = [name for name in corpus.systems if all(column.has_sentences([name]) for column in _columns if column)]
    types = of_systems(_types or {}, corpus, known)
    return compare_sides(corpus if len(known) == len(corpus.systems) else corpus.only(known), *sides, types=types)


def error_types(corpus: Corpus) -> Mapping[str, TypeTable] | None:
    """Return the error types in which outputs differ: empty where ERRANT cannot run, None while they are being read."""
    if errant_pipeline.find() is None or not corpus.has_texts:
        return {}
    key = edits_key(corpus)
    job = jobs().known(key)
    if job and job.status == "done":
        found: dict[str, TypeTable] = job.result
        return found
    if key in complete() or not unread_edits(corpus, Store()):
        complete().add(key)
        return _error_types(corpus)
    if job is None:
        read_edits(corpus)
    return None


def edits_key(corpus: Corpus) -> tuple[str, str]:
    """Return the key of the job that reads the edits of all outputs."""
    return corpus.fingerprint, errant_pipeline.label()


def read_edits(corpus: Corpus) -> None:
    """Read the edits of all outputs in a background job."""
    jobs().start(
        edits_key(corpus),
        "Error types",
        lambda follow: type_tables(corpus, corpus_edits(corpus, Store(), follow)),
    )


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=by_content)
def _error_types(corpus: Corpus) -> dict[str, TypeTable]:
    return type_tables(corpus, corpus_edits(corpus, Store()))
