"""Where a system stands among the others, and whether its distance from a rival is chance."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import url_state
from dashboard.analysing import Analysing
from dashboard.charts import analysis as charts_analysis
from dashboard.components.exports import csv_button, figure, table
from dashboard.components.messages import plain
from gec_core.analysis.significance import ALPHA
from gec_core.formatting import minus

INTERVALS = {"score from": "from", "score to": "to", "rank from": "from", "rank to": "to"}
HELPS = {name: f"The {name.split()[0]}'s interval." for name in INTERVALS}
"""Columns of intervals: short heads, so that all of them are in sight."""


def standing(chosen: Analysing) -> None:
    """Score and rank under each metric with intervals, and all systems under one of them."""
    st.write(
        f"The score and rank of {plain(chosen.system)} among {len(chosen.corpus.systems)} systems. The intervals say "
        "how much depends on which sentences were tested: the middle 95% when the sentences are drawn anew "
        f"{chosen.samples:,} times."
    )
    rows = {each.metric.name: each.standing(chosen.system) for each in chosen.metrics}
    frame = pd.DataFrame(
        [(name, row.score, row.low, row.high, row.rank, row.rank_low, row.rank_high) for name, row in rows.items()],
        columns=["metric", "score", "score from", "score to", "rank", "rank from", "rank to"],
    )
    name = f"{chosen.corpus.name}-{chosen.system}"
    left, right = st.columns([2, 3], gap="small")
    with left:
        figure(charts_analysis.ranks(rows), f"{name}-ranks", frame)
    with right:
        table(frame, heads=INTERVALS, helps=HELPS, height=38 + 35 * len(frame))
        csv_button(frame, f"{name}-standing")
    _all_systems(chosen, name)


def _all_systems(chosen: Analysing, name: str) -> None:
    by_name = {each.metric.name: each for each in chosen.metrics}
    names = list(by_name)
    picked = st.selectbox("All systems under", names, key=url_state.choice("under", names, names[0]))
    each = by_name[picked]
    frame = pd.DataFrame(
        [(row.rank, row.system, row.score, row.low, row.high, row.rank_low, row.rank_high) for row in each.standings],
        columns=["rank", "system", "score", "score from", "score to", "rank from", "rank to"],
    )
    rival = f", ◆ {plain(chosen.rival)}" if chosen.rival else ""
    st.caption(f"■ {plain(chosen.system)}{rival}, ● everybody else.")
    chart = charts_analysis.scores(each.standings, chosen.system, chosen.rival, x=each.metric.label)
    figure(chart, f"{name}-{each.metric.id}-all", frame)


def significance(chosen: Analysing) -> None:
    """The difference from the rival with both tests, and from everybody else with the bootstrap."""
    rival = chosen.rival
    if rival is None:
        st.info("There is no other system to compare with.")
        return
    st.write(
        f"{plain(chosen.system)} against {plain(rival)} on the same sentences. Both tests are paired and two-sided; "
        f"better or worse stands where both give p < {ALPHA}."
    )
    rows = []
    for each in chosen.metrics:
        found = each.difference(rival)
        rows.append(
            (
                each.metric.name,
                each.standing(chosen.system).score,
                each.standing(rival).score,
                found.difference,
                found.low,
                found.high,
                found.p_bootstrap,
                found.p_randomisation,
                {"better": "▲ better", "worse": "▼ worse"}.get(found.verdict, found.verdict),
            )
        )
    scored = [f"score, {chosen.system}", f"score, {rival}"]
    columns = ["metric", *scored, "difference", "from", "to", "p, bootstrap", "p, randomisation", "verdict"]
    frame = pd.DataFrame(rows, columns=columns)
    config = dict.fromkeys(columns[1:6], st.column_config.NumberColumn(format="%.4f"))
    shown = frame.assign(**{column: frame[column].map(_probability) for column in columns[6:8]})
    st.dataframe(shown, hide_index=True, column_config=config, height=38 + 35 * len(frame))
    csv_button(frame, f"{chosen.corpus.name}-{chosen.system}-{rival}-significance")
    with st.expander("How the tests work"):
        st.markdown(
            "**Paired bootstrap**: sentences are drawn with replacement, the same for both systems; how often is the "
            "difference as far from the observed one as that is from 0?  \n"
            "**Approximate randomisation**: for every sentence a coin decides whether the two outputs are exchanged; "
            "how often is the difference at least as large?  \n"
            f"With b such cases in {chosen.samples:,}, p = (b + 1) / ({chosen.samples:,} + 1)."
        )
    _against_all(chosen)


def _against_all(chosen: Analysing) -> None:
    st.subheader("Against every system")
    st.write(
        f"Differences of scores; ▲ or ▼ where the paired bootstrap gives p < {ALPHA}. Of twenty comparisons without "
        "any true difference, one would be marked by chance."
    )
    rivals = [row.rival for row in chosen.metrics[0].differences]
    frame = pd.DataFrame(
        {
            each.metric.name: [_short(row.difference, row.p_bootstrap) for row in map(each.difference, rivals)]
            for each in chosen.metrics
        },
        index=pd.Index(rivals, name="system"),
    )
    st.dataframe(frame, height=38 + 35 * len(frame))
    csv_button(frame, f"{chosen.corpus.name}-{chosen.system}-against-all", index=True)


def _probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _short(difference: float, p: float) -> str:
    sign = "" if p >= ALPHA else "▲ " if difference > 0 else "▼ "
    return minus(f"{sign}{difference:+.4f}")
