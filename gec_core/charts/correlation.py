"""Figures of correlations: scatter plots, forest plots, and what is left without one system.

Axes format the numbers shown on hover where these are plain coordinates (see `lines`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from gec_core.charts.style import GREY, PALETTE, Label, colour, finished, place_labels, safe, symbol
from gec_core.formatting import minus

_PLOT = (300, 290)
"""The size in pixels of the smallest scatter plot without its margins."""


def scatter(
    scores: Mapping[str, float],
    human: Mapping[str, float],
    *,
    x: str,
    y: str,
    left_out: Sequence[str] = (),
    told: str = "",
) -> go.Figure:
    """Draw systems by the score of a metric and of people, with names.

    The axes fit the systems that are not left out. Left-out ones are hollow, at the edge if they are beyond it. A file
    for a paper has `told`, the correlations, above the plot; a page tells them beside it.
    """
    systems = [system for system in human if system in scores]
    points = [(scores[system], human[system]) for system in systems]
    kept = [(scores[system], human[system]) for system in systems if system not in left_out]
    ends = [_range([point[axis] for point in kept or points]) for axis in (0, 1)]
    shown = [tuple(min(max(value, low), high) for value, (low, high) in zip(at, ends, strict=True)) for at in points]
    names = [f"{system} (out)" if system in left_out else system for system in systems]
    chart = go.Figure(
        go.Scatter(
            x=[point[0] for point in shown],
            y=[point[1] for point in shown],
            hovertext=[
                f"{safe(name)}<br>{safe(x)} {minus(f'{at[0]:.4f}')}<br>{safe(y)} {minus(f'{at[1]:.4f}')}"
                for name, at in zip(names, points, strict=True)
            ],
            customdata=systems,
            mode="markers",
            marker={
                "color": PALETTE[0],
                "size": 9,
                "symbol": ["circle-open" if system in left_out else "circle" for system in systems],
                "line": {"width": 1.5, "color": PALETTE[0]},
            },
            cliponaxis=False,
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    if line := fit(kept):
        chart.add_scatter(
            x=line[0], y=line[1], mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}, hoverinfo="skip"
        )
    labels = place_labels(shown, names, width=_PLOT[0], height=_PLOT[1])  # type: ignore[arg-type]
    chart.update_xaxes(title=safe(x), range=ends[0], zeroline=False)
    chart.update_yaxes(title=safe(y), range=ends[1], zeroline=False)
    finished(chart, height=_PLOT[1] + 80, legend=False)
    # Fixed margins: to compute them, Plotly would draw each figure twice, and a page has many of these.
    return chart.update_layout(
        annotations=[
            {
                "x": at[0],
                "y": at[1],
                "text": safe(name),
                "font": {"size": 11},
                "xanchor": "center",
                "yanchor": "middle",
                "captureevents": False,
                **_lead(label),
            }
            for at, name, label in zip(shown, names, labels, strict=True)
        ],
        margin={"l": 56, "b": 50},
        xaxis={"automargin": False},
        yaxis={"automargin": False},
        meta={"panel": told, "labels": names},
    )


def _range(values: Sequence[float]) -> list[float]:
    """The ends of an axis, with the room around the points that `place_labels` counts on."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = (high - low) / 8 or 0.1
    return [low - room, high + room]


def _lead(label: Label) -> dict[str, Any]:
    """The place of an annotation; a thin line leads to a point that is not beside it."""
    if not label.far:
        return {"showarrow": False, "xshift": label.right, "yshift": label.up}
    line = {"arrowhead": 0, "arrowwidth": 0.7, "arrowcolor": GREY, "standoff": 5}
    return {"showarrow": True, "ax": label.right, "ay": -label.up, **line}


def fit(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]] | None:
    """Return the ends of the least-squares line; None for fewer than three points."""
    n = len(points)
    if n < 3:
        return None
    mean_x, mean_y = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    spread = sum((p[0] - mean_x) ** 2 for p in points)
    if not spread:
        return None
    slope = sum((p[0] - mean_x) * (p[1] - mean_y) for p in points) / spread
    ends = [min(p[0] for p in points), max(p[0] for p in points)]
    return ends, [mean_y + slope * (end - mean_x) for end in ends]


