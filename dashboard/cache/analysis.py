"""One system beside the others."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.cache.corpora import by_content
from gec_core import analysis
from gec_core.analysis.changes import Changes
from gec_core.analysis.changes import changes as compare_outputs
from gec_core.analysis.correction import Correction
from gec_core.analysis.gains import TypeGain
from gec_core.scoring.imported import Imported
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.store import Store
from gec_core.types import Corpus


def under_metric(corpus: Corpus, column: MetricScores, system: str, rival: str | None) -> analysis.UnderMetric:
    """Where a system stands under a metric, whether that is chance, and what costs it most.

    The answer holds the metric. An imported one is all of the visitor's file, and stays within the visit.
    """
    cached = _under_own if isinstance(column.metric, Imported) else _under_any
    return cached(corpus, column.metric.signature, column, system, rival)


def _under(
    corpus: Corpus, signature: str, _column: MetricScores, system: str, rival: str | None
) -> analysis.UnderMetric:
    return analysis.analyse_metric(_column, system, rival)


_drawing = partial(st.cache_resource, show_spinner="Drawing sentences anew …", max_entries=500, hash_funcs=by_content)
_under_any = _drawing()(_under)
_under_own = _drawing(scope="session")(_under)


@st.cache_resource(show_spinner="Comparing error types …", max_entries=64, hash_funcs=by_content)
def type_gains(corpus: Corpus, system: str, rival: str) -> tuple[TypeGain, ...]:
    """Error types on which a system does better or worse than another."""
    return analysis.possible_gains(corpus, system, rival, store=Store())


@st.cache_resource(show_spinner="Counting edits …", max_entries=64, hash_funcs=by_content)
def corrections(corpus: Corpus) -> tuple[Correction, ...]:
    """How much each system corrects, and how much of it is right."""
    return analysis.possible_corrections(corpus, store=Store())


@st.cache_resource(show_spinner="Comparing outputs …", max_entries=64, hash_funcs=by_content)
def changes(corpus: Corpus, signatures: tuple[str, ...], _table: ScoreTable, system: str, rival: str) -> Changes:
    """What the metrics make of the sentences on which two systems differ."""
    return compare_outputs(corpus, _table, system, rival)
