"""The page *Correlation*: system scores of metrics and people, compared in six views."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import glossary, session, url_state
from dashboard.components.comparison import Comparison, Human, comparison, tell_peers, tell_unjudged, with_people
from dashboard.components.controls import choose_one, choose_view
from dashboard.components.exports import csv_button, figure, table
from dashboard.components.messages import plain
from dashboard.components.why_link import counterpart, open_why, side_scores
from dashboard.views.correlation.published import published
from gec_core import charts
from gec_core.formatting import minus
from gec_core.human.bootstrap import Interval
from gec_core.meta import Coefficient, Correlation, correlate, williams, windows
from gec_core.meta.correlation import FEWEST

SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}
TITLES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
ACROSS = 3
CLICKS = {"out": "leaves the system out on all pages", "why": "shows why its rank differs"}
_CLICKED = "clicked-system"
"""The metric and the system of the point that was clicked."""
VIEWS = {
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
    found = comparison()
    human = with_people(found)

    view = choose_view(VIEWS, "scatter")
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
        if view == "leave-one-out":
            leave_one_out(found, human, kind)
        elif view == "top":
            top_and_windows(found, human, kind)
        elif view == "williams":
            significance(found, human, kind)
        else:
            metric_by_metric(found, kind)


def scatter_grid(found: Comparison, human: Human) -> None:
    """Draw one plot per metric, with its correlations above it."""
    if clicked := session.kept(_CLICKED, ""):
        session.keep(_CLICKED, "")
        side, system = clicked.split("\t")
        scores = side_scores(found)
        if system in scores.get(side, {}) and len(scores[side]) > 1:
            other, beside = counterpart(scores, side, system)
            open_why(system, other, (side, beside))
    click = choose_one("A click on a point", "click", CLICKS, "out")
    rows = []
    names = list(found.values)
    for start in range(0, len(names), ACROSS):
        for place, name in zip(st.columns(ACROSS), names[start : start + ACROSS], strict=False):
            results = {kind: _with_interval(found.values[name], human.scores, kind) for kind in get_args(Coefficient)}
            rows.append(_row(name, results))
            with place:
                st.markdown(f"**{plain(name)}**  \n{_told(*results['pearson'])}  \n{_told(*results['spearman'])}")
                if not set(found.all_values[name]) & set(human.all_scores):
                    continue
                data = pd.DataFrame({name: found.all_values[name], human.title: human.all_scores}).dropna()
                chart = charts.scatter(
                    found.all_values[name], human.all_scores, x=name, y=human.title, left_out=found.left_out
                )
                figure(
                    chart,
                    f"{found.corpus.name}-{human.name}-{found.metrics[name].id}",
                    data.rename_axis("system"),
                    index=True,
                    on_click=_toggle_clicked if click == "out" else partial(_why_clicked, found.metrics[name].id),
                )
    st.subheader("Correlations")
    st.write(
        "With 95% intervals from 1,000 bootstrap samples of the systems. The fewer systems there are, the wider the "
        "intervals."
    )
    frame = pd.DataFrame(rows)
    heads = {f"{kind}{end}": f"{SYMBOLS[kind]}{end}" for kind in TITLES for end in ("", " low", " high")}
    table(frame, heads=heads, helps={kind: glossary.help(title) for kind, title in TITLES.items()})
    csv_button(frame, f"{found.corpus.name}-{human.name}-correlations")


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


def leave_one_out(found: Comparison, human: Human, kind: Coefficient) -> None:
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
    figure(chart, f"{found.corpus.name}-{kind}-leave-one-out", data, index=True)


def top_and_windows(found: Comparison, human: Human, kind: Coefficient) -> None:
    """Draw the correlations among the best systems, and among neighbours in the human ranking."""
    n = len(human.scores)
    if n <= FEWEST:
        st.info(f"{n} systems are too few to look at part of them.")
        return
    st.subheader("The best systems")
    st.write(
        "Good systems are harder to rank than good and bad ones together, so correlations tend to fall when only the "
        "best are kept."
    )
    tops = {
        name: {k: correlate(values, human.scores, kind, top=k).value for k in range(n, FEWEST, -1)}
        for name, values in found.values.items()
    }
    chart = charts.curves(
        tops, x=f"number of best systems by {human.title}", y=TITLES[kind], places=session.metric_places()
    )
    chart.update_xaxes(autorange="reversed", dtick=1)
    figure(chart, f"{found.corpus.name}-{kind}-top-k", pd.DataFrame(tops).rename_axis("best systems"), index=True)
    st.subheader("Neighbouring systems")
    size = n
    if n > FEWEST + 1:
        size = st.slider("Systems per window", FEWEST + 1, n, max(FEWEST + 1, n // 2))
    sliding = {
        name: {f"{w.first}–{w.last}": w.correlation.value for w in windows(values, human.scores, kind, size)}
        for name, values in found.values.items()
    }
    chart = charts.curves(sliding, x=f"ranks by {human.title}", y=TITLES[kind], places=session.metric_places())
    figure(chart, f"{found.corpus.name}-{kind}-windows", pd.DataFrame(sliding).rename_axis("ranks"), index=True)


def significance(found: Comparison, human: Human, kind: Coefficient) -> None:
    """Draw the Williams test of every two metrics."""
    st.write(
        "Does the metric of the row correlate better with people than the metric of the column? Each cell has the "
        "p-value of a one-tailed Williams test; below 0.05 the difference is usually called significant. Cells without "
        "a number are tested the other way round."
    )
    values_of = {name: correlate(scores, human.scores, kind).value for name, scores in found.values.items()}
    names = sorted(values_of, key=lambda name: 2.0 if values_of[name] is None else -(values_of[name] or 0.0))
    tests = williams(found.values, human.scores, kind)
    if reasons := sorted({test.reason for test in tests if test.reason}):
        st.caption("Not tested: " + "; ".join(reasons) + ".")
    p = {(test.better, test.worse): test.p for test in tests}
    values = [[p.get((row, column)) for column in names] for row in names]
    texts = [["" if value is None else f"{value:.3f}" for value in row] for row in values]
    chart = charts.heatmap(values, texts, names, low=0, high=0.5, colours=charts.FADING, bar="p")
    data = pd.DataFrame([(t.better, t.worse, t.p) for t in tests], columns=["better", "worse", "p"])
    figure(chart, f"{found.corpus.name}-{human.name}-{kind}-williams", data, wide=True)


def metric_by_metric(found: Comparison, kind: Coefficient) -> None:
    """Draw the correlations between metrics, with similar ones side by side."""
    st.write("The correlations between the system scores of metrics, without people. Similar metrics form blocks.")
    names = list(found.values)
    if len(names) < 2:
        st.info("Choose at least two metrics in the sidebar.")
        return
    raw = [[correlate(found.values[a], found.values[b], kind).value for b in names] for a in names]
    order = _clustered(raw)
    names = [names[index] for index in order]
    values = [[raw[i][j] for j in order] for i in order]
    texts = [["–" if value is None else minus(f"{value:.2f}") for value in row] for row in values]
    chart = charts.heatmap(values, texts, names, low=-1, high=1, colours=charts.DIVERGING, bar=SYMBOLS[kind])
    data = pd.DataFrame(values, names, names)
    figure(chart, f"{found.corpus.name}-{kind}-metric-by-metric", data, index=True, wide=True)


def _clustered(matrix: list[list[float | None]]) -> list[int]:
    """An order with similar metrics side by side (average linkage on 1 - correlation)."""
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    if len(matrix) < 3:
        return list(range(len(matrix)))
    distance = 1 - np.array([[0.0 if value is None else value for value in row] for row in matrix])
    np.fill_diagonal(distance, 0)
    condensed = squareform((distance + distance.T) / 2, checks=False)
    return [int(index) for index in leaves_list(optimal_leaf_ordering(linkage(condensed, "average"), condensed))]
