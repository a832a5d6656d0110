"""Tests by permutation, beside slow definitions written out as mt-metrics-eval states them."""

from itertools import combinations, product

import numpy as np
import pytest

from gec_core.errors import ScoreError
from gec_core.human import expanded
from gec_core.human.pairs import Pairs
from gec_core.meta.permutation import (
    clusters,
    compare_on_pairs,
    compare_on_systems,
    soft_pairwise_accuracy,
    tied_accuracy,
)
from gec_core.types import Judgment, Judgments, Ranked, Ratings

SYSTEMS = ("A", "B", "C", "D")


def ranked(*ranks: tuple[int, ...]) -> Pairs:
    """One ranking of the systems per sentence."""
    items = [
        Judgment(line, "ann", tuple(Ranked((name,), rank) for name, rank in zip(SYSTEMS, each, strict=False)))
        for line, each in enumerate(ranks)
    ]
    return expanded(Judgments(tuple(items)))


def random_case(seed: int, sentences: int = 12) -> tuple[Pairs, dict[str, np.ndarray]]:
    draw = np.random.default_rng(seed)
    pairs = ranked(*(tuple(draw.integers(1, 4, size=draw.integers(2, 5)).tolist()) for _ in range(sentences)))
    return pairs, {name: draw.integers(0, 6, size=sentences) / 5 for name in SYSTEMS}


def slow_accuracy(pairs: Pairs, scores: dict[str, np.ndarray], epsilon: float) -> float:
    """The mean over items of the share of pairs that are ordered, or tied, alike."""
    shares = []
    for item in range(pairs.items):
        right = []
        for at in np.flatnonzero(pairs.item == item):
            one, other = (pairs.systems[side[at]] for side in (pairs.first, pairs.second))
            difference = scores[other][pairs.sentence[at]] - scores[one][pairs.sentence[at]]
            right.append((0 if abs(difference) <= epsilon else np.sign(difference)) == pairs.relation[at])
        if right:
            shares.append(np.mean(right))
    return float(np.mean(shares))


@pytest.mark.parametrize("seed", range(8))
def test_the_best_epsilon_is_that_of_a_search_over_all(seed: int) -> None:
    pairs, scores = random_case(seed)
    found = tied_accuracy(pairs, scores)
    tried = {abs(a - b) for one, other in combinations(scores.values(), 2) for a, b in zip(one, other, strict=True)}
    best = max(slow_accuracy(pairs, scores, epsilon) for epsilon in {0.0, *tried})
    assert found.accuracy == pytest.approx(best, abs=1e-12)
    assert slow_accuracy(pairs, scores, found.epsilon) == pytest.approx(best, abs=1e-12)
    assert found.pairs == len(pairs)


TIED = [
    ([[0, 2, 6, 8]], [[1, 2, 3, 4]], 1, 0),
    ([[0, 2, 6, 8]], [[1, 1, 1, 4]], 4 / 6, 4),
    (
        [[0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1]],
        [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2]],
        0.4916666666666668,
        1,
    ),
]
"""Scores of metric and people, accuracy and epsilon: the figures that the tests of mt-metrics-eval expect."""


@pytest.mark.parametrize(("metric", "people", "accuracy", "epsilon"), TIED)
def test_accuracy_with_optimised_ties_is_that_of_mt_metrics_eval(
    metric: list[list[int | None]], people: list[list[int | None]], accuracy: float, epsilon: float
) -> None:
    items, scores = [], {name: np.zeros(len(metric)) for name in "ABCDE"}
    for line, (ours, theirs) in enumerate(zip(metric, people, strict=True)):
        known = [(n, a, b) for n, a, b in zip("ABCDE", ours, theirs, strict=False) if a is not None and b is not None]
        items.append(Judgment(line, "ann", tuple(Ranked((name,), 10 - told) for name, _, told in known)))
        for name, score, _ in known:
            scores[name][line] = score
    found = tied_accuracy(expanded(Judgments(tuple(items))), scores)
    assert found.accuracy == pytest.approx(accuracy, abs=1e-12)
    assert found.epsilon == epsilon


def test_epsilon_is_0_where_ties_do_not_help() -> None:
    pairs = ranked((1, 2), (2, 1), (1, 2))
    found = tied_accuracy(pairs, {"A": np.array([2.0, 0.0, 1.0]), "B": np.array([1.0, 1.0, 0.0])})
    assert (found.accuracy, found.epsilon) == (1.0, 0.0)


def test_pairs_that_nobody_judged_are_refused() -> None:
    with pytest.raises(ScoreError, match="No pair"):
        tied_accuracy(expanded(Judgments(())), {})


