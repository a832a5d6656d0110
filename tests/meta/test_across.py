"""Metrics across corpora."""

import json

import numpy as np
import pytest

import gec_core as gec
from gec_core.cli import main
from gec_core.meta.across import cells, moves, ordered, pairwise_accuracy, swaps, views


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
