"""Outputs that two sides order in opposite ways: a list, a picture, and who and what they are about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd
import streamlit as st

from dashboard import charts, navigation, session, url_state
from dashboard.components.disagreement_filters import type_label
from dashboard.components.exports import csv_button, figure
from dashboard.components.messages import plain
from dashboard.components.sentence_rows import sentence_rows
from dashboard.components.sentence_steps import Step, step_to
from dashboard.dispute import LISTED, Dispute
from gec_core.meta.disagreement import Disagreement, Disagreements, Opinion, Tally, by_system, by_systems, by_type
from gec_core.types import Corpus

ALIKE = 800
"""Points of pairs in the same order, drawn behind the others."""
NAMES = 380
"""Pixels for the names of systems in a row, so that the table fits a small screen."""
_CLICKED = "clicked-pair"
"""The sentence and the outputs of the point that was clicked."""
STRENGTH = "Strength 0.9: to either side, the two outputs are farther apart than nine of ten pairs."


def summary(found: Disagreements, first: str, second: str) -> None:
    """How often the two agree, and with whom people do, in a few sentences."""
    order = found.order
    if not order.pairs:
        st.info("No pair of outputs is left: loosen the filters.")
        return
    text = (
        f"On **{order.opposed:,}** of {order.pairs:,} pairs of different outputs the two prefer opposite ones "
        f"({order.opposed / order.pairs:.1%}); {order.alike:,} they order alike, and on "
        f"{order.one_tied + order.both_tied:,} at least one of them sees no difference."
    )
    if found.sided and any(found.sided):
        with_first, with_second, with_none = found.sided
        text += (
            f" People compared {sum(found.sided):,} of the opposite ones: they agree **{with_first:,}** times with "
            f"{plain(first)}, **{with_second:,}** times with {plain(second)}; {with_none:,} times they see no "
            "difference."
        )
    st.markdown(text)


def disagreement_table(
    corpus: Corpus,
    found: Disagreements,
    dispute: Dispute,
    left_out: Collection[str],
    first: str,
    second: str,
) -> None:
    """The strongest ones as a table and as a picture; choosing a row or a point opens its sentence."""
    name = f"{corpus.name}-{dispute.a}-{dispute.b}"
    if point := session.kept(_CLICKED, None):
        session.keep(_CLICKED, None)
        _open(Step(*point), dispute)
    rows = found.top(LISTED)
    if not rows:
        st.info("There are none here.")
        return
    frame = _frame(rows, first, second)
    listed = f"The strongest {len(rows)} of {len(found):,}." if len(found) > len(rows) else f"All {len(rows)}."
    margins = {
        f"margin, {side}": st.column_config.NumberColumn(
            format="%.3f", help="By how much it prefers its choice: points of a metric, places of judges."
        )
        for side in (first, second)
    }
    sides = [column for column in frame.columns if column.startswith("better by ")]
    names = dict.fromkeys(sides, st.column_config.TextColumn(width=NAMES // len(sides)))
    strength = st.column_config.ProgressColumn(format="%.2f", min_value=0, max_value=1, width=110, help=STRENGTH)
    opened = sentence_rows(
        corpus,
        frame,
        key=f"rows-{name}",
        told=f"{listed} {STRENGTH}",
        config={"strength": strength, **names, **margins},
        height=420,
    )
    csv_button(frame, name)
    if opened is not None:
        _open(step_to(rows[opened], left_out), dispute)
    _scatter(corpus, found, rows, left_out, first, second, name)


def _frame(rows: Sequence[Disagreement], first: str, second: str) -> pd.DataFrame:
    columns = {
        "sentence": [row.sentence for row in rows],
        f"better by {first}": [_names(row.first) for row in rows],
        f"better by {second}": [_names(row.second) for row in rows],
        "strength": [row.strength for row in rows],
        f"margin, {first}": [row.first.difference for row in rows],
        f"margin, {second}": [row.second.difference for row in rows],
    }
    if any(row.judges and row.judges not in (row.first, row.second) for row in rows):
        columns["better by the judges"] = [_names(row.judges) if row.judges else "–" for row in rows]
    return pd.DataFrame(columns)


def _names(opinion: Opinion) -> str:
    return ", ".join(opinion.better) or "no difference"


def _scatter(
    corpus: Corpus,
    found: Disagreements,
    rows: Sequence[Disagreement],
    left_out: Collection[str],
    first: str,
    second: str,
    name: str,
) -> None:
    """How far each side sets two outputs apart; below the line the second one has them the other way round."""
    alike = found.alike(ALIKE)
    groups = {"in the same order": [(row, 1) for row in alike], "listed above": [(row, _sign(row)) for row in rows]}
    points = {
        group: [
            charts.Point(
                row.first.share,
                sign * row.second.share,
                (step := step_to(row, left_out)),
                f"sentence {step.sentence}: {step.system} beside {step.against}",
            )
            for row, sign in members
        ]
        for group, members in groups.items()
    }
    st.subheader(f"{plain(first)} against {plain(second)}")
    here = corpus.has_texts
    st.write(
        f"Each point is a pair of outputs. The farther right, the farther apart they are for {plain(first)}; the "
        f"farther from the line, the farther apart for {plain(second)}: above it in the same order, below it in the "
        "opposite one. Pairs in the same order are a random sample."
        f"{' Click a point to open its sentence.' if here else ''}"
    )
    data = pd.DataFrame(
        [(*point.data, point.x, point.y, group) for group, members in points.items() for point in members],
        columns=["sentence", "one", "other", first, second, "group"],
    )
    chart = charts.clouds(points, x=f"how far apart, {first}", y=f"how far apart, {second}")
    figure(chart, f"{name}-scatter", data, on_click=_remember_clicked if here else None)


def _remember_clicked(figure: str) -> None:
    """Callback: open the sentence of the point that was clicked, when the page is drawn."""
    for index, system, against, *_ in session.clicked(figure):
        session.keep(_CLICKED, (int(index), str(system), str(against)))


def _sign(row: Disagreement) -> int:
    """Which way the second side sees it, from the output that the first prefers."""
    return 1 if row.second.better == row.outputs[0] else -1


def _open(step: Step, dispute: Dispute) -> None:
    chosen = {"sentence": [str(step.sentence)], "system": [step.system], "against": [step.against]}
    st.switch_page(navigation.page("sentence"), query_params=url_state.link(chosen | dispute.address))


def tallies(found: Disagreements, first: str, second: str, name: str) -> None:
    """On which systems, and on which error types, the two disagree most, and who is for what."""
    summaries = {
        "Systems": (by_system(found), "For it: how often each side prefers the system's output when the two disagree."),
        "Error types": (
            by_type(found),
            "Pairs in which one output has an edit of this type that the other lacks. For it: how often each side "
            "prefers the output with more of them when the two disagree.",
        ),
        "Pairs of systems": (by_systems(found), "For it: how often each side prefers the system that is named first."),
    }
    shown = {title: given for title, given in summaries.items() if given[0]}
    if not shown:
        return
    st.subheader("What they disagree on most")
    st.write(
        "Sorted by “at least”, the lower end of the share's 95% interval: a large share of few pairs may be chance."
    )
    for tab, (title, (rows, caption)) in zip(st.tabs(list(shown)), shown.items(), strict=True):
        with tab:
            st.caption(caption)
            _tally_table(rows, first, second, f"{name}-{title.lower().replace(' ', '-')}")


def _tally_table(rows: Sequence[Tally], first: str, second: str, name: str) -> None:
    columns = ["which", "share", "at least", "opposite", "pairs", f"for it, {first}", f"for it, {second}"]
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
        "share opposite", format="percent", min_value=0, max_value=float(frame["share"].max()) or 1.0, width=130
    )
    config = {"share": share, "at least": st.column_config.NumberColumn(format="percent")}
    st.dataframe(frame, hide_index=True, column_config=config, height=min(420, 38 + 35 * len(frame)))
    csv_button(frame, name)
