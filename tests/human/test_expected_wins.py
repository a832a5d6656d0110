import numpy as np
import pytest
import released
from conftest import GOLDEN, needs_conll14

from gec_core.human import expanded
from gec_core.human.bootstrap import item_weights
from gec_core.human.ranking import expected_wins, resampled_wins
from gec_core.types import Judgment, Judgments, Ranked


def ranking(sentence: int, *best_to_worst: str) -> Judgment:
    """`"A B"` is a tie of two outputs."""
    places = [Ranked((name,), rank) for rank, names in enumerate(best_to_worst, start=1) for name in names.split()]
    return Judgment(sentence, "ann", tuple(places))


def test_mean_over_opponents_of_the_share_won():
    pairs = expanded(Judgments((ranking(0, "A", "B", "C"), ranking(1, "B", "A"), ranking(2, "A", "B"))))
    scores = expected_wins(pairs)
    assert scores["A"] == pytest.approx((2 / 3 + 1) / 2)
    assert scores["B"] == pytest.approx((1 / 3 + 1) / 2)
    assert scores["C"] == 0


def test_ties_are_dropped():
    decided = expanded(Judgments((ranking(0, "A", "B"),)))
    with_ties = expanded(Judgments((ranking(0, "A", "B"), ranking(1, "A B"), ranking(2, "B A"))))
    assert expected_wins(with_ties) == expected_wins(decided) == {"A": 1, "B": 0}


def test_opponents_never_met_are_left_out():
    pairs = expanded(Judgments((ranking(0, "A", "B"), ranking(1, "C", "D"))))
    assert expected_wins(pairs) == {"A": 1, "B": 0, "C": 1, "D": 0}


def test_a_system_that_only_tied_has_no_score():
    pairs = expanded(Judgments((ranking(0, "A", "B"), ranking(1, "C A"), ranking(2, "D"))))
    assert expected_wins(pairs) == {"A": 1, "B": 0}
    assert expected_wins(expanded(Judgments(()))) == {}


def test_resampling_is_the_same_as_repeating_items():
    items = (ranking(0, "A", "B", "C"), ranking(1, "B", "A C"), ranking(2, "C", "A", "B"), ranking(3, "D", "A"))
    weights = np.array([[2.0, 0, 1, 0], [1, 1, 1, 1]])
    repeated = expected_wins(expanded(Judgments((items[0], items[0], items[2]))))
    scores = resampled_wins(expanded(Judgments(items)), weights)
    assert scores[0, :3] == pytest.approx([repeated[name] for name in "ABC"])
    assert np.isnan(scores[0, 3])
    assert scores[1] == pytest.approx(list(expected_wins(expanded(Judgments(items))).values()))


def test_item_weights_draw_as_many_items_as_there_are():
    weights = item_weights(7, 50, 1)
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert (weights != weights[0]).any()
    assert not (weights == item_weights(7, 50, 2)).all()


@needs_conll14
def test_conll14_to_ten_decimals():
    scores = expected_wins(expanded(released.judgments()))
    golden = {row["system"]: float(row["EW_exact_fulldata"]) for row in released.rows(GOLDEN / "human_system.tsv")}
    assert scores == pytest.approx(golden, rel=0, abs=1e-10)
