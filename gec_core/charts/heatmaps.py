"""Heatmaps with the numbers in their cells."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from gec_core.charts.style import EMPTY, INK, finished, safe

_LEVEL = 7
"""The most columns whose names are horizontal."""
_LETTERS_ACROSS = 75
"""The number of letters that fit above the narrowest heatmap."""
DIVERGING = [[0, "#F4A259"], [0.5, "#FAFAFA"], [1, "#6FB1DC"]]
"""Orange over white to blue, light enough for dark numbers."""
P_VALUES = [[0, "#6FB1DC"], [0.1, "#A9D0EA"], [0.1, "#EDF2F6"], [1, "#FAFAFA"]]
"""For p-values from 0 to 0.5: blue up to 0.05, nearly white beyond."""
RISING = [[0, "#FAFAFA"], [1, "#6FB1DC"]]
"""White to blue, for large numbers that matter."""


def heatmap(
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    names: Sequence[str],
    *,
    rows: Sequence[str] | None = None,
    notes: Sequence[str] = (),
    low: float,
    high: float,
    colours: object,
    bar: str,
) -> go.Figure:
    """Draw a matrix of numbers, each printed in its cell.

    Args:
        values: The numbers that colour the cells, row by row; None leaves a cell empty.
        texts: What is printed in the cells.
        names: The names of the columns.
        rows: The names of the rows, if they differ from those of the columns.
        notes: Notes on the columns, below their names; at the foot if many names have to be slanted.
        low: The lower end of the colour scale.
        high: The upper end of the colour scale.
        colours: The colour scale.
        bar: The title of the colour bar.
    """
    heads = [safe(name) for name in names]
    if notes:
        heads = [f"{head}<br>{safe(note)}" for head, note in zip(heads, notes, strict=True)]
    slanted = len(names) > _LEVEL
    chart = go.Figure(
        go.Heatmap(
            z=values,
            text=texts,
            x=heads,
            y=[safe(name) for name in rows or names],
            texttemplate="%{text}",
            # Plotly would count the letters of tags, and choose too small a size.
            textfont={"color": INK, **({"size": 12} if any("<" in text for row in texts for text in row) else {})},
            zmin=low,
            zmax=high,
            colorscale=colours,
            hoverongaps=False,
            xgap=2,
            ygap=2,
            colorbar={"title": bar, "thickness": 14},
            hovertemplate="%{y} · %{x}: %{text}<extra></extra>",
        )
    )
    chart.update_yaxes(autorange="reversed", showgrid=False, ticklabelstandoff=6)
    chart.update_xaxes(side="top", showgrid=False, ticklabelstandoff=4, tickangle=-35 if slanted else 0)
    if slanted and notes:
        chart.update_xaxes(tickvals=heads, ticktext=[safe(name) for name in names])
    chart.update_layout(plot_bgcolor=EMPTY)
    finished(chart, height=150 + 38 * len(rows or names), legend=False)
    chart.update_layout(margin={"pad": 0})  # Streamlit's padding would be a bright frame in the dark theme
    if slanted and notes:
        for head, note in zip(heads, notes, strict=True):
            text = "<br>".join(safe(word) for word in note.split(" "))
            chart.add_annotation(
                x=head, y=0, yref="paper", yanchor="top", yshift=-4, text=text, showarrow=False, font={"size": 11}
            )
        chart.update_layout(margin={"b": 45})
    return chart


def with_clicks(
    chart: go.Figure, data: Sequence[Sequence[object | None]], notes: Sequence[Sequence[str]] | None = None
) -> go.Figure:
    """Let the cells of a heatmap be clicked.

    Cells themselves do not react to clicks, so each holds an invisible point, which is framed when it is chosen.

    Args:
        chart: The heatmap.
        data: The data of a click on each cell, row by row; None where nothing happens.
        notes: What is shown on hover; if None, the heatmap keeps its own.
    """
    grid = chart.data[0]
    cells = [(row, at) for row, line in enumerate(data) for at, cell in enumerate(line) if cell is not None]
    chart.add_scatter(
        x=[grid.x[at] for _, at in cells],
        y=[grid.y[row] for row, _ in cells],
        customdata=[data[row][at] for row, at in cells],
        hovertext=[
            safe(notes[row][at]) if notes else f"{grid.y[row]} · {grid.x[at]}: {grid.text[row][at]}"
            for row, at in cells
        ],
        hoverinfo="text",
        mode="markers",
        marker={"symbol": "square-open", "size": 21, "opacity": 0, "color": INK, "line": {"width": 2}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
    )
    chart.update_xaxes(range=[-0.5, len(grid.x) - 0.5])
    chart.update_yaxes(autorange=False, range=[len(grid.y) - 0.5, -0.5])
    return chart.update_layout(dragmode=False)


def type_heatmap(
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    notes: Sequence[Sequence[str]],
    types: Sequence[str],
    systems: Sequence[str],
) -> go.Figure:
    """Draw systems by error types, with cells that can be clicked and `notes` shown on hover."""
    chart = heatmap(values, texts, systems, rows=types, low=0, high=1, colours=RISING, bar="")
    chart.update_traces(hoverinfo="skip", hovertemplate=None, showscale=False, xgap=1, ygap=1)
    with_clicks(chart, [[(type, system) for system in systems] for type in types], notes)
    level = len(systems) * max(len(system) for system in systems) <= _LETTERS_ACROSS
    chart.update_xaxes(tickangle=0 if level else -35)
    # the button that saves the figure is at the top right
    margin = {"l": 10, "r": 10 if level else 50, "t": 60, "b": 10, "pad": 0}
    return chart.update_layout(height=100 + 27 * len(types), margin=margin)
