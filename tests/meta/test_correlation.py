# mypy: disable-error-code="comparison-overlap, operator"
"""Correlations with intervals, leave-one-out and windows; Williams' test."""

import math
from typing import Any

import numpy as np
import pytest
import released
from conftest import GOLDEN, PUBLISHED, needs_conll14
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gec_core.errors import ScoreError
from gec_core.human import expanded
from gec_core.human.ranking import expected_wins
from gec_core.meta import LeftOut, correlate, williams, windows
from gec_core.meta.correlation import COEFFICIENTS, Coefficient, williams_t

HUMAN = {"A": 5.0, "B": 4.0, "C": 3.0, "D": 2.0, "E": 1.0}
METRIC = {"A": 10.0, "B": 7.0, "C": 8.0, "D": 1.0, "E": 1.0, "unjudged": 3.0}
NAMES = {"GLEU": "gleu", "I-measure": "imeasure", "M2": "m2score"}


@pytest.mark.parametrize(
    ("coefficient", "value"),
    [
        ("pearson", 3 / math.sqrt(2 * 14 / 3)),  # deviations (-4, -1, 5)/3 and (-1, 0, 1)
        ("spearman", 1),
        ("kendall", 1),
    ],
)
def test_three_systems_by_hand(coefficient: Coefficient, value: float) -> None:
    found = correlate({"A": 1, "B": 2, "C": 4}, {"A": 1, "B": 2, "C": 3}, coefficient)
    assert found.value == pytest.approx(value)
    assert (found.n, found.reason) == (3, "")


def test_ties_share_their_mean_rank() -> None:
    """Ranks (5, 3, 4, 1.5, 1.5) against (5, 4, 3, 2, 1)."""
    assert correlate(METRIC, HUMAN, "spearman").value == pytest.approx(8.5 / math.sqrt(9.5 * 10))
    assert correlate(METRIC, HUMAN, "kendall").value == pytest.approx((8 - 1) / math.sqrt(9 * 10))


def test_only_systems_that_both_score_count() -> None:
    assert correlate(METRIC, HUMAN, "pearson").systems == ("A", "B", "C", "D", "E")


def test_without_some_systems_and_over_the_top() -> None:
    assert correlate(METRIC, HUMAN, "pearson", without=["C"]).systems == ("A", "B", "D", "E")
    assert correlate(METRIC, HUMAN, "pearson", top=3).systems == ("A", "B", "C")
    assert correlate(METRIC, HUMAN, "pearson", without=["A"], top=3).systems == ("B", "C", "D")
    assert correlate(METRIC, HUMAN, "pearson", top=99).n == 5


def test_windows_slide_over_the_human_ranking() -> None:
    found = windows(METRIC, HUMAN, "spearman", 3)
    assert [(one.first, one.last, one.correlation.systems) for one in found] == [
        (1, 3, ("A", "B", "C")),
        (2, 4, ("B", "C", "D")),
        (3, 5, ("C", "D", "E")),
    ]
    assert [one.correlation.value for one in found] == pytest.approx([0.5, 0.5, math.sqrt(0.75)])
    assert windows(METRIC, HUMAN, "spearman", 6) == ()


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_constant_scores_have_no_correlation_and_say_so(coefficient: Coefficient) -> None:
    found = correlate(dict.fromkeys(HUMAN, 0.1), HUMAN, coefficient)
    assert found.value is None
    assert found.reason == "one side gives all systems the same score"
    interval = found.interval(samples=10)
    assert (interval.low, interval.high, interval.skipped) == (None, None, 10)
    assert found.leave_one_out().low is None


def test_fewer_than_three_systems_have_no_correlation_and_say_so() -> None:
    found = correlate({"A": 1, "B": 2}, HUMAN, "pearson")
    assert (found.value, found.reason) == (None, "2 systems in common: a correlation needs at least 3")
    assert correlate({}, {}, "kendall").reason.startswith("0 systems in common")