def strips(
    values: Mapping[str, Mapping[str, float]],
    whole: Mapping[str, float | None],
    *,
    x: str,
    places: Mapping[str, int] | None = None,
) -> go.Figure:
    """Draw one row per metric: a dot for the value without each system, a bar for the value with all.

    Args:
        values: The values of each metric, by the system that is left out.
        whole: The value of each metric with all systems.
        x: The title of the axis.
        places: A number for each metric that decides its colour, whichever other metrics are drawn.
    """
    chart = go.Figure()
    for number, (name, without) in enumerate(values.items()):
        index = (places or {}).get(name, number)
        chart.add_scatter(
            x=list(without.values()),
            y=[safe(name)] * len(without),
            customdata=[safe(system) for system in without],
            mode="markers",
            name=safe(name),
            marker={"symbol": symbol(index), "color": colour(index), "size": 9, "opacity": 0.75},
            hovertemplate="without %{customdata}: %{x}<extra></extra>",
        )
        if whole.get(name) is not None:
            chart.add_scatter(
                x=[whole[name]],
                y=[safe(name)],
                mode="markers",
                marker={"symbol": "line-ns-open", "size": 22, "line": {"width": 3}, "color": colour(index)},
                hovertemplate="all systems: %{x}<extra></extra>",
            )
        if without:
            extreme = max(without, key=lambda system: abs(without[system] - (whole.get(name) or 0)))
            chart.add_annotation(
                x=without[extreme],
                y=safe(name),
                text=f"without {safe(extreme)}",
                yshift=15,
                showarrow=False,
                font={"size": 11},
            )
    chart.update_xaxes(title=safe(x), hoverformat=".3f")
    chart.update_yaxes(autorange="reversed", ticklabelstandoff=8)
    return finished(chart, height=90 + 52 * len(values), legend=False)


class ForestRow(NamedTuple):
    """A metric's correlation with its interval, and the one with all systems where some are left out."""

    name: str
    id: str
    value: float
    low: float | None
    high: float | None
    before: float | None = None


def forest(rows: Sequence[ForestRow], *, x: str, now: str, before: str, places: Mapping[str, int]) -> go.Figure:
    """Draw one row per metric, in the given order: a correlation and its interval, with the numbers below the name.

    Args:
        rows: The metrics.
        x: The title of the axis.
        now: What the filled points are, for example "12 systems".
        before: What the hollow points are, if there are any.
        places: A number for each metric that decides its colour.
    """
    heads = [f"{safe(row.name)}<br><span style='font-size: 11px'>{_with_ends(row)}</span>" for row in rows]
    colours = [colour(places.get(row.name, 0)) for row in rows]
    chart = go.Figure()
    chart.add_scatter(
        x=[row.before for row in rows],
        y=heads,
        mode="markers",
        name=safe(before),
        marker={"size": 11, "symbol": "circle-open", "color": colours, "line": {"width": 2}},
        customdata=[row.id for row in rows],
        hovertemplate=f"{safe(before)}: %{{x}}<extra></extra>",
    )
    for row, head, shade in zip(rows, heads, colours, strict=True):
        if row.low is not None and row.high is not None:
            line = {"color": shade, "width": 3}
            chart.add_scatter(x=[row.low, row.high], y=[head, head], mode="lines", line=line, hoverinfo="skip")
    chart.add_scatter(
        x=[row.value for row in rows],
        y=heads,
        mode="markers",
        name=safe(now),
        marker={"size": 11, "symbol": [symbol(places.get(row.name, 0)) for row in rows], "color": colours},
        customdata=[row.id for row in rows],
        hovertemplate=f"{safe(now)}: %{{x}}<extra></extra>",
    )
    chart.update_xaxes(title=safe(x), range=[-1.05, 1.05], zeroline=True, zerolinecolor=GREY, hoverformat=".3f")
    chart.update_yaxes(autorange="reversed", ticklabelstandoff=8, categoryorder="array", categoryarray=heads)
    finished(chart, height=90 + 44 * len(rows), legend=False)
    return chart.update_layout(yaxis={"range": [len(rows) - 0.5, -0.5], "autorange": False})


def _with_ends(row: ForestRow) -> str:
    """The value and its interval: 0.623 [0.31, 0.86]"""
    ends = "" if row.low is None or row.high is None else f" [{row.low:.2f}, {row.high:.2f}]"
    before = "" if row.before is None else f"{row.before:.3f} → "
    return minus(f"{before}{row.value:.3f}{ends}")
