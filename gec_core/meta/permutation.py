"""Tests between metrics by permutation, accuracy with optimised ties, soft pairwise accuracy, significance clusters.

All of them are defined as in mt-metrics-eval, the evaluation of the Workshops on Machine Translation:

* **Accuracy with optimised ties** (Deutsch et al. 2023): a pair of outputs counts if metric and judge order it alike,
  or if both tie it; the metric ties whatever differs by at most epsilon, the best epsilon for the metric. The
  accuracy is the mean over items (rankings), so that a judge who ranked more outputs at once does not count more.
* **Soft pairwise accuracy** (Thompson et al. 2024): 1 minus the mean, over pairs of systems, of the difference between
  the p-value for "A is better than B" by people and that by the metric. The p-values are of paired permutation tests
  over sentences. People who ranked outputs did not score them, so their test flips the signs of single preferences.
* **Permutation test between two metrics** (PERM-BOTH, Deutsch et al. 2021): the scores of both are standardised and
  swapped at random, output by output or system by system; p is the share of swaps whose difference is at least the
  one found. It asks whether the metric in front is better, so it is one-sided.
* **Significance clusters**: metrics from best to worst; a new cluster begins with the first metric that some metric of
  the current cluster beats significantly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from time import monotonic

import numpy as np
from numpy.typing import ArrayLike

from gec_core.errors import ScoreError
from gec_core.human.pairs import FIRST_BETTER, TIE, Pairs, score_table
from gec_core.meta.correlation import Scores, common_systems, pearson
from gec_core.types import Array, Integers, Progress, Ratings, ignore

SAMPLES = 1000
LEVEL = 0.05
"""The p-value up to which a difference is significant."""
BLOCK = 100
"""Swaps after which a test may stop: its p-value is already clear."""
CLEAR = (0.02, 0.5)
"""A test stops when p is below the first or above the second of these."""
Statistic = Callable[[Array], Array]
"""From scores (swaps × outputs or systems) to one value per row."""


@dataclass(frozen=True, slots=True)
class TiedAccuracy:
    """The accuracy of a metric with optimised ties."""

    accuracy: float
    epsilon: float
    """Scores that differ by at most this much are tied."""
    pairs: int


@dataclass(frozen=True, slots=True)
class Tested:
    """A permutation test whether one metric is better than another."""

    better: str
    worse: str
    difference: float
    p: float
    swaps: int


@dataclass(frozen=True, slots=True)
class Clustered:
    """A metric with its value and the cluster that it belongs to."""

    metric: str
    value: float
    cluster: int


@dataclass(frozen=True)
class MetricTests:
    """All metrics, best first, and the tests of every two of them."""

    ranked: tuple[Clustered, ...]
    tests: tuple[Tested, ...]


def tied_accuracy(pairs: Pairs, scores: Mapping[str, ArrayLike]) -> TiedAccuracy:
    """The accuracy of a metric on judged pairs, with the epsilon that is best for it.

    Raises:
        ScoreError: There are no pairs, or scores are missing.
    """
    outputs = _Outputs.of(pairs)
    value, epsilon = outputs.best(outputs.values(scores)[None])
    return TiedAccuracy(float(value[0]), float(epsilon[0]), len(pairs))


def compare_on_pairs(
    pairs: Pairs,
    metrics: Mapping[str, Mapping[str, ArrayLike]],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    on_progress: Callable[[Progress], None] = ignore,
) -> MetricTests:
    """Compare metrics by their accuracy with optimised ties.

    Args:
        pairs: The judged pairs.
        metrics: The sentence scores of every system, by metric.
        samples: The most swaps of a test.
        seed: The seed of the swaps.
        on_progress: Told how many tests are done.
    """
    outputs = _Outputs.of(pairs)
    scores = {name: outputs.values(each) for name, each in metrics.items()}
    return _compare(scores, lambda rows: outputs.best(rows)[0], samples, seed, on_progress)


def compare_on_systems(
    metrics: Mapping[str, Scores], human: Scores, *, samples: int = SAMPLES, seed: int = 0
) -> MetricTests:
    """Compare metrics by Pearson's r with people over the systems that all of them score.

    Raises:
        ScoreError: They have fewer than three systems in common.
    """
    systems = common_systems(human, *metrics.values())
    if len(systems) < 3:
        raise ScoreError("The metrics and people have fewer than three systems in common.")
    people = np.array([human[name] for name in systems])
    scores = {id: np.array([each[name] for name in systems]) for id, each in metrics.items()}
    kept = {id: each for id, each in scores.items() if np.ptp(each) > 0}

    def statistic(rows: Array) -> Array:
        return np.nan_to_num(pearson(rows, np.broadcast_to(people, rows.shape)))

    return _compare(kept, statistic, samples, seed, ignore)


def clusters(ranked: Sequence[str], p_values: Mapping[tuple[str, str], float], *, level: float = LEVEL) -> list[int]:
    """The cluster of each metric, given best first, and the p-values of (better, worse)."""
    found: list[int] = []
    start = 0
    for place, metric in enumerate(ranked):
        if any(p_values[above, metric] <= level for above in ranked[start:place]):
            start = place
            found.append(found[-1] + 1)
        else:
            found.append(found[-1] if found else 1)
    return found


def soft_pairwise_accuracy(
    metric: Mapping[str, ArrayLike],
    people: Pairs | Ratings,
    systems: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> float | None:
    """The soft pairwise accuracy of a metric over pairs of systems that people compared.

    Args:
        metric: The sentence scores of every system.
        people: Judged pairs, or ratings of single outputs.
        systems: The systems to compare.
        samples: Permutations of each test.
        seed: The seed of the permutations.

    Returns:
        A number from 0 to 1; None if people compared no two of the systems.
    """
    table = score_table(metric, systems)
    ours = _p_values(table, samples, seed)
    theirs = (
        _p_of_ratings(people, systems, samples, seed)
        if isinstance(people, Ratings)
        else _p_of_pairs(people, systems, samples, seed)
    )
    both = ~np.isnan(theirs)
    return float(1 - np.abs(ours - theirs)[both].mean()) if both.any() else None


@dataclass(frozen=True, eq=False)
class _Outputs:
    """Judged pairs as pairs of outputs, each output numbered once."""

    pairs: Pairs
    outputs: Integers
    """System and sentence of each output."""
    first: Integers
    second: Integers
    weight: Array
    """Of each pair: items count the same, whatever their number of pairs."""

    @classmethod
    def of(cls, pairs: Pairs) -> _Outputs:
        if not len(pairs):
            raise ScoreError("No pair of these systems was judged.")
        sentences = int(pairs.sentence.max()) + 1
        keys = np.concatenate([pairs.first * sentences + pairs.sentence, pairs.second * sentences + pairs.sentence])
        distinct, found = np.unique(keys, return_inverse=True)
        number = found.astype(np.int64)
        of_item = np.bincount(pairs.item, minlength=pairs.items)
        weight = 1 / of_item[pairs.item] / np.count_nonzero(of_item)
        places = np.stack([distinct // sentences, distinct % sentences], axis=1)
        return cls(pairs, places, number[: len(pairs)], number[len(pairs) :], weight)

    def values(self, scores: Mapping[str, ArrayLike]) -> Array:
        """The score of each output."""
        used = [name for at, name in enumerate(self.pairs.systems) if (self.outputs[:, 0] == at).any()]
        table = score_table({name: scores[name] for name in used if name in scores}, used)
        row = {self.pairs.systems.index(name): place for place, name in enumerate(used)}
        found: Array = table[[row[at] for at in self.outputs[:, 0].tolist()], self.outputs[:, 1]]
        return found

    def best(self, rows: Array) -> tuple[Array, Array]:
        """The accuracy of every row of scores with its best epsilon, and that epsilon."""
        difference = rows[:, self.second] - rows[:, self.first]
        size = np.abs(difference)
        judged = self.pairs.relation
        human_tie = judged == TIE
        right = np.where(difference == 0, human_tie, np.sign(difference) == judged) * self.weight
        gain = (human_tie & (size > 0)) * self.weight - (~human_tie) * right
        order = np.argsort(size, axis=1, kind="stable")
        ordered = np.take_along_axis(size, order, axis=1)
        total = np.cumsum(np.take_along_axis(gain, order, axis=1), axis=1)
        last = np.ones(total.shape, dtype=np.bool_)  # an epsilon ties all pairs that differ as much
        last[:, :-1] = ordered[:, 1:] > ordered[:, :-1]
        total = np.where(last, total, -np.inf)
        place = total.argmax(axis=1)[:, None]
        best = np.take_along_axis(total, place, axis=1)[:, 0]
        epsilon = np.take_along_axis(ordered, place, axis=1)[:, 0]
        return right.sum(axis=1) + np.maximum(best, 0), np.where(best > 0, epsilon, 0.0)


def _compare(
    scores: Mapping[str, Array],
    statistic: Statistic,
    samples: int,
    seed: int,
    on_progress: Callable[[Progress], None],
) -> MetricTests:
    values = {name: float(statistic(each[None])[0]) for name, each in scores.items()}
    order = sorted(values, key=lambda name: (-values[name], name))
    standard = {name: _standardised(each) for name, each in scores.items()}
    tests = []
    started, pairs = monotonic(), list(combinations(order, 2))
    for done, (better, worse) in enumerate(pairs, 1):
        p, swaps = _permuted(standard[better], standard[worse], statistic, samples, seed)
        tests.append(Tested(better, worse, values[better] - values[worse], p, swaps))
        on_progress(Progress("permutation tests", done, len(pairs), monotonic() - started))
    found = clusters(order, {(test.better, test.worse): test.p for test in tests})
    ranked = tuple(Clustered(name, values[name], place) for name, place in zip(order, found, strict=True))
    return MetricTests(ranked, tuple(tests))


def _permuted(better: Array, worse: Array, statistic: Statistic, samples: int, seed: int) -> tuple[float, int]:
    """The p-value of the difference of two metrics, and the number of swaps it comes from."""
    random = np.random.default_rng(seed)
    first, second = statistic(better[None])[0], statistic(worse[None])[0]
    as_large = swaps = 0
    while swaps < samples:
        size = min(BLOCK, samples - swaps)
        swapped = random.integers(2, size=(size, len(better))).astype(np.bool_)
        ours = statistic(np.where(swapped, worse, better))
        theirs = statistic(np.where(swapped, better, worse))
        as_large += int((ours - theirs >= first - second - 1e-12).sum())
        swaps += size
        if not CLEAR[0] <= as_large / swaps <= CLEAR[1]:
            break
    return as_large / swaps, swaps


def _standardised(scores: Array) -> Array:
    spread = scores.std()
    return (scores - scores.mean()) / spread if spread else scores - scores.mean()


def _signs(samples: int, items: int, seed: int) -> Array:
    return np.random.default_rng(seed).integers(2, size=(samples, items)).astype(np.float64) * 2 - 1


def _p_values(table: Array, samples: int, seed: int) -> Array:
    """The p-value for every two rows that the first is better than the second."""
    partial = table @ _signs(samples, table.shape[1], seed).T
    sums = table.sum(axis=1)
    first, second = np.triu_indices(len(table), k=1)
    found: Array = (partial[first] - partial[second] >= (sums[first] - sums[second])[:, None] - 1e-9).mean(axis=1)
    return found


def _p_of_ratings(ratings: Ratings, systems: Sequence[str], samples: int, seed: int) -> Array:
    """The same from ratings, on the sentences of which both outputs were rated; NaN where there is none."""
    rows = [ratings.systems.index(name) if name in ratings.systems else -1 for name in systems]
    signs = _signs(samples, ratings.values.shape[1], seed)
    found = []
    for one, other in combinations(rows, 2):
        difference = ratings.values[one] - ratings.values[other] if min(one, other) >= 0 else np.array([np.nan])
        rated = ~np.isnan(difference)
        if not rated.any():
            found.append(np.nan)
            continue
        found.append(_share(signs[:, rated], difference[rated]))
    return np.array(found)


def _p_of_pairs(pairs: Pairs, systems: Sequence[str], samples: int, seed: int) -> Array:
    """The same from preferences: 1 where the first system was preferred, -1 where the second was."""
    signs = _signs(samples, pairs.items, seed)
    found = []
    for one, other in combinations(systems, 2):
        if not {one, other} <= set(pairs.systems):
            found.append(np.nan)
            continue
        a, b = pairs.systems.index(one), pairs.systems.index(other)
        here = ((pairs.first == a) & (pairs.second == b)) | ((pairs.first == b) & (pairs.second == a))
        if not here.any():
            found.append(np.nan)
            continue
        side = np.where(pairs.first[here] == a, 1, -1) * FIRST_BETTER
        found.append(_share(signs[:, pairs.item[here]], (side * pairs.relation[here]).astype(np.float64)))
    return np.array(found)


def _share(signs: Array, difference: Array) -> float:
    return float((signs @ difference >= difference.sum() - 1e-9).mean())
