"""The page *Correlation*: system scores of metrics and people, compared in seven views."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard import cache, glossary, session, url_state
from dashboard.components.comparison import (
    ChosenScores,
    HumanRanking,
    comparison,
    tell_peers,
    tell_unjudged,
    with_people,
)
from dashboard.components.controls import choose_one, choose_view
from dashboard.components.disagreement import JUDGES, counterpart, open_why, side_scores
from dashboard.components.exports import ByCommand, csv_button, figure, table
from dashboard.components.messages import plain
from dashboard.views.correlation.matrices import (
    CLICKED_SIDES,
    SYMBOLS,
    TITLES,
    draw_windows,
    metric_by_metric,
    significance,
    systems_told,
)
from dashboard.views.correlation.published import published
from gec_core import charts
from gec_core.charts.paper import FIGURES, TABLES
from gec_core.formatting import minus
from gec_core.human.ranking import Interval
from gec_core.meta import Coefficient, Correlation, correlate, windows
from gec_core.meta.correlation import FEWEST
from gec_core.meta.findings import swaps

MANY_SYSTEMS = 9
"""With more systems, scatter plots stand two in a row instead of three, so that names find room."""
CLICKS = {"out": "leaves the system out on all pages", "why": "shows why its rank differs"}
_CLICKED = "clicked-system"
"""The metric and the system of the point that was clicked; or two sides."""
VIEWS = {
    "forest": "Forest plot",
    "scatter": "Scatter plots",
    "leave-one-out": "Leave one out",
    "top": "Top systems",
    "williams": "Significance",
    "matrix": "Metric vs. metric",
    "published": "Published figures",
}


def show() -> None:
    """Draw the page."""
    st.title("Correlation")
    st.write(
        "How well the system scores of each metric agree with people's, how certain that is, and how much depends on a "
        "single system."
    )
    found = comparison(as_chosen=True)
    human = with_people(found)

    if asked := session.kept(CLICKED_SIDES, ""):
        session.keep(CLICKED_SIDES, "")
        _open_swap(found, *asked.split("\t"))
    view = choose_view(VIEWS, "forest")
    if view not in ("matrix", "published"):
        tell_unjudged(found, human.scores)
    if view != "published":
        tell_peers(found)
    if view == "scatter":
        st.write(
            "Each point is a system: the vertical axis is the human score, the horizontal axis the metric's. The "
            "closer the points are to a rising line, the better the metric predicts human judgment."
        )
        scatter_grid(found, human)
    elif view == "published":
        published(session.corpus_without_uploads())
    else:
        kinds = list(get_args(Coefficient))
        kind = st.radio(
            "Coefficient",
            kinds,
            format_func=TITLES.__getitem__,
            horizontal=True,
            key=url_state.choice("coefficient", kinds, "pearson"),
        )
        if view == "forest":
            forest_plot(found, human, kind)
        elif view == "leave-one-out":
            leave_one_out(found, human, kind)
        elif view == "top":
            top_and_windows(found, human, kind)
        elif view == "williams":
            significance(found, human, kind)
        else:
            metric_by_metric(found, kind)


def forest_plot(found: ChosenScores, human: HumanRanking, kind: Coefficient) -> None:
    """Draw the correlations of all metrics with their intervals, the highest first, and all coefficients as a table."""
    st.write(
        f"{TITLES[kind]} of each metric with {plain(human.title)} over {systems_told(found, human)}, with its 95% "
        "interval from 1,000 bootstrap samples of the systems: the fewer systems, the wider. Click a point to see the "
        "two systems that the metric and people swap most clearly."
    )
    if found.left_out:
        st.write("Hollow points, and the first of two numbers, are the correlations with all systems.")
    rows, drawn = [], []
    for name, values in found.values.items():
        results = {each: _with_interval(values, human.scores, each) for each in get_args(Coefficient)}
        rows.append(_row(name, results))
        result, interval = results[kind]
        if result.value is not None:
            whole = correlate(found.all_values[name], human.all_scores, kind).value if found.left_out else None
            ends = interval.low, interval.high
            drawn.append(charts.ForestRow(name, found.metrics[name].id, result.value, *ends, before=whole))
    drawn.sort(key=lambda row: -row.value)
    rows.sort(key=lambda row: -2.0 if row[kind] is None else row[kind], reverse=True)
    frame = pd.DataFrame(rows)
    ends_by = {"": "", " low": ", low", " high": ", high"}
    heads = {f"{each}{end}": f"{SYMBOLS[each]}{told}" for each in TITLES for end, told in ends_by.items()}
    if drawn:
        what = f"{TITLES[kind]} with {human.title}, and 95% intervals (1,000 bootstrap samples of the systems),"
        looks = {
            "x": f"{TITLES[kind]} with 95% interval",
            "now": systems_told(found, human),
            "before": f"all {len(human.all_scores)} systems",
        }
        places = session.metric_places()
        chart = cache.shared(
            found.corpus,
            ("forest", repr((drawn, looks, places))),
            lambda: charts.forest(drawn, **looks, places=places),
        )
        figure(
            chart,
            f"{found.corpus.name}-{human.name}-{kind}-forest",
            what,
            frame.rename(columns=heads),
            on_click=_swap_with_people,
        )
    if undefined := [row["metric"] for row in rows if row[kind] is None]:
        st.caption(f"Undefined for {plain(', '.join(undefined))}: too few systems, or all have the same score.")
    st.subheader("All coefficients")
    table(frame, heads=heads, helps={each: glossary.help(title) for each, title in TITLES.items()})
    command = ByCommand("correlation", found.for_papers)
    name = f"{found.corpus.name}-{human.name}-correlations"
    csv_button(frame, name, TABLES["correlation"], command=command)


def _swap_with_people(figure: str) -> None:
    """Callback: open the page *Why* for the metric that was clicked."""
    for data in session.clicked(figure):
        session.keep(CLICKED_SIDES, f"{data[0] if isinstance(data, list) else data}\t{JUDGES}")


def _open_swap(found: ChosenScores, one: str, other: str) -> None:
    """Open the page *Why* for the systems that two sides swap most clearly; say so if there are none."""
    scores = side_scores(found)
    names = {metric.id: name for name, metric in found.metrics.items()} | {JUDGES: "people"}
    told = f"{plain(names.get(one, one))} and {plain(names.get(other, other))}"
    if one not in scores or other not in scores:
        st.info(f"One of {told} scores whole systems only, so there is nothing to look into.")
    elif clearest := swaps({side: scores[side] for side in (one, other)}):
        open_why(*clearest[0].systems, (one, other))
    else:
        st.info(f"{told} put all systems in the same order.")


def scatter_grid(found: ChosenScores, human: HumanRanking) -> None:
    """Draw one plot per metric, with its correlations above it."""
    if clicked := session.kept(_CLICKED, ""):
        session.keep(_CLICKED, "")
        side, system = clicked.split("\t")
        scores = side_scores(found)
        if system in scores.get(side, {}) and len(scores[side]) > 1:
            other, beside = counterpart(scores, side, system)
            open_why(system, other, (side, beside))
    click = choose_one("A click on a point", "click", CLICKS, "out")
    names = list(found.values)
    across = 2 if len(human.all_scores) > MANY_SYSTEMS else 3
    plots: list[go.Figure] = []
    for start in range(0, len(names), across):
        for place, name in zip(st.columns(across), names[start : start + across], strict=False):
            with place:
                told = (_before_and_after(found, human, name, kind) for kind in ("pearson", "spearman"))
                st.markdown("  \n".join([f"**{plain(name)}**", *told]))
                if not set(found.all_values[name]) & set(human.all_scores):
                    continue
                data = pd.DataFrame({name: found.all_values[name], human.title: human.all_scores}).dropna()
                chart = charts.scatter(
                    found.all_values[name],
                    human.all_scores,
                    x=name,
                    y=human.title,
                    left_out=found.left_out,
                    told=_above_a_panel(found.values[name], human.scores),
                )
                plots.append(chart)
                figure(
                    chart,
                    f"{found.corpus.name}-{human.name}-{found.metrics[name].id}",
                    f"{name} and {human.title}",
                    data.rename_axis("system"),
                    index=True,
                    on_click=_toggle_clicked if click == "out" else partial(_why_clicked, found.metrics[name].id),
                )

    if plots:
        data = pd.DataFrame({human.title: human.all_scores, **found.all_values}).rename_axis("system")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("All plots in one file:", width="content")
            name = f"{found.corpus.name}-{human.name}-scatter-plots"
            command = ByCommand("correlation", found.for_papers)
            csv_button(data, name, FIGURES["correlation"], index=True, panels=lambda: plots, command=command)


def _above_a_panel(values: Mapping[str, float], people: Mapping[str, float]) -> str:
    """The correlations, as a figure in a paper has them above its panel."""
    kinds: tuple[Coefficient, ...] = ("pearson", "spearman")
    found = {kind: correlate(values, people, kind).value for kind in kinds}
    told = {kind: "–" if value is None else minus(f"{value:.3f}") for kind, value in found.items()}
    return ", ".join(f"{SYMBOLS[kind]} = {value}" for kind, value in told.items())


def _before_and_after(found: ChosenScores, human: HumanRanking, name: str, kind: Coefficient) -> str:
    """A coefficient with its interval; where systems are left out, after the one with all of them."""
    told = _told(*_with_interval(found.values[name], human.scores, kind))
    if not found.left_out:
        return told
    whole = correlate(found.all_values[name], human.all_scores, kind).value
    before = "undefined" if whole is None else minus(f"{whole:.3f}")
    return f"{SYMBOLS[kind]} {before} with all → {told.removeprefix(SYMBOLS[kind] + ' ')}"


def _toggle_clicked(figure: str) -> None:
    """Callback: leave out the system that was clicked, or take it back in."""
    for data in session.clicked(figure):
        session.toggle_system(data[0] if isinstance(data, list) else data)


def _why_clicked(metric: str, figure: str) -> None:
    """Callback: open the page *Why* for the system that was clicked, when the page is drawn."""
    for data in session.clicked(figure):
        session.keep(_CLICKED, f"{metric}\t{data[0] if isinstance(data, list) else data}")


def _with_interval(
    scores: Mapping[str, float], human: Mapping[str, float], kind: Coefficient
) -> tuple[Correlation, Interval]:
    result = correlate(scores, human, kind)
    return result, result.interval()


def _told(result: Correlation, interval: Interval) -> str:
    """A coefficient with its interval: r 0.623 [0.31, 0.86]"""
    sign = SYMBOLS[result.coefficient]
    if result.value is None:
        return f"{sign} undefined: {result.reason}"
    low, high = interval.low, interval.high
    span = "" if low is None or high is None else f" [{minus(f'{low:.2f}')}, {minus(f'{high:.2f}')}]"
    return f"{sign} {minus(f'{result.value:.3f}')}{span}"


def _row(name: str, results: Mapping[Coefficient, tuple[Correlation, Interval]]) -> dict[str, Any]:
    row: dict[str, Any] = {"metric": name, "systems": results["pearson"][0].n}
    for kind, (result, interval) in results.items():
        row |= {kind: result.value, f"{kind} low": interval.low, f"{kind} high": interval.high}
    return row


def leave_one_out(found: ChosenScores, human: HumanRanking, kind: Coefficient) -> None:
    """Draw the correlations that remain when one system is left out."""
    st.write(
        "Each dot is the correlation without one system, the bar the correlation with all of them. "
        "If a dot is far from its bar, the correlation depends on that system."
    )
    whole = {name: correlate(values, human.scores, kind).value for name, values in found.values.items()}
    without: dict[str, dict[str, float]] = {}
    for name, values in found.values.items():
        parts = {system: correlate(values, human.scores, kind, without=[system]).value for system in human.scores}
        without[name] = {system: value for system, value in parts.items() if value is not None}
    data = pd.DataFrame(without).rename_axis("without")
    chart = charts.strips(without, whole, x=TITLES[kind], places=session.metric_places())
    command = ByCommand("leave-one-out", found.for_papers, kind)
    name = f"{found.corpus.name}-{kind}-leave-one-out"
    figure(chart, name, FIGURES["leave-one-out"], data, index=True, command=command)


def top_and_windows(found: ChosenScores, human: HumanRanking, kind: Coefficient) -> None:
    """Draw the correlations among the best systems, and among neighbours in the human ranking."""
    n = len(human.scores)
    if n <= FEWEST:
        st.info(f"{n} systems are too few to look at part of them.")
        return
    st.subheader("The best systems")
    st.write(
        "Good systems are harder to rank than good and bad ones together, so correlations tend to fall when only the "
        "best are kept. Below each number stands the last system that is kept."
    )
    tops = {
        name: {k: correlate(values, human.scores, kind, top=k).value for k in range(n, FEWEST, -1)}
        for name, values in found.values.items()
    }
    chart = charts.curves(
        tops, x=f"number of best systems by {human.title}", y=TITLES[kind], places=session.metric_places()
    )
    ranked = sorted(human.scores, key=lambda system: (-human.scores[system], system))
    last = [f"{k}<br>…{ranked[k - 1]}" for k in range(n, FEWEST, -1)]
    chart.update_xaxes(autorange="reversed", tickvals=list(range(n, FEWEST, -1)), ticktext=last)
    what = f"{TITLES[kind]} with {human.title} among the best systems only"
    data = pd.DataFrame(tops).rename_axis("best systems")
    figure(chart, f"{found.corpus.name}-{kind}-top-k", what, data, index=True)
    st.subheader("Neighbouring systems")
    size = n
    if n > FEWEST + 1:
        key = url_state.number("window", n, first=FEWEST + 1, default=n // 2)
        size = st.slider("Systems per window", FEWEST + 1, n, key=key)
    st.write(
        f"The correlation over every {size} systems that follow each other in the ranking by {plain(human.title)}, "
        "with its 95% interval. With few systems most intervals reach across 0."
    )
    sliding = {name: windows(values, human.scores, kind, size) for name, values in found.values.items()}
    what = f"{TITLES[kind]} with {human.title} among {size} neighbouring systems, with 95% intervals"
    draw_windows(sliding, f"{found.corpus.name}-{kind}-windows", what, SYMBOLS[kind])
