"""Intervals and both tests: against all cases counted out, and on systems without a difference."""

from itertools import product

import numpy as np
import pytest
from made_metric import column

from gec_core.analysis.significance import (
    ScoreDifference,
    Verdict,
    exchanged_scores,
    p_value,
    paired_bootstrap,
    randomisation,
    ranked_scores,
    resampled_scores,
)
from gec_core.errors import ScoreError
from gec_core.metrics import create

MINE, RIVAL = [0.9, 0.4, 0.8, 0.7], [0.5, 0.6, 0.1, 0.3]
M2_ROWS = (
    [[1, 0, 0, 1, 0, 0, 0], [1, 1, 2, 2, 0, 2, 1], [1, 1, 1, 4, 1, 1, 1], [1, 0, 1, 2, 0, 1, 0]],
    [[1, 1, 1, 1, 0, 1, 0], [1, 0, 0, 2, 0, 0, 1], [1, 0, 3, 4, 0, 3, 1], [1, 1, 1, 2, 0, 1, 0]],
)


def test_p_is_one_more_than_the_cases_over_one_more_than_the_samples() -> None:
    assert p_value(np.array([0.5, -0.5, 0.4, 0.1]), 0.5) == 3 / 5
    assert p_value(np.array([0.1] * 999), 0.5) == 1 / 1000
    assert p_value(np.zeros(9), 0.0) == 1.0
    assert p_value(np.array([0.1 + 0.2]), 0.3) == 1.0  # equal but for rounding


def test_what_is_not_a_number_is_no_evidence() -> None:
    assert p_value(np.array([0.1, np.nan, 0.1, 0.1]), 0.5) == 2 / 5
    assert p_value(np.array([0.1] * 4), np.nan) == 1.0


def test_randomisation_is_what_all_exchanges_give() -> None:
    differences = np.array(MINE) - np.array(RIVAL)
    every = [abs(np.mean(differences * signs)) for signs in product((1, -1), repeat=4)]
    exact = np.mean([each >= abs(differences.mean()) - 1e-12 for each in every])
    found = randomisation(column(A=MINE, B=RIVAL), "A", "B", samples=20_000, seed=1)
    assert exact == 4 / 16
    assert found == pytest.approx(exact, abs=0.01)


def test_the_bootstrap_is_what_all_draws_give() -> None:
    differences = np.array([0.5, 0.2, -0.1])
    every = np.array([differences[list(drawn)].mean() for drawn in product(range(3), repeat=3)])
    exact = np.mean(np.abs(every - 0.2) >= 0.2 - 1e-12)
    given = column(A=differences, B=[0, 0, 0])
    (found,) = paired_bootstrap(given, resampled_scores(given, samples=20_000, seed=1), "A")
    assert found.difference == pytest.approx(0.2)
    assert found.p_bootstrap == pytest.approx(exact, abs=0.01)
    assert (found.low, found.high) == pytest.approx((-0.1, 0.5))


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_without_a_difference_one_in_twenty_is_significant(test: str) -> None:
    generator = np.random.default_rng(5)
    significant = 0
    for run in range(400):
        shared = generator.normal(size=60)
        given = column(A=shared + generator.normal(size=60), B=shared + generator.normal(size=60))
        if test == "randomisation":
            p = randomisation(given, "A", "B", samples=199, seed=run)
        else:
            p = paired_bootstrap(given, resampled_scores(given, samples=199, seed=run), "A")[0].p_bootstrap
        significant += p <= 0.05
    assert 0.03 <= significant / 400 <= 0.075


def test_a_real_difference_is_found_and_equal_systems_never_differ() -> None:
    generator = np.random.default_rng(2)
    scores = generator.normal(size=200)
    given = column(A=scores + 0.5 + 0.1 * generator.normal(size=200), B=scores, C=scores)
    rows = {row.rival: row for row in paired_bootstrap(given, resampled_scores(given, samples=999), "A")}
    assert rows["B"].p_bootstrap == 1 / 1000
    assert randomisation(given, "A", "B", samples=999) == 1 / 1000
    assert randomisation(given, "B", "C", samples=99) == 1.0


