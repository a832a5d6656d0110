"""Outputs that two sides order in opposite ways: a list, a picture, and who they are about."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import charts, navigation, state
from dashboard.components.exports import csv_button, figure
from gec_core.meta.disagreement import Disagreement, Disagreements

LISTED = 200


def summary(found: Disagreements) -> None:
    """How often the two agree, in one sentence."""
    order = found.order
    if not order.pairs:
        st.info("No pair of outputs is left: loosen the filters.")
        return
    st.markdown(
        f"On **{order.opposed:,}** of {order.pairs:,} pairs of different outputs the two prefer opposite ones "
        f"({order.opposed / order.pairs:.1%}); {order.alike:,} they order alike, {order.one_tied + order.both_tied:,} "
        "at least one of them cannot decide."
    )


def disagreement_table(found: Disagreements, first: str, second: str, name: str) -> None:
    """The strongest ones; choosing a row opens its sentence."""
    rows = found.top(LISTED)
    if not rows:
        st.info("The two never disagree here.")
        return
    frame = pd.DataFrame(
        [
            (
                row.sentence,
                ", ".join(row.first.better),
                ", ".join(row.second.better),
                row.strength,
                row.first.difference,
                row.second.difference,
            )
            for row in rows
        ],
        columns=[
            "sentence",
            f"better by {first}",
            f"better by {second}",
            "strength",
            f"margin, {first}",
            f"margin, {second}",
        ],
    )
    st.caption("Choose a row to open its sentence. Sentences are counted from 0.")
    chosen = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="disagreement-rows",
        height=420,
        column_config={
            "strength": st.column_config.ProgressColumn(
                format="%.2f",
                min_value=0,
                max_value=1,
                help="How far apart both set the two outputs, each on its own scale: .9 means that nine of ten "
                "pairs of outputs are closer, for the side to which it matters less.",
            ),
            f"margin, {first}": st.column_config.NumberColumn(format="%.3f"),
            f"margin, {second}": st.column_config.NumberColumn(format="%.3f"),
        },
    )
    csv_button(frame, name)
    if chosen.selection.rows:
        _open(rows[chosen.selection.rows[0]])
    chart = charts.points(
        [(row.first.share, row.second.share) for row in rows],
        [f"sentence {row.sentence}" for row in rows],
        x=f"how sure by {first}",
        y=f"how sure by {second}",
    )
    st.subheader("How sure each side is")
    st.write("Each point is one of the pairs above. On the top right, both sides are sure, and sure of the opposite.")
    figure(chart, f"{name}-shares", frame)


def _open(row: Disagreement) -> None:
    state.choose_sentence(row.sentence, row.first.better[0], row.second.better[0])
    st.switch_page(navigation.page("sentence"))


def tallies(found: Disagreements, name: str) -> None:
    """On which systems, and on which error types, the two disagree most."""
    for heading, rows in (("By pair of systems", found.by_systems()), ("By error type", found.by_type())):
        if rows:
            st.subheader(heading)
            frame = pd.DataFrame(
                [(" – ".join(row.what), row.opposed, row.pairs, row.share) for row in rows],
                columns=["which", "opposed", "pairs", "share"],
            )
            share = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
            st.dataframe(frame, hide_index=True, column_config={"share": share}, height=300)
            csv_button(frame, f"{name}-{heading.lower().replace(' ', '-')}")
