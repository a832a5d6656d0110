"""Scores of text that is being typed."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

import streamlit as st

from dashboard.errands import Errands
from dashboard.services.caching import by_content, digest
from dashboard.services.explaining import peers
from gec_core.explain.native import Case
from gec_core.explain.steps import Step, steps
from gec_core.metrics.base import Metric
from gec_core.scoring import score
from gec_core.scoring.table import ScoreTable
from gec_core.store import MemoryStore, Store
from gec_core.types import Corpus


@st.cache_resource
def errands() -> Errands:
    """What is being worked out for people who type, shared by all of them: models are many times slower at once."""
    return Errands()


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=by_content)
def typed_scores(corpus: Corpus, signatures: tuple[str, ...], _metrics: Sequence[Metric]) -> ScoreTable:
    """Scores of typed text under quick metrics; what did not change since the last key stroke is remembered."""
    return score(corpus, _metrics, store=_typing(), workers=1)


@st.cache_resource
def _typing() -> MemoryStore:
    """Rows of quick metrics are not worth the disk while one types. What takes a model or a parser is kept there like
    anything else: numbers under hashes, no text."""
    return MemoryStore(16 << 20)


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=by_content, scope="session")
def quick_steps(corpus: Corpus, signature: str, _metric: Metric, output: str) -> tuple[Step, ...]:
    """The steps of a metric that needs no model."""
    return _typed_steps(corpus, _metric, output)


@st.cache_resource(show_spinner=False, max_entries=500, hash_funcs=by_content, scope="session")
def model_steps(corpus: Corpus, signature: str, _metric: Metric, output: str) -> Future[tuple[Step, ...]]:
    """The steps of a metric that needs a model, worked out beside the page; its errand is this visit's to keep."""
    key = "steps", corpus.fingerprint, signature, digest(output)
    return errands().ask(key, partial(_typed_steps, corpus, _metric, output), private=True)


def _typed_steps(corpus: Corpus, metric: Metric, output: str) -> tuple[Step, ...]:
    """How a metric comes to the score of an output of typed text, one step at a time."""
    return steps(Case(metric, corpus.sentences[0], output, Store(), peers(corpus, 0, output)))
