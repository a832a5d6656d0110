"""The page *Disagreements*: pairs of outputs that two sides order in opposite ways, as a list, a plot and tallies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard import cache, glossary, navigation, session, url_state
from dashboard.components.comparison import comparison
from dashboard.components.disagreement import Dispute, Stop, open_why, stop_at
from dashboard.components.exports import SENTENCE, csv_button, figure, from_1
from dashboard.components.messages import end_page, plain, without_texts
from dashboard.views.disagreements.filters import choose_dispute, filters_told, sides_of, type_label
from dashboard.views.disagreements.rows import Sides, disagreement_rows, few, why_link
from gec_core import charts
from gec_core.meta.disagreement import (
    Disagreement,
    DisagreementCount,
    Disagreements,
    Opinion,
    by_system,
    by_systems,
    by_type,
)
from gec_core.types import Corpus

ALIKE = 800
"""The number of points for pairs in the same order, drawn behind the others."""
NAMES = 380
"""Pixels for the names of systems in a row, so that the table fits a small screen."""
_CLICKED = "clicked-pair"
"""The sentence and the outputs of the point that was clicked."""


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
    first, second = title(dispute.a), title(dispute.b)
    compared = cache.disagreements(corpus, dispute.a, dispute.b, tuple(found.table.columns))
    if unknown := [system for system in kept if system not in compared.systems]:
        st.caption(f"Not shown: {plain(', '.join(unknown))}, which one of the two sides does not score.")
    signatures = (each.metric.signature for each in found.table.columns if each.metric.id in (dispute.a, dispute.b))
    key = (repr(dispute), repr(sorted(found.left_out)), *signatures, str(len(compared.types)))
    narrowed = cache.shared(corpus, ("narrowed", *key), lambda: dispute.narrow(compared, found.left_out))
    filters_told(dispute)
    summary(narrowed, first, second)
    if few(narrowed.order.opposed, narrowed.order.pairs):
        tell_few(narrowed, first, second)
    why_link(dispute, corpus.systems)
    metrics = {metric.id: metric for metric in found.metrics.values()}
    sides_shown = [(title(side), metrics.get(side)) for side in (dispute.a, dispute.b)]
    disagreement_table(corpus, narrowed, dispute, found.left_out, sides_shown, key)
    tallies(corpus, narrowed, first, second, f"{corpus.name}-{dispute.a}-{dispute.b}", key)


def summary(found: Disagreements, first: str, second: str) -> None:
    """Draw how often the two sides agree, and which of them people agree with."""
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


def tell_few(found: Disagreements, first: str, second: str) -> None:
    """Say why there is little to list."""
    order = found.order
    if not order.pairs:
        return
    st.info(
        f"{plain(first)} and {plain(second)} rarely order two outputs in opposite ways here: "
        f"{order.alike / order.pairs:.0%} of the pairs are in the same order and "
        f"{(order.one_tied + order.both_tied) / order.pairs:.0%} are tied by at least one side. Systems may "
        "still be ordered differently, because small differences add up over sentences."
    )


def disagreement_table(
    corpus: Corpus,
    found: Disagreements,
    dispute: Dispute,
    left_out: Collection[str],
    sides: Sides,
    key: tuple[str, ...],
) -> None:
    """Draw the disagreements as a list and as a plot; a click on a row or a point opens its sentence.

    `key` names what is compared and by what it is filtered, for what all visitors share.
    """
    (first, _), (second, _) = sides
    name = f"{corpus.name}-{dispute.a}-{dispute.b}"
    if point := session.kept(_CLICKED, None):
        session.keep(_CLICKED, None)
        _open(Stop(*point), dispute)
    rows = cache.shared(corpus, ("rows", *key), lambda: dispute.rows(found))
    if not rows:
        st.info("There are no such pairs.")
        return
    frame = _frame(rows, first, second)
    if len(found) > len(rows):
        st.caption(f"The first {len(rows)} of {len(found):,} pairs.")
    if corpus.has_texts:
        disagreement_rows(corpus, rows, dispute, left_out, sides)
    else:
        st.caption(without_texts(corpus))
        number = {SENTENCE: st.column_config.NumberColumn("no.", width=60, help="The number of the sentence.")}
        st.dataframe(from_1(frame), hide_index=True, column_config=number, height=420)
    csv_button(frame, name)
    chart, data = cache.shared(
        corpus, ("scatter", first, second, *key), lambda: _scatter(found, rows, left_out, first, second)
    )
    st.subheader(f"{plain(first)} and {plain(second)}, pair by pair")
    here = corpus.has_texts
    st.write(
        f"Each point is a pair of outputs. The horizontal axis shows how far apart the two are under {plain(first)}, "
        f"the vertical axis how far apart they are under {plain(second)}: above the line in the same order, below it "
        "in the opposite order. Pairs in the same order are a random sample."
        f"{' Click a point to open its sentence.' if here else ''}"
    )
    figure(chart, f"{name}-scatter", data, on_click=_remember_clicked if here else None)


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


def _scatter(
    found: Disagreements, rows: Sequence[Disagreement], left_out: Collection[str], first: str, second: str
) -> tuple[go.Figure, pd.DataFrame]:
    """How far apart each side places two outputs, with pairs in opposite order below the line; and the same as data."""
    groups = {
        "in the same order": [(row, 1) for row in found.alike(ALIKE)],
        "in the list above": [(row, _sign(row)) for row in rows],
    }
    points = {
        group: [
            charts.Point(
                row.first.share,
                sign * row.second.share,
                (stop := stop_at(row, left_out)),
                f"sentence {stop.sentence + 1}: {stop.system} and {stop.against}",
            )
            for row, sign in members
        ]
        for group, members in groups.items()
    }
    data = pd.DataFrame(
        [(*point.data, point.x, point.y, group) for group, members in points.items() for point in members],
        columns=[SENTENCE, "output of", "and of", first, second, "group"],
    )
    return charts.clouds(points, x=f"distance under {first}", y=f"distance under {second}"), data


def _remember_clicked(figure: str) -> None:
    """Callback: open the sentence of the point that was clicked, when the page is drawn."""
    for index, system, against, *_ in session.clicked(figure):
        session.keep(_CLICKED, (int(index), str(system), str(against)))


def _sign(row: Disagreement) -> int:
    """1 if the second side prefers the output that the first side prefers, else -1."""
    return 1 if row.second.better == row.outputs[0] else -1


def _open(step: Stop, dispute: Dispute) -> None:
    st.switch_page(navigation.page("sentence"), query_params=url_state.link(step.address | dispute.address))


def tallies(corpus: Corpus, found: Disagreements, first: str, second: str, name: str, key: tuple[str, ...]) -> None:
    """Draw on which systems and error types the two sides disagree most, and which side prefers them."""
    systems, types, pairs = cache.shared(
        corpus, ("tallies", *key), lambda: (by_system(found), by_type(found), by_systems(found))
    )
    summaries = {
        "Systems": (
            systems,
            "Preferred: how often each side prefers the output of the system when the two disagree.",
        ),
        "Error types": (
            types,
            "Pairs in which one output has an edit of this type that the other lacks. Preferred: how often each side "
            "prefers the output with more of these edits when the two disagree.",
        ),
        "Pairs of systems": (
            pairs,
            "Preferred: how often each side prefers the system that is named first. Choose a row to see why.",
        ),
    }
    shown = {title: given for title, given in summaries.items() if given[0]}
    if not shown:
        return
    st.subheader("Where they disagree most")
    st.write(
        "Sorted by “at least”, the lower end of the 95% interval of the share, because a large share of few pairs may "
        "be due to chance."
    )
    for tab, (title, (rows, caption)) in zip(st.tabs(list(shown)), shown.items(), strict=True):
        with tab:
            st.caption(caption)
            _tally_table(rows, first, second, f"{name}-{title.lower().replace(' ', '-')}")


def _tally_table(rows: Sequence[DisagreementCount], first: str, second: str, name: str) -> None:
    columns = ["where", "share", "at least", "opposite", "pairs", f"preferred by {first}", f"preferred by {second}"]
    frame = pd.DataFrame(
        [
            (
                " – ".join(map(type_label, row.what)),
                row.share,
                row.at_least,
                row.opposed,
                row.pairs,
                row.for_first,
                row.for_second,
            )
            for row in rows
        ],
        columns=columns,
    )
    share = st.column_config.ProgressColumn(
        "opposite order", format="percent", min_value=0, max_value=float(frame["share"].max()) or 1.0, width=130
    )
    config = {
        "share": share,
        "at least": st.column_config.NumberColumn(format="percent", help=glossary.help("At least")),
    }
    looks: dict[str, Any] = {"hide_index": True, "column_config": config, "height": min(420, 38 + 35 * len(frame))}
    if len(rows[0].what) == 2:
        chosen = st.dataframe(frame, **looks, on_select="rerun", selection_mode="single-row", key=f"tally-{name}")
        for row in chosen.selection.rows:
            one, other = rows[row].what
            open_why(one, other, [*url_state.current("a"), *url_state.current("b")])
    else:
        st.dataframe(frame, **looks)
    csv_button(frame, name)
