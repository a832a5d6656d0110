import pytest

from gec_core.errors import ScoreError
from gec_core.meta.mixing import grid_search

HUMAN = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}


def test_the_part_that_goes_with_people_gets_all_the_weight():
    parts = {"a": (0.4, 0.1, 0.2), "b": (0.3, 0.4, 0.1), "c": (0.2, 0.1, 0.3), "d": (0.1, 0.3, 0.4)}
    mix = grid_search(parts, HUMAN, "pearson")
    assert mix.weights == (1, 0, 0)
    assert mix.correlation == pytest.approx(1)


def test_weights_that_made_the_ranking_are_found_again():
    parts = {
        "a": (0.9, 0.1, 0.5),
        "b": (0.2, 0.6, 0.4),
        "c": (0.5, 0.3, 0.9),
        "d": (0.1, 0.8, 0.2),
        "e": (0.7, 0.2, 0.1),
    }
    made = {name: 0.17 * g + 0.64 * f + 0.19 * m for name, (g, f, m) in parts.items()}
    mix = grid_search(parts, made, "pearson")
    assert mix.weights == pytest.approx((0.17, 0.64, 0.19))
    assert sum(mix.weights) == pytest.approx(1)


def test_of_equally_good_weights_the_middle_is_taken():
    parts = {name: (score, score, score) for name, score in HUMAN.items()}
    mix = grid_search(parts, HUMAN, "spearman", steps=3)
    assert mix.weights == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_only_systems_that_both_score_count():
    parts = {"a": (0.4,), "b": (0.3,), "c": (0.2,), "x": (9.0,)}
    assert grid_search(parts, HUMAN).correlation == pytest.approx(1)
    with pytest.raises(ScoreError, match="2 systems in common"):
        grid_search({"a": (1.0,), "b": (2.0,)}, HUMAN)
    with pytest.raises(ScoreError, match="all systems have the same scores"):
        grid_search(dict.fromkeys(HUMAN, (1.0, 1.0)), HUMAN)
    with pytest.raises(ScoreError, match="same parts"):
        grid_search({"a": (1.0,), "b": (1.0, 2.0)}, HUMAN)
