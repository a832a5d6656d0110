"""`table` prints what papers print."""

from pathlib import Path

import pytest

from gec_core.cli import main

QUICK = ["--corpus", "demo", "--metric", "m2,gleu", "--no-store"]


@pytest.mark.parametrize(
    ("which", "part"), [("scores", "NOARTICLE &"), ("ranking", "sum of distances &"), ("correlation", "GLEU &")]
)
def test_latex_with_its_caption(capsys: pytest.CaptureFixture[str], which: str, part: str) -> None:
    assert main(["table", which, *QUICK]) == 0
    out = capsys.readouterr().out
    assert out.startswith("\\begin{table")
    assert part in out
    assert "m2" in out.split("\\caption")[1]
    assert ("Human ranking" in out) is (which != "scores")


def test_other_formats_and_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["table", "scores", *QUICK, "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("| system | M² | GLEU |")
    assert main(["table", "scores", *QUICK, "--format", "csv", "--out", str(tmp_path / "t.csv")]) == 0
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").startswith("system,M²,GLEU\n")
    assert main(["table", "scores", *QUICK, "--out", str(tmp_path / "no" / "t.tex")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "start"),
    [("t.csv", "system,M²,GLEU\n"), ("t.md", "| system | M² | GLEU |"), ("t.TEX", "\\begin{table")],
)
def test_the_ending_of_the_file_says_the_format(tmp_path: Path, name: str, start: str) -> None:
    assert main(["table", "scores", *QUICK, "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_an_unknown_ending_needs_a_format(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "t.txt")]
    assert main(["table", "scores", *QUICK, *out]) == 2
    assert "ends in .tex, .md, .csv. Rename it, or say --format." in capsys.readouterr().err
    assert not (tmp_path / "t.txt").exists()
    assert main(["table", "scores", *QUICK, *out, "--format", "csv"]) == 0
    assert (tmp_path / "t.txt").read_text(encoding="utf-8").startswith("system,M²,GLEU\n")
