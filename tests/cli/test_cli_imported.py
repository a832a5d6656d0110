"""--scores: what `score` prints can be imported, and then gives the same tables as the metric itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from gec_core.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def exported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> str:
    """GLEU's scores of the sentences of the demo corpus, as `score` prints them."""
    command = ("score", "--corpus", "demo", "--metric", "gleu", "--level", "sentence", "--format", "tsv")
    path = tmp_path / "gleu.tsv"
    path.write_text(run(capsys, *command)[1])
    return str(path)


@pytest.fixture
def of_systems(tmp_path: Path) -> str:
    path = tmp_path / "mine.tsv"
    path.write_text("system\tscore\nFLUENT\t0.9\nINPUT\t0.1\nNOISY\t0.3\nGONE\t1\n")
    return str(path)


def test_score_of_systems(capsys: pytest.CaptureFixture[str], of_systems: str) -> None:
    rows = answer(capsys, "score", "--corpus", "demo", "--scores", of_systems)["rows"]
    assert {row["system"]: row["score"] for row in rows} == {"FLUENT": 0.9, "INPUT": 0.1, "NOISY": 0.3}
    assert rows[0]["signature"].startswith("mine|imported|file:")


def test_systems_that_only_one_side_has_are_told(capsys: pytest.CaptureFixture[str], of_systems: str) -> None:
    code, out, err = run(capsys, "score", "--corpus", "demo", "--metric", "length", "--scores", of_systems)
    assert code == 0
    assert "mine: no scores of CAREFUL, EAGER, NOARTICLE, REPEAT" in err
    assert "mine: not in demo: GONE" in err
    assert [line.split()[-1] for line in out.splitlines() if line.startswith("CAREFUL")] == ["–"]


def test_rank(capsys: pytest.CaptureFixture[str], of_systems: str) -> None:
    found = answer(capsys, "rank", "--corpus", "demo", "--metric", "m2", "--scores", of_systems)
    assert found["sums"]["mine"] == 2  # people: FLUENT, INPUT, NOISY
    assert [row["system"] for row in found["rows"] if row["metric"] == "mine"] == ["FLUENT", "NOISY", "INPUT"]
    code, out, _ = run(capsys, "rank", "--corpus", "demo", "--metric", "m2", "--scores", of_systems)
    assert code == 0
    assert out.splitlines()[0].split() == ["rank", "m2", "mine", "ew"]


def test_meta_over_systems(capsys: pytest.CaptureFixture[str], of_systems: str) -> None:
    (row,) = answer(capsys, "meta", "--corpus", "demo", "--scores", of_systems, "--bootstrap", "5")["rows"]
    assert row["n"] == 3
    assert row["spearman"] == pytest.approx(0.5)


def test_meta_over_sentences_equals_the_metric_itself(
    capsys: pytest.CaptureFixture[str], exported: str, of_systems: str
) -> None:
    command = ("meta", "--corpus", "demo", "--level", "sentence", "--bootstrap", "2", "--metric", "gleu")
    rows = answer(capsys, *command, "--scores", exported, "--scores", of_systems)["rows"]
    by_metric: dict[str, Any] = {}
    for row in rows:
        counts = (row["set"], row["variant"], row["agree"], row["disagree"], row["pairs"])
        by_metric.setdefault(row["metric"], []).append(counts)
    assert set(by_metric) == {"gleu", "gleu-imported"}
    assert by_metric["gleu"] == by_metric["gleu-imported"]


def test_what_is_left_out_is_told(capsys: pytest.CaptureFixture[str], of_systems: str) -> None:
    _, _, err = run(capsys, "score", "--corpus", "demo", "--metric", "length", "--scores", of_systems,
                    "--level", "sentence", "--format", "tsv")  # fmt: skip
    assert "mine is left out. It has no sentence scores of CAREFUL" in err
    code, _, err = run(capsys, "score", "--corpus", "demo", "--scores", of_systems, "--level", "sentence")
    assert code == 2
    assert "No metric is left that has sentence scores" in err


def test_disagree_equals_the_metric_itself(capsys: pytest.CaptureFixture[str], exported: str) -> None:
    command = ("disagree", "--corpus", "demo", "--b", "judges", "--a")
    own = answer(capsys, *command, "gleu")
    again = answer(capsys, *command, "gleu-imported", "--scores", exported)
    assert own["counts"] == again["counts"]
    assert own["rows"] == again["rows"]
    assert again["a"]["signature"].startswith("gleu-imported|imported|file:")


def test_disagree_needs_sentences(capsys: pytest.CaptureFixture[str], of_systems: str) -> None:
    code, _, err = run(capsys, "disagree", "--corpus", "demo", "--a", "mine", "--b", "judges", "--scores", of_systems)
    assert code == 2
    assert "there are not two systems of which both have sentence scores" in err


def test_a_bad_file_is_named_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("system,score\nA,high\n")
    code, _, err = run(capsys, "score", "--corpus", "demo", "--scores", str(path))
    assert code == 2
    assert f"{path}:2: found 'high' as a score; expected a number." in err


def test_neither_metric_nor_scores(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "score", "--corpus", "demo")
    assert code == 2
    assert "Name a metric with --metric. There are: " in err
