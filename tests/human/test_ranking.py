# mypy: disable-error-code="operator"
"""Rankings of systems, rank ranges, clusters, and Expected Wins."""

import math

import numpy as np
import pytest
import released
from conftest import GOLDEN, needs_conll14

from gec_core.errors import ScoreError
from gec_core.human import expanded, from_scores, rank, rank_by_sentence_scores
from gec_core.human.ranking import (
    Method,
    Standing,
    expected_wins,
    item_weights,
    places,
    resampled_wins,
    wins_intervals,
    with_ranges,
)
from gec_core.types import Judgment, Judgments, Ranked


def ordered(sentence: int, *best_to_worst: str) -> Judgment:
    return Judgment(sentence, "ann", tuple(Ranked((name,), place) for place, name in enumerate(best_to_worst, 1)))


def test_equal_scores_share_the_better_rank() -> None:
    ranking = from_scores({"D": 0.1, "C": 0.5, "B": 0.9, "A": 0.5}, "file")
    assert [(one.system, one.rank) for one in ranking.standings] == [("B", 1), ("A", 2), ("C", 2), ("D", 4)]
    assert ranking.scores == {"B": 0.9, "A": 0.5, "C": 0.5, "D": 0.1}
    assert ranking.standings[0] == Standing("B", 0.9, 1)


def test_places_along_the_last_axis() -> None:
    assert places(np.array([[3.0, 1, 3], [1, 2, 3]])).tolist() == [[1, 3, 1], [3, 2, 1]]


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_named(score: float) -> None:
    with pytest.raises(ScoreError, match="B cannot be ranked"):
        from_scores({"A": 1.0, "B": score}, "file")


def test_one_system_is_a_ranking_too() -> None:
    assert from_scores({"A": 0.0}, "file").systems == ("A",)


def test_expected_wins_with_counts_and_without_a_bootstrap() -> None:
    pairs = expanded(Judgments((ordered(0, "A", "B"), ordered(1, "A", "B", "C"), ordered(2, "Z"))))
    ranking = rank(pairs, "ew")
    assert ranking.standings == (
        Standing("A", 1.0, 1, comparisons=3),
        Standing("B", 0.5, 2, comparisons=3),
        Standing("C", 0.0, 3, comparisons=2),
    )
    assert ranking.unranked == ("Z",)


def test_judgments_that_compare_nothing_rank_nothing() -> None:
    alone = expanded(Judgments((ordered(0, "A"),)))
    for method in ("ew", "ts"):
        ranking = rank(alone, method, samples=5)
        assert ranking.standings == ()
        assert ranking.unranked == ("A",)


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(ScoreError, match=r"No ranking method 'elo'\. There are: ew, ts"):
        rank(expanded(Judgments(())), "elo")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["ew", "ts"])
def test_systems_that_always_win_are_told_apart(method: Method) -> None:
    pairs = expanded(Judgments(tuple(ordered(sentence, "A", "B", "C") for sentence in range(30))))
    ranking = rank(pairs, method, samples=20)
    assert [(one.rank_low, one.rank_high, one.cluster) for one in ranking.standings] == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 3),
    ]
    assert ranking.samples == 20


@pytest.mark.parametrize("method", ["ew", "ts"])
def test_systems_that_win_alike_are_one_cluster(method: Method) -> None:
    items = [ordered(n, "A", "B", "C") if n % 2 else ordered(n, "B", "A", "C") for n in range(30)]
    standings = rank(expanded(Judgments(tuple(items))), method, samples=50).standings
    assert {one.system: one.cluster for one in standings} == {"A": 1, "B": 1, "C": 2}
    assert {(one.rank_low, one.rank_high) for one in standings[:2]} == {(1, 2)}


@pytest.mark.parametrize("method", ["ew", "ts"])
def test_few_judgments_leave_ranks_open(method: Method) -> None:
    """Three judges who agree agree in every bootstrap sample, which does not make the order certain."""
    agreed = expanded(Judgments(tuple(ordered(sentence, "A", "B", "C") for sentence in range(3))))
    found = rank(agreed, method, samples=200).standings
    assert [(one.rank_low, one.rank_high) for one in found] == [(1, 2), (1, 3), (2, 3)]
    low, high = wins_intervals(agreed, 200, 0)["A"].low, wins_intervals(agreed, 200, 0)["A"].high
    assert low is not None
    assert high == 1.0
    assert 0.4 < low < 0.7


def test_rank_ranges_of_few_judgments_cover_the_true_ranks() -> None:
    """Judges see three of five systems; a bootstrap alone covers about 60% of the true ranks after five judgments."""
    random, names, covered = np.random.default_rng(0), "ABCDE", []
    for _ in range(60):
        items = []
        for sentence in range(5):
            seen = random.permutation(5)[:3]
            order = sorted(seen, key=lambda system: system + random.normal(0, 2))
            items.append(ordered(sentence, *(names[system] for system in order)))
        for one in rank(expanded(Judgments(tuple(items))), "ew", samples=100).standings:
            assert one.rank_low is not None
            assert one.rank_high is not None
            covered.append(one.rank_low <= 1 + names.index(one.system) <= one.rank_high)
    assert np.mean(covered) >= 0.95


