"""Weights with which the parts of a metric, mixed, go best with a human ranking.

Asano et al. 2017 tuned the weights of grammar, fluency and meaning so, on a grid of 0.01. Weights found on the
systems that they are then judged by flatter the metric: look for them on one corpus, use them on another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gec_core.errors import ScoreError
from gec_core.human.pairs import Array
from gec_core.meta.correlation import COEFFICIENTS, FEWEST, Coefficient, Scores, common_systems

STEPS = 100
"""The grid has this many steps from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights that add up to 1, one a part, and how well the systems' mixed scores go with people's."""

    weights: tuple[float, ...]
    correlation: float


def grid_search(
    parts: Mapping[str, Sequence[float]], human: Scores, coefficient: Coefficient = "spearman", *, steps: int = STEPS
) -> Mix:
    """The weights with the highest correlation over the systems that both score.

    `parts` has the scores of every system, one a part. Of equally good weights (a rank correlation has many) the
    ones nearest to the middle of them all are taken.
    """
    systems = common_systems(human, *({name: scores[part] for name, scores in parts.items()} for part in _range(parts)))
    if len(systems) < FEWEST:
        raise ScoreError(f"{len(systems)} systems in common: weights need at least {FEWEST} to be found.")
    scores = np.array([parts[name] for name in systems], np.float64)
    grid = _grid(scores.shape[1], steps)
    mixed = np.round(grid @ scores.T, 12)  # scores that tie must not be told apart by the last bits of a sum
    people = np.broadcast_to([human[name] for name in systems], mixed.shape)
    found = COEFFICIENTS[coefficient](mixed, people)
    if np.isnan(found).all():
        raise ScoreError("No weights can be found: all systems have the same scores.")
    best = grid[found >= np.nanmax(found) - 1e-12]
    middle = best[np.argmin(np.sum((best - best.mean(axis=0)) ** 2, axis=1))]
    return Mix(tuple(middle.tolist()), float(np.nanmax(found)))


def _range(parts: Mapping[str, Sequence[float]]) -> range:
    sizes = {len(scores) for scores in parts.values()}
    if len(sizes) != 1:
        raise ScoreError("Every system needs the same parts, and there must be a system.")
    return range(sizes.pop())


def _grid(parts: int, steps: int) -> Array:
    """All ways to share out `steps` steps among the parts, as shares of 1: bars among the steps part them."""
    bars = np.array([(-1, *cut, steps + parts - 1) for cut in combinations(range(steps + parts - 1), parts - 1)])
    shares: Array = (np.diff(bars, axis=1) - 1) / steps
    return shares
