"""The figures of the papers beside ours, with a verdict on each."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import cache, url_state
from dashboard.components.exports import csv_button
from dashboard.components.published_words import column_words, place, row_words
from dashboard.components.tables import table
from gec_core.formatting import minus
from gec_core.papers import PAPERS
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
    if not corpus.has_texts:
        st.info("Computing the papers' figures takes the texts of the corpus: `corpora fetch conll14` gets them.")
        return
    papers = list(PAPERS)
    left, right = st.columns(2)
    paper = left.selectbox(
        "Paper", papers, format_func=TITLES.__getitem__, key=url_state.choice("paper", papers, papers[0])
    )
    verdicts = right.pills(
        "Verdict", list(MARKS), selection_mode="multi", default=list(MARKS), format_func=MARKS.__getitem__
    )
    rows = cache.reproduced(corpus, paper)
    frame = pd.DataFrame(rows, columns=["table", "row", "column", "published", "ours", "verdict", "why"])
    counts = frame["verdict"].value_counts()
    told = ", ".join(f"{counts.get(verdict, 0)} {mark}" for verdict, mark in MARKS.items())
    st.markdown(f"**{len(frame)} figures:** {told}")
    shown = frame[frame["verdict"].isin(verdicts)]
    table(_in_words(paper, shown), height=520, wide=("why",))
    csv_button(frame, f"{corpus.name}-{paper}")


def _in_words(paper: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows as people read them; the keys are for the file."""
    return pd.DataFrame(
        {
            "where": [place(each) for each in frame["table"]],
            "of": [row_words(paper, *each) for each in zip(frame["table"], frame["row"], strict=True)],
            "figure": [column_words(paper, each) for each in frame["column"]],
            "published": [_number(each) for each in frame["published"]],
            "ours": [_number(each) for each in frame["ours"]],
            "verdict": [MARKS[each] for each in frame["verdict"]],
            "why": list(frame["why"]),
        }
    )


def _number(text: str) -> str:
    """Some figures are names, which may have hyphens."""
    return minus(text) if text.startswith("-") else text
