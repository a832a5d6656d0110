"""Where two sides order outputs in opposite ways."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.services.caching import by_content
from dashboard.services.scoring import complete, jobs, sentence_arrays
from gec_core.align import errant_pipeline
from gec_core.explain.edits import corpus_edits, unread_edits
from gec_core.meta.disagreement import Disagreements
from gec_core.meta.disagreement import disagreements as compare_sides
from gec_core.meta.sides import TypeTable, of_systems, type_tables
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Judgments


def disagreements(corpus: Corpus, first: str, second: str, columns: tuple[MetricScores, ...]) -> Disagreements:
    """Where two sides, each a metric's id or `judges`, order outputs of systems that both know in opposite ways; by
    error type, if these are known by now."""
    by_id = {column.metric.id: column for column in columns}
    signatures = tuple(by_id[side].metric.signature if side in by_id else side for side in (first, second))
    types = error_types(corpus)
    return _disagreements(corpus, (*signatures, str(len(types or ()))), tuple(map(by_id.get, (first, second))), types)


@st.cache_resource(show_spinner="Looking for disagreements …", max_entries=64, hash_funcs=by_content)
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
    """The key of the job that reads the edits of all outputs."""
    return corpus.fingerprint, errant_pipeline.label()


def read_edits(corpus: Corpus) -> None:
    """Read the edits of all outputs in the background."""
    jobs().start(
        edits_key(corpus),
        "Error types",
        lambda follow: type_tables(corpus, corpus_edits(corpus, Store(), follow)),
    )


@st.cache_resource(show_spinner="Reading error types …", max_entries=8, hash_funcs=by_content)
def _error_types(corpus: Corpus) -> dict[str, TypeTable]:
    return type_tables(corpus, corpus_edits(corpus, Store()))
