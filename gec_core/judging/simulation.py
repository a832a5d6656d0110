"""How many judgments a ranking needs: real judgments asked again in another order.

A pool of real rankings is drawn from without replacement, at random or by the expected information about the order of
systems (`next_item`). Where a judge is to see fewer outputs at a time than the real one did, some of the ranked
outputs are asked about, chosen as in a session. After each step the Expected Wins so far are correlated with those of
the whole pool. The adaptive order chooses among the rankings of the pool only: a live session, which makes its own
items, has more to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import get_args

import numpy as np

from gec_core.errors import JudgingError
from gec_core.judging.next_item import LOOKED_AT, Tally
from gec_core.judging.session import MOST_OUTPUTS, Order
from gec_core.meta.correlation import spearman
from gec_core.types import Array, Judgment, Judgments

STEPS = 40


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How near the ranking is to that of all judgments, after some of them."""

    order: Order
    judgments: int
    mean: float
    """The mean of Spearman's rho over the runs."""
    low: float
    high: float
    """The middle 80% of the runs."""


def simulate(
    judgments: Judgments,
    *,
    orders: Sequence[Order] = get_args(Order),
    outputs: int = MOST_OUTPUTS,
    runs: int = 20,
    seed: int = 0,
) -> list[CurvePoint]:
    """Ask a pool of judgments again in each order, several times.

    Args:
        judgments: The pool.
        orders: `random`, `adaptive` or both.
        outputs: How many outputs an item shows at most.
        runs: How many times each order is tried, each time with other random numbers.
        seed: The seed of the random numbers.
    """
    pool = [item for item in judgments.items if len(item.ranked) > 1]
    if len(pool) < 2 or len(judgments.systems) < 3:
        raise JudgingError("A simulation needs at least two rankings and three systems.")
    whole = Tally.empty(judgments.systems)
    for item in pool:
        whole.add([place.systems for place in item.ranked], [-place.rank for place in item.ranked])
    goal = whole.expected_wins()
    stops = np.unique(np.geomspace(min(10, len(pool)), len(pool), STEPS).astype(int))
    found = []
    for order in orders:
        curves = np.array(
            [_run(pool, judgments.systems, order, outputs, goal, stops, [seed, run]) for run in range(runs)]
        )
        low, high = np.quantile(curves, [0.1, 0.9], axis=0)
        found += [
            CurvePoint(order, int(stop), float(curves[:, at].mean()), float(low[at]), float(high[at]))
            for at, stop in enumerate(stops)
        ]
    return found


def judgments_for(points: Sequence[CurvePoint], order: Order, rho: float) -> int | None:
    """The fewest judgments after which the mean correlation reaches `rho` and stays there."""
    curve = [point for point in points if point.order == order]
    below = [at for at, point in enumerate(curve) if point.mean < rho]
    after = below[-1] + 1 if below else 0
    return curve[after].judgments if after < len(curve) else None


def _run(
    pool: Sequence[Judgment],
    systems: Sequence[str],
    order: Order,
    outputs: int,
    goal: Array,
    stops: Array,
    seed: Sequence[int],
) -> list[float]:
    random = np.random.default_rng(seed)
    left = list(random.permutation(len(pool)))
    tally = Tally.empty(systems)
    places = [[place.systems for place in item.ranked] for item in pool]
    values = [[-place.rank for place in item.ranked] for item in pool]
    members = [tally.members(each) for each in places]
    wanted, curve = {int(stop) for stop in stops}, []
    for asked in range(1, len(pool) + 1):
        if order == "adaptive" and tally.is_warm:
            gains = tally.gains()
            found = [tally.most_informative_places(members[one], gains, outputs) for one in left[:LOOKED_AT]]
            at = max(range(len(found)), key=lambda number: found[number][1])
            one, chosen = left.pop(at), found[at][0]
        else:
            one = left.pop(0)
            chosen = tally.even_places(places[one], outputs, random)
        tally.add([places[one][place] for place in chosen], [values[one][place] for place in chosen])
        if asked in wanted:
            curve.append(_nearness(tally.expected_wins(), goal))
    return curve


