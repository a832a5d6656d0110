"""Metrics across corpora."""

import json

import numpy as np
import pytest

import gec_core as gec
from gec_core.cli import main
from gec_core.human.ranking import Interval
from gec_core.meta.across import Cell, View, cells, label_of, moves, ordered, pairwise_accuracy, swaps, views


def test_cells_are_the_correlations_of_that_corpus() -> None:
    corpus = gec.corpus("demo")
    table = gec.score(corpus, ["m2", "gleu"])
    (view,) = views(corpus, "ew")
    assert (view.human, view.systems, view.without) == ("ew", "all", ())
    found = cells(view, table.values, samples=200)
    by_meta = gec.correlate(table, "ew", bootstrap=200)
    for cell in found:
        same = by_meta[cell.metric]
        assert cell.values["pearson"] == same.pearson.value
        assert cell.values["kendall"] == same.kendall.value
        assert (cell.intervals["pearson"].low, cell.intervals["pearson"].high) == (same.pearson.low, same.pearson.high)
    assert set(ordered(found, "pearson", "worst")) == {"m2", "gleu"}
    assert moves(found, "pearson")["m2"] == (found[0].values["pearson"],) * 2


def test_metrics_are_ordered_by_the_views_that_all_of_them_have() -> None:
    """A metric without references is also tried where the other cannot be: that counts neither for nor against it."""
    corpus = gec.corpus("demo")
    first, second = (View(corpus, human, "ew", "all") for human in ("one", "two"))
    none: dict[str, Interval] = {}

    def cell(view: View, metric: str, value: float) -> Cell:
        return Cell(view, metric, 5, {"pearson": value}, none, "")

    found = [cell(first, "a", 0.8), cell(first, "b", 0.7), cell(second, "a", -0.5)]
    assert ordered(found, "pearson", "mean") == ordered(found, "pearson", "worst") == ["a", "b"]
    assert ordered([*found, cell(second, "b", 0.1)], "pearson", "mean") == ["b", "a"]
    assert ordered([cell(first, "a", 0.1), cell(second, "b", 0.2)], "pearson", "mean") == ["b", "a"]


def test_pairwise_accuracy_by_hand() -> None:
    # Three pairs; people tie one, the metric ties another and orders the third as they do.
    assert pairwise_accuracy(np.array([[1.0, 1.0, 2.0]]), np.array([[1.0, 2.0, 2.0]]))[0] == 0.5
    assert np.isnan(pairwise_accuracy(np.array([[1.0, 2.0]]), np.array([[3.0, 3.0]]))[0])
    assert swaps({"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 1, "c": 3}) == [("a", "b")]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["across", "--corpus", "demo", "--metric", "m2,length", "--bootstrap", "50", "--human", "ew"]
    assert main([*given, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert list(rows[0]) == ["corpus", "human", "systems", "metric", "n", "pearson", "low", "high", "spearman",
                             "kendall", "accuracy"]  # fmt: skip
    assert {row["metric"] for row in rows} == {"m2", "length"}


@pytest.mark.parametrize(
    ("corpus", "human", "title", "label"),
    [
        ("seeda", "kobayashi2024-edit-ts", "", "SEEDA · edit-based, TrueSkill"),
        ("seeda", "edit/ts", "edit-based rankings", "SEEDA · edit-based, TrueSkill"),
        ("conll14", "napoles2015/ew", "rankings of Napoles et al. 2015",
         "CoNLL-2014 · Napoles et al. 2015, Expected Wins"),
        ("tmu-gfm", "fluency/mean", "ratings from 1 to 4, fluency", "TMU-GFM · fluency, mean rating"),
        ("gmeg-wiki", "mean", "ratings from 0 to 100", "GMEG, Wikipedia · mean rating"),
        ("mine", "session-4f/ts", "Class of May", "mine · Class of May, TrueSkill"),
    ],
)  # fmt: skip
def test_a_ranking_is_called_the_same_with_and_without_texts(corpus: str, human: str, title: str, label: str) -> None:
    assert label_of(corpus, human, title) == label


def test_an_unknown_set_of_systems_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["across", "--corpus", "seeda", "--system-set", "nonsense"]) == 2
    assert "on the systems nonsense. Sets of systems: base, +INPUT, +fluency, all." in capsys.readouterr().err


def test_misplaced_systems_are_those_furthest_apart() -> None:
    (view,) = views(gec.corpus("demo"), "ew")
    places = {"a": (1, 4), "b": (2, 1), "c": (3, 2), "d": (4, 3)}
    assert Cell(view, "m2", 4, {}, {}, "", places).misplaced == ["a"]
