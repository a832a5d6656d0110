"""The figures of the papers beside ours, with a verdict on each."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import choices, services
from dashboard.components.exports import csv_button
from gec_core.precomputed import ScoresOnly
from gec_core.reproduce import PAPERS
from gec_core.types import Corpus

TITLES = {
    "chollampatt2018": "Chollampatt and Ng 2018",
    "felice2015": "Felice and Briscoe 2015",
    "gong2022": "Gong et al. 2022",
    "islam2021": "Islam and Magnani 2021",
    "asano2017": "Asano et al. 2017",
}
MARKS = {"equal": "✓ equal", "differs": "≠ differs", "missing": "– missing"}


def published(corpus: Corpus) -> None:
    """Choose a paper, read the verdicts."""
    if isinstance(corpus, ScoresOnly):
        st.info("Computing the papers' figures takes the texts of the corpus: `corpora fetch conll14` gets them.")
        return
    papers = list(PAPERS)
    left, right = st.columns(2)
    paper = left.selectbox(
        "Paper", papers, format_func=TITLES.__getitem__, key=choices.of_page("paper", papers, papers[0])
    )
    verdicts = right.pills(
        "Verdict", list(MARKS), selection_mode="multi", default=list(MARKS), format_func=MARKS.__getitem__
    )
    rows = services.reproduced(corpus, paper)
    frame = pd.DataFrame(rows, columns=["table", "row", "column", "published", "ours", "verdict", "why"])
    counts = frame["verdict"].value_counts()
    told = ", ".join(f"{counts.get(verdict, 0)} {mark}" for verdict, mark in MARKS.items())
    st.markdown(f"**{len(frame)} figures:** {told}")
    shown = frame[frame["verdict"].isin(verdicts)].assign(verdict=lambda part: part["verdict"].map(MARKS))
    st.dataframe(shown, hide_index=True, height=520, column_config={"why": st.column_config.TextColumn(width="large")})
    csv_button(frame, f"{corpus.name}-{paper}")
