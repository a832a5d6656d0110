"""Data to figures: pure functions that know nothing of pages or widgets.

Colours are Okabe and Ito's, which people with colour-blindness can tell apart, where these are too light darkened to
stand out from both backgrounds (3 to 1). They never stand alone: lines and points have symbols, dashes and names, too.

Numbers shown on hover are formatted by their axis (`hoverformat`), which writes true minus signs; a format in the
template (`%{y:.3f}`) would write hyphens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from dashboard.labels import place_labels

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#C98500", "#3596D2", "#8C6D31")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down", "pentagon")
DASHES = ("solid", "dash", "dot", "dashdot")
GREY = "rgba(122, 122, 122, 0.85)"
_NAMED = 2
"""Systems that tie and are named at the end of their lines; of more, the number."""
_LEVEL = 7
"""Columns of a heatmap up to which their names stand level."""
_LETTERS_ACROSS = 75
"""Letters that fit side by side above the narrowest heatmap."""
INK = "#16242E"
"""For numbers on these colours, in either theme."""
PAPER = "#F4F5F7"
"""Behind the cells of a heatmap in both themes, so that INK can be read where a cell is empty."""
DIVERGING = [[0, "#F4A259"], [0.5, "#FAFAFA"], [1, "#6FB1DC"]]
"""Orange over white to blue, light enough for dark numbers in every cell."""
FADING = [[0, "#6FB1DC"], [1, "#FAFAFA"]]
"""Blue to white: the smaller, the stronger."""
RISING = [[0, "#FAFAFA"], [1, "#6FB1DC"]]
"""White to blue: the larger, the stronger."""


def colour(index: int) -> str:
    return PALETTE[index % len(PALETTE)]


def symbol(index: int) -> str:
    return SYMBOLS[index % len(SYMBOLS)]


def dash(index: int) -> str:
    return DASHES[index // len(PALETTE) % len(DASHES)]


def bump_chart(ranks: Mapping[str, Mapping[str, float]], highlight: str | None = None) -> go.Figure:
    """One line a system through its ranks in each ranking: crossings are disagreements.

    `ranks` gives, for each ranking in the order to be drawn, the rank of each system.
    """
    rankings = list(ranks)
    every = {system: None for ranking in ranks.values() for system in ranking}  # not everybody may rank everything
    systems = sorted(every, key=lambda system: ranks[rankings[0]].get(system, len(every) + 1))
    chart = go.Figure()
    ends: dict[tuple[int, float, str], list[str]] = {}  # who begins or ends there: those that tie share one label
    for index, system in enumerate(systems):
        marked = highlight in (None, system)
        chart.add_scatter(
            x=list(range(len(rankings))),
            y=[ranks[ranking].get(system) for ranking in rankings],
            customdata=rankings,
            name=system,
            mode="lines+markers",
            line={
                "color": colour(index) if marked else GREY,
                "width": 4 if highlight == system else 2,
                "dash": dash(index),
            },
            marker={"symbol": symbol(index), "size": 13 if highlight == system else 9},
            hovertemplate=f"{_safe(system)}: rank %{{y}} by %{{customdata}}<extra></extra>",
        )
        ranked = [place for place, ranking in enumerate(rankings) if system in ranks[ranking]]
        for place, side in ((ranked[0], "right"), (ranked[-1], "left")):
            ends.setdefault((place, ranks[rankings[place]][system], side), []).append(system)
    names: list[dict[str, object]] = []
    for (place, rank, side), ending in ends.items():
        text = ", ".join(_safe(system) for system in ending[:_NAMED])
        text += f" + {len(ending) - _NAMED}" if len(ending) > _NAMED else ""
        names.append(
            {
                "x": place,
                "y": rank,
                "text": f"<b>{text}</b>" if highlight in ending else text,
                "xanchor": side,
                "xshift": -12 if side == "right" else 12,
                "showarrow": False,
                "font": {"size": 12},
            }
        )
    chart.update_yaxes(autorange="reversed", title=None, dtick=1, zeroline=False, showticklabels=False)
    chart.update_xaxes(
        side="top",
        tickvals=list(range(len(rankings))),
        ticktext=[_safe(one) for one in rankings],
        showgrid=True,
        range=[-0.15, len(rankings) - 0.85],
        zeroline=False,
        tickangle=-30 if len(rankings) > 6 else 0,
    )
    _finished(chart, height=110 + 30 * len(systems), legend=False)
    longest = max(sum(map(len, ending[:_NAMED])) + 2 * len(ending[1:_NAMED]) for ending in ends.values())
    margin = 24 + 8 * longest
    return chart.update_layout(annotations=names, margin={"l": margin, "r": margin, "t": 60, "b": 10})


def scatter(
    scores: Mapping[str, float], human: Mapping[str, float], *, x: str, y: str, left_out: Sequence[str]
) -> go.Figure:
    """Systems by a metric's score and people's, with names beside the points; left-out ones are hollow."""
    systems = [system for system in human if system in scores]
    points = [(scores[system], human[system]) for system in systems]
    chart = go.Figure(
        go.Scatter(
            x=[point[0] for point in points],
            y=[point[1] for point in points],
            text=[_safe(system) for system in systems],
            customdata=systems,
            textposition=place_labels(points, systems),
            textfont={"size": 11},
            mode="markers+text",
            marker={
                "color": PALETTE[0],
                "size": 9,
                "symbol": ["circle-open" if system in left_out else "circle" for system in systems],
                "line": {"width": 1.5, "color": PALETTE[0]},
            },
            cliponaxis=False,
            hovertemplate="%{text}<br>" + f"{_safe(x)} %{{x}}<br>{_safe(y)} %{{y}}<extra></extra>",
        )
    )
    kept = [(scores[system], human[system]) for system in systems if system not in left_out]
    if line := fit(kept):
        chart.add_scatter(
            x=line[0], y=line[1], mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}, hoverinfo="skip"
        )
    low, high = min(point[0] for point in points), max(point[0] for point in points)
    margin = 0.14 * (high - low) or 0.1
    chart.update_xaxes(title=_safe(x), range=[low - margin, high + margin], zeroline=False, hoverformat=".4f")
    chart.update_yaxes(title=_safe(y), zeroline=False, hoverformat=".4f")
    finished = _finished(chart, height=330, legend=False)
    # Room that is known beforehand: Plotly draws a figure twice to find out, and a page has many of these.
    finished.update_layout(margin={"l": 56, "b": 50}, xaxis={"automargin": False}, yaxis={"automargin": False})
    return finished


def fit(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]] | None:
    """The ends of the least-squares line."""
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


def curves(lines: Mapping[str, Mapping[Any, float | None]], *, x: str, y: str) -> go.Figure:
    """One line a metric over something that runs: the top K systems, a window of the ranking."""
    chart = go.Figure()
    for index, (name, values) in enumerate(lines.items()):
        chart.add_scatter(
            x=list(values),
            y=list(values.values()),
            name=_safe(name),
            mode="lines+markers",
            line={"color": colour(index), "dash": dash(index), "width": 2},
            marker={"symbol": symbol(index), "size": 8},
            hovertemplate=f"{_safe(name)}: %{{y}}<extra></extra>",
        )
    chart.update_xaxes(title=_safe(x))
    chart.update_yaxes(title=_safe(y), range=[-1.05, 1.05], zeroline=True, zerolinecolor=GREY, hoverformat=".3f")
    return _finished(chart, height=420, legend=True)


def strips(values: Mapping[str, Mapping[str, float]], whole: Mapping[str, float | None], *, x: str) -> go.Figure:
    """One row a metric: the value without each single system as a dot, the value with all as a bar."""
    chart = go.Figure()
    for index, (name, without) in enumerate(values.items()):
        chart.add_scatter(
            x=list(without.values()),
            y=[_safe(name)] * len(without),
            customdata=[_safe(system) for system in without],
            mode="markers",
            name=_safe(name),
            marker={"symbol": symbol(index), "color": colour(index), "size": 9, "opacity": 0.75},
            hovertemplate="without %{customdata}: %{x}<extra></extra>",
        )
        if whole.get(name) is not None:
            chart.add_scatter(
                x=[whole[name]],
                y=[_safe(name)],
                mode="markers",
                marker={"symbol": "line-ns-open", "size": 22, "line": {"width": 3}, "color": colour(index)},
                hovertemplate="all systems: %{x}<extra></extra>",
            )
        if without:
            extreme = max(without, key=lambda system: abs(without[system] - (whole.get(name) or 0)))
            chart.add_annotation(
                x=without[extreme],
                y=_safe(name),
                text=f"without {_safe(extreme)}",
                yshift=15,
                showarrow=False,
                font={"size": 11},
            )
    chart.update_xaxes(title=_safe(x), hoverformat=".3f")
    chart.update_yaxes(autorange="reversed", ticklabelstandoff=8)
    return _finished(chart, height=90 + 52 * len(values), legend=False)


def intervals(rows: Sequence[tuple[str, float, float, float]], *, x: str, height: int = 34) -> go.Figure:
    """One row a name: a value and the interval around it."""
    chart = go.Figure(
        go.Scatter(
            x=[value for _, value, _, _ in rows],
            y=[_safe(name) for name, *_ in rows],
            mode="markers",
            marker={"color": PALETTE[0], "size": 9},
            error_x={
                "type": "data",
                "symmetric": False,
                "thickness": 2,
                "array": [high - value for _, value, _, high in rows],
                "arrayminus": [value - low for _, value, low, _ in rows],
            },
            hovertemplate="%{y}: %{x}<extra></extra>",
        )
    )
    chart.update_xaxes(title=_safe(x), zeroline=False)
    chart.update_yaxes(autorange="reversed")
    return _finished(chart, height=80 + height * len(rows), legend=False)


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
    """A matrix of numbers, each printed in its cell; `notes` stand below the names of the columns.

    Names of many columns are slanted, and lines of slanted text run into each other: then notes stand at the foot.
    """
    heads = [_safe(name) for name in names]
    if notes:
        heads = [f"{head}<br>{_safe(note)}" for head, note in zip(heads, notes, strict=True)]
    slanted = len(names) > _LEVEL
    chart = go.Figure(
        go.Heatmap(
            z=values,
            text=texts,
            x=heads,
            y=[_safe(name) for name in rows or names],
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
        chart.update_xaxes(tickvals=heads, ticktext=[_safe(name) for name in names])
    chart.update_layout(plot_bgcolor=PAPER)
    _finished(chart, height=150 + 38 * len(rows or names), legend=False)
    chart.update_layout(margin={"pad": 0})  # Streamlit's is a frame around the cells, which glares in the dark
    if slanted and notes:
        for head, note in zip(heads, notes, strict=True):
            text = "<br>".join(_safe(word) for word in note.split(" "))
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
    """Systems across, error types down: shares printed in their cells, which can be clicked; `notes` show on hover.

    Cells of a heatmap do not take clicks, so each has an invisible point in it, framed once it is chosen.
    """
    chart = heatmap(values, texts, systems, rows=types, low=0, high=1, colours=RISING, bar="")
    chart.update_traces(hoverinfo="skip", hovertemplate=None, showscale=False, xgap=1, ygap=1)
    cells = [(row, column) for row in range(len(types)) for column in range(len(systems))]
    chart.add_scatter(
        x=[_safe(systems[column]) for _, column in cells],
        y=[_safe(types[row]) for row, _ in cells],
        customdata=[(types[row], systems[column]) for row, column in cells],
        hovertext=[_safe(notes[row][column]) for row, column in cells],
        hoverinfo="text",
        mode="markers",
        marker={"symbol": "square-open", "size": 21, "opacity": 0, "color": INK, "line": {"width": 2}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
    )
    level = len(systems) * max(len(system) for system in systems) <= _LETTERS_ACROSS
    chart.update_xaxes(range=[-0.5, len(systems) - 0.5], tickangle=0 if level else -35)
    chart.update_yaxes(autorange=False, range=[len(types) - 0.5, -0.5])
    margin = {
        "l": 10,
        "r": 10 if level else 50,
        "t": 60,
        "b": 10,
        "pad": 0,
    }  # the button that saves it is at the top right
    return chart.update_layout(height=100 + 27 * len(types), dragmode=False, margin=margin)


def _finished(chart: go.Figure, *, height: int, legend: bool) -> go.Figure:
    return chart.update_layout(
        height=height,
        showlegend=legend,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        hovermode="closest",
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        xaxis={"automargin": True},
        yaxis={"automargin": True},
    )


def _safe(text: str) -> str:
    """Plotly reads a few tags in its texts; names are shown as they are."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def stacked(names: Sequence[str], parts: Mapping[str, Sequence[float]], *, x: str) -> go.Figure:
    """One bar a name, made of parts that differ in colour and pattern."""
    chart = go.Figure()
    for index, (part, values) in enumerate(parts.items()):
        chart.add_bar(
            x=list(values),
            y=[_safe(name) for name in names],
            name=part,
            orientation="h",
            marker={"color": colour(index), "pattern": {"shape": ["", "/", "."][index % 3]}},
            hovertemplate=f"%{{y}}: %{{x:.1%}} {part}<extra></extra>",
        )
    chart.update_layout(barmode="stack", legend={"traceorder": "normal"})
    chart.update_xaxes(title=x, tickformat=".0%")
    chart.update_yaxes(autorange="reversed")
    return _finished(chart, height=130 + 34 * len(names), legend=True)


class Point(NamedTuple):
    """A point that can be clicked."""

    x: float
    y: float
    data: tuple[Any, ...]
    """What a click on it is about."""
    name: str


def clouds(groups: Mapping[str, Sequence[Point]], *, x: str, y: str) -> go.Figure:
    """Groups of many small points between 0 and 1 across, and between -1 and 1 up and down."""
    chart = go.Figure()
    for index, (group, members) in enumerate(groups.items()):
        chart.add_scatter(
            x=[point.x for point in members],
            y=[point.y for point in members],
            customdata=[point.data for point in members],
            hovertext=[_safe(point.name) for point in members],
            hoverinfo="text",
            name=_safe(group),
            mode="markers",
            marker={"color": colour(index), "symbol": ("circle-open", "diamond")[index % 2], "size": 7, "opacity": 0.6},
        )
    chart.add_hline(y=0, line={"color": GREY, "width": 1})
    chart.update_xaxes(title=_safe(x), range=[-0.02, 1.03], tickformat=".1f", zeroline=False)
    chart.update_yaxes(title=_safe(y), range=[-1.05, 1.05], tickformat=".1f", zeroline=False)
    return _finished(chart, height=460, legend=True)
