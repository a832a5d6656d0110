import math
from itertools import pairwise

import numpy as np
import pytest
import released
from conftest import GOLDEN, needs_conll14

from gec_core.errors import ScoreError
from gec_core.human import expanded
from gec_core.human import trueskill as module
from gec_core.human.trueskill import DRAW_PROBABILITY, SIGMA, draw_margin, trueskill
from gec_core.human.trueskill_kernel import mills, play, truncated_draw, truncated_win, update
from gec_core.types import Judgment, Judgments, Ranked

FIRST_WINS, DRAW, SECOND_WINS = -1, 0, 1


def judgments(*preferences: str) -> Judgments:
    """`"A>B"` and `"A=B"`, one item each."""
    items = []
    for sentence, text in enumerate(preferences):
        ranked = (Ranked((text[0],), 1), Ranked((text[2],), 2 if text[1] == ">" else 1))
        items.append(Judgment(sentence, "ann", ranked))
    return Judgments(tuple(items))


def test_mills_ratio_near_and_far() -> None:
    assert mills(0.0) == pytest.approx(math.sqrt(math.pi / 2))
    assert mills(2.0) == pytest.approx(0.0227501319481792 / 0.0539909665131881)
    assert mills(29.999999) == pytest.approx(mills(30.000001), rel=1e-7)
    assert mills(1e6) == pytest.approx(1e-6)


@pytest.mark.parametrize("lead", [-1e4, -40.0, 40.0, 1e4])
def test_nothing_underflows_however_far_apart_the_players_are(lead: float) -> None:
    for v, w in (truncated_win(lead, 0.5), truncated_draw(lead, 0.5)):
        assert math.isfinite(v)
        assert 0 <= w <= 1


def test_the_underdog_who_wins_is_moved_to_the_margin() -> None:
    v, w = truncated_win(-100.0, 0.5)
    assert v == pytest.approx(100.5, rel=1e-3)
    assert w == pytest.approx(1, abs=1e-3)


def test_a_draw_moves_nobody_when_both_are_equal() -> None:
    assert truncated_draw(0.0, 0.5)[0] == 0
    assert truncated_draw(1.0, 0.5)[0] == pytest.approx(-truncated_draw(-1.0, 0.5)[0])
    assert truncated_draw(1.0, 0.5)[0] < 0


@pytest.mark.parametrize("beta", [0.25, 5.0, 1363.7375])
def test_updates_are_those_of_the_trueskill_package(beta: float) -> None:
    package = pytest.importorskip("trueskill")
    env = package.TrueSkill(0.0, SIGMA, beta, 0.0, DRAW_PROBABILITY, backend="scipy")
    ratings = [env.create_rating() for _ in range(4)]
    mean, variance = np.zeros(4), np.full(4, SIGMA**2)
    margin = draw_margin(DRAW_PROBABILITY, beta)
    for first, second, relation in np.random.default_rng(5).integers([0, 0, -1], [4, 4, 2], size=(300, 3)).tolist():
        if first == second:
            continue
        update(mean, variance, first, second, relation, beta, margin)
        ranks = [0, -relation] if relation != SECOND_WINS else [1, 0]
        ((ratings[first],), (ratings[second],)) = env.rate([(ratings[first],), (ratings[second],)], ranks=ranks)
    assert mean == pytest.approx([rating.mu for rating in ratings], abs=1e-9)
    assert np.sqrt(variance) == pytest.approx([rating.sigma for rating in ratings], abs=1e-9)
    assert np.ptp(mean) > 0


def test_the_least_known_plays_an_opponent_drawn_by_nearness() -> None:
    """A run by hand: three systems, the judgments of each two, two matches."""
    starts = np.array([[0, 0, 1], [0, 0, 3], [0, 0, 0]])
    counts = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    relations = np.array([FIRST_WINS, SECOND_WINS, DRAW, FIRST_WINS])
    draws = np.array([[0.2, 0.1], [0.9, 0.0]])
    mean, variance = play(starts, relations, counts, draws, SIGMA, 1.0, 0.5)
    expected_mean, expected_variance = np.zeros(3), np.full(3, SIGMA**2)
    # All are equally unknown, so the last plays; 0.2 of two equally near opponents is the first of them, and
    # 0.1 of their two judgments the first, which the third system won. Then only the second is as unknown
    # as ever; 0.9 is beyond the share of the first system, so it meets the third and wins.
    update(expected_mean, expected_variance, 0, 2, SECOND_WINS, 1.0, 0.5)
    update(expected_mean, expected_variance, 1, 2, FIRST_WINS, 1.0, 0.5)
    assert mean == pytest.approx(expected_mean)
    assert variance == pytest.approx(expected_variance)


def test_the_winner_is_above_the_loser() -> None:
    scores = trueskill(expanded(judgments("A>B", "A>B", "B=C", "A=C")))
    assert scores["A"] > scores["C"] > scores["B"]
    assert scores["A"] > 0 > scores["B"]


def test_the_same_seed_gives_the_same_scores() -> None:
    pairs = expanded(judgments("A>B", "B>A", "A>B", "B>C", "A=C"))
    assert trueskill(pairs, seed=3) == trueskill(pairs, seed=3)
    assert trueskill(pairs, seed=3) != trueskill(pairs, seed=4)


def test_systems_never_compared_have_no_score_and_do_not_stop_the_rest() -> None:
    alone = Judgment(9, "ann", (Ranked(("Z",), 1),))
    pairs = expanded(Judgments((*judgments("A>B", "C>D").items, alone)))
    assert set(trueskill(pairs)) == {"A", "B", "C", "D"}
    assert trueskill(expanded(Judgments((alone,)))) == {}
    assert trueskill(expanded(Judgments(()))) == {}


def test_resampling_is_the_same_as_repeating_items() -> None:
    items = judgments("A>B", "B>C", "C>A", "A=C").items
    repeated = expanded(Judgments((items[0], items[0], items[3], items[1])))
    weights = np.array([[2.0, 1, 0, 1]])
    expected = trueskill(repeated, runs=1, seed=6)
    assert module.resampled(expanded(Judgments(items)), weights, seed=6)[0] == pytest.approx(list(expected.values()))


def test_runs_must_be_at_least_one() -> None:
    with pytest.raises(ScoreError, match="at least one run, not 0"):
        trueskill(expanded(judgments("A>B")), runs=0)


@needs_conll14
def test_conll14_is_within_two_hundredths_of_the_published_values() -> None:
    scores = trueskill(expanded(released.judgments()), seed=1)
    golden = {row["system"]: float(row["TS_nusnlp"]) for row in released.rows(GOLDEN / "human_system.tsv")}
    assert scores == pytest.approx(golden, rel=0, abs=0.02)
    for above, below in pairwise(sorted(golden, key=lambda name: -golden[name])):
        if golden[above] - golden[below] > 0.02:
            assert scores[above] > scores[below]


@needs_conll14
def test_conll14_in_a_hundred_runs_is_within_five_thousandths() -> None:
    scores = trueskill(expanded(released.judgments()), runs=100)
    assert scores == pytest.approx(released.human_scores("trueskill"), rel=0, abs=0.005)
