"""The page *Across corpora*: which metric holds up on which corpus, set of judgments and set of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dashboard import cache, session, url_state
from dashboard.cache.scoring import across
from dashboard.components.controls import choose_one, choose_view
from dashboard.components.exports import csv_button, figure
from dashboard.components.messages import end_page, plain
from gec_core import charts
from gec_core.formatting import minus
from gec_core.human.ranking import Method
from gec_core.meta.across import MEASURES, Cell, Measure, View, moves, ordered

VIEWS = {"heatmap": "All corpora", "metric": "One metric", "corpus": "One corpus", "table": "Table"}
METHODS: dict[Method, str] = {"ts": "TrueSkill", "ew": "Expected Wins"}
ORDERS: dict[Literal["mean", "worst"], str] = {"mean": "mean", "worst": "worst case"}


def show() -> None:
    """Draw the page."""
    st.title("Across corpora")
    st.write(
        "How well each metric agrees with people on every corpus, set of judgments and set of systems. A metric that "
        "does well on one of them may fail on another: SEEDA's `+fluency` adds two systems that rewrite freely."
    )
    view = choose_view(VIEWS, "heatmap")
    with st.container(horizontal=True):
        measure: Measure = choose_one("Measure", "measure", MEASURES, "pearson")
        order = choose_one("Sorted by", "order", ORDERS, "mean")
        method = choose_one("Rankings by people", "method", METHODS, "ts", help="Ratings are ranked by their means.")
    found = across(method, session.owned_sessions())
    if not any(cell.values[measure] is not None for cell in found):
        st.info("No corpus with human judgments and scores is here. Get one with `gec-lens corpora fetch seeda`.")
        end_page()
    names = {id: metric.name for id, metric in cache.all_metrics().items()}
    metrics = ordered(found, measure, order)
    if view == "heatmap":
        _heatmap(found, metrics, measure, names)
    elif view == "metric":
        _one_metric(found, metrics, measure, names)
    elif view == "corpus":
        _one_corpus(found, metrics, measure, names)
    _table(found, metrics, measure, names)
    st.caption(
        "Intervals are 95% of bootstrap samples over systems. With 5 to 15 systems they are wide: most differences "
        "between metrics are smaller than what another choice of systems would change."
    )


def _columns(found: Sequence[Cell]) -> list[View]:
    return list({cell.view.title: cell.view for cell in found}.values())


def _heatmap(found: Sequence[Cell], metrics: Sequence[str], measure: Measure, names: dict[str, str]) -> None:
    columns = _columns(found)
    values = {(cell.view.title, cell.metric): cell.values[measure] for cell in found}
    rows = [[values.get((view.title, metric)) for metric in metrics] for view in columns]
    texts = [["" if value is None else _short(value) for value in row] for row in rows]
    low = 0.0 if measure == "accuracy" else -1.0
    chart = charts.heatmap(
        rows,
        texts,
        [names.get(metric, metric) for metric in metrics],
        rows=[view.title for view in columns],
        low=low,
        high=1.0,
        colours=charts.DIVERGING,
        bar=MEASURES[measure],
    )
    frame = pd.DataFrame(rows, index=[view.title for view in columns], columns=list(metrics)).rename_axis("view")
    figure(chart, "across-corpora", frame, index=True, wide=True)


def _one_metric(found: Sequence[Cell], metrics: Sequence[str], measure: Measure, names: dict[str, str]) -> None:
    key = url_state.choice("across-metric", list(metrics), metrics[0])
    chosen = st.selectbox("Metric", list(metrics), key=key, format_func=lambda id: plain(names.get(str(id), str(id))))
    low, high = moves(found, measure)[chosen]
    st.write(f"{plain(names.get(chosen, chosen))} moves from {_short(low)} to {_short(high)}.")
    _forest([(cell.view.title, cell) for cell in found if cell.metric == chosen], measure, "across-metric")


def _one_corpus(found: Sequence[Cell], metrics: Sequence[str], measure: Measure, names: dict[str, str]) -> None:
    titles = [view.title for view in _columns(found)]
    chosen = st.selectbox(
        "Corpus, judgments and systems", titles, key=url_state.choice("across-view", titles, titles[0])
    )
    here = {cell.metric: cell for cell in found if cell.view.title == chosen}
    _forest([(names.get(id, id), here[id]) for id in metrics if id in here], measure, "across-corpus")


def _forest(rows: Sequence[tuple[str, Cell]], measure: Measure, name: str) -> None:
    drawn = []
    for label, cell in rows:
        value, spread = cell.values[measure], cell.intervals[measure]
        if value is not None:
            low, high = spread.low, spread.high
            drawn.append(
                (f"{label} (n={cell.n})", value, value if low is None else low, value if high is None else high)
            )
    data = pd.DataFrame(drawn, columns=["name", measure, "low", "high"])
    figure(charts.intervals(drawn, x=MEASURES[measure]), name, data)


def _table(found: Sequence[Cell], metrics: Sequence[str], measure: Measure, names: dict[str, str]) -> None:
    """All cells; the last column opens the view of a cell on the page Correlation."""
    place = {metric: number for number, metric in enumerate(metrics)}
    cells = sorted(found, key=lambda cell: place.get(cell.metric, len(place)))
    frame = pd.DataFrame([cell.as_dict() | {"open": _address(cell)} for cell in cells])
    frame["metric"] = [names.get(id, id) for id in frame["metric"]]
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "open": st.column_config.LinkColumn("view", display_text="open", help="this metric in this view"),
            **{
                name: st.column_config.NumberColumn(format="%.3f")
                for name in ("pearson", "low", "high", "spearman", "kendall", "accuracy")
            },
        },
    )
    csv_button(frame.drop(columns="open"), "across-corpora")


def _address(cell: Cell) -> str:
    """The page Correlation with the corpus, judgments, ranking, systems and metric of a cell."""
    corpus = cell.view.corpus
    query = {"corpus": [corpus.name], "human": [cell.view.method], "metrics": [cell.metric]}
    query |= {"judgments": [corpus.chosen_set] if len(corpus.judgment_sets) > 1 else []}
    query |= {"without": list(cell.view.without)}
    return f"correlation?{urlencode({name: values for name, values in query.items() if values}, doseq=True)}"


def _short(value: float) -> str:
    return minus(f"{value:.2f}").replace("0.", ".", 1) if abs(value) < 1 else minus(f"{value:.2f}")
