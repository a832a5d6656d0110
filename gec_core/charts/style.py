"""Colours, symbols, margins and label positions of all figures.

The colours are those of Okabe and Ito, which colour-blind people can tell apart; light ones are darkened to stand out
from both backgrounds (contrast 3 to 1). Colour is never the only sign: lines and points also have symbols, dashes and
names.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#C98500", "#3596D2", "#8C6D31")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down", "pentagon")
DASHES = ("solid", "dash", "dot", "dashdot")
GREY = "rgba(122, 122, 122, 0.85)"
INK = "#16242E"
"""The colour of numbers on coloured cells, in both themes."""
PAPER = "#F4F5F7"
"""The background of a heatmap in both themes, so that INK can be read on empty cells."""
_SPOTS = {
    "top center": (0.0, 1.0),
    "bottom center": (0.0, -1.0),
    "middle right": (1.0, 0.0),
    "middle left": (-1.0, 0.0),
    "top right": (1.0, 1.0),
    "top left": (-1.0, 1.0),
    "bottom right": (1.0, -1.0),
    "bottom left": (-1.0, -1.0),
}
Box = tuple[float, float, float, float]


def colour(index: int) -> str:
    """Return the colour of a line or point."""
    return PALETTE[index % len(PALETTE)]


def symbol(index: int) -> str:
    """Return the symbol of a line or point."""
    return SYMBOLS[index % len(SYMBOLS)]


def dash(index: int) -> str:
    """Return the dash of a line, which changes when the colours start again."""
    return DASHES[index // len(PALETTE) % len(DASHES)]


def finished(chart: go.Figure, *, height: int, legend: bool) -> go.Figure:
    """Set the layout that all figures share."""
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
    """Escape a name, because Plotly interprets a few tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def place_labels(
    points: Sequence[tuple[float, float]], names: Sequence[str], *, width: float = 300, height: float = 250
) -> list[str]:
    """Return a text position for each point of a plot of this size in pixels; each covers as little as possible."""
    spots: list[str] = []
    where = _in_pixels(points, width, height)
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y in where]
    for (x, y), name in zip(where, names, strict=True):
        boxes = {spot: _box(x, y, len(name), *direction) for spot, direction in _SPOTS.items()}
        best = min(
            boxes, key=lambda spot: sum(_overlap(boxes[spot], other) for other in taken) + _outside(boxes[spot], width)
        )
        spots.append(best)
        taken.append(boxes[best])
    return spots


def _in_pixels(points: Sequence[tuple[float, float]], width: float, height: float) -> list[tuple[float, float]]:
    scaled = []
    for axis, size in ((0, width), (1, height)):
        values = [point[axis] for point in points]
        low, spread = min(values, default=0), (max(values, default=1) - min(values, default=0)) or 1
        scaled.append([(0.1 + 0.8 * (value - low) / spread) * size for value in values])
    return list(zip(*scaled, strict=True))


def _box(x: float, y: float, letters: int, right: float, up: float) -> Box:
    wide, high = 7.0 * letters, 13.0
    left = x + right * (6 + wide / 2) - wide / 2
    bottom = y + up * (6 + high / 2) - high / 2
    return left, bottom, left + wide, bottom + high


def _overlap(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    return across * along if across > 0 and along > 0 else 0.0


def _outside(box: Box, width: float) -> float:
    return 20 * (max(0.0, -box[0]) + max(0.0, box[2] - width))