def test_bad_requests_are_refused() -> None:
    with pytest.raises(ScoreError, match=r"No system X to leave out\. There are: A, B, C, D, E"):
        correlate(METRIC, HUMAN, "pearson", without=["X"])
    with pytest.raises(ScoreError, match="top systems is 0"):
        correlate(METRIC, HUMAN, "pearson", top=0)
    with pytest.raises(ScoreError, match="window has 0"):
        windows(METRIC, HUMAN, "pearson", 0)
    with pytest.raises(ScoreError, match="B has the score nan"):
        correlate({**METRIC, "B": math.nan}, HUMAN, "pearson")
    with pytest.raises(ScoreError, match="No coefficient 'phi'"):
        correlate(METRIC, HUMAN, "phi")  # type: ignore[arg-type]
    with pytest.raises(ScoreError, match="at least one sample"):
        correlate(METRIC, HUMAN, "pearson").interval(samples=0)


def test_leaving_one_out_names_the_systems_that_matter() -> None:
    human = {"A": 1, "B": 2, "C": 3, "D": 4}
    found = correlate({"A": 2, "B": 1, "C": 3, "D": 4}, human, "spearman").leave_one_out()
    assert found.low == LeftOut("D", pytest.approx(0.5))  # type: ignore[arg-type]
    assert found.high == LeftOut("B", pytest.approx(1.0))  # type: ignore[arg-type]


def test_an_interval_is_seeded_and_skips_samples_without_variance() -> None:
    found = correlate({"A": 1, "B": 2, "C": 4}, {"A": 1, "B": 2, "C": 3}, "pearson")
    interval = found.interval(samples=500, seed=1)
    assert interval == found.interval(samples=500, seed=1)
    assert 20 < interval.skipped < 100  # one sample in nine draws the same system three times
    assert interval.low <= found.value <= interval.high


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=12))
def test_every_coefficient_is_scipys(points: Any) -> None:
    x, y = np.array(points, dtype=float).T
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return
    theirs = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for name, function in COEFFICIENTS.items():
        assert function(x[None], y[None])[0] == pytest.approx(theirs[name](x, y).statistic, abs=1e-12)


@needs_conll14
def test_golden_correlations_of_released_scores() -> None:
    exact = expected_wins(expanded(released.judgments()))
    runs = {row["system"]: float(row["TS_mean_5_runs"]) for row in released.rows(GOLDEN / "human_system.tsv")}
    human = {
        ("EW", "nusnlp file 3dp"): released.human_scores("expected_wins"),
        ("EW", "exact full data"): exact,
        ("TS", "nusnlp file 3dp"): released.human_scores("trueskill"),
        ("TS", "mean of 5 runs"): runs,
    }
    metrics = {"gleu": "gleu", "imeasure": "imeasure", "m2": "m2score"}
    checked = 0
    for row in released.rows(GOLDEN / "system_correlations.tsv"):
        if row["metric_source"].startswith("nusnlp"):
            scores = released.metric_scores(metrics[row["metric"]])
            for coefficient in ("pearson", "spearman"):
                found = correlate(scores, human[row["human"], row["human_source"]], coefficient)
                rounded = 5e-6 if row["human_source"] == "mean of 5 runs" else 1e-9  # the runs have six decimals
                assert found.value == pytest.approx(float(row[coefficient]), rel=0, abs=rounded)
                checked += 1
    assert checked == 24


@needs_conll14
def test_table_2_of_chollampatt_and_ng_from_released_scores() -> None:
    table = released.rows(PUBLISHED / "chollampatt2018_table2.tsv")
    assert len(table) == 10
    for row in table:
        without = ["IPN"] if row["systems"] == "without_IPN" else []
        for coefficient in ("pearson", "spearman"):
            found = correlate(
                released.metric_scores(NAMES[row["metric"]]),
                released.human_scores(row["human"]),
                coefficient,
                without=without,
            )
            assert f"{found.value:.3f}" == row[coefficient]


GOOD = {"A": 5.0, "B": 4.0, "C": 3.0, "D": 1.0, "E": 2.0}
POOR = {"A": 3.0, "B": 5.0, "C": 1.0, "D": 4.0, "E": 2.0}
METHODS = {"EW": "expected_wins", "TS": "trueskill"}


