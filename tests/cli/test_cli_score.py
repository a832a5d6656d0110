"""`score`, `metrics` and `corpora` as a person or a script would call them."""

import gzip
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, needs_conll14, wait_for

import gec_core
from gec_core import corpora
from gec_core.cli import main
from gec_core.metrics import registry
from gec_core.store import Store
from gec_core.types import Corpus

FILES = {
    "source.txt": "He go home .\nI like it .\n",
    "ref.txt": "He goes home .\nI like it .\n",
    "mine.txt": "He goes home .\nI liked it .\n",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)["rows"]


LOOSE = ("score", "--source", "source.txt", "--hyp", "mine=mine.txt", "--ref", "ref.txt")


def test_loose_files(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (row,) = rows(capsys, *LOOSE, "--metric", "m2")
    assert row == {
        "system": "mine",
        "metric": "m2",
        "signature": "m2|v1|beta:0.5|max_unchanged:2|sentence:max",
        "score": pytest.approx(1.25 * 0.5 / (0.25 * 0.5 + 1)),
        "details": row["details"],
    }
    assert {name: row["details"][name] for name in ("correct", "proposed", "gold", "p", "r")} == {
        "correct": 1,
        "proposed": 2,
        "gold": 1,
        "p": 0.5,
        "r": 1.0,
    }


def test_sentence_level_numbers_sentences_from_0(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    found = rows(capsys, *LOOSE, "--metric", "m2,length", "--level", "sentence")
    assert [(row["metric"], row["sentence"], row["score"]) for row in found] == [
        ("m2", 0, 1.0),
        ("m2", 1, 0.0),
        ("length", 0, 1.0),
        ("length", 1, 1.0),
    ]


def test_options_reach_their_metric(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (row,) = rows(capsys, *LOOSE, "--metric", "m2", "--option", "m2.beta=1")
    assert row["score"] == pytest.approx(2 / 3)
    assert "beta:1.0" in row["signature"]


def test_details_hold_the_counts(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    by_metric = {row["metric"]: row["details"] for row in rows(capsys, *LOOSE, "--metric", "imeasure,gleu")}
    for aspect in ("correction", "detection"):
        assert {"tp", "tn", "fp", "fn", "fpn", "wacc", "wacc_base", "i"} <= set(by_metric["imeasure"][aspect])
    assert "std" in by_metric["gleu"]


def test_gzipped_files_with_a_bom_and_windows_line_ends(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "mine.txt.gz").write_bytes(
        gzip.compress(b"\xef\xbb\xbf" + FILES["mine.txt"].replace("\n", " \r\n").encode())
    )
    plain = rows(capsys, *LOOSE, "--metric", "m2,gleu")
    packed = rows(capsys, *(text.replace("mine.txt", "mine.txt.gz") for text in LOOSE), "--metric", "m2,gleu")
    assert packed == plain


def test_a_corpus_by_name_with_some_systems(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "score", "--corpus", "demo", "--systems", "INPUT,FLUENT", "--metric", "m2")
    assert [row["system"] for row in found] == ["INPUT", "FLUENT"]
    assert found[0]["score"] == 0.0


@pytest.fixture
def added(files: Path) -> tuple[str, str, str, str]:
    """A system for the demo corpus, the same as FLUENT."""
    (files / "new.txt").write_text("".join(f"{line}\n" for line in corpora.load("demo").outputs("FLUENT")))
    return "--corpus", "demo", "--hyp", "NEW=new.txt"


@pytest.mark.parametrize("command", ["score", "rank", "meta", "disagree", "types"])
def test_outputs_can_be_added_to_a_corpus(
    capsys: pytest.CaptureFixture[str], added: tuple[str, str, str, str], command: str
) -> None:
    sides = {"disagree": ("--a", "m2", "--b", "gleu"), "types": ()}.get(command, ("--metric", "m2"))
    if command == "types" and not registry()["errant"]().availability().ready:
        pytest.skip("ERRANT cannot run here")
    code, out, err = run(capsys, command, *added, *sides, "--format", "json")
    assert code == 0, err
    if command in ("score", "types", "disagree"):
        assert "NEW" in out
    else:
        assert "never judged, so without a human score: NEW" in err


def test_added_outputs_are_scored_as_the_same_outputs_in_the_corpus_are(
    capsys: pytest.CaptureFixture[str], added: tuple[str, str, str, str]
) -> None:
    found = {row["system"]: row["score"] for row in rows(capsys, "score", *added, "--metric", "m2")}
    assert len(found) == 8
    assert found["NEW"] == found["FLUENT"] > found["INPUT"]


def test_system_names_with_commas_are_quoted(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    named = (*LOOSE, "--hyp", "a,b=ref.txt", "--metric", "length")
    assert [row["system"] for row in rows(capsys, *named, "--systems", '"a,b",mine')] == ["a,b", "mine"]
    assert [row["system"] for row in rows(capsys, *named, "--systems", "mine", "--systems", '"a,b"')] == ["mine", "a,b"]


def test_tables_for_people_have_the_signature_below(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    code, out, _ = run(capsys, *LOOSE, "--metric", "m2,gleu")
    assert code == 0
    assert out.splitlines()[0].split() == ["system", "m2", "gleu"]
    assert "m2: m2|v1|beta:0.5" in out


def test_tsv_has_full_precision(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    _, out, _ = run(capsys, *LOOSE, "--metric", "m2", "--format", "tsv")
    assert out.splitlines()[1].split("\t")[:3] == ["mine", "m2", str(1.25 * 0.5 / (0.25 * 0.5 + 1))]


def test_the_metrics_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "metrics", "--format", "json")
    listed = {row["id"]: row for row in json.loads(out)}
    assert list(listed) == list(registry())
    assert listed["m2"]["available"] is True
    assert listed["m2"]["needs"] == ["gold"]
    assert listed["m2"]["options"]["sentence"]["choices"] == ["max", "chosen", "last"]


def test_the_corpora_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "corpora", "list", "--format", "json")
    listed = {row["name"]: row for row in json.loads(out)}
    assert listed["demo"]["where"]
    assert "corpora fetch conll14" in listed["conll14"]["how"]


def test_showing_and_checking_a_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "corpora", "show", "demo", "--format", "json")
    assert "made up" in json.loads(out)["notice"]
    code, out, _ = run(capsys, "corpora", "check", "demo")
    assert code == 0
    assert out.endswith("No problems found.\n")
    assert "sentences are counted from 0" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("score", "--metric", "m2"), "Say which corpus"),
        (("score", "--corpus", "demo", "--ref", "ref.txt", "--metric", "m2"), "only --hyp goes with --corpus"),
        (("score", "--corpus", "demo", "--hyp", "FLUENT=mine.txt", "--metric", "m2"), "demo has a system FLUENT; use"),
        (("score", "--corpus", "demo", "--hyp", "NEW=mine.txt", "--metric", "m2"), "mine.txt: 2 lines, but demo has"),
        (
            ("score", "--corpus", "conll14", "--hyp", "NEW=mine.txt", "--metric", "m2"),
            "no system can be added to it. The texts",
        ),
        (("meta", "--corpus", "conll14", "--metric", "m2"), "name one with --human NAME, where NAME is "),
        (("human", "--corpus", "conll14"), "name one with --method NAME, where NAME is "),
        (("score", "--corpus", "demo", "--metric", "m3"), "No metric 'm3'. There are: m2, sentm2, "),
        (
            ("score", "--corpus", "demo", "--metric", "m2", "--systems", "NOBODY"),
            "no system NOBODY. There are: CAREFUL",
        ),
        (("score", "--corpus", "demo", "--metric", "m2", "--option", "m2.beta"), "write it as ID.KEY=VALUE"),
        (("score", "--corpus", "demo", "--metric", "m2", "--option", "gleu.draw=python2"), "not among the metrics"),
        (("score", "--corpus", "nowhere", "--metric", "m2"), "nowhere"),
        (("score", "--source", "source.txt", "--hyp", "mine.txt", "--metric", "length"), "NAME=FILE"),
        (("score", "--source", "source.txt", "--hyp", "a=short.txt", "--metric", "length"), "short.txt: 1 line, but"),
        (("score", "--source", "source.txt", "--hyp", "a=latin1.txt", "--metric", "length"), "latin1.txt"),
        (("score", "--source", "empty.txt", "--hyp", "a=empty.txt", "--metric", "length"), "empty.txt"),
        (("score", "--m2", "outside.m2", "--hyp", "a=one.txt", "--metric", "m2", "--strict"), "outside.m2:2: "),
        (("score", "--m2", "malformed.m2", "--hyp", "a=mine.txt", "--metric", "m2"), "malformed.m2:2: "),
        (("score", "--corpus", "evil.zip", "--metric", "m2"), "evil.zip"),
        (("corpora", "fetch", "conll15"), "No corpus 'conll15' to download"),
        (("human", "--corpus", "demo", "--method", "nobody"), "No human ranking 'nobody'. There are: ew, ts"),
    ],
)
def test_bad_input_is_told_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], files: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    (files / "short.txt").write_text("only one line\n")
    (files / "one.txt").write_text("He goes home .\n")
    (files / "latin1.txt").write_bytes("caf\xe9\nzwei\n".encode("latin-1"))
    (files / "empty.txt").write_text("")
    (files / "outside.m2").write_text("S He go home .\nA 9 12|||V|||goes|||REQUIRED|||-NONE-|||0\n")
    (files / "malformed.m2").write_text("S He go home .\nA one 2|||V|||goes|||REQUIRED|||-NONE-|||0\n")
    with zipfile.ZipFile(files / "evil.zip", "w") as archive:
        archive.writestr("../source.txt", "a\n")
    before = sorted(path.name for path in files.parent.iterdir())
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert complaint in err
    assert "Traceback" not in err
    assert sorted(path.name for path in files.parent.iterdir()) == before


