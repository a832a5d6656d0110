"""Heatmaps with the numbers in their cells."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from gec_core.charts.style import INK, PAPER, finished, safe

_LEVEL = 7
"""The most columns whose names are horizontal."""
_LETTERS_ACROSS = 75
"""The number of letters that fit above the narrowest heatmap."""
DIVERGING = [[0, "#F4A259"], [0.5, "#FAFAFA"], [1, "#6FB1DC"]]
"""Orange over white to blue, light enough for dark numbers."""
FADING = [[0, "#6FB1DC"], [1, "#FAFAFA"]]
"""Blue to white, for small numbers that matter."""
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
            textfont={"color": INK},
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
    chart.update_layout(plot_bgcolor=PAPER)
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


def type_heatmap(
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    notes: Sequence[Sequence[str]],
    types: Sequence[str],
    systems: Sequence[str],
) -> go.Figure:
    """Draw systems by error types, with cells that can be clicked and `notes` shown on hover.

    Cells of a heatmap do not react to clicks, so each holds an invisible point, which is framed when it is chosen.
    """
    chart = heatmap(values, texts, systems, rows=types, low=0, high=1, colours=RISING, bar="")
    chart.update_traces(hoverinfo="skip", hovertemplate=None, showscale=False, xgap=1, ygap=1)
    cells = [(row, column) for row in range(len(types)) for column in range(len(systems))]
    chart.add_scatter(
        x=[safe(systems[column]) for _, column in cells],
        y=[safe(types[row]) for row, _ in cells],
        customdata=[(types[row], systems[column]) for row, column in cells],
        hovertext=[safe(notes[row][column]) for row, column in cells],
        hoverinfo="text",
        mode="markers",
        marker={"symbol": "square-open", "size": 21, "opacity": 0, "color": INK, "line": {"width": 2}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
    )
    level = len(systems) * max(len(system) for system in systems) <= _LETTERS_ACROSS
    chart.update_xaxes(range=[-0.5, len(systems) - 0.5], tickangle=0 if level else -35)
    chart.update_yaxes(autorange=False, range=[len(types) - 0.5, -0.5])
    # the button that saves the figure is at the top right
    margin = {"l": 10, "r": 10 if level else 50, "t": 60, "b": 10, "pad": 0}
    return chart.update_layout(height=100 + 27 * len(types), dragmode=False, margin=margin)
