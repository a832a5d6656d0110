"""All disagreements of two sides as a plot and as tallies, in sections that are drawn when they are opened."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard import cache, glossary, navigation, session, url_state
from dashboard.components.disagreement import Dispute, Listed, Stop, open_why, stop_at
from dashboard.components.exports import SENTENCE, csv_button, figure
from dashboard.components.messages import plain
from dashboard.views.disagreements.filters import type_label
from gec_core import charts
from gec_core.meta.disagreement import Disagreement
from gec_core.meta.disagreement_counts import DisagreementCount, by_system, by_systems, by_type

ALIKE = 800
"""The number of points for pairs in the same order, drawn behind the others."""
_CLICKED = "clicked-pair"
"""The sentence and the outputs of the point that was clicked."""


def plot(listed: Listed) -> None:
    """Draw every pair as a point; a click opens its sentence."""
    if point := session.kept(_CLICKED, None):
        session.keep(_CLICKED, None)
        _open(Stop(*point), listed.dispute)
    first, second = listed.titles
    chart, data = cache.shared(listed.corpus, ("scatter", first, second, *listed.key), partial(_scatter, listed))
    here = listed.corpus.has_texts
    st.write(
        f"Each point is a pair of outputs. The horizontal axis shows how far apart the two are under {plain(first)}, "
        f"the vertical axis how far apart they are under {plain(second)}: above the line in the same order, below it "
        "in the opposite order. Pairs in the same order are a random sample."
        f"{' Click a point to open its sentence.' if here else ''}"
    )
    what = f"How far apart {listed.titles[0]} and {listed.titles[1]} place the two outputs of each pair"
    figure(chart, f"{listed.name}-scatter", what, data, on_click=_remember_clicked if here else None)


def _scatter(listed: Listed) -> tuple[go.Figure, pd.DataFrame]:
    """How far apart each side places two outputs, with pairs in opposite order below the line; and the same as data."""
    first, second = listed.titles
    groups = {
        "in the same order": [(row, 1) for row in listed.found.alike(ALIKE)],
        "in the list above": [(row, _sign(row)) for row in listed.rows],
    }
    points = {
        group: [
            charts.Point(
                row.first.share,
                sign * row.second.share,
                (stop := stop_at(row, listed.left_out)),
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


def tallies(listed: Listed) -> None:
    """Draw on which systems and error types the two sides disagree most, and which side prefers them."""
    found = listed.found
    systems, types, pairs = cache.shared(
        listed.corpus, ("tallies", *listed.key), lambda: (by_system(found), by_type(found), by_systems(found))
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
    st.write(
        "Sorted by “at least”, the lower end of the 95% interval of the share, because a large share of few pairs may "
        "be due to chance."
    )
    opened = st.tabs(list(shown), key="tallies", on_change="rerun")
    for tab, (title, (rows, caption)) in zip(opened, shown.items(), strict=True):
        if tab.open:
            with tab:
                st.caption(caption)
                _tally_table(rows, *listed.titles, title, f"{listed.name}-{title.lower().replace(' ', '-')}")


def _tally_table(rows: Sequence[DisagreementCount], first: str, second: str, title: str, name: str) -> None:
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
    share = st.column_config.ProgressColumn("opposite order", format="percent", min_value=0, max_value=1, width=130)
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
    csv_button(frame, name, f"How often {first} and {second} order pairs of outputs oppositely, {title.lower()}")
