"""Correlations as matrices: windows of the human ranking, significance, and metric by metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import session
from dashboard.components.comparison import ChosenScores, HumanRanking
from dashboard.components.exports import figure
from dashboard.components.messages import plain
from gec_core import charts
from gec_core.analysis.document import p_text
from gec_core.formatting import minus
from gec_core.meta import Coefficient, correlate, williams
from gec_core.meta.correlation import Williams, Window

SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}
TITLES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
SIGNIFICANT = 0.05
CLICKED_SIDES = "clicked-sides"
"""The two sides, ids of metrics or the judges, whose clearest swap of systems was asked for."""


def systems_told(found: ChosenScores, human: HumanRanking) -> str:
    """How many systems are correlated: `12 of 13 systems`."""
    n, every = len(human.scores), len(human.all_scores)
    return f"{n} of {every} systems" if found.left_out else f"{n} systems"


def swap_of_two(figure: str) -> None:
    """Callback: open the page *Why* for the two metrics of the cell that was clicked."""
    for data in session.clicked(figure):
        session.keep(CLICKED_SIDES, "\t".join(map(str, data)))


def draw_windows(sliding: Mapping[str, Sequence[Window]], name: str, what: str, symbol: str) -> None:
    """Draw metrics by windows of the human ranking: coefficients with intervals, the systems named above."""
    spans = {(window.first, window.last): window.correlation.systems for each in sliding.values() for window in each}
    heads = [f"{systems[0]} to {systems[-1]}" for systems in spans.values()]
    values: list[list[float | None]] = []
    texts, rows = [], []
    for metric, found in sliding.items():
        by_span = {(window.first, window.last): window.correlation for window in found}
        values.append([by_span[span].value if span in by_span else None for span in spans])
        cells = []
        for span, systems in spans.items():
            result = by_span.get(span)
            interval = result.interval() if result else None
            low, high = (interval.low, interval.high) if interval else (None, None)
            value = result.value if result else None
            ends = (
                "" if low is None or high is None else f"<br><sub>{minus(f'{low:.2f}')} to {minus(f'{high:.2f}')}</sub>"
            )
            cells.append("–" if value is None else f"{minus(f'{value:.2f}')}{ends}")
            rows.append((metric, f"{span[0]}–{span[1]}", ", ".join(systems), value, low, high))
        texts.append(cells)
    notes = [f"{first}–{last}" for first, last in spans]
    chart = charts.heatmap(
        values, texts, heads, rows=list(sliding), notes=notes, low=-1, high=1, colours=charts.DIVERGING, bar=symbol
    )
    chart.update_layout(height=170 + 46 * len(sliding))
    data = pd.DataFrame(rows, columns=["metric", "ranks", "systems", symbol, "low", "high"])
    figure(chart, name, what, data, wide=True)


def significance(found: ChosenScores, human: HumanRanking, kind: Coefficient) -> None:
    """Draw the Williams test of every two metrics."""
    st.write(
        "Does the metric of the row correlate better with people than the metric of the column? Each cell has the "
        f"p-value of a one-tailed Williams test over {systems_told(found, human)}. Bold numbers with an asterisk "
        "on blue are below 0.05. Cells without a number are tested the other way round. Click a cell to see the "
        "two systems that the metrics swap most clearly."
    )
    if kind != "pearson":
        st.caption(
            f"Williams' test is derived for Pearson's r of normally distributed scores. With {TITLES[kind]} its "
            "p-values are approximate."
        )
    values_of = {name: correlate(scores, human.scores, kind).value for name, scores in found.values.items()}
    names = sorted(values_of, key=lambda name: 2.0 if values_of[name] is None else -(values_of[name] or 0.0))
    tests = {(test.better, test.worse): test for test in williams(found.values, human.scores, kind)}
    values: list[list[float | None]] = []
    texts = []
    for row in names:
        cells = [tests.get((row, column)) for column in names]
        values.append([test.p if test else None for test in cells])
        texts.append([_p_value(test) for test in cells])
    chart = charts.heatmap(values, texts, names, low=0, high=0.5, colours=charts.P_VALUES, bar="p")
    chart.update_traces(colorbar={"tickvals": [0, SIGNIFICANT, 0.25, 0.5]})
    ids = {name: found.metrics[name].id for name in names}
    charts.with_clicks(chart, [[(ids[a], ids[b]) if (a, b) in tests else None for b in names] for a in names])
    columns = ["better", "worse", "p", "why not"]
    data = pd.DataFrame([(*pair, test.p, test.reason) for pair, test in tests.items()], columns=columns)
    what = f"The p-values of Williams tests that the metric of the row has the higher {TITLES[kind]} with {human.title}"
    name = f"{found.corpus.name}-{human.name}-{kind}-williams"
    figure(chart, name, what, data, on_click=swap_of_two, wide=True)
    refused: dict[str, list[str]] = {}
    for (better, worse), test in tests.items():
        if test.reason:
            refused.setdefault(test.reason, []).append(f"{better} and {worse}")
    for reason, pairs in refused.items():
        st.caption(f"n/a: the test does not apply to {plain(', '.join(pairs))}: {plain(reason)}.")


def _p_value(test: Williams | None) -> str:
    """The p-value of a cell, bold and with an asterisk where it is significant."""
    if test is None:
        return ""
    if test.p is None:
        return "n/a"
    shown = p_text(test.p).replace("<", "&lt;")
    return f"<b>{shown} *</b>" if test.p < SIGNIFICANT else shown


def metric_by_metric(found: ChosenScores, kind: Coefficient) -> None:
    """Draw the correlations between metrics, with similar ones side by side."""
    st.write(
        "The correlations between the system scores of metrics, without people. Similar metrics form blocks. Click a "
        "cell to see the two systems that the metrics swap most clearly."
    )
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
    ids = [found.metrics[name].id for name in names]
    charts.with_clicks(chart, [[(one, other) if one != other else None for other in ids] for one in ids])
    data = pd.DataFrame(values, names, names)
    name = f"{found.corpus.name}-{kind}-metric-by-metric"
    what = f"{TITLES[kind]} of the system scores of metrics"
    figure(chart, name, what, data, index=True, on_click=swap_of_two, wide=True)


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
