import pytest

from gec_core.errors import ScoreError
from gec_core.meta import OrderAgreement, sentence_agreement, system_agreement


def test_two_metrics_over_systems():
    found = system_agreement({"A": 1, "B": 2, "C": 3, "D": 3}, {"A": 2, "B": 1, "C": 3, "D": 3, "E": 9})
    assert found.order == OrderAgreement(alike=4, opposed=1, one_tied=0, both_tied=1)
    assert found.order.opposed_share == pytest.approx(1 / 6)
    assert found.kendall.value == pytest.approx((4 - 1) / 5)
    assert found.spearman.value == pytest.approx(1 - 1 / 4.5)


def test_two_metrics_over_sentences():
    one = {"A": [0.1, 0.5, 0.5], "B": [0.2, 0.5, 0.1]}
    other = {"A": [9, 1, 2], "B": [1, 1, 2], "unscored by the other": [0, 0, 0]}
    assert sentence_agreement(one, other) == OrderAgreement(alike=0, opposed=1, one_tied=1, both_tied=1)


def test_nothing_in_common():
    assert sentence_agreement({"A": [1.0]}, {"B": [1.0]}).opposed_share is None
    found = system_agreement({"A": 1.0}, {"B": 1.0})
    assert (found.kendall.value, found.order.pairs) == (None, 0)


def test_scores_of_different_corpora_are_refused():
    with pytest.raises(ScoreError, match="scores of 1 sentences, the other of 2"):
        sentence_agreement({"A": [1.0], "B": [1.0]}, {"A": [1.0, 2.0], "B": [1.0, 2.0]})
