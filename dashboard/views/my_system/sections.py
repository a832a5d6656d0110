"""Sections of an analysis as widgets: prose, figures, tables that sort, download and open sentences, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import cache, url_state
from dashboard.components.controls import choose_one
from dashboard.components.exports import csv_button, figure
from dashboard.components.messages import plain
from gec_core.analysis import html
from gec_core.analysis.document import (
    BarPlot,
    IntervalPlot,
    Paragraph,
    Plot,
    Section,
    SectionTable,
    TableColumn,
    cell_text,
    number_text,
    p_text,
    percent_text,
    signed_text,
)
from gec_core.charts import analysis as charts
from gec_core.meta.trust import EDITS, Edits

ROW, TALL_ROW, TALLEST = 35, 66, 700
"""Pixels of a row, of one with two lines of text, and of the highest table."""
FROM_0 = "sentence (from 0)"
"""The column of sentences in CSV files."""
MODELS = {"auto": "as the files suggest", "with": "yes", "without": "no"}
_TINTS = {"system": "background-color: rgba(11, 105, 163, 0.18)", "rival": "background-color: rgba(213, 94, 0, 0.14)"}
OpenSentence = Callable[[int, str | None], None]
"""Opens a sentence, with the output of another system beside."""


def with_purpose(chosen: cache.SharedAnalysis, *, shown: bool) -> cache.SharedAnalysis:
    """The analysis for the purpose in the address; draw its controls if they are shown."""
    edits: Edits
    if shown:
        with st.container(horizontal=True):
            edits = choose_one("Purpose", "purpose", EDITS, "minimal")
            models = choose_one("Language models among the systems", "models", MODELS, "auto")
    else:
        edits = url_state.undrawn_choice("purpose", list(EDITS), "minimal")
        models = url_state.undrawn_choice("models", list(MODELS), "auto")
    return replace(chosen, edits=edits, language_models={"with": True, "without": False}.get(models))


def draw(section: Section, name: str, system: str, open_sentence: OpenSentence | None) -> None:
    """Draw a section.

    Args:
        section: What to draw.
        name: What the names of its files begin with.
        system: The system that is analysed.
        open_sentence: What to do when a row that is a sentence is chosen; None where sentences cannot be opened.
    """
    if section.missing:
        st.info(plain(section.missing))
        return
    write(section.prose)
    what = f"{section.title}: {system}"
    _figures([plot for plot in section.figures if not plot.metric], name, what)
    for table in section.tables:
        if not table.metric:
            _table(table, name, what, open_sentence)
    _metric_parts(section, name, what, open_sentence)
    for each in section.notes:
        st.caption(in_markdown(each))
    if section.examples:
        st.html(f'<div class="lens-examples">{"".join(map(html.sentence, section.examples))}</div>')
    if section.code:
        st.code(section.code, language="bash", wrap_lines=True)


def write(paragraphs: Iterable[Paragraph]) -> None:
    """Write paragraphs of prose."""
    for each in paragraphs:
        st.markdown(in_markdown(each))


def in_markdown(paragraph: Paragraph) -> str:
    """A paragraph as markdown in which values are taken literally."""
    marks = {"plain": "", "strong": "**", "code": "`"}
    return "".join(
        f"[{plain(run.text)}]({run.text})"
        if run.style == "link"
        else f"{marks[run.style]}{run.text if run.style == 'code' else plain(run.text)}{marks[run.style]}"
        for run in paragraph.runs
    )


def _metric_parts(section: Section, name: str, what: str, open_sentence: OpenSentence | None) -> None:
    """Draw the figures and tables that there are for every metric: those of the chosen one."""
    figures = [plot for plot in section.figures if plot.metric]
    tables = [table for table in section.tables if table.metric]
    names = list(dict.fromkeys([*(plot.metric for plot in figures), *(table.metric for table in tables)]))
    if not names:
        return
    chosen = st.selectbox("Metric", names, key=url_state.choice("under", names, names[0]))
    what = f"{what}, {chosen}"
    _figures([plot for plot in figures if plot.metric == chosen], name, what)
    for table in tables:
        if table.metric == chosen:
            _table(table, name, what, open_sentence)


def _figures(plots: Sequence[Plot], name: str, what: str) -> None:
    """Draw figures, side by side where there are several."""
    places = st.columns(len(plots), gap="medium") if len(plots) > 1 else [st.container() for _ in plots]
    for place, plot in zip(places, plots, strict=True):
        with place:
            st.markdown(f"**{plain(plot.title)}**")
            figure(charts.draw(plot), f"{name}-{plot.id}-figure", f"{what}. {plot.title}", plot_frame(plot))


def plot_frame(plot: Plot) -> pd.DataFrame:
    """The data of a figure."""
    if isinstance(plot, IntervalPlot):
        rows = [(point.label, point.value, point.low, point.high) for point in plot.points]
        return pd.DataFrame(rows, columns=["", plot.unit, "from", "to"])
    if isinstance(plot, BarPlot):
        return pd.DataFrame(plot.bars, columns=["type", plot.unit])
    return pd.DataFrame([(label, *values) for label, _, values in plot.bars], columns=["", *(p for p, _ in plot.parts)])


def _table(table: SectionTable, name: str, what: str, open_sentence: OpenSentence | None) -> None:
    if table.title and not table.metric:
        st.subheader(table.title)
    write(table.prose)
    frame, config = shown_frame(table)
    texts = any(column.kind == "passage" for column in table.columns)
    looks: dict[str, Any] = {
        "hide_index": True,
        "column_config": config,
        "height": min(38 + (TALL_ROW if texts else ROW) * len(table.rows), TALLEST),
        "row_height": TALL_ROW if texts else None,
        "width": "stretch" if len(table.columns) > 4 or texts else "content",
    }
    if table.of_sentences and open_sentence:
        st.caption("Choose a row to open its sentence.")
        chosen = st.dataframe(
            frame, **looks, on_select="rerun", selection_mode="single-row", key=f"rows-{name}-{table.id}"
        )
        for row in chosen.selection.rows:
            open_sentence(table.rows[row][0], table.beside[row])
    else:
        st.dataframe(frame, **looks)
    csv_button(csv_frame(table), f"{name}-{table.id}", f"{what}. {table.title}" if table.title else what)


def shown_frame(table: SectionTable) -> tuple[Any, dict[str, Any]]:
    """The table as it is shown, with numbers that sort, and the configuration of its columns."""
    values: dict[str, list[Any]] = {}
    formats: dict[str, Callable[[Any], str]] = {}
    config: dict[str, Any] = {}
    widths = _widths(table)
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        for part, head, shown, written in _shown(column, cells):
            part = _unused(part, values)
            values[part] = shown
            config[part] = st.column_config.Column(head, help=column.help or None, width=widths.get(column.kind))
            if written:
                formats[part] = written
            if column.kind == "level":
                config[part] = st.column_config.ProgressColumn(format="%.2f", min_value=0, max_value=1, width=110)
    first = next(iter(values))
    config[first] |= {"pinned": True}
    # Streamlit's own formats know no minus sign; the numbers below a style sort as they are.
    style = pd.DataFrame(values).style.format(formats)
    if table.roles:
        style = style.apply(lambda row: [_TINTS.get(table.roles[row.name], "")] * len(row), axis=1)
    return style, config


def _widths(table: SectionTable) -> dict[str, int]:
    """Pixels of columns of text that wraps: in sum, what the table of a window of 1,280 pixels has room for."""
    kinds = [column.kind for column in table.columns]
    passages = kinds.count("passage")
    return {"passage": 270 if "names" in kinds else 430 if passages == 1 else 240, "names": 150 if passages else 240}


def _shown(
    column: TableColumn, cells: list[Any]
) -> list[tuple[str, str | None, list[Any], Callable[[Any], str] | None]]:
    """The columns that a column is shown as: name, head, cells, and how they are written."""
    digits = column.digits
    match column.kind:
        case "interval":
            written = partial(number_text, digits=digits)
            return [
                (f"{column.of} {end}", end, [cell[place] for cell in cells], written)
                for place, end in enumerate(("from", "to"))
            ]
        case "number" | "level":
            return [(column.name, None, cells, partial(number_text, digits=digits))]
        case "count":
            return [(column.name, None, cells, partial(number_text, digits=0))]
        case "signed":
            return [(column.name, None, cells, partial(signed_text, digits=digits))]
        case "share":
            return [(column.name, None, [cell.value for cell in cells], percent_text)]
        case "p":
            return [(column.name, None, cells, p_text)]
        case "sentence":
            return [(column.name, None, [cell + 1 for cell in cells], None)]
    return [(column.name, None, [cell_text(column, cell) for cell in cells], None)]


def csv_frame(table: SectionTable) -> pd.DataFrame:
    """The table with all digits, for programs; sentences are counted from 0."""
    values: dict[str, list[Any]] = {}
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in table.rows]
        match column.kind:
            case "interval":
                parts = {f"{column.of} {end}": [cell[at] for cell in cells] for at, end in enumerate(("from", "to"))}
            case "share":
                parts = {column.name: [cell.value for cell in cells]}
            case "change":
                parts = {
                    column.name: [cell.difference for cell in cells],
                    f"{column.name}, verdict": [cell.verdict for cell in cells],
                }
            case "sentence":
                parts = {FROM_0: cells}
            case "names":
                parts = {column.name: [cell_text(column, cell) for cell in cells]}
            case _:
                parts = {column.name: cells}
        values |= {_unused(part, values): cells for part, cells in parts.items()}
    return pd.DataFrame(values)


def _unused(name: str, used: Iterable[str]) -> str:
    """The name, or a numbered one where a system or a metric has the name of another column."""
    return name if name not in used else next(each for n in range(2, 99) if (each := f"{name} ({n})") not in used)
