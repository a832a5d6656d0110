"""Colours, symbols, margins and label positions of all figures.

The colours are those of Okabe and Ito, which colour-blind people can tell apart; light ones are darkened to stand out
from both backgrounds (contrast 3 to 1). Colour is never the only sign: lines and points also have symbols, dashes and
names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from gec_core.types import Array

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#C98500", "#3596D2", "#8C6D31")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down", "pentagon")
DASHES = ("solid", "dash", "dot", "dashdot")
GREY = "rgba(122, 122, 122, 0.85)"
INK = "#16242E"
"""The colour of numbers on coloured cells, in both themes."""
PAPER = "#F4F5F7"
"""Light text on dark pictures."""
EMPTY = "#CDD2D8"
"""Empty cells of a heatmap, and the lines between cells, in both themes: no colour of a scale, and INK is legible."""
_DIRECTIONS: tuple[tuple[float, float], ...] = (
    *((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)),
    *((1, 0.5), (-1, 0.5), (1, -0.5), (-1, -0.5), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1)),
)
"""Right and up, the best place of a label first."""
_DISTANCES = (6.0, 12.0, 20.0, 30.0, 42.0, 58.0)
"""Pixels from a point to the nearest edge of its label; from the second on, a thin line joins the two."""
_SWEEPS = 8
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


class Label(NamedTuple):
    """Where the name of a point stands: pixels from the point to the middle of the name, to the right and up."""

    right: float
    up: float
    far: bool
    """Whether a line should join the two."""


def place_labels(
    points: Sequence[tuple[float, float]], names: Sequence[str], *, width: float = 300, height: float = 250
) -> list[Label]:
    """Return a place for the name of each point in a plot of this size in pixels; each covers as little as possible.

    Names move away from their points where these are crowded. Every name is placed again, beside the others, until
    nothing changes.
    """
    where = _in_pixels(points, width, height)
    dots = np.array([(x - 5, y - 5, x + 5, y + 5) for x, y in where]).reshape(-1, 4)
    options = [
        [_label(len(name), *direction, distance) for distance in _DISTANCES for direction in _DIRECTIONS]
        for name in names
    ]
    boxes = [
        np.array([label_box(*at, len(name), label) for label in labels])
        for at, name, labels in zip(where, names, options, strict=True)
    ]
    alone = [
        10 * _overlaps(each, dots)
        + _outside(each, width, height)
        + 0.02 * np.array([abs(label.right) + abs(label.up) for label in labels])
        for each, labels in zip(boxes, options, strict=True)
    ]
    chosen: dict[int, int] = {}
    for _ in range(_SWEEPS):
        before = dict(chosen)
        for at in range(len(names)):
            others = [boxes[other][label] for other, label in chosen.items() if other != at]
            cost = alone[at] + 10 * _overlaps(boxes[at], np.array(others).reshape(-1, 4))
            chosen[at] = int(cost.argmin())
        if chosen == before:
            break
    return [options[at][label] for at, label in chosen.items()]


def _label(letters: int, right: float, up: float, distance: float) -> Label:
    wide, high = _text_size(letters)
    return Label(right * (distance + wide / 2), up * (distance + high / 2), distance > _DISTANCES[0])


def _text_size(letters: int) -> tuple[float, float]:
    return 7.0 * letters, 13.0


def _in_pixels(points: Sequence[tuple[float, float]], width: float, height: float) -> list[tuple[float, float]]:
    scaled = []
    for axis, size in ((0, width), (1, height)):
        values = [point[axis] for point in points]
        low, spread = min(values, default=0), (max(values, default=1) - min(values, default=0)) or 1
        scaled.append([(0.1 + 0.8 * (value - low) / spread) * size for value in values])
    return list(zip(*scaled, strict=True))


def label_box(x: float, y: float, letters: int, label: Label) -> Box:
    """The rectangle of a name of so many letters beside the point (x, y)."""
    wide, high = _text_size(letters)
    left, bottom = x + label.right - wide / 2, y + label.up - high / 2
    return left, bottom, left + wide, bottom + high


def _overlaps(boxes: Array, others: Array) -> Array:
    """The area that each rectangle shares with the others."""
    low, high = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    total: Array = np.clip(high - low, 0, None).prod(axis=2).sum(axis=1)
    return total


def _outside(boxes: Array, width: float, height: float) -> Array:
    beyond: Array = np.clip([-boxes[:, 0], boxes[:, 2] - width, -boxes[:, 1], boxes[:, 3] - height], 0, None)
    return 20 * beyond.sum(axis=0)
