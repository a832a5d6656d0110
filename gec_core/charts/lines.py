"""Figures of lines, points and bars.

Axes format the numbers shown on hover (`hoverformat`) because they write true minus signs; a format in the template
(`%{y:.3f}`) would write hyphens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import plotly.graph_objects as go

from gec_core.charts.style import GREY, PALETTE, colour, dash, finished, safe, symbol

_NAMED = 2
"""The most tied systems that are named at the end of their lines; beyond that, their number is given."""


def bump_chart(ranks: Mapping[str, Mapping[str, float]], highlight: str | None = None) -> go.Figure:
    """Draw one line per system through its ranks; where lines cross, rankings disagree.

    Args:
        ranks: The rank of each system in each ranking, in the order to be drawn.
        highlight: A system whose line stands out.
    """
    return _bump_chart(tuple((name, tuple(placed.items())) for name, placed in ranks.items()), highlight)


@lru_cache(maxsize=64)
def _bump_chart(given: tuple[tuple[str, tuple[tuple[str, float], ...]], ...], highlight: str | None) -> go.Figure:
    """Cached, because all visitors of a corpus start with the same chart and Plotly is slow to check one."""
    ranks = {name: dict(placed) for name, placed in given}
    rankings = list(ranks)
    every = {system: None for ranking in ranks.values() for system in ranking}  # a ranking may lack some systems
    systems = sorted(every, key=lambda system: ranks[rankings[0]].get(system, len(every) + 1))
    chart = go.Figure()
    ends: dict[
        tuple[int, float, str], list[str]
    ] = {}  # systems whose line begins or ends there; tied ones share a label
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
            hovertemplate=f"{safe(system)}: rank %{{y}} by %{{customdata}}<extra></extra>",
        )
        ranked = [place for place, ranking in enumerate(rankings) if system in ranks[ranking]]
        for place, side in ((ranked[0], "right"), (ranked[-1], "left")):
            ends.setdefault((place, ranks[rankings[place]][system], side), []).append(system)
    names: list[dict[str, object]] = []
    for (place, rank, side), ending in ends.items():
        text = ", ".join(safe(system) for system in ending[:_NAMED])
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
        ticktext=[safe(one) for one in rankings],
        showgrid=True,
        range=[-0.15, len(rankings) - 0.85],
        zeroline=False,
        tickangle=-30 if len(rankings) > 6 else 0,
    )
    finished(chart, height=110 + 30 * len(systems), legend=False)
    longest = max(sum(map(len, ending[:_NAMED])) + 2 * len(ending[1:_NAMED]) for ending in ends.values())
    margin = 24 + 8 * longest
    return chart.update_layout(annotations=names, margin={"l": margin, "r": margin, "t": 60, "b": 10})


def curves(
    lines: Mapping[str, Mapping[Any, float | None]], *, x: str, y: str, places: Mapping[str, int] | None = None
) -> go.Figure:
    """Draw one line per metric, over the number of best systems or over windows of the ranking.

    Args:
        lines: The values of each metric.
        x: The title of the axis.
        y: The title of the axis.
        places: A number for each metric that decides its colour, whichever other metrics are drawn.
    """
    chart = go.Figure()
    for number, (name, values) in enumerate(lines.items()):
        index = (places or {}).get(name, number)
        chart.add_scatter(
            x=list(values),
            y=list(values.values()),
            name=safe(name),
            mode="lines+markers",
            line={"color": colour(index), "dash": dash(index), "width": 2},
            marker={"symbol": symbol(index), "size": 8},
            hovertemplate=f"{safe(name)}: %{{y}}<extra></extra>",
        )
    chart.update_xaxes(title=safe(x))
    chart.update_yaxes(title=safe(y), range=[-1.05, 1.05], zeroline=True, zerolinecolor=GREY, hoverformat=".3f")
    return finished(chart, height=420, legend=True)


def intervals(rows: Sequence[tuple[str, float, float, float]], *, x: str, height: int = 34) -> go.Figure:
    """Draw one row per name: a value and its interval."""
    chart = go.Figure(
        go.Scatter(
            x=[value for _, value, _, _ in rows],
            y=[safe(name) for name, *_ in rows],
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
    chart.update_xaxes(title=safe(x), zeroline=False)
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=80 + height * len(rows), legend=False)


def stacked(names: Sequence[str], parts: Mapping[str, Sequence[float]], *, x: str) -> go.Figure:
    """Draw one bar per name, whose parts differ in colour and pattern."""
    chart = go.Figure()
    for index, (part, values) in enumerate(parts.items()):
        chart.add_bar(
            x=list(values),
            y=[safe(name) for name in names],
            name=part,
            orientation="h",
            marker={"color": colour(index), "pattern": {"shape": ["", "/", "."][index % 3]}},
            hovertemplate=f"%{{y}}: %{{x:.1%}} {part}<extra></extra>",
        )
    chart.update_layout(barmode="stack", legend={"traceorder": "normal"})
    chart.update_xaxes(title=x, tickformat=".0%")
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=130 + 34 * len(names), legend=True)


class Point(NamedTuple):
    """A point that can be clicked."""

    x: float
    y: float
    data: tuple[Any, ...]
    """The data of a click on it."""
    name: str


def clouds(groups: Mapping[str, Sequence[Point]], *, x: str, y: str) -> go.Figure:
    """Draw groups of many small points, from 0 to 1 across and from -1 to 1 upwards."""
    chart = go.Figure()
    for index, (group, members) in enumerate(groups.items()):
        chart.add_scatter(
            x=[point.x for point in members],
            y=[point.y for point in members],
            customdata=[point.data for point in members],
            hovertext=[safe(point.name) for point in members],
            hoverinfo="text",
            name=safe(group),
            mode="markers",
            marker={"color": colour(index), "symbol": ("circle-open", "diamond")[index % 2], "size": 7, "opacity": 0.6},
        )
    chart.add_hline(y=0, line={"color": GREY, "width": 1})
    chart.update_xaxes(title=safe(x), range=[-0.02, 1.03], tickformat=".1f", zeroline=False)
    chart.update_yaxes(title=safe(y), range=[-1.05, 1.05], tickformat=".1f", zeroline=False)
    return finished(chart, height=460, legend=True)