def _nearness(scores: Array, goal: Array) -> float:
    """Spearman's rho over the systems that have a score so far; 0 while it is not defined."""
    known = ~(np.isnan(scores) | np.isnan(goal))
    if known.sum() < 3 or np.ptp(scores[known]) == 0:
        return 0.0
    return float(spearman(scores[known][None], goal[known][None])[0]) * known.sum() / (~np.isnan(goal)).sum()


_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 300, 190, 46, 40, 62
_COLOURS: dict[Order, str] = {"random": "#D55E00", "adaptive": "#0072B2"}
_DASHES: dict[Order, str] = {"random": "6 4", "adaptive": "none"}
_LABELS: dict[Order, str] = {"random": "at random", "adaptive": "where an answer is most informative"}


def curves_svg(panels: Sequence[tuple[str, Sequence[CurvePoint]]], columns: int = 2) -> str:
    """Draw curves as an SVG picture, one panel per title: judgments (logarithmic) against rho, with 80% of the runs."""
    rows = -(-len(panels) // columns)
    width, height = columns * (_WIDTH + _GAP) + 16, rows * (_HEIGHT + _GAP) + _TOP + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#222">',
        "<title>Spearman's rho with the ranking by all judgments, against the number of judgments</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, order in enumerate(_LABELS):
        x = _LEFT + number * 150
        parts.append(f'<path d="M{x} 18h28" {_line(order)}/><text x="{x + 34}" y="22">{_LABELS[order]}</text>')
    parts.append(
        f'<text x="{width - 16}" y="22" text-anchor="end" fill="#555">'
        "Spearman's rho with the ranking by all judgments</text>"
    )
    for number, (title, points) in enumerate(panels):
        left = _LEFT + (number % columns) * (_WIDTH + _GAP)
        top = _TOP + 14 + (number // columns) * (_HEIGHT + _GAP)
        parts.append(f'<g transform="translate({left} {top})">{_panel(title, points)}</g>')
    return "\n".join([*parts, "</svg>", ""])


def _line(order: Order) -> str:
    return f'fill="none" stroke="{_COLOURS[order]}" stroke-width="2" stroke-dasharray="{_DASHES[order]}"'


def _panel(title: str, points: Sequence[CurvePoint]) -> str:
    first, last = (bound(point.judgments for point in points) for bound in (min, max))

    def x(judgments: float) -> float:
        return round(float(_WIDTH * np.log(judgments / first) / np.log(last / first)), 1)

    def y(rho: float) -> float:
        return round(_HEIGHT * (1 - max(rho, 0.0)), 1)

    parts = [f'<text x="0" y="-8" font-weight="600">{escape(title)}</text>']
    for rho in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0):
        parts.append(f'<path d="M0 {y(rho)}h{_WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="-6" y="{y(rho) + 4}" text-anchor="end">{rho:.1f}</text>')
    for judgments in (10, 20, 50, 100, 200, 500, 1000, 2000):
        if first <= judgments <= last:
            parts.append(f'<path d="M{x(judgments)} {_HEIGHT}v4" stroke="#888"/>')
            parts.append(f'<text x="{x(judgments)}" y="{_HEIGHT + 17}" text-anchor="middle">{judgments:,}</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT + 34}" text-anchor="middle" fill="#555">judgments</text>')
    for order, colour in _COLOURS.items():
        curve = [point for point in points if point.order == order]
        if not curve:
            continue
        band = [(x(p.judgments), y(p.low)) for p in curve] + [(x(p.judgments), y(p.high)) for p in reversed(curve)]
        parts.append(f'<polygon points="{_points(band)}" fill="{colour}" fill-opacity="0.13"/>')
        line = _points([(x(point.judgments), y(point.mean)) for point in curve])
        parts.append(f'<polyline points="{line}" {_line(order)}/>')
    return "".join(parts)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
