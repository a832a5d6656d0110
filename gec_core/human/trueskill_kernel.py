"""TrueSkill for two players, compiled: the update after one match, and a whole run of matches.

Kept apart from `trueskill` because importing numba takes a while.
"""

from __future__ import annotations

import math

import numpy as np

from gec_core.compiled import compiled
from gec_core.types import Array, Integers

_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_PI = math.sqrt(math.pi / 2)
_FAR = 30.0


@compiled
def mills(x: float) -> float:
    """The upper tail of the normal distribution over its density, (1 - Phi(x)) / phi(x).

    In the tail both underflow, while their ratio is about 1/x; there its continued fraction is used.
    """
    if x < _FAR:
        return _ROOT_HALF_PI * math.exp(x * x / 2) * math.erfc(x * _ROOT_HALF)
    return 1 / (x + 1 / (x + 2 / (x + 3 / (x + 4 / x))))


@compiled
def truncated_win(lead: float, margin: float) -> tuple[float, float]:
    """Shift and shrinkage (v and w) when the leader by `lead` wins by more than `margin`, in units of spread."""
    x = lead - margin
    v = 1 / mills(-x)
    return v, v * (v + x)


@compiled
def truncated_draw(lead: float, margin: float) -> tuple[float, float]:
    """Shift and shrinkage (v and w) when the difference stays within `margin`.

    All terms are divided by the density at the nearer edge, the larger one, so that nothing underflows to 0/0.
    """
    gap = abs(lead)
    near, far = gap - margin, gap + margin
    fall = math.exp(-2 * gap * margin)
    mass = mills(near) - fall * mills(far)
    v = math.expm1(-2 * gap * margin) / mass
    w = v * v + (far * fall - near) / mass
    return (v if lead >= 0 else -v), w


@compiled
def update(mean: Array, variance: Array, first: int, second: int, relation: int, beta: float, margin: float) -> None:
    """Change mean and variance of two players after a match; relation -1: first won, 0: draw, 1: second won."""
    spread2 = 2 * beta * beta + variance[first] + variance[second]
    spread = math.sqrt(spread2)
    lead = (mean[first] - mean[second]) / spread
    if relation == 0:
        v, w = truncated_draw(lead, margin / spread)
    else:
        v, w = truncated_win(-relation * lead, margin / spread)
        v *= -relation
    mean[first] += variance[first] / spread * v
    mean[second] -= variance[second] / spread * v
    variance[first] *= 1 - variance[first] / spread2 * w
    variance[second] *= 1 - variance[second] / spread2 * w


@compiled
def play(
    starts: Integers, relations: Integers, counts: Integers, draws: Array, sigma: float, beta: float, margin: float
) -> tuple[Array, Array]:
    """Means and variances after as many matches as `draws` has rows.

    `relations` are the judgments sorted by pair of systems; those of systems (i, j), i < j, begin at
    `starts[i, j]` and number `counts[i, j]`. Each row of `draws`, two numbers below 1, picks an
    opponent and a judgment.
    """
    mean = np.zeros(len(counts))
    variance = np.full(len(counts), sigma * sigma)
    for player in range(len(counts)):
        if not counts[player].any():
            variance[player] = 0  # so that it is never the one with the largest variance
    for match in range(len(draws)):
        player = _least_known(variance)
        opponent = _near(player, mean, counts[player], draws[match, 0])
        first, second = min(player, opponent), max(player, opponent)
        chosen = starts[first, second] + int(draws[match, 1] * counts[first, second])
        update(mean, variance, first, second, relations[chosen], beta, margin)
    return mean, variance


@compiled
def _least_known(variance: Array) -> int:
    """The player with the largest variance; of several, the last."""
    best = 0
    for player in range(len(variance)):
        if variance[player] >= variance[best]:
            best = player
    return best


@compiled
def _near(player: int, mean: Array, judgments: Integers, draw: float) -> int:
    """An opponent, of those judged with the player, with probability proportional to exp(-|difference of means|)."""
    total = 0.0
    for other in range(len(mean)):
        if judgments[other] > 0:
            total += math.exp(-abs(mean[other] - mean[player]))
    left = draw * total
    chosen = -1
    for other in range(len(mean)):
        if judgments[other] > 0:
            chosen = other
            left -= math.exp(-abs(mean[other] - mean[player]))
            if left < 0:
                break
    return chosen
