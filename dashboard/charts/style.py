"""What all figures have in common.

Colours are Okabe and Ito's, which people with colour-blindness can tell apart, where these are too light darkened to
stand out from both backgrounds (3 to 1). They never stand alone: lines and points have symbols, dashes and names, too.
"""

from __future__ import annotations

import plotly.graph_objects as go

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#C98500", "#3596D2", "#8C6D31")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down", "pentagon")
DASHES = ("solid", "dash", "dot", "dashdot")
GREY = "rgba(122, 122, 122, 0.85)"
INK = "#16242E"
"""For numbers on these colours, in either theme."""
PAPER = "#F4F5F7"
"""Behind the cells of a heatmap in both themes, so that INK can be read where a cell is empty."""


def colour(index: int) -> str:
    return PALETTE[index % len(PALETTE)]


def symbol(index: int) -> str:
    return SYMBOLS[index % len(SYMBOLS)]


def dash(index: int) -> str:
    return DASHES[index // len(PALETTE) % len(DASHES)]


def finished(chart: go.Figure, *, height: int, legend: bool) -> go.Figure:
    return chart.update_layout(
        height=height,
        showlegend=legend,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        hovermode="closest",
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        xaxis={"automargin": True},
        yaxis={"automargin": True},
    )


def safe(text: str) -> str:
    """Plotly reads a few tags in its texts; names are shown as they are."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