@pytest.mark.parametrize("id", ["m2", "mean"])
def test_exchanged_outputs_are_scored_in_the_order_of_the_corpus(id: str) -> None:
    """M² chooses annotators along the corpus, so that the order matters."""
    metric = create("m2") if id == "m2" else None
    one, other = M2_ROWS if id == "m2" else (np.array(MINE)[:, None], np.array(RIVAL)[:, None])
    metric = column(metric, A=one).metric
    one, other = np.array(one, float), np.array(other, float)
    exchanged = np.array(list(product((0.0, 1.0), repeat=4)))
    first, second = exchanged_scores(metric, one, other, exchanged)
    for place, flags in enumerate(exchanged):
        mixed = np.where(flags[:, None] == 1, other, one)
        rest = np.where(flags[:, None] == 1, one, other)
        assert first[place] == pytest.approx(metric.aggregate(mixed).value)
        assert second[place] == pytest.approx(metric.aggregate(rest).value)


def test_samples_come_again_with_their_seed() -> None:
    given = column(A=MINE, B=RIVAL)
    one, same, other = (resampled_scores(given, samples=50, seed=seed) for seed in (3, 3, 4))
    assert (one == same).all()
    assert (one != other).any()
    assert randomisation(given, "A", "B", samples=50, seed=3) == randomisation(given, "A", "B", samples=50, seed=3)


def test_samples_of_a_large_corpus_come_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gec_core.analysis.significance._CELLS", 100)
    given = column(A=np.arange(40), B=np.zeros(40))
    found = resampled_scores(given, samples=1001, seed=0)
    assert found.shape == (1001, 2)
    assert found[:, 0].std() == pytest.approx(np.arange(40).std() / 40**0.5, rel=0.1)


@pytest.mark.parametrize(
    ("difference", "p", "verdict"),
    [
        (0.1, (0.01, 0.01), "better"),
        (-0.1, (0.01, None), "worse"),
        (0.1, (0.01, 0.05), "not significant"),
        (0.1, (0.2, 0.01), "not significant"),
    ],
)
def test_both_tests_must_be_sure(difference: float, p: tuple[float, float | None], verdict: Verdict) -> None:
    assert ScoreDifference("B", difference, 0, 0, *p).verdict == verdict


def test_no_samples_are_refused() -> None:
    with pytest.raises(ScoreError, match="at least one sample"):
        resampled_scores(column(A=MINE), samples=0)


def test_scores_and_ranks_with_their_intervals() -> None:
    given = column(A=[1, 0], B=[0, 0], C=[1, 0])
    samples = np.array([[1.0, 0.0, 1.0]] * 30 + [[0.0, 0.5, 1.0]] * 10)
    first, second, third = ranked_scores(given, samples)
    assert (first.system, first.score, first.rank, first.systems) == ("A", 0.5, 1, 3)
    assert (first.low, first.high, first.rank_low, first.rank_high) == (0, 1, 1, 3)
    assert (second.system, second.rank, second.rank_low, second.rank_high) == ("C", 1, 1, 1)  # shares the first rank
    assert (third.system, third.rank, third.rank_low, third.rank_high) == ("B", 3, 2, 3)


def test_the_interval_of_a_mean_is_that_of_theory() -> None:
    scores = np.random.default_rng(0).normal(size=500)
    given = column(A=scores, B=np.zeros(500))
    (row,) = (each for each in ranked_scores(given, resampled_scores(given, samples=4000)) if each.system == "A")
    error = scores.std() / 500**0.5
    assert row.low == pytest.approx(scores.mean() - 1.96 * error, abs=0.1 * error)
    assert row.high == pytest.approx(scores.mean() + 1.96 * error, abs=0.1 * error)
