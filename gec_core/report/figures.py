"""Figures as SVG that stands inside the page: no scripts, colours from the page's style, a title for each mark.

What belongs to the system is a square, what belongs to its rival a diamond, everything else a circle, so that colour
is never the only sign. Figures are drawn for a narrow column, in which their text has the size of the page's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gec_core.report.markup import number, signed, span, text

WIDTH = 380
ROW = 20
LETTER = 7.8
"""Roughly the width of a bold letter."""
MOST_LETTERS = 18
TOP, BOTTOM, RIGHT = 6, 26, 14
NUMBERS = 46
"""What a number beside a bar needs."""
Kind = Literal["mine", "rival", "other"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval."""

    label: str
    value: float
    low: float
    high: float
    kind: Kind = "other"


@dataclass(frozen=True, slots=True)
class Axis:
    """From numbers to places across a figure."""

    low: float
    high: float
    left: float
    origin: float = 0.0
    """A number that would be written below the axis, if the axis went there."""

    @property
    def step(self) -> float:
        """A round number that goes into the axis a few times."""
        rough = (self.high - self.low) / 5
        size = 10.0 ** math.floor(math.log10(rough))
        return next(size * times for times in (1, 2, 5, 10) if size * times >= rough * 0.75)

    @property
    def digits(self) -> int:
        """Those that it takes to write the steps."""
        return max(0, -math.floor(math.log10(self.step) + 1e-9))

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.left + share * (WIDTH - RIGHT - self.left), 1)

    def drawn(self, height: float) -> str:
        first, last = (self.low - self.origin) / self.step, (self.high - self.origin) / self.step
        values = [self.origin + self.step * at for at in range(math.ceil(first), math.floor(last) + 1)]
        ticks = [(self.at(value), number(value, self.digits)) for value in values]
        return "".join(
            f"<line class=grid x1={x} x2={x} y1={TOP} y2={height - BOTTOM + 4} />"
            f"<text class=tick x={x} y={height - 8} text-anchor=middle>{words}</text>"
            for x, words in ticks
        )


def ranks(rows: Sequence[Estimate], systems: int) -> str:
    """Rank intervals: the best rank on the left."""
    axis = Axis(1, max(systems, 2), _room(row.label for row in rows), origin=1)
    return _intervals(rows, axis, 0, "Ranks with their intervals")


def scores(rows: Sequence[Estimate]) -> str:
    """Score intervals of several systems."""
    low, high = (end(value for row in rows for value in (row.low, row.value, row.high)) for end in (min, max))
    size = max(abs(low), abs(high), 1)
    # Scores that are equal but for rounding get a margin that counts at their size.
    margin = 0.04 * (high - low) if high - low > 1e-9 * size else 0.5 * size
    axis = Axis(low - margin, high + margin, _room(row.label for row in rows))
    return _intervals(rows, axis, 4, "Scores with their intervals")


def _intervals(rows: Sequence[Estimate], axis: Axis, digits: int, title: str) -> str:
    height = TOP + ROW * len(rows) + BOTTOM
    parts = [axis.drawn(height)]
    for place, row in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        told = f"{row.label}: {number(row.value, digits)} ({span(row.low, row.high, digits)})"
        parts.append(
            f'<g class="{row.kind}"><title>{text(told)}</title>{_label(row.label, axis.left, y)}'
            f"<line class=bar x1={axis.at(row.low)} x2={axis.at(row.high)} y1={y} y2={y} />"
            f"{_mark(row.kind, axis.at(row.value), y)}</g>"
        )
    return _svg(height, title, parts)


def gains(rows: Sequence[tuple[str, int]], *, more_is_better: bool = True) -> str:
    """Bars to the right for more, to the left for fewer, each with its number; filled where that is good."""
    low, high = min(0, *(value for _, value in rows)), max(0, *(value for _, value in rows))
    left = _room(label for label, _ in rows)
    beside = NUMBERS / (WIDTH - RIGHT - left - 2 * NUMBERS) * ((high - low) or 1)  # room for the numbers
    axis = Axis(low - beside, high + beside, left)
    height = TOP + ROW * len(rows) + 6
    parts = [f"<line class=zero x1={axis.at(0)} x2={axis.at(0)} y1={TOP} y2={height - 4} />"]
    for place, (label, value) in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        left, right = sorted((axis.at(0), axis.at(value)))
        anchor, x = ("start", right + 4) if value >= 0 else ("end", left - 4)
        kind = "gain" if (value >= 0) == more_is_better else "loss"
        parts.append(
            f'<g class="{kind}"><title>{text(f"{label}: {signed(value, 0)}")}</title>'
            f"{_label(label, axis.left, y)}"
            f"<rect x={left} y={y - 6} width={max(right - left, 0.5):.1f} height=12 />"
            f"<text class=value x={x} y={y + 4} text-anchor={anchor}>{signed(value, 0)}</text></g>"
        )
    return _svg(height, "Gains and losses", parts)


def stacked(rows: Sequence[tuple[str, Kind, Sequence[int]]], parts: Sequence[str]) -> str:
    """One bar a system, made of parts that differ in shade and pattern; the numbers stand in the table."""
    longest = max((sum(values) for _, _, values in rows), default=1) or 1
    axis = Axis(0, longest, _room(label for label, _, _ in rows))
    height = TOP + ROW * len(rows) + BOTTOM
    drawn = [axis.drawn(height)]
    for place, (label, kind, values) in enumerate(rows):
        y, at = TOP + ROW * (place + 0.5), 0
        drawn.append(f'<g class="{kind}">{_label(label, axis.left, y)}</g>')
        for part, value in zip(parts, values, strict=True):
            x = axis.at(at)
            width = max(0.0, axis.at(at + value) - x)
            told = text(f"{label}: {value:,} {part}")
            drawn.append(
                f'<rect class="part {part}" x={x} y={y - 7} width={width:.1f} height=14><title>{told}</title></rect>'
            )
            at += value
    return _svg(height, "Parts of a whole", drawn)


def legend(parts: Mapping[str, str]) -> str:
    """What the patterns of a stacked figure mean: class and words."""
    items = (
        f'<span class=key><svg viewBox="0 0 22 12" width=22 height=12 aria-hidden=true>'
        f'<rect class="part {part}" width=22 height=12 /></svg> {text(words)}</span>'
        for part, words in parts.items()
    )
    return f"<p class=legend>{''.join(items)}</p>"


def _label(label: str, left: float, y: float) -> str:
    short = label if len(label) <= MOST_LETTERS else f"{label[: MOST_LETTERS - 1]}…"
    return f"<text class=label x={left - 8} y={y + 4} text-anchor=end>{text(short)}</text>"


def _mark(kind: Kind, x: float, y: float) -> str:
    if kind == "mine":
        return f"<rect class=dot x={x - 5} y={y - 5} width=10 height=10 />"
    if kind == "rival":
        return f'<path class=dot d="M{x} {y - 6} l6 6 l-6 6 l-6 -6 z" />'
    return f"<circle class=dot cx={x} cy={y} r=4 />"


def _room(labels: Iterable[str]) -> float:
    """What the longest label needs."""
    return 14 + LETTER * min(MOST_LETTERS, max(map(len, labels), default=1))


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role=img aria-label="{title}">{"".join(parts)}</svg>'
