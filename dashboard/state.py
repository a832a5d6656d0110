"""What is selected. The only user of session state and of the address in the browser."""

from __future__ import annotations

import streamlit as st

from dashboard import services
from dashboard.components.messages import plain
from gec_core.types import Corpus

_CORPUS = "corpus"


def sidebar() -> None:
    """The choices that hold for all pages."""
    with st.sidebar:
        names = services.corpus_names()
        st.selectbox(
            "Corpus", names, key=_CORPUS, bind="query-params", help="Folders named in GEC_LENS_DATA are listed, too."
        )
        notice = corpus().info.notice
        if notice:
            st.caption(plain(notice))


def corpus() -> Corpus:
    """The corpus that all pages are about."""
    return services.load_corpus(st.session_state[_CORPUS])