def test_a_cluster_ends_only_where_nobody_above_reaches_below() -> None:
    systems = [Standing(name, -place, place) for place, name in enumerate("ABCD", 1)]
    ranges = {"A": (1, 3), "B": (1, 2), "C": (2, 3), "D": (4, 4)}
    assert [one.cluster for one in with_ranges(systems, ranges)] == [1, 1, 1, 2]


def test_a_system_in_no_sample_may_have_any_rank() -> None:
    systems = [Standing(name, -place, place) for place, name in enumerate("ABC", 1)]
    found = with_ranges(systems, {"A": (1, 1), "C": (3, 3)})
    assert [(one.rank_low, one.rank_high, one.cluster) for one in found] == [(1, 1, 1), (1, 3, 1), (3, 3, 1)]


@pytest.mark.parametrize("method", ["ew", "ts"])
def test_a_metric_ranks_like_a_judge_of_every_sentence(method: Method) -> None:
    ranking = rank_by_sentence_scores({"A": [0.9, 0.8, 0.1], "B": [0.5, 0.8, 0.0], "C": [0.1, 0.2, 0.3]}, method)
    assert ranking.systems == ("A", "B", "C")


@needs_conll14
def test_rank_ranges_of_conll14() -> None:
    standings = rank(expanded(released.judgments()), "ew", samples=1000).standings
    assert [one.system for one in standings] == list(released.human_scores("expected_wins"))
    assert all(one.rank_low <= one.rank <= one.rank_high for one in standings)
    assert [standings[0].rank_high, standings[-1].rank_low] == [1, 13]
    assert [one.cluster for one in standings] == [1, *[2] * 11, 3]


def ranking(sentence: int, *best_to_worst: str) -> Judgment:
    """`"A B"` is a tie of two outputs."""
    places = [Ranked((name,), rank) for rank, names in enumerate(best_to_worst, start=1) for name in names.split()]
    return Judgment(sentence, "ann", tuple(places))


def test_mean_over_opponents_of_the_share_won() -> None:
    pairs = expanded(Judgments((ranking(0, "A", "B", "C"), ranking(1, "B", "A"), ranking(2, "A", "B"))))
    scores = expected_wins(pairs)
    assert scores["A"] == pytest.approx((2 / 3 + 1) / 2)
    assert scores["B"] == pytest.approx((1 / 3 + 1) / 2)
    assert scores["C"] == 0


def test_ties_are_dropped() -> None:
    decided = expanded(Judgments((ranking(0, "A", "B"),)))
    with_ties = expanded(Judgments((ranking(0, "A", "B"), ranking(1, "A B"), ranking(2, "B A"))))
    assert expected_wins(with_ties) == expected_wins(decided) == {"A": 1, "B": 0}


def test_opponents_never_met_are_left_out() -> None:
    pairs = expanded(Judgments((ranking(0, "A", "B"), ranking(1, "C", "D"))))
    assert expected_wins(pairs) == {"A": 1, "B": 0, "C": 1, "D": 0}


def test_a_system_that_only_tied_has_no_score() -> None:
    pairs = expanded(Judgments((ranking(0, "A", "B"), ranking(1, "C A"), ranking(2, "D"))))
    assert expected_wins(pairs) == {"A": 1, "B": 0}
    assert expected_wins(expanded(Judgments(()))) == {}


def test_resampling_is_the_same_as_repeating_items() -> None:
    items = (ranking(0, "A", "B", "C"), ranking(1, "B", "A C"), ranking(2, "C", "A", "B"), ranking(3, "D", "A"))
    weights = np.array([[2.0, 0, 1, 0], [1, 1, 1, 1]])
    repeated = expected_wins(expanded(Judgments((items[0], items[0], items[2]))))
    scores = resampled_wins(expanded(Judgments(items)), weights)
    assert scores[0, :3] == pytest.approx([repeated[name] for name in "ABC"])
    assert np.isnan(scores[0, 3])
    assert scores[1] == pytest.approx(list(expected_wins(expanded(Judgments(items))).values()))


def test_item_weights_draw_as_many_items_as_there_are() -> None:
    weights = item_weights(7, 50, 1)
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert (weights != weights[0]).any()
    assert not (weights == item_weights(7, 50, 2)).all()


@needs_conll14
def test_conll14_to_ten_decimals() -> None:
    scores = expected_wins(expanded(released.judgments()))
    golden = {row["system"]: float(row["EW_exact_fulldata"]) for row in released.rows(GOLDEN / "human_system.tsv")}
    assert scores == pytest.approx(golden, rel=0, abs=1e-10)
