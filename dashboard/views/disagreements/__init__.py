"""The page *Disagreements*: pairs of outputs that two sides order in opposite ways, as a list, a plot and tallies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.components.comparison import comparison
from dashboard.components.controls import folded
from dashboard.components.disagreement import Listed, list_disagreements
from dashboard.components.exports import SENTENCE, csv_button, from_1
from dashboard.components.messages import end_page, plain, without_texts
from dashboard.views.disagreements.filters import choose_dispute, filters_told, sides_of
from dashboard.views.disagreements.rows import disagreement_rows, few, why_link
from dashboard.views.disagreements.summaries import plot, tallies
from gec_core.meta.disagreement import Disagreement, Opinion


def show() -> None:
    """Draw the page."""
    st.title("Disagreements")
    st.write(
        "Pairs of outputs of one sentence that two sides, metrics or judges, order in opposite ways. Click a pair to "
        "open it."
    )
    found = comparison()
    cache.warm_models(found.metrics.values())
    corpus = found.corpus
    names = {column.metric.id: column.metric.title for column in found.table.columns if column.scores_sentences}
    if silent := [name for name, metric in found.metrics.items() if metric.id not in names]:
        st.caption(f"Not shown here: {plain(', '.join(silent))}, which scores whole systems only.")
    sides = sides_of(corpus, list(names))
    if len(sides) < 2:
        st.info("Choose at least two metrics in the sidebar, or a corpus with human judgments.")
        end_page()

    def title(side: str) -> str:
        return names.get(side, "the judges")

    kept = [system for system in corpus.systems if system not in found.left_out]
    dispute = choose_dispute(corpus, sides, title, kept)
    shown = list_disagreements(found, dispute)
    compared = cache.disagreements(corpus, dispute.a, dispute.b, tuple(found.table.columns))
    if unknown := [system for system in kept if system not in compared.systems]:
        st.caption(f"Not shown: {plain(', '.join(unknown))}, which one of the two sides does not score.")
    filters_told(dispute)
    summary(shown)
    if few(shown.found.order.opposed, shown.found.order.pairs):
        tell_few(shown)
    why_link(dispute, corpus.systems)
    if not shown.rows:
        st.info("There are no such pairs.")
        return
    disagreement_table(shown)
    first, second = map(plain, shown.titles)
    folded(f"{first} and {second}, pair by pair", partial(plot, shown), key="plot")
    folded("Where they disagree most", partial(tallies, shown), key="tallies")


def summary(listed: Listed) -> None:
    """Draw how often the two sides agree, and which of them people agree with."""
    found, (first, second) = listed.found, listed.titles
    order = found.order
    if not order.pairs:
        st.info("No pair of outputs passes the filters. Remove some of them.")
        return
    text = (
        f"The two sides order **{order.opposed:,}** of {order.pairs:,} pairs of different outputs "
        f"({order.opposed / order.pairs:.1%}) in opposite ways and {order.alike:,} in the same way; "
        f"{order.one_tied + order.both_tied:,} pairs are tied by at least one side."
    )
    if found.sided and any(found.sided):
        with_first, with_second, with_none = found.sided
        text += (
            f" Of the pairs in opposite order, people compared {sum(found.sided):,}: they agree with {plain(first)} on "
            f"**{with_first:,}**, with {plain(second)} on **{with_second:,}**, and tie {with_none:,}."
        )
    st.markdown(text)


def tell_few(listed: Listed) -> None:
    """Say why there is little to list."""
    order, (first, second) = listed.found.order, listed.titles
    if not order.pairs:
        return
    st.info(
        f"{plain(first)} and {plain(second)} rarely order two outputs in opposite ways here: "
        f"{order.alike / order.pairs:.0%} of the pairs are in the same order and "
        f"{(order.one_tied + order.both_tied) / order.pairs:.0%} are tied by at least one side. Systems may "
        "still be ordered differently, because small differences add up over sentences."
    )


def disagreement_table(listed: Listed) -> None:
    """Draw the disagreements as a list; a click on a row opens its sentence."""
    frame = _frame(listed.rows, *listed.titles)
    if len(listed.found) > len(listed.rows):
        st.caption(f"The first {len(listed.rows)} of {len(listed.found):,} pairs.")
    if listed.corpus.has_texts:
        disagreement_rows(listed)
    else:
        st.caption(without_texts(listed.corpus))
        number = {SENTENCE: st.column_config.NumberColumn("no.", width=60, help="The number of the sentence.")}
        st.dataframe(from_1(frame), hide_index=True, column_config=number, height=420)
    first, second = listed.titles
    csv_button(frame, listed.name, f"Pairs of outputs that {first} and {second} order oppositely")


def _frame(rows: Sequence[Disagreement], first: str, second: str) -> pd.DataFrame:
    columns = {
        SENTENCE: [row.sentence for row in rows],
        f"better by {first}": [_names(row.first) for row in rows],
        f"better by {second}": [_names(row.second) for row in rows],
        "contribution": [row.contribution for row in rows],
        "strength": [row.strength for row in rows],
        f"margin, {first}": [row.first.difference for row in rows],
        f"margin, {second}": [row.second.difference for row in rows],
    }
    if any(row.judges and row.judges not in (row.first, row.second) for row in rows):
        columns["better by the judges"] = [_names(row.judges) if row.judges else "–" for row in rows]
    return pd.DataFrame(columns)


def _names(opinion: Opinion) -> str:
    return ", ".join(opinion.better) or "tie"
