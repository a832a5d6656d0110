"""The mean gradient of a function along a straight line (Aumann and Shapley 1974).

For a score f of sums T, the mean gradient g over the line from T_B to T_A shares the difference of two scores among
all that is summed: f(T_A) − f(T_B) = g · (T_A − T_B), whatever f is. Gradients come from complex steps, which have no
rounding error to speak of; the integral from Gauss–Legendre nodes, as many as it takes until the sum is right and the
gradient no longer changes: where the line runs level, any gradient has the right sum. The line is cut where f has a
kink. A vertical tangent at an end (a root at 0) is integrated by the tanh–sinh rule. Where
f jumps (0/0 is defined as 1), the jump is added along the line itself, so that the sum always holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gec_core.types import Array

Function = Callable[[Array], Array]

NODES = (2, 4, 8, 16, 32)
"""Gauss–Legendre nodes for each smooth piece of a line: more are tried until the sum is right."""
CLOSE = 1e-11
"""How far the sum may be off, beside the size of the function, until more nodes are tried."""
SETTLED = 1e-9
"""How much the gradient, times the sums (1 at least), may still change with more nodes, beside the function's size."""
BETTER = 0.9
"""Of what was missing, what more nodes must leave at most to be believed: at a jump they do not help."""
LEAST = 1e-3
"""The size of functions that are smaller."""
STEP = 1e-40
"""The imaginary step of a derivative; any size does that is small beside the sums."""
TANH_SINH = 161
"""Nodes of the rule that is tried last."""
STEEPEST = 1e9
"""A steeper gradient at 0 is taken for infinite."""
SAMPLES, HALVINGS = 33, 60
"""Points between which a change of sign is looked for, and how often that interval is halved."""
TOGETHER = 4096
"""Points that are evaluated at a time."""


@dataclass(frozen=True, slots=True)
class MeanGradient:
    """The mean gradient along each of several lines."""

    gradients: Array
    """Lines × numbers. Each line's gradient times its difference is the difference of the function."""
    added: float
    """The largest difference that the integral did not reach and that was added along a line."""


def mean_gradient(function: Function, kinks: Function, start: Array, end: Array) -> MeanGradient:
    """The mean gradient of a function over each line from `start` to `end` (both lines × numbers)."""
    change = end - start
    values = function(start), function(end)
    wanted = values[1] - values[0]
    size = np.maximum(np.max(np.abs(values), axis=0), LEAST)
    cuts = _cuts(kinks, start, change)
    reached = np.maximum(np.maximum(np.abs(start), np.abs(end)), 1.0)
    gradients, missing = np.zeros_like(start), np.full(len(start), np.inf)
    todo, before = np.arange(len(start)), np.full_like(start, np.inf)
    for rule in (*map(_gauss, NODES), _tanh_sinh()):
        found = _integral(function, start[todo], end[todo], cuts[todo], rule)
        left = np.abs(wanted[todo] - np.sum(found * change[todo], axis=1))
        close = left <= CLOSE * size[todo]
        better = close | (left < BETTER * missing[todo])
        gradients[todo[better]], missing[todo[better]] = found[better], left[better]
        settled = np.max(np.abs(found - before[todo]) * reached[todo], axis=1, initial=0.0) <= SETTLED * size[todo]
        before[todo] = found
        todo = todo[~(close & settled)]
        if not len(todo):
            break
    return MeanGradient(reach(gradients, change, wanted), float(missing.max(initial=0.0)))


def reach(gradients: Array, change: Array, wanted: Array) -> Array:
    """The gradients with what is left to the wanted differences added along their lines."""
    left = wanted - np.sum(gradients * change, axis=1)
    length = np.sum(change**2, axis=1)
    along = np.divide(left, length, out=np.zeros_like(left), where=length > 0)
    return gradients + along[:, None] * change


class Rule(NamedTuple):
    """Nodes of an integral over [0, 1]: how far from either end each is, and its weight."""

    after: Array
    before: Array
    weights: Array


@cache
def _gauss(nodes: int) -> Rule:
    legendre: Any = np.polynomial.legendre
    points, weights = legendre.leggauss(nodes)
    return Rule((1 + points) / 2, (1 - points) / 2, weights / 2)


@cache
def _tanh_sinh() -> Rule:
    """Nodes that crowd towards both ends, where the function may be infinitely steep."""
    steps = np.linspace(-5, 5, TANH_SINH)
    bent = np.pi * np.sinh(steps)
    after, before = 1 / (1 + np.exp(-bent)), 1 / (1 + np.exp(bent))
    return Rule(after, before, np.pi * np.cosh(steps) * after * before * (steps[1] - steps[0]))


def _integral(function: Function, start: Array, end: Array, cuts: Array, rule: Rule) -> Array:
    """The mean gradient over each line, piece by piece; pieces without length count nothing."""
    at = cuts[:, :, None]
    ends = np.where(
        at == 0, start[:, None], np.where(at == 1, end[:, None], start[:, None] * (1 - at) + end[:, None] * at)
    )
    places = ends[:, :-1, None] * rule.before[:, None] + ends[:, 1:, None] * rule.after[:, None]
    share = np.diff(cuts, axis=1)[:, :, None] * rule.weights
    used = share > 0
    found = np.zeros_like(places)
    found[used] = gradient(function, places[used])
    return np.sum(found * share[..., None], axis=(1, 2))


def gradient(function: Function, places: Array) -> Array:
    """The gradient of a function at each place (places × numbers); 0 where it is infinite at 0, as that of a root."""
    numbers = places.shape[1]
    found = np.empty_like(places)
    at_once = max(TOGETHER // max(numbers, 1), 1)
    for first in range(0, len(places), at_once):
        part = places[first : first + at_once]
        moved = part[:, None, :] + 1j * STEP * np.eye(numbers)
        found[first : first + at_once] = np.imag(function(moved.reshape(-1, numbers))).reshape(-1, numbers) / STEP
    infinite = ~np.isfinite(found) | ((places == 0) & (np.abs(found) > STEEPEST))
    return np.where(infinite, 0.0, found)


def _cuts(kinks: Function, start: Array, change: Array) -> Array:
    """Where each line is cut, from 0 to 1: once for each number that changes its sign on the way."""
    grid = np.linspace(0, 1, SAMPLES)
    grid[1:-1] += (math.e - 2.5) / SAMPLES**2  # sums of whole numbers often cross at a simple fraction: not on the grid
    signs = np.sign(kinks(start[:, None] + grid[:, None] * change[:, None]))
    crossed = signs[:, :-1] * signs[:, 1:] < 0
    lines, numbers = np.nonzero(crossed.any(axis=1))
    cuts = np.zeros((len(start), signs.shape[2] + 2))
    cuts[:, -1] = 1
    if not len(lines):
        return cuts
    first = np.argmax(crossed, axis=1)[lines, numbers]
    low, high = grid[first], grid[first + 1]
    before = signs[lines, first, numbers]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        here = kinks(start[lines] + middle[:, None] * change[lines])[np.arange(len(lines)), numbers]
        same = np.sign(here) == before
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    cuts[lines, numbers + 1] = (low + high) / 2
    return np.sort(cuts, axis=1)
