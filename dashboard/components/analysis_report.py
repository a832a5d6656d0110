"""Taking an analysis along: the report as one HTML file, its numbers as a zip."""

from __future__ import annotations

import streamlit as st

from dashboard.analysing import Analysing
from dashboard.components.exports import download
from dashboard.components.messages import plain
from gec_core.explain.phrases import joined


def downloads(chosen: Analysing) -> None:
    name = f"{chosen.corpus.name}-{chosen.system}-report".replace("/", "-").replace("\\", "-")
    with st.container(horizontal=True):
        download(
            "Report (HTML)",
            chosen.page,
            f"{name}.html",
            "text/html",
            help="All of the analysis in one file with its figures, signatures, versions and seed. Opens offline.",
        )
        download(
            "Numbers (zip)",
            chosen.bundle,
            f"{name}.zip",
            "application/zip",
            help="The report, and its numbers as CSV and JSON.",
        )
    if chosen.waiting:
        st.caption(
            f"The report is without {plain(joined(chosen.waiting))} for now: "
            f"{'it is' if len(chosen.waiting) == 1 else 'they are'} not scored yet."
        )
