"""How many judgments a ranking needs: real judgments asked again in another order.

A pool of real rankings is drawn from, one after another, at random or by what tells most about the order of systems so
far (`planning`). After each step the Expected Wins so far are correlated with those of the whole pool. The adaptive
order chooses among the rankings of the pool only: a live session, which makes its own items, has more to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from gec_core.errors import JudgingError
from gec_core.judging.plan import Order
from gec_core.judging.planning import LOOKED_AT, Tally
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
    judgments: Judgments, *, orders: Sequence[Order] = get_args(Order), runs: int = 20, seed: int = 0
) -> list[CurvePoint]:
    """Ask a pool of judgments again in each order, several times.

    Args:
        judgments: The pool.
        orders: `random`, `adaptive` or both.
        runs: How many times each order is tried, each time with other random numbers.
        seed: The seed of the random numbers.
    """
    pool = [item for item in judgments.items if len(item.ranked) > 1]
    if len(pool) < 2 or len(judgments.systems) < 3:
        raise JudgingError("A simulation needs at least two rankings and three systems.")
    whole = Tally.empty(judgments.systems)
    for item in pool:
        _add(whole, item)
    goal = whole.expected_wins()
    stops = np.unique(np.geomspace(min(10, len(pool)), len(pool), STEPS).astype(int))
    found = []
    for order in orders:
        curves = np.array([_run(pool, judgments.systems, order, goal, stops, [seed, run]) for run in range(runs)])
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
    pool: Sequence[Judgment], systems: Sequence[str], order: Order, goal: Array, stops: Array, seed: Sequence[int]
) -> list[float]:
    random = np.random.default_rng(seed)
    left = list(random.permutation(len(pool)))
    tally = Tally.empty(systems)
    warm = len(systems) * (len(systems) - 1) / 2
    members = [np.array([[name in place.systems for name in systems] for place in item.ranked], float) for item in pool]
    wanted, curve = {int(stop) for stop in stops}, []
    for asked in range(1, len(pool) + 1):
        at = 0
        if order == "adaptive" and tally.met.sum() / 2 >= warm:
            worth = tally.worth()
            told = [_told(members[one], worth) for one in left[:LOOKED_AT]]
            at = int(np.argmax(told))
        _add(tally, pool[left.pop(at)])
        if asked in wanted:
            curve.append(_nearness(tally.expected_wins(), goal))
    return curve


def _told(member: Array, worth: Array) -> float:
    """What a ranking would tell: the worth of all pairs of systems in different places."""
    between = member @ worth @ member.T
    return float(between.sum() - np.trace(between))


def _add(tally: Tally, item: Judgment) -> None:
    tally.add([place.systems for place in item.ranked], [-place.rank for place in item.ranked])


def _nearness(scores: Array, goal: Array) -> float:
    """Spearman's rho over the systems that have a score so far; 0 while it is not defined."""
    known = ~(np.isnan(scores) | np.isnan(goal))
    if known.sum() < 3 or np.ptp(scores[known]) == 0:
        return 0.0
    return float(spearman(scores[known][None], goal[known][None])[0]) * known.sum() / (~np.isnan(goal)).sum()
