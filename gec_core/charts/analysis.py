"""The figures of an analysis. The system is a square, its rival a diamond, every other system a circle."""

from __future__ import annotations

import plotly.graph_objects as go

from gec_core.analysis.document import (
    BarPlot,
    IntervalPlot,
    Plot,
    PlotPoint,
    Role,
    StackedPlot,
    Tone,
    number_text,
    signed_text,
)
from gec_core.charts.style import GREY, PALETTE, finished, safe

MARKERS: dict[Role, tuple[str, str]] = {
    "system": (PALETTE[0], "square"),
    "rival": (PALETTE[1], "diamond"),
    "other": (GREY, "circle"),
}
"""Colour and symbol."""
FILLS: dict[Tone, tuple[str, str]] = {"good": (PALETTE[0], ""), "bad": (PALETTE[1], "/"), "neutral": (GREY, ".")}
"""Colour and pattern."""


def draw(plot: Plot) -> go.Figure:
    """Draw any figure of an analysis."""
    if isinstance(plot, IntervalPlot):
        return intervals(plot)
    return bars(plot) if isinstance(plot, BarPlot) else stacked(plot)


def intervals(plot: IntervalPlot) -> go.Figure:
    """Draw points with their intervals, the first on top."""
    chart = go.Figure()
    for point in plot.points:
        colour, symbol = MARKERS[point.role]
        ends = (number_text(end, plot.digits) for end in (point.value, point.low, point.high))
        chart.add_scatter(
            x=[point.value],
            y=[safe(point.label)],
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 10},
            error_x=_error_bar(point),
            customdata=[tuple(ends)],
            hovertemplate="%{y}: %{customdata[0]}, from %{customdata[1]} to %{customdata[2]}<extra></extra>",
        )
    chart.update_xaxes(title=safe(plot.unit), zeroline=False)
    if plot.ranks:
        chart.update_xaxes(range=[0.5, plot.ranks + 0.5], dtick=1 if plot.ranks <= 15 else None)
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=90 + 28 * len(plot.points), legend=False)


def bars(plot: BarPlot) -> go.Figure:
    """Draw bars to the right for more, to the left for fewer, each with its number; hatched where that is bad."""
    values = [value for _, value in plot.bars]
    fills = [FILLS["good" if (value >= 0) == plot.more_is_better else "bad"] for value in values]
    chart = go.Figure(
        go.Bar(
            x=values,
            y=[safe(label) for label, _ in plot.bars],
            orientation="h",
            text=[signed_text(value, 0) for value in values],
            textposition="outside",
            cliponaxis=False,
            marker={"color": [fill[0] for fill in fills], "pattern": {"shape": [fill[1] for fill in fills]}},
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    most = max(map(abs, values), default=1) or 1
    chart.update_xaxes(title=safe(plot.unit), range=[min(0, *values) - 0.2 * most, max(0, *values) + 0.2 * most])
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=100 + 24 * len(values), legend=False)


def stacked(plot: StackedPlot) -> go.Figure:
    """Draw one bar per row, divided into parts."""
    chart = go.Figure()
    names = [f"<b>{safe(label)}</b>" if role != "other" else safe(label) for label, role, _ in plot.bars]
    for place, (part, tone) in enumerate(plot.parts):
        colour, pattern = FILLS[tone]
        chart.add_bar(
            x=[values[place] for _, _, values in plot.bars],
            y=names,
            name=part,
            orientation="h",
            marker={"color": colour, "pattern": {"shape": pattern}},
            hovertemplate=f"%{{y}}: %{{x:,}} {part}<extra></extra>",
        )
    chart.update_layout(barmode="stack", legend={"traceorder": "normal"})
    chart.update_xaxes(title=safe(plot.unit))
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=140 + 28 * len(plot.bars), legend=True)


def _error_bar(point: PlotPoint) -> dict[str, object]:
    """The interval of a point; a percentile interval need not contain the value."""
    return {
        "type": "data",
        "symmetric": False,
        "thickness": 2,
        "array": [max(0.0, point.high - point.value)],
        "arrayminus": [max(0.0, point.value - point.low)],
    }