def test_statistic_by_hand() -> None:
    """r1 = .8, r2 = .6, r3 = .5, n = 13: K = 1 - .64 - .36 - .25 + .48 = .23."""
    expected = 0.2 * (12 * 1.5 / (2 * 0.23 * 12 / 10 + 0.7**2 * 0.5**3)) ** 0.5
    assert williams_t(0.8, 0.6, 0.5, 13) == pytest.approx(expected)


def test_the_better_metric_is_found_whatever_the_order() -> None:
    (one,) = williams({"good": GOOD, "poor": POOR}, HUMAN, "pearson")
    (other,) = williams({"poor": POOR, "good": GOOD}, HUMAN, "pearson")
    assert one == other
    assert (one.better, one.worse, one.n) == ("good", "poor", 5)
    assert one.better_value == pytest.approx(0.9)
    assert 0 < one.p < 0.5


def test_equal_correlations_are_even_odds() -> None:
    mirrored = {"A": 4.0, "B": 5.0, "C": 3.0, "D": 2.0, "E": 1.0}
    (found,) = williams({"one": GOOD, "other": mirrored}, HUMAN, "spearman")
    assert (found.t, found.p) == (pytest.approx(0, abs=1e-9), pytest.approx(0.5))


def test_fewer_than_four_systems_cannot_be_tested() -> None:
    three = {name: HUMAN[name] for name in "ABC"}
    (found,) = williams({"good": GOOD, "poor": POOR}, three, "pearson")
    assert (found.p, found.reason) == (None, "3 systems in common: the test needs at least 4")


def test_constant_scores_cannot_be_tested() -> None:
    (found,) = williams({"flat": dict.fromkeys(HUMAN, 1.0), "good": GOOD}, HUMAN, "pearson")
    assert (found.better, found.p) == ("good", None)
    assert found.reason == "flat: one side gives all systems the same score"


def test_a_metric_cannot_be_tested_against_its_double() -> None:
    (found,) = williams({"one": GOOD, "other": {k: 2 * v for k, v in GOOD.items()}}, HUMAN, "pearson")
    assert (found.p, found.reason) == (
        None,
        "the test is not defined for these correlations (one of them is perfect, or all are 0)",
    )


def test_every_two_metrics_are_tested_without_the_systems_left_out() -> None:
    found = williams({"a": GOOD, "b": POOR, "c": HUMAN}, HUMAN, "spearman", without=iter(["E"]))
    assert [one.n for one in found] == [4, 4, 4]


@needs_conll14
def test_golden_p_values() -> None:
    scores = {name: released.metric_scores(name) for name in released.METRICS}
    tests = {
        (method, coefficient, one.better, one.worse): one.p
        for method, file in METHODS.items()
        for coefficient in ("pearson", "spearman")
        for one in williams(scores, released.human_scores(file), coefficient)
    }
    golden = released.rows(GOLDEN / "williams.tsv")
    assert len(tests) == len(golden) == 12
    for row in golden:
        p = tests[row["human"], row["corr"], row["better"], row["worse"]]
        assert f"{p:.5f}" == row["p_one_tailed"]


@needs_conll14
def test_what_chollampatt_and_ng_state_about_figure_2() -> None:
    scores = {"GLEU": released.metric_scores("gleu"), "M2": released.metric_scores("m2score")}
    for row in released.rows(PUBLISHED / "chollampatt2018_williams.tsv"):
        (found,) = williams(scores, released.human_scores(row["human"]), row["coefficient"])  # type: ignore[arg-type]
        assert (found.better, found.worse) == (row["better"], row["worse"])
        _, relation, value = row["statement"].split()
        holds = {"=": round(found.p, 2) == float(value), "<": found.p < float(value), ">": found.p > float(value)}  # type: ignore[arg-type]
        assert holds[relation]


def test_rounding_below_zero_is_not_the_end() -> None:
    """Spearman with ties can make K a hair negative."""
    x, y, people = ((1, 1, 2, 1, 0), (0, 0, 2, 1, 0), (2, 2, 1, 0, 0))
    named = [dict(zip("ABCDE", map(float, values), strict=True)) for values in (x, y, people)]
    (found,) = williams({"x": named[0], "y": named[1]}, named[2], "spearman")
    assert found.p is None or 0 <= found.p <= 1