def test_chosen_sentences_are_a_corpus_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = gec_core.score("demo", "m2", sentences="1-40", store=False)
    code, out, err = run(
        capsys, "score", "--corpus", "demo", "--sentences", "1-40", "--metric", "m2", "--format", "json", "--no-store"
    )
    assert code == 0
    assert "demo: 40 of 86 sentences" in err
    assert {row["system"]: row["score"] for row in json.loads(out)["rows"]} == chosen.values["m2"]
    assert chosen.values["m2"] == gec_core.score("demo", "m2", sentences=range(40), store=False).values["m2"]


def test_gold_edits_outside_their_sentence_are_left_out_with_a_warning(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    (files / "outside.m2").write_text(
        "S He go home .\nA 1 2|||V|||goes|||REQUIRED|||-NONE-|||0\nA 9 12|||V|||goes|||REQUIRED|||-NONE-|||0\n"
    )
    (files / "one.txt").write_text("He goes home .\n")
    code, out, err = run(capsys, "score", "--m2", "outside.m2", "--hyp", "a=one.txt", "--metric", "m2")
    assert (code, "1.0000" in out) == (0, True)
    named = "outside.m2:3: the edit 9 12 to 'goes' of annotator 0 is outside the sentence, which has 4 tokens."
    assert err.count(f"{named} It is left out.") == 1
    assert (
        "gold edits left out because they are outside their sentences: 1 (outside.m2:3)." in out
    )  # beside the numbers, too
    code, _, err = run(capsys, "score", "--m2", "outside.m2", "--hyp", "a=one.txt", "--metric", "m2", "--strict")
    assert (code, err.splitlines()[-1]) == (2, f"gec-lens: {named} --strict refuses such a file.")


def test_a_corpus_check_says_once_what_is_left_out(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    folder = files / "outside"
    folder.mkdir()
    (folder / "gold.m2").write_text("S He go home .\nA 9 12|||V|||goes|||REQUIRED|||-NONE-|||0\n")
    code, out, err = run(capsys, "corpora", "check", str(folder))
    assert (code, out.count("the edit 9 12"), err) == (0, 1, "")
    code, out, err = run(capsys, "corpora", "check", "--strict", str(folder))
    assert (code, out.startswith("error: "), "1 error" in err) == (2, True, True)


def test_a_store_that_cannot_be_written_is_said_and_the_scores_come_all_the_same(
    capsys: pytest.CaptureFixture[str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "in-the-way").write_text("not a folder")
    monkeypatch.setenv("GEC_LENS_CACHE", str(files / "in-the-way"))
    code, out, err = run(capsys, *LOOSE, "--metric", "m2")
    assert code == 0
    assert "mine" in out
    assert "cannot be used" in err


def test_without_store_nothing_is_kept(
    capsys: pytest.CaptureFixture[str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(files / "cache"))
    assert run(capsys, *LOOSE, "--metric", "m2", "--no-store")[0] == 0
    assert not (files / "cache").exists()


@needs_conll14
def test_what_was_scored_before_a_kill_stays(files: Path, conll14: Corpus) -> None:
    """Kill a run as soon as the store has something; the rest is scored by the next run, and only that."""
    environment = os.environ | {
        "GEC_LENS_CACHE": str(files / "cache"),
        "GEC_LENS_DATA": str(ROOT.parent / "shared/data"),
    }
    command = [sys.executable, "-m", "gec_core", "score", "--corpus", "conll14", "--metric", "m2", "--workers", "1"]
    command += ["--option", "m2.max_unchanged=3"]  # no scores with this one come with the project
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL)
    path = files / "cache" / "scores.sqlite"
    wait_for(lambda: process.poll() is not None or (path.exists() and _stored(path)))
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL
    assert _stored(path) > 0


def _stored(path: Path) -> Any:
    store = Store(path)
    with store._connect() as connection:
        return connection.execute("SELECT count(*) FROM checked_rows").fetchone()[0]
