"""Costly sentences and sentences with different outputs, counted by hand."""

import numpy as np
import pytest
from made_corpus import CORPUS, SENTENCES
from made_metric import Mean, column

from gec_core.analysis import sentences
from gec_core.analysis.sentences import PreferenceCounts, SentencePreferences, compare_outputs, costly_sentences
from gec_core.metrics import create
from gec_core.scoring.table import ScoreTable
from gec_core.types import Corpus


def test_a_sentence_costs_what_the_score_would_gain_without_it() -> None:
    given = column(A=[1.0, 0.0, 0.5, 0.0], B=[0.0, 0.2, 0.0, 0.9])
    found = costly_sentences(given, "A")
    assert [row.sentence for row in found] == [3, 1]  # equal costs: where another system did better by most
    assert [row.cost for row in found] == pytest.approx([0.5 - 0.375] * 2)
    assert [(row.score, row.best, row.best_score) for row in found] == [(0, "B", 0.9), (0, "B", 0.2)]


def test_costs_under_m2_are_those_of_scoring_the_rest() -> None:
    rows = np.array([[1, 0, 0, 1], [1, 1, 2, 2], [1, 0, 3, 4], [1, 2, 2, 2]], float)
    given = column(create("m2"), A=rows, B=rows)
    whole = given.metric.aggregate(rows).value
    expected = {line: given.metric.aggregate(np.delete(rows, line, axis=0)).value - whole for line in range(4)}
    found = {row.sentence: row.cost for row in costly_sentences(given, "A")}
    assert found == pytest.approx({line: cost for line, cost in expected.items() if cost > 0})
    assert max(found, key=found.__getitem__) == 2


def test_of_many_sentences_those_with_the_lowest_scores_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "TRIED", 2)
    found = costly_sentences(column(A=[0.5, 0.1, 0.9, 0.2], B=[1, 1, 1, 1]), "A")
    assert [row.sentence for row in found] == [1, 3]


def test_a_corpus_of_one_sentence_cannot_do_without_it() -> None:
    assert costly_sentences(column(A=[0.5], B=[1]), "A") == []


class Other(Mean):
    id = "other"


def test_what_changed_is_counted_by_metric_and_sentence() -> None:
    """The first sets one of four pairs less far apart than the others, which are 1 apart; the second two of four."""
    given = column(EAGER=[0, 1, 0.5, 0], LAZY=[1, 0, 0.5, 1])
    other = column(Other(), EAGER=[1, 1, 0.5, 0], LAZY=[0, 0, 0.5, 0])
    found = compare_outputs(CORPUS, ScoreTable("made", "", (given, other)), "EAGER", "LAZY")
    assert found.counts == (PreferenceCounts("mean", 1, 2, 1), PreferenceCounts("other", 2, 0, 2))
    assert [row.sentence for row in found.preferences] == [0, 1, 2, 3]
    assert [row.firmness for row in found.preferences] == [(0.5 - 0.25) / 2, (0.5 + 0.25) / 2, 0, -0.25 / 2]
    assert found.disagreements() == [SentencePreferences(0, ("other",), ("mean",), strength=0.25, firmness=0.125)]
    assert [row.sentence for row in found.better(9)] == [1, 0]
    assert [row.sentence for row in found.worse(9)] == [3]


def test_what_changed_turns_around_with_the_two() -> None:
    table = ScoreTable("made", "", (column(EAGER=[0, 1, 0.5, 0], LAZY=[1, 0, 0.5, 1]),))
    there, back = compare_outputs(CORPUS, table, "EAGER", "LAZY"), compare_outputs(CORPUS, table, "LAZY", "EAGER")
    assert [row.firmness for row in there.preferences] == [-row.firmness for row in back.preferences]
    assert (back.counts[0].better, back.counts[0].worse) == (2, 1)


def test_sentences_with_the_same_output_did_not_change() -> None:
    corpus = Corpus("made", SENTENCES[:2], {"A": ("a b c", "d x f"), "B": ("a b c", "d y f")})
    found = compare_outputs(corpus, ScoreTable("made", "", (column(A=[1, 1], B=[1, 0]),)), "A", "B")
    assert [row.sentence for row in found.preferences] == [1]
    assert found.sentences == 2
