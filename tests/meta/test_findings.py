# mypy: disable-error-code="union-attr"
"""Findings on made-up scores, where one can see what should be found."""

import numpy as np
import pytest

from gec_core.meta.findings import (
    most_contested_system,
    most_fragile_correlation,
    most_opposed_metrics,
    split_sentence,
)

HUMAN = {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0}
LIKE_PEOPLE = {"A": 0.4, "B": 0.3, "C": 0.2, "D": 0.1}
REVERSED = {"A": 0.1, "B": 0.2, "C": 0.3, "D": 0.4}
NEARLY = {"A": 0.4, "B": 0.2, "C": 0.3, "D": 0.1}


def test_the_two_metrics_with_opposite_rankings_are_found() -> None:
    found = most_opposed_metrics({"good": LIKE_PEOPLE, "nearly": NEARLY, "bad": REVERSED})
    assert (found.one, found.other) == ("good", "bad")
    assert found.agreement.order.opposed == 6


def test_one_metric_has_nobody_to_disagree_with() -> None:
    assert most_opposed_metrics({"good": LIKE_PEOPLE}) is None
    assert most_opposed_metrics({"good": LIKE_PEOPLE, "constant": dict.fromkeys("ABCD", 1.0)}) is None


def test_the_system_farthest_from_its_human_rank_is_found() -> None:
    found = most_contested_system({"nearly": NEARLY, "bad": REVERSED}, HUMAN)
    assert (found.metric, found.difference.system) in {("bad", "A"), ("bad", "D")}
    assert abs(found.difference.raised) == 3


def test_nobody_is_contested_when_all_agree() -> None:
    assert most_contested_system({"good": LIKE_PEOPLE}, HUMAN) is None


def test_the_sentence_on_which_metrics_contradict_each_other_is_found() -> None:
    scores = {
        "one": {"A": np.array([1.0, 0.9, 0.5]), "B": np.array([0.0, 0.1, 0.5])},
        "two": {"A": np.array([1.0, 0.2, 0.5]), "B": np.array([0.0, 0.8, 0.5])},
    }
    found = split_sentence(scores)
    assert (found.sentence, found.better, found.worse) == (1, "A", "B")
    assert (found.for_better, found.for_worse) == (("one",), ("two",))


def test_no_sentence_splits_metrics_that_agree() -> None:
    same = {"A": np.array([1.0, 0.9]), "B": np.array([0.0, 0.1])}
    assert split_sentence({"one": same, "two": same}) is None
    assert split_sentence({"one": same}) is None


def test_the_correlation_that_hangs_on_one_system_is_found() -> None:
    outlier = {"A": 1.0, "B": 1.1, "C": 0.9, "D": 1.05, "IPN": -9.0}
    human = {"A": 1.0, "B": 0.9, "C": 1.1, "D": 0.95, "IPN": -9.0}
    found = most_fragile_correlation({"metric": outlier}, human)
    assert found.system == "IPN"
    assert found.value == pytest.approx(1.0, abs=0.01)
    assert found.value_without < 0
