"""The page *Across corpora*: which metric holds up on which corpus, set of judgments and set of systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard import cache, session, url_state
from dashboard.cache.scoring import across
from dashboard.components.controls import choose_one, choose_view
from dashboard.components.exports import csv_button, figure, table
from dashboard.components.messages import end_page, plain
from dashboard.navigation import address, page
from gec_core import charts
from gec_core.formatting import minus
from gec_core.human.ranking import AGGREGATES, Method
from gec_core.meta.across import MEASURES, Cell, Measure, View, moves, ordered
from gec_core.meta.gap_words import ordinal
from gec_core.meta.trust import EDITS, Purpose, advice, label, told
from gec_core.metrics.base import Metric

VIEWS = {
    "heatmap": "All corpora",
    "metric": "One metric",
    "corpus": "One corpus",
    "trust": "Which metric should I trust?",
    "table": "Table",
}
REFERENCES = {"with": "there are some", "without": "none"}
OUTPUTS = {"without": "no language models", "with": "language models among the systems"}
_GRID = "across-grid"
NUMBERS = ("pearson", "low", "high", "spearman", "kendall", "accuracy")
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
    if view == "trust":
        _trust()
        return
    with st.container(horizontal=True):
        measure: Measure = choose_one("Measure", "measure", MEASURES, "pearson")
        order = choose_one("Sorted by", "order", ORDERS, "mean")
        method = choose_one("Rankings by people", "method", METHODS, "ts", help="Ratings are ranked by their means.")
    aggregate = session.aggregate()
    found = across(method, session.owned_sessions(), aggregate)
    if aggregate != "usual":
        st.caption(f"Metrics' scores of systems: {AGGREGATES[aggregate]}, as chosen in the sidebar.")
    if session.corpus().lines is not None:
        st.caption("The choice of sentences in the sidebar does not hold here: all sentences of each corpus are used.")
    if not any(cell.values[measure] is not None for cell in found):
        st.info("No corpus with human judgments and scores is here. Get one with `gec-lens corpora fetch seeda`.")
        end_page()
    names = {id: metric.title for id, metric in cache.all_metrics().items()}
    metrics = ordered(found, measure, order)
    if view == "heatmap":
        _heatmap(found, metrics, measure, names)
    elif view == "metric":
        _one_metric(found, metrics, measure, names)
    elif view == "corpus":
        _one_corpus(found, metrics, measure, names)
    if view in ("heatmap", "table"):
        _table(found, metrics, names)
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
    titles, labels = [names.get(metric, metric) for metric in metrics], [view.label for view in columns]
    chart = _drawn(rows, titles, labels, measure)
    chart.update_traces(textfont={"size": 10})  # Plotly would make the numbers too small to read on a phone
    opened = {(cell.view.title, cell.metric): cell for cell in found}
    charts.with_clicks(
        chart,
        [
            [(view.title, metric) if values.get((view.title, metric)) is not None else None for metric in metrics]
            for view in columns
        ],
    )
    if clicked := session.kept(_GRID, ()):
        session.keep(_GRID, ())
        if cell := opened.get(tuple(clicked)):
            st.switch_page(page("correlation"), query_params=_query(cell))
    frame = pd.DataFrame(rows, index=labels, columns=titles).rename_axis("view")
    what = f"{MEASURES[measure]}, by corpus, judgments and systems"
    shows = _metrics(metrics)
    figure(
        chart, "across-corpora", what, frame, index=True, wide=True, on_click=_open_cell, shows=shows, of_choice=False
    )
    st.caption(
        "Click a cell to open its view on the page Correlation. Metrics are sorted by the views that all of them have. "
        "A cell is grey where a metric has no scores, mostly because the corpus has no references."
    )


def _drawn(
    values: Sequence[Sequence[float | None]], columns: Sequence[str], rows: Sequence[str], measure: Measure
) -> go.Figure:
    return charts.heatmap(
        values,
        [["" if value is None else _short(value) for value in row] for row in values],
        columns,
        rows=rows,
        low=0.0 if measure == "accuracy" else -1.0,
        high=1.0,
        colours=charts.DIVERGING,
        bar=MEASURES[measure],
    )


def _open_cell(figure: str) -> None:
    """Callback: remember the cell that was clicked."""
    if points := session.clicked(figure):
        session.keep(_GRID, points[0])


def _trust() -> None:
    """Advise on a metric for a purpose."""
    with st.container(horizontal=True):
        edits = choose_one("Purpose", "edits", EDITS, "minimal")
        references = choose_one("References", "references", REFERENCES, "with")
        outputs = choose_one("Outputs", "outputs", OUTPUTS, "without")
    purpose = Purpose(edits, references == "with", outputs == "with")
    known = cache.all_metrics()
    names = {id: metric.title for id, metric in known.items()}
    found_cells = across("ts", session.owned_sessions(), session.aggregate())
    rows = [cell.as_dict() for cell in found_cells]
    labels = {cell.view.title: cell.view.label for cell in found_cells}
    found = advice(rows, purpose, {id: metric.reads for id, metric in known.items()})
    alone = [id for id, metric in known.items() if metric.output_alone]
    st.markdown("\n".join(f"- {plain(each)}" for each in told(found, purpose, names, labels, alone)))
    if not found:
        return
    frame = pd.DataFrame([each.as_dict() for each in found])
    frame["metric"] = [names.get(id, id) for id in frame["metric"]]
    frame["worst_view"] = [label(each.worst, labels) for each in found]
    titles = {
        "mean": "mean r",
        "worst": "worst r",
        "worst_low": "from",
        "worst_high": "to",
        "worst_view": "worst view",
        "systems": "systems at most",
    }
    table(frame.rename(columns=titles))
    st.caption(
        "Views: those that the mean is over, of all that speak for the purpose. Means are over the views in which all "
        "of these metrics have scores, where that is at least half of them."
    )
    what = f"Metrics for this purpose: {purpose.words}"
    csv_button(frame, "which-metric", what, shows=_metrics(each.metric for each in found), of_choice=False)
    with st.expander("What this rests on"):
        table(pd.DataFrame([_row(row, label(row, labels), names) for each in found for row in each.rows]))


def _one_metric(found: Sequence[Cell], metrics: Sequence[str], measure: Measure, names: dict[str, str]) -> None:
    key = url_state.choice("across-metric", list(metrics), metrics[0])
    chosen = st.selectbox("Metric", list(metrics), key=key, format_func=lambda id: names.get(str(id), str(id)))
    here = [cell for cell in found if cell.metric == chosen]
    low, high = moves(found, measure)[chosen]
    name = names.get(chosen, chosen)
    worst = next(cell for cell in here if cell.values[measure] == low)
    st.write(f"{plain(name)} moves from {_short(low)} to {_short(high)}. {plain(_lowest(worst, name))}")
    _forest([(cell.view.label, cell) for cell in here], measure, "across-metric", name)
    _table(here, metrics, names, without="metric")


def _lowest(cell: Cell, metric: str) -> str:
    """Where a metric does worst, and which systems it places otherwise than people do."""
    said = f"It is lowest on {cell.view.label}."
    if not cell.misplaced:
        return said
    placed = [
        f"{system} is {ordinal(cell.places[system][0])} by people and {ordinal(cell.places[system][1])} by {metric}"
        for system in cell.misplaced
    ]
    return f"{said} Of its {cell.n} systems, {'; '.join(placed)}."


def _one_corpus(found: Sequence[Cell], metrics: Sequence[str], measure: Measure, names: dict[str, str]) -> None:
    labels = {view.title: view.label for view in _columns(found)}
    key = url_state.choice("across-view", list(labels), next(iter(labels)))
    chosen = st.selectbox("Corpus, judgments and systems", list(labels), key=key, format_func=labels.__getitem__)
    here = {cell.metric: cell for cell in found if cell.view.title == chosen}
    _forest([(names.get(id, id), here[id]) for id in metrics if id in here], measure, "across-corpus", labels[chosen])
    _table(list(here.values()), metrics, names, without="view")


def _forest(rows: Sequence[tuple[str, Cell]], measure: Measure, name: str, what: str) -> None:
    drawn = []
    for row, cell in rows:
        value, spread = cell.values[measure], cell.intervals[measure]
        if value is not None:
            low, high = spread.low, spread.high
            drawn.append((f"{row} (n={cell.n})", value, value if low is None else low, value if high is None else high))
    data = pd.DataFrame(drawn, columns=["name", measure, "low", "high"])
    chart = charts.intervals(drawn, x=MEASURES[measure])
    shows = _metrics(cell.metric for _, cell in rows)
    figure(chart, name, f"{MEASURES[measure]} of {what}, with 95% intervals", data, shows=shows, of_choice=False)


def _table(found: Sequence[Cell], metrics: Sequence[str], names: dict[str, str], without: str = "") -> None:
    """Draw these cells; the first column opens the view of a cell on the page Correlation.

    Args:
        found: The cells.
        metrics: The metrics in the order of the rows.
        names: The titles of the metrics.
        without: A column that says the same of all cells.
    """
    place = {metric: number for number, metric in enumerate(metrics)}
    cells = sorted(found, key=lambda cell: place.get(cell.metric, len(place)))
    frame = pd.DataFrame([{"open": _address(cell)} | _row(cell.as_dict(), cell.view.label, names) for cell in cells])
    frame = frame.drop(columns=[without] if without else [])
    st.dataframe(
        frame.style.format(lambda value: minus(f"{value:.3f}"), subset=list(NUMBERS), na_rep="–"),
        hide_index=True,
        placeholder="–",
        column_config={"open": st.column_config.LinkColumn("", display_text="open", help="this metric in this view")},
    )
    what = "Correlations with human rankings, by corpus, judgments, systems and metric"
    shows = _metrics(cell.metric for cell in cells)
    csv_button(
        pd.DataFrame([cell.as_dict() for cell in cells]), "across-corpora-table", what, shows=shows, of_choice=False
    )


def _metrics(ids: Iterable[str]) -> list[Metric]:
    """The metrics of these ids, each once."""
    known = cache.all_metrics()
    return [known[id] for id in dict.fromkeys(ids) if id in known]


def _row(row: Mapping[str, object], view: str, names: dict[str, str]) -> dict[str, object]:
    """A row of `across` in the words of the page."""
    metric = str(row["metric"])
    numbers = {name: value for name, value in row.items() if name not in ("corpus", "human", "systems", "metric")}
    return {"view": view, "metric": names.get(metric, metric)} | numbers


def _address(cell: Cell) -> str:
    """The address of a cell on the page Correlation."""
    return address("correlation", _query(cell))


def _query(cell: Cell) -> dict[str, list[str]]:
    """The page Correlation with the corpus, judgments, ranking, systems and metric of a cell."""
    corpus, aggregate = cell.view.corpus, session.aggregate()
    query = {"corpus": [corpus.name], "human": [cell.view.method], "metrics": [cell.metric]}
    query |= {"judgments": [corpus.chosen_set] if len(corpus.judgment_sets) > 1 else []}
    query |= {"aggregate": [aggregate] if aggregate != "usual" else [], "without": list(cell.view.without)}
    return {name: values for name, values in query.items() if values}


def _short(value: float) -> str:
    return minus(f"{value:.2f}").replace("0.", ".", 1) if abs(value) < 1 else minus(f"{value:.2f}")
