"""Tables and figures with a way to take them along, and a table beside each figure for those who cannot see it."""

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

from dashboard.charts.pictures import Picture
from gec_core.formatting import minus, spreadsheet_cell

_MOST_STYLED = 5_000
"""Cells up to which a table is quickly written with true minus signs."""
_LETTER, _ROOM, _WIDEST = 8, 24, 200
"""Pixels of a letter, around a text, and of the widest first column."""


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
    """A table with so many digits after the point, whose first column stays in sight when it scrolls sideways.

    `heads` are what columns are called on the page where this is not their name, `helps` what they are, and `wide`
    those that hold sentences.
    """
    shown = frame if index else frame.reset_index(drop=True)
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
        # Streamlit's own formats know no minus sign; the numbers below a style sort as they did.
        shown.style.format(lambda value: minus(f"{value:.{digits}f}"), subset=numbers) if signed else shown,
        hide_index=not index,
        column_config=config,
        height=height,
    )


def csv_button(frame: pd.DataFrame, name: str, *, index: bool = False, label: str = "CSV") -> None:
    """Download a table."""
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


def csv_text(frame: pd.DataFrame, *, index: bool = False) -> str:
    """A table as the text of a CSV file, in which nothing is a formula."""
    safe = frame.apply(lambda column: column if pd.api.types.is_numeric_dtype(column) else column.map(spreadsheet_cell))
    return safe.rename(index=spreadsheet_cell, columns=spreadsheet_cell).to_csv(index=index)


def download(label: str, make: Callable[[], bytes], name: str, mime: str, *, help: str) -> None:
    """Download something that takes a while to make, so that it is made when it is asked for."""
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
    """A figure with a button that saves it as SVG, and its data as a table one click away.

    `on_click` is called with the key of the figure when a point of it is clicked. One that is `wide` keeps its own
    width, and scrolls where that is more than there is room for.
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


def picture(drawn: Picture, name: str, data: pd.DataFrame, *, index: bool = False) -> None:
    """A small figure with the same two ways to take it along."""
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
    """The figure as a table, which is made when someone opens it: a page has many figures."""
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
