"""Tables and figures with their downloads; every figure has its data as a table, also for those who cannot see it.

A column `sentence` holds indices: tables show them counted from 1, CSV files as `sentence (from 0)`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from functools import partial
from html import escape
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.charts.pictures import SvgPicture
from gec_core.formatting import minus, spreadsheet_cell

SENTENCE, FROM_0 = "sentence", "sentence (from 0)"
_MOST_STYLED = 5_000
"""The largest table, in cells, for which writing true minus signs is quick enough."""
_LETTER, _ROOM, _WIDEST = 8, 24, 200
"""Pixels: the width of a letter, the room around a text, the widest first column."""


def table(
    frame: pd.DataFrame,
    *,
    digits: int = 3,
    index: bool = False,
    heads: Mapping[str, str] | None = None,
    helps: Mapping[str, str] | None = None,
    wide: Collection[str] = (),
    height: int | Literal["auto"] = "auto",
) -> None:
    """Draw a table that can be sorted; its first column stays in sight when it scrolls sideways.

    Args:
        frame: The table.
        digits: Digits after the decimal point.
        index: Whether to show the index.
        heads: Headings that differ from the names of the columns.
        helps: Tooltips of columns.
        wide: Columns that hold sentences.
        height: Pixels.
    """
    shown = from_1(frame if index else frame.reset_index(drop=True))
    numbers = [name for name in shown.columns if pd.api.types.is_float_dtype(shown[name])]
    signed = shown.size <= _MOST_STYLED and bool((shown[numbers] < 0).any(axis=None))
    config: dict[Any, Any] = {
        name: st.column_config.Column((heads or {}).get(name), help=(helps or {}).get(name))
        if signed or name not in numbers
        else st.column_config.NumberColumn((heads or {}).get(name), help=(helps or {}).get(name), format=f"%.{digits}f")
        for name in shown.columns
    }
    for name in wide:
        config[name] |= {"width": "large"}
    if not index and len(shown.columns):
        first = shown.columns[0]
        longest = max((len(str(name)) for name in (first, *shown[first])), default=0)
        config[first] |= {"pinned": True, "width": min(_ROOM + _LETTER * longest, _WIDEST)}
    st.dataframe(
        # Streamlit's own formats write a hyphen for a minus sign. Styled numbers still sort as numbers.
        shown.style.format(lambda value: minus(f"{value:.{digits}f}"), subset=numbers) if signed else shown,
        hide_index=not index,
        column_config=config,
        height=height,
    )


def csv_button(frame: pd.DataFrame, name: str, *, index: bool = False, label: str = "CSV") -> None:
    """Draw a button that downloads a table."""
    st.download_button(
        label,
        csv_text(frame, index=index),
        f"{name}.csv",
        "text/csv",
        icon=":material/download:",
        key=f"csv-{name}",
        on_click="ignore",
        help="Download the table as CSV.",
    )


def from_1(frame: pd.DataFrame) -> pd.DataFrame:
    """Count sentences from 1, as people do."""
    return frame.assign(**{SENTENCE: frame[SENTENCE] + 1}) if SENTENCE in frame else frame


def csv_text(frame: pd.DataFrame, *, index: bool = False) -> str:
    """Write a table as CSV, in which no spreadsheet finds a formula."""
    frame = frame.rename(columns={SENTENCE: FROM_0})
    safe = frame.apply(lambda column: column if pd.api.types.is_numeric_dtype(column) else column.map(spreadsheet_cell))
    return safe.rename(index=spreadsheet_cell, columns=spreadsheet_cell).to_csv(index=index)


def download(label: str, make: Callable[[], bytes], name: str, mime: str, *, help: str) -> None:
    """Draw a button that downloads something which takes a while to make and is made on demand."""
    st.download_button(
        label, make, name, mime, icon=":material/download:", key=f"download-{name}", on_click="ignore", help=help
    )


def figure(
    chart: go.Figure,
    name: str,
    data: pd.DataFrame,
    *,
    caption: str = "",
    index: bool = False,
    on_click: Callable[[str], None] | None = None,
    wide: bool = False,
) -> None:
    """Draw a figure with a button that saves it as SVG, and a button that shows its data as a table.

    Args:
        chart: The figure.
        name: The name of its files.
        data: What it shows.
        caption: A line above the table.
        index: Whether the table shows its index.
        on_click: Called with the key of the figure when a point is clicked.
        wide: Whether the figure keeps its width and scrolls where there is too little room.
    """
    key = f"figure-{name}"
    alt = f"Figure: {name.replace('-', ' ')}. The button Data gives it as a table."
    config = {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
    with st.container(key=f"wide-{name}") if wide else nullcontext():
        if on_click:
            st.plotly_chart(
                chart, key=key, config=config, alt=alt, on_select=partial(on_click, key), selection_mode="points"
            )
        else:
            st.plotly_chart(chart, key=key, config=config, alt=alt)
    _data(data, name, caption, index)


def picture(drawn: SvgPicture, name: str, data: pd.DataFrame, *, index: bool = False) -> None:
    """Draw a small figure with the same two buttons."""
    alt = escape(f"{drawn.alt} The button Data gives it as a table.")
    coded = b64encode(drawn.in_the_page.encode()).decode()
    st.html(f'<img class="lens-picture" alt="{alt}" src="data:image/svg+xml;base64,{coded}">')
    with st.container(horizontal=True):
        _data(data, name, "", index)
        st.download_button(
            "SVG",
            drawn.svg,
            f"{name}.svg",
            "image/svg+xml",
            icon=":material/download:",
            key=f"svg-{name}",
            on_click="ignore",
            help="Download the figure as SVG.",
        )


@st.fragment
def _data(data: pd.DataFrame, name: str, caption: str, index: bool) -> None:
    """A button that shows the data of a figure. The table is made on demand, because a page has many figures."""
    popover = st.popover(
        "Data", icon=":material/table:", help="The figure as a table.", key=f"data-{name}", on_change="rerun"
    )
    if not popover.open:
        return
    with popover:
        if caption:
            st.caption(caption)
        table(data, digits=4, index=index)
        csv_button(data, name, index=index)
