"""The zip file: the numbers of the command line, the same bytes every time, no formulas."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import sentence
from errant_cases import needs_errant
from report_reader import Reader, hostile_corpus

from gec_core import corpora
from gec_core.analysis import analyse, bundle, report
from gec_core.analysis.document import number_text
from gec_core.cli import main
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Corpus

FORMULA = "=1+1"


def test_the_same_analysis_gives_the_same_files() -> None:
    corpus = hostile_corpus()
    found = report(analyse(corpus, score(corpus, [create("m2"), create("gleu")]), "B", samples=20))
    assert bundle(found) == bundle(found)


def test_names_that_are_formulas_are_text_in_csv() -> None:
    corpus = Corpus("made", (sentence("a b", "a c"), sentence("d", "d")), {FORMULA: ("a c", "d"), "B": ("a b", "d")})
    packed = bundle(report(analyse(corpus, score(corpus, [create("m2")]), FORMULA, samples=5)))
    with zipfile.ZipFile(io.BytesIO(packed)) as zipped:
        rows = list(csv.DictReader(io.StringIO(zipped.read("standings.csv").decode())))
        numbers = json.loads(zipped.read("numbers.json"))
    assert {row["system"] for row in rows} == {f"'{FORMULA}", "B"}
    assert {row["system"] for row in numbers["standings"]} == {FORMULA, "B"}  # programs run no formulas


@needs_errant
def test_every_number_is_the_command_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`score` and `types` on the same corpus, system added; all digits in the zip, four on the page."""
    mine = tmp_path / "mine.txt"
    metrics = ("--metric", "m2,errant,imeasure,gleu")
    saved = tmp_path / "demo"
    _copy_demo(saved, mine)
    out = ("--out", str(tmp_path / "r.html"), "--zip", str(tmp_path / "r.zip"))
    asked = ["--corpus", "demo", "--system", f"MINE={mine}", "--against", "CAREFUL", *metrics, "--samples", "50"]
    assert main(["report", *asked, *out]) == 0
    capsys.readouterr()
    with zipfile.ZipFile(tmp_path / "r.zip") as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert files["report.html"] == (tmp_path / "r.html").read_text(encoding="utf-8")
    numbers = json.loads(files["numbers.json"])
    assert numbers["about"]["sentences_counted_from"] == 0

    assert main(["score", "--corpus", str(saved), *metrics, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert numbers["about"]["fingerprint"] == told["fingerprint"]
    expected = {(row["signature"], row["system"]): row["score"] for row in told["rows"]}
    assert {(row["signature"], row["system"]): row["score"] for row in numbers["standings"]} == expected
    rows = list(csv.DictReader(io.StringIO(files["standings.csv"])))
    assert {(row["signature"], row["system"]): float(row["score"]) for row in rows} == expected
    read = Reader(files["report.html"])
    shown = {row[0]: row[1] for row in read.sections["standing"][1:]}
    names = {create(id).name: create(id).signature for id in ("m2", "errant", "imeasure", "gleu")}
    assert shown == {name: number_text(expected[signature, "MINE"]) for name, signature in names.items()}
    for row in numbers["significance"]:
        difference = expected[row["signature"], "MINE"] - expected[row["signature"], row["rival"]]
        assert row["difference"] == difference

    both = ["--systems", "MINE,CAREFUL", "--level", "group", "--format", "json"]
    assert main(["types", "--corpus", str(saved), *both]) == 0
    told = json.loads(capsys.readouterr().out)
    assert numbers["error_types"] == told["rows"]
    found = {row[0]: row[1:3] for row in read.sections["types"][1:]}
    for row in told["rows"]:
        assert found[row["type"]][row["system"] == "CAREFUL"] == str(row["tp"])


def _by_rules(source: str) -> str:
    return re.sub(r"\ba (?=[aeiou])", "an ", source).replace("informations", "information")


def _copy_demo(saved: Path, mine: Path) -> None:
    """The demo corpus with outputs made by a few rules, as a folder and as a file."""
    demo = corpora.load("demo")
    outputs = tuple(_by_rules(each.source) for each in demo.sentences)
    mine.write_text("".join(f"{line}\n" for line in outputs), encoding="utf-8")
    corpora.save(replace(demo, systems={**demo.systems, "MINE": outputs}), saved)
