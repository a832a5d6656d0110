"""Single sentences of a system: those that cost it most, those that split the metrics, those that changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import navigation, url_state
from dashboard.analysing import Analysing
from dashboard.components.exports import csv_button
from dashboard.components.messages import plain
from dashboard.components.sentences import sentence_rows

EXAMPLES = 10
ROW, TALLEST = 66, 640
"""Pixels of height of a row, in which two lines of text fit, and of a table."""


def costly(chosen: Analysing) -> None:
    """What the score would gain without a sentence."""
    by_name = {each.metric.name: each for each in chosen.metrics}
    names = list(by_name)
    each = by_name[st.selectbox("Under", names, key=url_state.choice("under", names, names[0]))]
    st.write(
        f"How much higher the score of {plain(chosen.system)} would be without a sentence, in the metric's own points; "
        "beside it the sentence scores of the system and of the best one there."
    )
    frame = pd.DataFrame(
        [
            (row.sentence, row.cost, row.score, row.best, row.best_score, chosen.source(row.sentence))
            for row in each.costly
        ],
        columns=["sentence", "cost", "score", "best", "best score", "source"],
    )
    config = {
        "cost": st.column_config.NumberColumn(format="%.6f"),
        "score": st.column_config.NumberColumn(format="%.3f"),
        "best score": st.column_config.NumberColumn(format="%.3f"),
    }
    opened = _listed(chosen, frame, {"source": 430}, config, "costly-rows")
    csv_button(frame, f"{chosen.corpus.name}-{chosen.system}-{each.metric.id}-costly")
    if opened is not None:
        row = each.costly[opened]
        _open(chosen, row.sentence, row.best if row.best != chosen.system else chosen.rival)


def splits(chosen: Analysing) -> None:
    """Where some metrics prefer the system and others the rival."""
    if (found := chosen.changes) is None:
        st.info("There is no other system to compare with.")
        return
    rows = found.splits()
    if not rows:
        st.info("The metrics never split on these two systems. Choose more metrics in the sidebar.")
        return
    st.write(
        f"Sentences on which some metrics prefer {plain(chosen.system)} and others {plain(found.rival)}, the firmest "
        "splits first. Strength 0.9: to a metric on either side, the two are farther apart than nine of ten pairs."
    )
    names = {each.metric.id: each.metric.name for each in chosen.metrics}
    frame = pd.DataFrame(
        [
            (
                row.sentence,
                row.strength,
                ", ".join(names[id] for id in row.prefer_system),
                ", ".join(names[id] for id in row.prefer_rival),
                chosen.source(row.sentence),
            )
            for row in rows
        ],
        columns=["sentence", "strength", f"prefer {chosen.system}", f"prefer {found.rival}", "source"],
    )
    strength = st.column_config.ProgressColumn(format="%.2f", min_value=0, max_value=1, width=110)
    sides = dict.fromkeys(frame.columns[2:4], st.column_config.TextColumn(width=160))
    opened = _listed(chosen, frame, {"source": 280}, {"strength": strength, **sides}, "split-rows")
    csv_button(frame, f"{chosen.corpus.name}-{chosen.system}-{found.rival}-splits")
    if opened is not None:
        _open(chosen, rows[opened].sentence, found.rival)


def what_changed(chosen: Analysing) -> None:
    """From the rival, or an earlier version, to the system."""
    if (found := chosen.changes) is None:
        st.info("There is no other system to compare with.")
        return
    st.markdown(
        f"From {plain(found.rival)} to {plain(found.system)} the output changed on **{len(found.verdicts):,}** of "
        f"{found.sentences:,} sentences. What each metric makes of these, by sentence scores:"
    )
    names = {each.metric.id: each.metric.name for each in chosen.metrics}
    tallies = pd.DataFrame(
        [(names[row.metric], row.better, row.worse, row.equal) for row in found.tallies],
        columns=["metric", "better", "worse", "no difference"],
    )
    st.dataframe(tallies, hide_index=True, height=38 + 35 * len(tallies), width="content")
    csv_button(tallies, f"{chosen.corpus.name}-{chosen.system}-{found.rival}-changes")
    for heading, rows, key in (
        ("Clearest improvements", found.better(EXAMPLES), "better-rows"),
        ("Clearest losses", found.worse(EXAMPLES), "worse-rows"),
    ):
        st.subheader(heading)
        if not rows:
            st.write("None.")
            continue
        frame = pd.DataFrame(
            [
                (row.sentence, len(row.prefer_system), len(row.prefer_rival), *chosen.outputs(row.sentence))
                for row in rows
            ],
            columns=["sentence", "for", "against", *(f"output, {name}" for name in (found.rival, found.system))],
        )
        votes = {
            "for": st.column_config.NumberColumn(width=60, help=f"Metrics that prefer {plain(found.system)}."),
            "against": st.column_config.NumberColumn(width=75, help=f"Metrics that prefer {plain(found.rival)}."),
        }
        opened = _listed(chosen, frame, dict.fromkeys(frame.columns[3:], 290), votes, key)
        if opened is not None:
            _open(chosen, rows[opened].sentence, found.rival)


def _listed(
    chosen: Analysing, frame: pd.DataFrame, texts: Mapping[str, int], config: Mapping[str, Any], key: str
) -> int | None:
    """A table of sentences; the row that was chosen, if one was.

    `texts` are columns with text, which wraps at this width in pixels; they are left out where there is none.
    """
    if not chosen.corpus.has_texts:
        return sentence_rows(chosen.corpus, frame.drop(columns=list(texts)), key=key, config=config)
    wrapped = {name: st.column_config.TextColumn(width=width) for name, width in texts.items()}
    height = min(38 + ROW * len(frame), TALLEST)
    return sentence_rows(chosen.corpus, frame, key=key, config={**wrapped, **config}, height=height, row_height=ROW)


def _open(chosen: Analysing, sentence: int, against: str | None) -> None:
    asked = {"sentence": [str(sentence)], "system": [chosen.system], "against": [against] if against else []}
    st.switch_page(navigation.page("sentence"), query_params=url_state.link(asked))
