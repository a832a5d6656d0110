"""What a system corrects: error types gained and lost against a rival, too much and too little."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.analysing import Analysing
from dashboard.charts import analysis as charts_analysis
from dashboard.components.exports import csv_button, figure
from dashboard.components.messages import plain

DRAWN = 16


def error_types(chosen: Analysing) -> None:
    """Found and overdone more or less than by the rival."""
    if chosen.rival is None or not (gains := chosen.gains):
        st.info("Error types need references, the texts of the corpus, ERRANT, and a second system to compare with.")
        return
    mine, rival = chosen.system, chosen.rival
    st.write(
        f"What {plain(mine)} does otherwise than {plain(rival)}, by ERRANT's types: errors that it finds more or fewer "
        "of, and wrong edits that it makes more or fewer of."
    )
    frame = pd.DataFrame(
        [
            (gain.type, gain.system.tp, gain.rival.tp, gain.found, gain.system.fp, gain.rival.fp, gain.overdone)
            for gain in gains
        ],
        columns=[
            "type",
            f"found, {mine}",
            f"found, {rival}",
            "more found",
            f"overdone, {mine}",
            f"overdone, {rival}",
            "more overdone",
        ],
    )
    most = frame[["more found", "more overdone"]].abs().max(axis=1)
    frame = frame.reindex(most.sort_values(ascending=False, kind="stable").index)
    name = f"{chosen.corpus.name}-{mine}-{rival}-types"
    left, right = st.columns(2, gap="medium")
    for place, column, told in (
        (left, "more found", f"errors found more (right) or fewer than by {rival}"),
        (right, "more overdone", f"wrong edits more (right) or fewer than by {rival}"),
    ):
        most = frame.reindex(frame[column].abs().sort_values(ascending=False, kind="stable").index)[:DRAWN]
        rows = most.sort_values(column, ascending=False, kind="stable")
        with place:
            drawn = list(zip(rows["type"], rows[column].tolist(), strict=True))
            chart = charts_analysis.gains(drawn, x=told, more_is_better=column == "more found")
            figure(chart, f"{name}-{column.replace(' ', '-')}", rows[["type", column]])
    st.dataframe(frame, hide_index=True)
    csv_button(frame, name)
    st.caption(
        "Found: gold edits that the system made. Overdone: its edits that the annotator did not make. In each sentence "
        "the annotator counts whom ERRANT chooses for the system; gold edits are read off the references."
    )


def correction(chosen: Analysing) -> None:
    """Edits proposed, right and missed, and what happens to sentences without and with errors."""
    if not (found := chosen.corrections):
        st.info("This needs gold edits or references, and the texts of the corpus.")
        return
    rows = sorted(found, key=lambda row: -row.proposed)
    own = next(row for row in rows if row.system == chosen.system)
    share = f" ({own.correct / own.proposed:.1%})" if own.proposed else ""
    st.markdown(
        f"{plain(own.system)} proposes **{own.proposed:,}** edits, of which **{own.correct:,}**{share} are right, and "
        f"misses **{own.missed:,}**. It changes **{_share(own.overcorrected)}** of the sentences that are free of "
        f"errors, and leaves **{_share(own.untouched)}** of those with errors untouched."
    )
    frame = pd.DataFrame(
        [
            (row.system, row.proposed, row.correct, row.wrong, row.missed, row.overcorrected, row.untouched)
            for row in rows
        ],
        columns=[
            "system",
            "proposed",
            "correct",
            "wrong",
            "missed",
            "error-free sentences changed",
            "sentences with errors untouched",
        ],
    )
    name = f"{chosen.corpus.name}-{chosen.system}-correction"
    figure(charts_analysis.edits(rows, chosen.system, chosen.rival), f"{name}-edits", frame)
    shares = st.column_config.NumberColumn(format="percent")
    st.dataframe(frame, hide_index=True, column_config=dict.fromkeys(frame.columns[5:], shares))
    csv_button(frame, name)
    st.caption(
        "Edits as M² matches them with the gold edits, under the annotator it chooses for the system. A sentence is "
        f"free of errors if no annotator changed anything in it ({own.error_free:,}); it has errors if every "
        f"annotator did ({own.with_errors:,})."
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
