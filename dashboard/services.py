"""What pages ask for, computed once and shared by all visitors. The only user of Streamlit's caches."""

from __future__ import annotations

import streamlit as st

from gec_core import corpora, metrics
from gec_core.metrics.base import Metric
from gec_core.scores import ScoreTable
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Corpus


def corpus_names() -> list[str]:
    """The corpora that can be opened on this machine."""
    return [entry.name for entry in corpora.catalogue_entries() if entry.path]


@st.cache_resource(show_spinner="Reading the corpus …", max_entries=8)
def load_corpus(name: str) -> Corpus:
    return corpora.load(name)


def available_metrics() -> dict[str, Metric]:
    """The metrics that can run here, by id, in the order of the lists."""
    made = {id: cls() for id, cls in metrics.registry().items()}
    return {id: metric for id, metric in made.items() if metric.availability().ready}


@st.cache_resource(show_spinner="Scoring …", max_entries=32, hash_funcs={Corpus: lambda corpus: corpus.fingerprint})
def scores(corpus: Corpus, metric_ids: tuple[str, ...]) -> ScoreTable:
    """Scores of all systems under these metrics, out of the store where it has them."""
    return score(corpus, [metrics.create(id) for id in metric_ids], store=Store())
