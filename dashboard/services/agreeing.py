"""How far metrics go with judges and with what papers printed."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from dashboard.services.caching import by_content
from dashboard.services.corpus import pairs_among
from dashboard.services.scoring import sentence_arrays
from gec_core import corpora
from gec_core.human.bootstrap import Interval
from gec_core.human.pairs import Integers
from gec_core.human.sources import PairSet
from gec_core.meta.agreement import PairAgreement, Ties, compare, preferences
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=by_content)
def preferred(
    corpus: Corpus, which: PairSet, systems: tuple[str, ...], signature: str, _column: MetricScores
) -> Integers:
    """What a metric says of each of these pairs."""
    return preferences(pairs_among(corpus, which, systems), sentence_arrays(corpus, signature, _column))


@st.cache_resource(show_spinner="Comparing with the judges …", max_entries=400, hash_funcs=by_content)
def agreements(
    corpus: Corpus, which: PairSet, systems: tuple[str, ...], signature: str, _column: MetricScores
) -> dict[Ties, tuple[PairAgreement, Interval]]:
    """How far a metric agrees with the judges under every convention on ties, with the interval of tau."""
    pairs, answers = pairs_among(corpus, which, systems), preferred(corpus, which, systems, signature, _column)
    found = {ties: compare(pairs, answers, ties) for ties in get_args(Ties)}
    return {ties: (result, result.tau_interval()) for ties, result in found.items()}


@st.cache_data(show_spinner="Computing the paper's figures …", max_entries=32, hash_funcs=by_content)
def reproduced(corpus: Corpus, paper: str) -> list[dict[str, str]]:
    """The figures of a paper beside ours, as text."""
    from gec_core.papers import reproduce  # not before somebody asks: the first page is to show soon

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
