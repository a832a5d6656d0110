"""Scores and ranks with intervals, and the sentences that cost most: by hand."""

import numpy as np
import pytest
from made_metric import column

from gec_core.analysis import costly
from gec_core.analysis.costly import costly_sentences
from gec_core.analysis.resampling import resampled_scores
from gec_core.analysis.standing import standings, usual_rival
from gec_core.metrics import create
from gec_core.scoring.table import ScoreTable


def test_scores_and_ranks_with_their_intervals():
    given = column(A=[1, 0], B=[0, 0], C=[1, 0])
    samples = np.array([[1.0, 0.0, 1.0]] * 30 + [[0.0, 0.5, 1.0]] * 10)
    first, second, third = standings(given, samples)
    assert (first.system, first.score, first.rank, first.systems) == ("A", 0.5, 1, 3)
    assert (first.low, first.high, first.rank_low, first.rank_high) == (0, 1, 1, 3)
    assert (second.system, second.rank, second.rank_low, second.rank_high) == ("C", 1, 1, 1)  # shares the first rank
    assert (third.system, third.rank, third.rank_low, third.rank_high) == ("B", 3, 2, 3)


def test_the_interval_of_a_mean_is_that_of_theory():
    scores = np.random.default_rng(0).normal(size=500)
    given = column(A=scores, B=np.zeros(500))
    (row,) = (each for each in standings(given, resampled_scores(given, samples=4000)) if each.system == "A")
    error = scores.std() / 500**0.5
    assert row.low == pytest.approx(scores.mean() - 1.96 * error, abs=0.1 * error)
    assert row.high == pytest.approx(scores.mean() + 1.96 * error, abs=0.1 * error)


def test_the_usual_rival_is_the_best_of_the_others():
    table = ScoreTable("made", "", (column(A=[9, 9], B=[1, 1], C=[2, 2]), column(A=[0, 0], B=[1, 1], C=[5, 5])))
    assert usual_rival(table, "A") == "C"
    assert usual_rival(table, "C") == "A"
    assert usual_rival(ScoreTable("made", "", (column(A=[1, 2]),)), "A") is None


def test_a_sentence_costs_what_the_score_would_gain_without_it():
    given = column(A=[1.0, 0.0, 0.5, 0.0], B=[0.0, 0.2, 0.0, 0.9])
    found = costly_sentences(given, "A")
    assert [row.sentence for row in found] == [3, 1]  # equal costs: where another system did better by most
    assert [row.cost for row in found] == pytest.approx([0.5 - 0.375] * 2)
    assert [(row.score, row.best, row.best_score) for row in found] == [(0, "B", 0.9), (0, "B", 0.2)]


def test_costs_under_m2_are_those_of_scoring_the_rest():
    rows = np.array([[1, 0, 0, 1], [1, 1, 2, 2], [1, 0, 3, 4], [1, 2, 2, 2]], float)
    given = column(create("m2"), A=rows, B=rows)
    whole = given.metric.aggregate(rows).value
    expected = {line: given.metric.aggregate(np.delete(rows, line, axis=0)).value - whole for line in range(4)}
    found = {row.sentence: row.cost for row in costly_sentences(given, "A")}
    assert found == pytest.approx({line: cost for line, cost in expected.items() if cost > 0})
    assert max(found, key=found.get) == 2


def test_of_many_sentences_those_with_the_lowest_scores_are_tried(monkeypatch):
    monkeypatch.setattr(costly, "MOST", 2)
    found = costly_sentences(column(A=[0.5, 0.1, 0.9, 0.2], B=[1, 1, 1, 1]), "A")
    assert [row.sentence for row in found] == [1, 3]


def test_a_corpus_of_one_sentence_cannot_do_without_it():
    assert costly_sentences(column(A=[0.5], B=[1]), "A") == []
