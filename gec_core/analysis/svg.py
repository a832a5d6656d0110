"""Figures as SVG inside the HTML file: no scripts, colours from the style sheet, a title for each mark.

The system is a square, its rival a diamond and every other system a circle, so that colour is never the only sign.
Figures are drawn for a narrow column, in which their text has the size of the page's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from gec_core.analysis.document import (
    BarPlot,
    IntervalPlot,
    Plot,
    Role,
    StackedPlot,
    number_text,
    range_text,
    signed_text,
)

WIDTH = 380
ROW = 20
LETTER = 7.8
"""Roughly the width of a bold letter."""
MOST_LETTERS = 18
TOP, BOTTOM, RIGHT = 6, 26, 14
NUMBERS = 46
"""The room for a number beside a bar."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis: from numbers to places."""

    low: float
    high: float
    left: float
    origin: float = 0.0
    """A number that has a tick if the axis extends to it."""

    @property
    def step(self) -> float:
        """A round number that divides the axis into about five."""
        rough = (self.high - self.low) / 5
        size = 10.0 ** math.floor(math.log10(rough))
        return next(size * times for times in (1, 2, 5, 10) if size * times >= rough * 0.75)

    @property
    def digits(self) -> int:
        """The decimals of the step."""
        return max(0, -math.floor(math.log10(self.step) + 1e-9))

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.left + share * (WIDTH - RIGHT - self.left), 1)

    def drawn(self, height: float) -> str:
        first, last = (self.low - self.origin) / self.step, (self.high - self.origin) / self.step
        values = [self.origin + self.step * at for at in range(math.ceil(first), math.floor(last) + 1)]
        ticks = [(self.at(value), number_text(value, self.digits)) for value in values]
        return "".join(
            f"<line class=grid x1={x} x2={x} y1={TOP} y2={height - BOTTOM + 4} />"
            f"<text class=tick x={x} y={height - 8} text-anchor=middle>{words}</text>"
            for x, words in ticks
        )


def draw(plot: Plot) -> str:
    """The figure without its caption."""
    if isinstance(plot, IntervalPlot):
        return _intervals(plot)
    return _bars(plot) if isinstance(plot, BarPlot) else _stacked(plot)


def _intervals(plot: IntervalPlot) -> str:
    axis = _rank_axis(plot, plot.ranks) if plot.ranks else _score_axis(plot)
    height = TOP + ROW * len(plot.points) + BOTTOM
    parts = [axis.drawn(height)]
    for place, point in enumerate(plot.points):
        y = TOP + ROW * (place + 0.5)
        interval = range_text(point.low, point.high, plot.digits)
        parts.append(
            f'<g class="{point.role}">{_title(f"{point.label}: {number_text(point.value, plot.digits)} ({interval})")}'
            f"{_label(point.label, axis.left, y)}"
            f"<line class=bar x1={axis.at(point.low)} x2={axis.at(point.high)} y1={y} y2={y} />"
            f"{_mark(point.role, axis.at(point.value), y)}</g>"
        )
    return _svg(height, plot.title, parts)


def _rank_axis(plot: IntervalPlot, ranks: int) -> Axis:
    return Axis(1, max(ranks, 2), _room(point.label for point in plot.points), origin=1)


def _score_axis(plot: IntervalPlot) -> Axis:
    values = [value for point in plot.points for value in (point.low, point.value, point.high)]
    low, high = min(values), max(values)
    size = max(abs(low), abs(high), 1)
    # Scores that are equal but for rounding get a margin that counts at their size.
    margin = 0.04 * (high - low) if high - low > 1e-9 * size else 0.5 * size
    return Axis(low - margin, high + margin, _room(point.label for point in plot.points))


def _bars(plot: BarPlot) -> str:
    """Filled where the difference is good, outlined where it is bad."""
    values = [value for _, value in plot.bars]
    low, high = min(0, *values), max(0, *values)
    left = _room(label for label, _ in plot.bars)
    beside = NUMBERS / (WIDTH - RIGHT - left - 2 * NUMBERS) * ((high - low) or 1)
    axis = Axis(low - beside, high + beside, left)
    height = TOP + ROW * len(plot.bars) + 6
    parts = [f"<line class=zero x1={axis.at(0)} x2={axis.at(0)} y1={TOP} y2={height - 4} />"]
    for place, (label, value) in enumerate(plot.bars):
        y = TOP + ROW * (place + 0.5)
        start, end = sorted((axis.at(0), axis.at(value)))
        anchor, x = ("start", end + 4) if value >= 0 else ("end", start - 4)
        kind = "gain" if (value >= 0) == plot.more_is_better else "loss"
        shown = signed_text(value, 0)
        parts.append(
            f'<g class="{kind}">{_title(f"{label}: {shown}")}{_label(label, axis.left, y)}'
            f"<rect x={start} y={y - 6} width={max(end - start, 0.5):.1f} height=12 />"
            f"<text class=value x={x} y={y + 4} text-anchor={anchor}>{shown}</text></g>"
        )
    return _svg(height, plot.title, parts)


def _stacked(plot: StackedPlot) -> str:
    """Parts differ in shade and outline; the numbers are in the table."""
    longest = max((sum(values) for _, _, values in plot.bars), default=1) or 1
    axis = Axis(0, longest, _room(label for label, _, _ in plot.bars))
    height = TOP + ROW * len(plot.bars) + BOTTOM
    drawn = [axis.drawn(height)]
    for place, (label, role, values) in enumerate(plot.bars):
        y, at = TOP + ROW * (place + 0.5), 0
        drawn.append(f'<g class="{role}">{_label(label, axis.left, y)}</g>')
        for (part, tone), value in zip(plot.parts, values, strict=True):
            x = axis.at(at)
            width = max(0.0, axis.at(at + value) - x)
            drawn.append(
                f'<rect class="part {tone}" x={x} y={y - 7} width={width:.1f} height=14>'
                f"{_title(f'{label}: {value:,} {part}')}</rect>"
            )
            at += value
    return _svg(height, plot.title, drawn)


def legend(plot: StackedPlot) -> str:
    """The meaning of the parts of a stacked figure."""
    items = (
        f'<span class=key><svg viewBox="0 0 22 12" width=22 height=12 aria-hidden=true>'
        f'<rect class="part {tone}" width=22 height=12 /></svg> {escape(part)}</span>'
        for part, tone in plot.parts
    )
    return f"<p class=legend>{''.join(items)}</p>"


def _title(words: str) -> str:
    return f"<title>{escape(words)}</title>"


def _label(label: str, left: float, y: float) -> str:
    short = label if len(label) <= MOST_LETTERS else f"{label[: MOST_LETTERS - 1]}…"
    return f"<text class=label x={left - 8} y={y + 4} text-anchor=end>{escape(short)}</text>"


def _mark(role: Role, x: float, y: float) -> str:
    if role == "system":
        return f"<rect class=dot x={x - 5} y={y - 5} width=10 height=10 />"
    if role == "rival":
        return f'<path class=dot d="M{x} {y - 6} l6 6 l-6 6 l-6 -6 z" />'
    return f"<circle class=dot cx={x} cy={y} r=4 />"


def _room(labels: Iterable[str]) -> float:
    """The width of the longest label."""
    return 14 + LETTER * min(MOST_LETTERS, max(map(len, labels), default=1))


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role=img aria-label="{escape(title)}">{"".join(parts)}</svg>'