def test_a_good_metric_beats_noise_but_not_itself() -> None:
    draw = np.random.default_rng(1)
    pairs = ranked(*(tuple(draw.permutation(4) + 1) for _ in range(80)))
    quality = {name: np.zeros(80) for name in SYSTEMS}
    for at in range(len(pairs)):
        winner = pairs.systems[(pairs.first if pairs.relation[at] < 0 else pairs.second)[at]]
        quality[winner][pairs.sentence[at]] += 1
    noise = {name: draw.random(80) for name in SYSTEMS}
    found = compare_on_pairs(pairs, {"good": quality, "copy": dict(quality), "noise": noise}, samples=200)
    assert [(each.metric, each.cluster) for each in found.ranked] == [("copy", 1), ("good", 1), ("noise", 2)]
    p = {(test.better, test.worse): test.p for test in found.tests}
    assert p["copy", "good"] == 1  # no swap changes anything
    assert p["good", "noise"] < 0.02
    assert found == compare_on_pairs(pairs, {"good": quality, "copy": dict(quality), "noise": noise}, samples=200)


def test_metrics_over_systems_are_compared_by_r() -> None:
    people = dict(zip("ABCDEFGH", range(8), strict=True))
    close = {name: value + (0.1 if value % 2 else -0.1) for name, value in people.items()}
    far = dict(zip("ABCDEFGH", [3, 1, 4, 1, 5, 9, 2, 6], strict=True))
    found = compare_on_systems({"far": far, "close": close, "flat": dict.fromkeys(people, 1.0)}, people)
    assert [each.metric for each in found.ranked] == ["close", "far"]
    assert found.ranked[0].value == pytest.approx(np.corrcoef(list(close.values()), list(people.values()))[0, 1])
    assert found.tests[0].p < 0.1


def test_the_p_value_is_the_share_of_all_swaps_that_do_as_well() -> None:
    """All 64 swaps of the standardised scores of six systems, counted."""
    people = np.array([1.0, 2, 3, 4, 5, 6])
    one, other = np.array([1.0, 2, 4, 3, 5, 7]), np.array([20.0, 40, 10, 30, 50, 60])
    a, b = ((each - each.mean()) / each.std() for each in (one, other))

    def gap(first: np.ndarray, second: np.ndarray) -> float:
        return float(np.corrcoef(first, people)[0, 1] - np.corrcoef(second, people)[0, 1])

    swaps = [np.array(each, dtype=bool) for each in product([0, 1], repeat=6)]
    exact = np.mean([gap(np.where(s, b, a), np.where(s, a, b)) >= gap(a, b) - 1e-12 for s in swaps])
    assert 0.02 < exact < 0.5
    named = [dict(zip("ABCDEF", each.tolist(), strict=True)) for each in (one, other, people)]
    (test,) = compare_on_systems({"one": named[0], "other": named[1]}, named[2], samples=20_000).tests
    assert (test.better, test.swaps) == ("one", 20_000)
    assert test.difference == pytest.approx(gap(one, other))
    assert test.p == pytest.approx(exact, abs=0.015)


def test_a_cluster_ends_where_one_of_its_metrics_is_significantly_better() -> None:
    p = {("a", "b"): 0.4, ("a", "c"): 0.2, ("b", "c"): 0.01, ("a", "d"): 0.01, ("b", "d"): 0.01, ("c", "d"): 0.06}
    assert clusters(["a", "b", "c", "d"], p) == [1, 1, 2, 2]


def exact_p(difference: np.ndarray) -> float:
    """The share of all sign flips whose sum is at least the one found."""
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(difference))).reshape(len(difference), -1).T
    return float((signs @ difference >= difference.sum() - 1e-9).mean())


def test_soft_pairwise_accuracy_is_the_mean_difference_of_p_values() -> None:
    values = np.array([[90.0, 80, 70, 85, 60, 75], [80, 85, 60, 70, 65, 50], [50, 60, 55, 40, np.nan, 30]])
    ratings = Ratings(("A", "B", "C"), values, 0, 100)
    metric = {"A": [0.4, 0.6, 0.3, 0.2, 0.8, 0.4], "B": [0.5, 0.5, 0.4, 0.1, 0.6, 0.5], "C": [0.1, 0.2, 0.2, 0, 0.1, 0]}
    found = soft_pairwise_accuracy(metric, ratings, ("A", "B", "C"), samples=4000)
    gaps = []
    for one, other in combinations(range(3), 2):
        people = values[one] - values[other]
        ours = np.array(metric["ABC"[one]]) - np.array(metric["ABC"[other]])
        gaps.append(abs(exact_p(people[~np.isnan(people)]) - exact_p(ours)))
    assert found == pytest.approx(1 - np.mean(gaps), abs=0.015)


def test_preferences_count_as_one_point_each() -> None:
    pairs = ranked((1, 2), (1, 2), (2, 1), (1, 1), (1, 2))
    same = {"A": [1.0, 1, 0, 0, 1], "B": [0.0, 0, 1, 0, 0]}
    assert soft_pairwise_accuracy(same, pairs, ("A", "B"), samples=2000) == pytest.approx(1, abs=0.01)
    assert soft_pairwise_accuracy(same, pairs, ("A",)) is None
    opposite = {"A": same["B"], "B": same["A"]}
    expected = 1 - abs(exact_p(np.array([1, 1, -1, 0, 1])) - exact_p(np.array([-1, -1, 1, 0, -1])))
    assert soft_pairwise_accuracy(opposite, pairs, ("A", "B"), samples=40_000) == pytest.approx(expected, abs=0.01)
