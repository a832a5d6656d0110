"""TrueSkill (Sakaguchi et al. 2014): ability as a normal distribution that every match updates.

A run plays as many matches as there are pairs, plus one. Each match takes the system with the largest
variance, an opponent drawn with probability proportional to exp(-|difference of their means|), and one of
the judgments on the two, drawn at random with replacement. The score is the mean ability after the run,
averaged over runs: a single run deviates by .01, sometimes by .04.

Parameters are those with which Grundkiewicz et al. 2015 ranked the systems of CoNLL-2014: mean 0 and
sigma .5 before the first match, draw probability .25, no drift (tau 0), and beta = sigma * matches / 40.
With so large a beta the weight of a match decreases with their number, which makes scores comparable between
corpora. The published values are means of 1,000 runs; 300 of ours are within .0015 of all of them.
Playing every pair once, in any order, is off by up to .009: the opponents that a system happened
to meet most often would have the most weight.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from gec_core.errors import ScoreError
from gec_core.human.pairs import Pairs
from gec_core.types import Array, Integers

SIGMA = 0.5
DRAW_PROBABILITY = 0.25
MATCHES_PER_BETA = 40
RUNS = 20


def trueskill(pairs: Pairs, *, runs: int = RUNS, seed: int = 0) -> dict[str, float]:
    """The score of every system that was compared with another one."""
    if runs < 1:
        raise ScoreError(f"TrueSkill needs at least one run, not {runs}.")
    matches = _Matches.of(pairs)
    means = _each(runs, lambda run: _run(matches, seed, run)).mean(axis=0)
    return {name: float(mean) for name, mean in zip(pairs.systems, means, strict=True) if not np.isnan(mean)}


def resampled(pairs: Pairs, weights: Array, *, seed: int = 0) -> Array:
    """The means of one run per bootstrap sample, given as weights of the items; NaN for systems not compared."""
    matches = _Matches.of(pairs)
    return _each(len(weights), lambda sample: _run(matches.weighted(weights[sample]), seed, sample))


@dataclass(frozen=True, eq=False)
class _Matches:
    """The judgments sorted by pair of systems, so that one of a given pair can be drawn."""

    item: Integers
    relation: Integers
    cell: Integers
    """first * systems + second, ascending."""
    systems: int

    @classmethod
    def of(cls, pairs: Pairs) -> _Matches:
        size = len(pairs.systems)
        cell = pairs.first * size + pairs.second
        order = np.argsort(cell, kind="stable")
        return cls(pairs.item[order], pairs.relation[order], cell[order], size)

    def weighted(self, weights: Array) -> _Matches:
        """Every judgment repeated as often as its item counts."""
        times = weights[self.item].astype(np.int64)
        item, relation, cell = (np.repeat(column, times) for column in (self.item, self.relation, self.cell))
        return _Matches(item, relation, cell, self.systems)


def _each(runs: int, run: Callable[[int], Array]) -> Array:
    """All runs, one per row, on all cores: compiled code releases the GIL."""
    with ThreadPoolExecutor() as pool:
        return np.array(list(pool.map(run, range(runs))))


def _run(matches: _Matches, seed: int, number: int) -> Array:
    """The means after one run; each run has random numbers of its own."""
    from gec_core.human import trueskill_kernel

    size = matches.systems
    counts = np.bincount(matches.cell, minlength=size * size)
    starts = (np.cumsum(counts) - counts).reshape(size, size)
    judged = counts.reshape(size, size) + counts.reshape(size, size).T
    if not judged.any():
        return np.full(size, np.nan)
    plays = len(matches.cell) + 1
    beta = SIGMA * plays / MATCHES_PER_BETA
    draws = np.random.default_rng([seed, number]).random((plays, 2))
    mean, _ = trueskill_kernel.play(
        starts, matches.relation, judged, draws, SIGMA, beta, draw_margin(DRAW_PROBABILITY, beta)
    )
    return np.where(judged.any(axis=1), mean, np.nan)


def draw_margin(probability: float, beta: float) -> float:
    """The difference in performance up to which two players draw, if equal ones draw with this probability."""
    return NormalDist().inv_cdf((probability + 1) / 2) * 2**0.5 * beta
