"""How well metrics agree with people on every corpus that can be opened."""

from __future__ import annotations

import streamlit as st

from dashboard.cache.corpora import by_content, corpus_names, load_corpus
from dashboard.cache.scoring import metrics_for
from gec_core.human.ranking import Method
from gec_core.meta.across import Cell, cells, views
from gec_core.scoring import known_column
from gec_core.store import Store
from gec_core.types import Corpus

LEFT_OUT = ("demo",)
"""Corpora whose judgments are made up."""


def across(method: Method) -> list[Cell]:
    """Return the cells of all corpora, with the metrics whose scores are known."""
    found: list[Cell] = []
    for name in corpus_names():
        if name not in LEFT_OUT:
            found += _cells(load_corpus(name), method)
    return found


@st.cache_resource(show_spinner="Comparing metrics on every corpus …", max_entries=32, hash_funcs=by_content)
def _cells(corpus: Corpus, method: Method) -> list[Cell]:
    store = Store()
    scored = [metric for metric in metrics_for(corpus).values() if metric.family != "sanity"]
    columns = [column for metric in scored if (column := known_column(corpus, metric, store))]
    scores = {column.metric.id: column.values for column in columns}
    return [cell for view in views(corpus, method) for cell in cells(view, scores)]
