# mypy: disable-error-code="index"
"""`report`: what it writes, whom it compares with, and what it refuses."""

import json
import re
import shlex
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from gec_core.cli import main

FILES = {
    "source.txt": "a b c d\ne f g h\ni j k l\n",
    "ref.txt": "a b c x\ne f g h\ni j y l\n",
    "old.txt": "a b c x\ne f g h\ni j k l\n",
    "new.txt": "a b c x\ne f g z\ni j y l\n",
}
LOOSE = ("--source", "source.txt", "--ref", "ref.txt", "--hyp", "OLD=old.txt")
QUICK = ("--metric", "m2,gleu", "--samples", "20")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def numbers(path: str) -> Any:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("numbers.json"))


def test_a_page_and_its_numbers(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *LOOSE, *QUICK, "--system", "NEW=new.txt", "--out", "r.html", "--zip", "r.zip"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("r.html: ")
    assert (files / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    about = numbers("r.zip")["about"]
    assert (about["system"], about["rival"], about["samples"], about["seed"]) == ("NEW", "OLD", 20, 0)
    assert about["signatures"]["m2"].startswith("m2|v1|")


def test_a_zip_alone_and_two_versions(files: Path) -> None:
    asked = [*LOOSE, *QUICK, "--system", "NEW=new.txt", "--system", "DRAFT=old.txt", "--against", "DRAFT"]
    assert main(["report", *asked, "--seed", "7", "--out", "r.zip"]) == 0
    found = numbers("r.zip")
    assert (found["about"]["rival"], found["about"]["seed"]) == ("DRAFT", 7)
    assert [row["sentence"] for row in found["changed_sentences"]] == [1, 2]
    assert not (files / "r.html").exists()


@pytest.mark.parametrize("language", ["de", "uk", "ar", "zh"])
def test_a_system_alone_in_another_language_has_a_verdict_and_edits_that_count(language: str) -> None:
    corpus = str(ROOT / "tests" / "data" / "languages" / language)
    assert main(["report", "--corpus", corpus, *QUICK, "--system", "MINE", "--out", "r.zip"]) == 0
    assert numbers("r.zip")["about"]["rival"] == "the unchanged source"
    with zipfile.ZipFile("r.zip") as archive:
        page = archive.read("report.html").decode()
        earning = archive.read("edits-earning.csv").decode()
    assert "<b>better</b> than the unchanged source" in page
    assert ("\u200e → \u200e" in earning) == (language == "ar")  # the arrow points from left to right
    assert "1 system, compared with" in page
    assert "/why?" not in page  # there is no such system to be shown there


def test_the_scores_of_a_system_alone_are_those_of_its_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    alone = ["--source", "source.txt", "--ref", "ref.txt", "--system", "NEW=new.txt"]
    asked = ["--metric", "m2,gotoscorer", "--option", "gotoscorer.weights=systems", "--samples", "20"]
    assert main(["report", *alone, *asked, "--out", "r.zip"]) == 0
    assert "gotoscorer is left out. Its scores depend on the other systems" in capsys.readouterr().err
    assert [row["systems"] for row in numbers("r.zip")["standings"]] == [1]


def test_a_system_of_the_corpus_needs_no_file() -> None:
    assert main(["report", "--corpus", "demo", *QUICK, "--system", "EAGER", "--out", "r.zip"]) == 0
    assert numbers("r.zip")["about"]["system"] == "EAGER"


def test_without_metrics_those_without_models_are_taken() -> None:
    assert main(["report", *LOOSE, "--system", "OLD", "--samples", "5", "--out", "r.zip"]) == 0
    ids = set(numbers("r.zip")["about"]["signatures"])
    assert {"m2", "sentm2", "imeasure", "gleu", "bleu", "green"} <= ids
    assert not ids & {"scribendi", "ptm2", "length"}


def test_a_corpus_without_texts_can_be_reported_but_not_added_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--corpus", "conll14", *QUICK, "--system", "AMU", "--out", "r.zip"]) == 0
    found = numbers("r.zip")
    assert found["about"]["rival"] in found["about"]["systems"]
    assert "correction" not in found
    assert main(["report", "--corpus", "conll14", *QUICK, "--system", "NEW=new.txt", "--out", "r.zip"]) == 2
    assert "no system can be added to it" in capsys.readouterr().err


SCORES = "system\tsentence\tscore\n" + "".join(
    f"{s}\t{n}\t{n * k}\n" for s, k in (("OLD", 1), ("NEW", 2)) for n in range(3)
)


@pytest.mark.parametrize(
    "asked",
    [
        [*LOOSE, *QUICK, "--system", "NEW=new.txt", "--system", "DRAFT=old.txt"],
        [*LOOSE, "--scores", "mine.tsv", "--samples", "5", "--system", "NEW=new.txt"],
        ["--corpus", "folder/of mine", "--systems", '"A,1",C', *QUICK, "--system", "A,1", "--seed", "4"],
        ["--corpus", "demo", "--systems", "EAGER,CAREFUL,FLUENT", "--metric", "m2", "--option", "m2.beta=1",
         "--samples", "5", "--system", "EAGER"],
    ],
)  # fmt: skip
def test_the_command_in_a_report_makes_that_report(files: Path, asked: list[str]) -> None:
    (files / "mine.tsv").write_text(SCORES)
    for name, text in {
        "source.txt": "source.txt",
        "references/r.txt": "ref.txt",
        "systems/A,1.txt": "old.txt",
        "systems/B.txt": "source.txt",
        "systems/C.txt": "new.txt",
    }.items():
        path = files / "folder" / "of mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES[text])
    assert main(["report", *asked, "--out", "first.html"]) == 0
    first = (files / "first.html").read_text(encoding="utf-8")
    command = unescape(re.search(r"<pre><code>python -m gec_core (report .*?)</code></pre>", first)[1])
    assert main(shlex.split(command)) == 0
    assert (files / "report.html").read_text(encoding="utf-8") == first


def test_scores_that_are_not_means_are_left_out_and_the_report_says_so(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "mine.tsv").write_text(SCORES + "OLD\t\t9\n")
    asked = [*LOOSE, *QUICK, "--scores", "mine.tsv", "--system", "NEW=new.txt"]
    assert main(["report", *asked, "--out", "r.html", "--zip", "r.zip"]) == 0
    told = "mine is left out. Its scores of systems are not the means of its sentence scores"
    assert capsys.readouterr().err.count(told) == 1
    assert told in (files / "r.html").read_text(encoding="utf-8")
    assert set(numbers("r.zip")["about"]["signatures"]) == {"m2", "gleu"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--system", "NOBODY"], "no system NOBODY"),
        (["--system", "OLD=new.txt"], "has a system OLD; use another name"),
        (["--system", "NEW=nowhere.txt"], "nowhere.txt: there is no such file"),
        (["--system", "NEW=short.txt"], "short.txt: 1 line, but"),
        (["--system", "=new.txt"], "write it as NAME=FILE"),
        (["--system", "NEW=new.txt", "--against", "NEW"], "cannot be compared with itself"),
        (["--system", "NEW=new.txt", "--against", "NOBODY"], "no system NOBODY"),
        (["--system", "OLD", "--systems", "OLD\nNEW"], "not a list of names. Write them on one line"),
        (["--system", "OLD", "--out", "no/such/folder.html"], "cannot be written"),
    ],
)
def test_what_is_refused(files: Path, capsys: pytest.CaptureFixture[str], asked: list[str], told: str) -> None:
    (files / "short.txt").write_text("a b c d\n")
    assert main(["report", *LOOSE, *QUICK, "--out", "r.html", *asked]) == 2
    assert told in capsys.readouterr().err
