"""`types`, and what the command line says where ERRANT cannot run or should not be believed."""

import json
from pathlib import Path

import pytest
from errant_cases import needs_errant, no_pipeline  # noqa: F401

from gec_core.cli import main

FILES = {
    "source.txt": "Two dog bark at cat .\nHe go home .\n",
    "ref.txt": "Two dogs bark at the cat .\nHe goes home .\n",
    "mine.txt": "Two dogs bark at a cat .\nHe goes home .\n",
}
LOOSE = ("--source", "source.txt", "--hyp", "mine=mine.txt", "--ref", "ref.txt")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@needs_errant
def test_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", *LOOSE, "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["rows"] == [
        {"system": "mine", "type": "M:DET", "tp": 0, "fp": 1, "fn": 1, "p": 0.0, "r": 0.0, "f": 0.0},
        {"system": "mine", "type": "R:NOUN:NUM", "tp": 1, "fp": 0, "fn": 0, "p": 1.0, "r": 1.0, "f": 1.0},
        {"system": "mine", "type": "R:VERB:SVA", "tp": 1, "fp": 0, "fn": 0, "p": 1.0, "r": 1.0, "f": 1.0},
    ]
    assert answer["signature"].startswith("errant|v1|beta:0.5|references:auto|")


@needs_errant
def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", *LOOSE, "--level", "operation", "--format", "tsv"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "system\ttype\ttp\tfp\tfn\tp\tr\tf",
        "mine\tM\t0\t1\t1\t0.0\t0.0\t0.0",
        "mine\tR\t2\t0\t0\t1.0\t1.0\t1.0",
    ]
    assert main(["types", *LOOSE, "--level", "operation"]) == 0
    assert "errant|v1|" in capsys.readouterr().out


def test_a_beta_that_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", *LOOSE, "--beta", "half"]) == 2
    assert "errant.beta=half: 'half' is not a number." in capsys.readouterr().err


@pytest.mark.usefixtures("no_pipeline")
@pytest.mark.parametrize("command", [["types"], ["score", "--metric", "errant"]])
def test_without_a_pipeline_it_says_what_to_install(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert main([*command, *LOOSE]) == 2
    told = capsys.readouterr().err
    assert "ERRANT cannot run here. It needs spacy" in told
    assert "Install: pip install" in told


@pytest.mark.usefixtures("no_pipeline")
def test_without_a_pipeline_metrics_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--format", "json"]) == 0
    (row,) = (row for row in json.loads(capsys.readouterr().out) if row["id"] == "errant")
    assert row["available"] is False
    assert "Install: pip install" in row["how"]


def test_outputs_tokenised_unlike_the_sources_are_told_with_the_line(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    (files / "mine.txt").write_text("Two dogs bark at the cat .\nHe goes home.\n")
    assert main(["score", *LOOSE, "--metric", "m2", "--format", "json"]) == 0
    told = capsys.readouterr().err
    assert (
        "mine: not tokenised like the sources: 1 of 2 outputs would be split differently, the first in line 2" in told
    )


def test_gold_edits_on_other_tokens_are_refused_with_the_line(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "gold.m2").write_text(
        "S Two dog bark at cat .\n\nS He go home.\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n"
    )
    given = ["--source", "source.txt", "--hyp", "mine=mine.txt", "--m2", "gold.m2"]
    assert main(["score", *given, "--metric", "m2"]) == 2
    told = capsys.readouterr().err
    assert "source.txt:2: differs from sentence 2 of gold.m2: token 3 is 'home' here and 'home.' there" in told


@needs_errant
def test_difficulty_is_the_share_of_systems_that_miss_an_error(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "other.txt").write_text("Two dog bark at the cat .\nHe goes home .\n")
    assert main(["types", *LOOSE, "--hyp", "other=other.txt", "--difficulty", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["type"], row["mean"], row["count"]) for row in rows] == [
        ("M:DET", 0.5, 1),
        ("R:NOUN:NUM", 0.5, 1),
        ("R:VERB:SVA", 0.0, 1),
    ]


@needs_errant
@pytest.mark.parametrize("format", ["table", "tsv", "json"])
@pytest.mark.parametrize(("type_", "told"), [("Nn", True), ("R:NOUN:NUM", False)])
def test_types_of_another_scheme_are_told(
    capsys: pytest.CaptureFixture[str], files: Path, type_: str, told: bool, format: str
) -> None:
    gold = f"S Two dog bark .\nA 1 2|||{type_}|||dogs|||REQUIRED|||-NONE-|||0\n"
    (files / "gold.m2").write_text(gold)
    (files / "out.txt").write_text("Two dogs bark .\n")
    command = ["types", "--m2", "gold.m2", "--hyp", "mine=out.txt", "--references", "gold", "--format", format]
    assert main(command) == 0
    captured = capsys.readouterr()
    said = captured.err if format == "tsv" else captured.out
    assert ("types of another scheme" in said) is told
