"""Figures of the analysis of one system: it is a square, its rival a diamond, everybody else a circle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from dashboard.charts.style import GREY, PALETTE, finished, safe
from gec_core.analysis.correction import Correction
from gec_core.analysis.standing import Standing
from gec_core.formatting import minus

MINE, RIVAL, OTHER = (PALETTE[0], "square"), (PALETTE[1], "diamond"), (GREY, "circle")


def ranks(rows: Mapping[str, Standing]) -> go.Figure:
    """The rank of a system under each metric, with its interval; the best rank on the left."""
    chart = go.Figure()
    standings = list(rows.values())
    chart.add_scatter(
        x=[row.rank for row in standings],
        y=[safe(name) for name in rows],
        mode="markers",
        marker={"color": MINE[0], "symbol": MINE[1], "size": 11},
        error_x=_bars([(row.rank, row.rank_low, row.rank_high) for row in standings]),
        customdata=[(row.rank_low, row.rank_high) for row in standings],
        hovertemplate="%{y}: rank %{x}, from %{customdata[0]} to %{customdata[1]}<extra></extra>",
    )
    systems = max((row.systems for row in standings), default=2)
    chart.update_xaxes(title="rank", range=[0.5, systems + 0.5], dtick=1 if systems <= 15 else None, zeroline=False)
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=90 + 34 * len(standings), legend=False)


def scores(standings: Sequence[Standing], system: str, rival: str | None, *, x: str) -> go.Figure:
    """The scores of all systems under a metric, with their intervals, the best on top."""
    chart = go.Figure()
    for row in standings:
        colour, symbol = MINE if row.system == system else RIVAL if row.system == rival else OTHER
        chart.add_scatter(
            x=[row.score],
            y=[safe(row.system)],
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 10},
            error_x=_bars([(row.score, row.low, row.high)]),
            customdata=[(minus(f"{row.low:.4f}"), minus(f"{row.high:.4f}"), row.rank)],
            hovertemplate="%{y}: %{x}, from %{customdata[0]} to %{customdata[1]}; rank %{customdata[2]}<extra></extra>",
        )
    chart.update_xaxes(title=safe(x), zeroline=False, hoverformat=".4f")
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=90 + 28 * len(standings), legend=False)


def gains(rows: Sequence[tuple[str, int]], *, x: str, more_is_better: bool = True) -> go.Figure:
    """Bars to the right for more, to the left for fewer, each with its number; hatched where that is bad."""
    good = [(value >= 0) == more_is_better for _, value in rows]
    chart = go.Figure(
        go.Bar(
            x=[value for _, value in rows],
            y=[safe(name) for name, _ in rows],
            orientation="h",
            text=[minus(f"{value:+,d}") for _, value in rows],
            textposition="outside",
            cliponaxis=False,
            marker={
                "color": [MINE[0] if each else RIVAL[0] for each in good],
                "pattern": {"shape": ["" if each else "/" for each in good]},
            },
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    most = max((abs(value) for _, value in rows), default=1) or 1
    low, high = min(0, *(value for _, value in rows)), max(0, *(value for _, value in rows))
    chart.update_xaxes(title=safe(x), range=[low - 0.2 * most, high + 0.2 * most])
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=100 + 24 * len(rows), legend=False)


def edits(rows: Sequence[Correction], system: str, rival: str | None) -> go.Figure:
    """One bar a system: correct and wrong edits, and gold edits missed."""
    names = [_emphasis(row.system, row.system in (system, rival)) for row in rows]
    parts = {
        "correct": ([row.correct for row in rows], MINE[0], ""),
        "wrong": ([row.wrong for row in rows], RIVAL[0], "/"),
        "missed": ([row.missed for row in rows], GREY, "."),
    }
    chart = go.Figure()
    for part, (values, colour, pattern) in parts.items():
        chart.add_bar(
            x=values,
            y=names,
            name=part,
            orientation="h",
            marker={"color": colour, "pattern": {"shape": pattern}},
            hovertemplate=f"%{{y}}: %{{x:,}} {part}<extra></extra>",
        )
    chart.update_layout(barmode="stack", legend={"traceorder": "normal"})
    chart.update_xaxes(title="edits")
    chart.update_yaxes(autorange="reversed")
    return finished(chart, height=140 + 28 * len(rows), legend=True)


def _emphasis(name: str, strong: bool) -> str:
    return f"<b>{safe(name)}</b>" if strong else safe(name)


def _bars(rows: Sequence[tuple[float, float, float]]) -> dict[str, object]:
    """Error bars from values, lows and highs. Percentile intervals need not contain the value."""
    return {
        "type": "data",
        "symmetric": False,
        "thickness": 2,
        "array": [max(0.0, high - value) for value, _, high in rows],
        "arrayminus": [max(0.0, value - low) for value, low, _ in rows],
    }
