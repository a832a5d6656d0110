"""`metrics`: a list that fits the terminal, and every field for programs."""

import csv
import json

import pytest

from gec_core.cli import main
from gec_core.metrics import registry


@pytest.mark.parametrize("columns", [80, 60])
def test_the_list_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["metrics"]) == 0
    lines = capsys.readouterr().out.splitlines()
    # A path that is longer than the line stays in one piece, so that it can be copied.
    assert [line for line in lines if len(line) > columns and "/" not in line] == []
    listed = lines[: lines.index("")]
    assert [line.split()[0] for line in listed if line[0] != " "] == list(registry())


def test_what_cannot_run_says_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["metrics"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "some SOME (needs the source only)" in told
    assert "Not available: The models of SOME are not on this machine" in told


def test_what_is_missing_is_said_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gec_core.align.errant_pipeline._version", lambda name: "")
    monkeypatch.setattr("gec_core.align.errant_pipeline.find", lambda: None)
    monkeypatch.setattr("gec_core.metrics.errant.find", lambda: None)
    assert main(["metrics"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Not available: It needs spacy, errant and an English spaCy pipeline. Install: pip install" in told


def test_programs_get_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--format", "tsv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines(), delimiter="\t"))
    assert list(rows[0]) == ["id", "name", "needs", "available", "signature"]
    assert main(["metrics", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in answer] == [row["id"] for row in rows] == list(registry())
    assert [row["signature"] for row in answer] == [row["signature"] for row in rows]
