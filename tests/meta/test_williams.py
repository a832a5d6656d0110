import pytest
import released
from conftest import GOLDEN, PUBLISHED, needs_conll14

from gec_core.meta import williams
from gec_core.meta.correlation import statistic

HUMAN = {"A": 5.0, "B": 4.0, "C": 3.0, "D": 2.0, "E": 1.0}
GOOD = {"A": 5.0, "B": 4.0, "C": 3.0, "D": 1.0, "E": 2.0}
POOR = {"A": 3.0, "B": 5.0, "C": 1.0, "D": 4.0, "E": 2.0}
METHODS = {"EW": "expected_wins", "TS": "trueskill"}


def test_statistic_by_hand():
    """r1 = .8, r2 = .6, r3 = .5, n = 13: K = 1 - .64 - .36 - .25 + .48 = .23."""
    expected = 0.2 * (12 * 1.5 / (2 * 0.23 * 12 / 10 + 0.7**2 * 0.5**3)) ** 0.5
    assert statistic(0.8, 0.6, 0.5, 13) == pytest.approx(expected)


def test_the_better_metric_is_found_whatever_the_order():
    (one,) = williams({"good": GOOD, "poor": POOR}, HUMAN, "pearson")
    (other,) = williams({"poor": POOR, "good": GOOD}, HUMAN, "pearson")
    assert one == other
    assert (one.better, one.worse, one.n) == ("good", "poor", 5)
    assert one.better_value == pytest.approx(0.9)
    assert 0 < one.p < 0.5


def test_equal_correlations_are_even_odds():
    mirrored = {"A": 4.0, "B": 5.0, "C": 3.0, "D": 2.0, "E": 1.0}
    (found,) = williams({"one": GOOD, "other": mirrored}, HUMAN, "spearman")
    assert (found.t, found.p) == (pytest.approx(0, abs=1e-9), pytest.approx(0.5))


def test_fewer_than_four_systems_cannot_be_tested():
    three = {name: HUMAN[name] for name in "ABC"}
    (found,) = williams({"good": GOOD, "poor": POOR}, three, "pearson")
    assert (found.p, found.reason) == (None, "3 systems in common: the test needs at least 4")


def test_constant_scores_cannot_be_tested():
    (found,) = williams({"flat": dict.fromkeys(HUMAN, 1.0), "good": GOOD}, HUMAN, "pearson")
    assert (found.better, found.p) == ("good", None)
    assert found.reason == "flat: one side gives all systems the same score"


def test_a_metric_cannot_be_tested_against_its_double():
    (found,) = williams({"one": GOOD, "other": {k: 2 * v for k, v in GOOD.items()}}, HUMAN, "pearson")
    assert (found.p, found.reason) == (
        None,
        "the test is not defined for these correlations (one of them is perfect, or all are 0)",
    )


def test_every_two_metrics_are_tested_without_the_systems_left_out():
    found = williams({"a": GOOD, "b": POOR, "c": HUMAN}, HUMAN, "spearman", without=iter(["E"]))
    assert [one.n for one in found] == [4, 4, 4]


@needs_conll14
def test_golden_p_values():
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
def test_what_chollampatt_and_ng_state_about_figure_2():
    scores = {"GLEU": released.metric_scores("gleu"), "M2": released.metric_scores("m2score")}
    for row in released.rows(PUBLISHED / "chollampatt2018_williams.tsv"):
        (found,) = williams(scores, released.human_scores(row["human"]), row["coefficient"])
        assert (found.better, found.worse) == (row["better"], row["worse"])
        _, relation, value = row["statement"].split()
        holds = {"=": round(found.p, 2) == float(value), "<": found.p < float(value), ">": found.p > float(value)}
        assert holds[relation]


def test_rounding_below_zero_is_not_the_end():
    """Spearman with ties can make K a hair negative."""
    x, y, people = ((1, 1, 2, 1, 0), (0, 0, 2, 1, 0), (2, 2, 1, 0, 0))
    named = [dict(zip("ABCDE", map(float, values), strict=True)) for values in (x, y, people)]
    (found,) = williams({"x": named[0], "y": named[1]}, named[2], "spearman")
    assert found.p is None or 0 <= found.p <= 1
