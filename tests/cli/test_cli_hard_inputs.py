"""Inputs and surroundings that used to end in a traceback, a hang or a wrong word."""

import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

from gec_core import corpora
from gec_core.cli import main
from gec_core.corpora.text import TextFile

HYP = ("--metric", "m2", "--no-store")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in {"s.txt": "a b\nc d\n", "r.txt": "a x\nc d\n", "h.txt": "a x\nc d\n"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What is said of bad input."""
    code = main([str(each) for each in arguments])
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert "Traceback" not in err
    return err


def loose(files: Path, hypothesis: str | Path) -> list[str | Path]:
    return ["score", "--source", files / "s.txt", "--ref", files / "r.txt", "--hyp", f"A={hypothesis}", *HYP]


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "/dev/tty0"])
def test_a_device_is_no_file(capsys: pytest.CaptureFixture[str], files: Path, name: str) -> None:
    assert "/dev/" in told(capsys, *loose(files, name))


def test_a_pipe_and_a_socket_are_no_files(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    os.mkfifo(files / "pipe.txt")
    assert "is a pipe, not a file" in told(capsys, *loose(files, files / "pipe.txt"))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(files / "s"))
        assert "is a socket, not a file" in told(capsys, *loose(files, files / "s"))


def test_a_pipe_inside_a_corpus_folder(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "systems").mkdir()
    (files / "s.txt").rename(files / "source.txt")
    os.mkfifo(files / "systems" / "A.txt")
    code = main(["score", "--corpus", str(files), *HYP])
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_pipe_of_the_shell_is_read(files: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, (files / "h.txt").read_bytes())
    os.close(writing)
    assert TextFile.at(f"/dev/fd/{reading}").data() == b"a x\nc d\n"
    os.close(reading)


@pytest.mark.parametrize("name", ["~nobody-of-this-name", "~nobody-of-this-name/x.zip", "a\nb", "\x1b[31m"])
def test_homes_of_nobody_and_strange_names_of_corpora(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert "No corpus" in told(capsys, "score", "--corpus", name, *HYP)


def test_a_nul_in_a_name(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    assert "cannot be read" in told(capsys, *loose(files, "a\0b"))


def test_folders_of_nobody_in_the_environment(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    monkeypatch.setenv("GEC_LENS_DATA", "~nobody-of-this-name/data")
    monkeypatch.setenv("GEC_LENS_CACHE", "~nobody-of-this-name/cache")
    assert main(["corpora", "list"]) == 0


def test_an_entry_without_a_name_in_a_zip_file(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    with zipfile.ZipFile(files / "c.zip", "w") as archive:
        archive.writestr("source.txt", "a\n")
        entry = zipfile.ZipInfo("x")
        entry.filename = ""
        archive.writestr(entry, "text")
    assert "has no name" in told(capsys, "score", "--corpus", files / "c.zip", *HYP)


@pytest.mark.parametrize("redirection", ["> /dev/full", ">&-", "| head -c 1 > /dev/null"])
def test_an_output_that_is_full_or_closed(files: Path, redirection: str) -> None:
    command = f"{sys.executable} -m gec_core metrics {redirection}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=files, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if "full" in redirection:
        assert done.returncode == 2
        assert "the output cannot be written (No space left on device)" in done.stderr


@pytest.mark.parametrize("name", [os.fsdecode(b"M\xff"), "a\nb", "\x1b[31mred", "a\tb"])
def test_names_that_are_no_text(capsys: pytest.CaptureFixture[str], files: Path, name: str) -> None:
    hypothesis = ["--hyp", f"{name}={files / 'h.txt'}"]
    err = told(capsys, "score", "--source", files / "s.txt", "--ref", files / "r.txt", *hypothesis, *HYP)
    assert "a name is text without line breaks" in err
    assert name not in err


def test_letters_that_a_terminal_cannot_write(files: Path) -> None:
    plain = {"PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "gec_core", "metrics"], cwd=files, env=os.environ | plain, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert b"M\\xb2" in done.stdout


def test_what_hyp_adds_is_among_the_systems_asked_for(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """It was dropped without a word."""
    demo = corpora.load("demo")
    (files / "mine.txt").write_text("\n".join(demo.systems["EAGER"]) + "\n")
    assert main(["score", "--corpus", "demo", "--systems", "FLUENT", "--hyp", f"B={files / 'mine.txt'}", *HYP]) == 0
    out = capsys.readouterr().out
    assert "FLUENT" in out
    assert "\nB " in out


def test_a_metric_that_was_asked_for_and_is_left_out(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    arguments = ["score", "--source", str(files / "s.txt"), "--ref", str(files / "r.txt")]
    arguments += ["--hyp", f"A={files / 'h.txt'}", "--no-store"]
    code = main([*arguments, "--metric", "m2,some", "--option", f"some.model={files}"])
    assert code == 3
    out, err = capsys.readouterr()
    assert "some is left out" in err
    assert "m2" in out


def test_5000_tokens_under_a_model_are_cut_which_every_format_says(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    for name, end in {"s.txt": "", "r.txt": " .", "h.txt": " !"}.items():
        (files / name).write_text(" ".join(["a"] * 5000) + f"{end}\nc d\n")
    given = ["score", "--source", str(files / "s.txt"), "--ref", str(files / "r.txt"), "--metric", "bertscore"]
    for format in ("table", "tsv", "json"):
        assert main([*given, "--hyp", f"A={files / 'h.txt'}", "--format", format]) == 0
        out, err = capsys.readouterr()
        assert "bertscore: 1 comparison had a text longer than the model reads; the rest of it was cut off." in err
        assert ('"truncated": 1' in out) == (format == "json")


def test_judgments_that_are_all_ties_are_not_called_none(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "systems").mkdir()
    (files / "s.txt").rename(files / "source.txt")
    for name in ("A", "B", "C"):
        (files / "systems" / f"{name}.txt").write_text("a x\nc d\n")
    tie = '<translation rank="1" system="A"/><translation rank="1" system="B"/>'
    (files / "judgments.xml").write_text(f'<x><ranking-item src-id="0" user="ann">{tie}</ranking-item></x>')
    assert main(["human", "--corpus", str(files)]) == 0
    err = capsys.readouterr().err
    assert "judged, but without a comparison that decides, so without a human score: A, B" in err
    assert "never judged, so without a human score: C" in err


@pytest.mark.skipif(not Path("/sys").is_dir(), reason="no folder here in which not even root may write")
def test_a_cache_folder_without_permissions_is_said_and_scores_come_all_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", "/sys/gec-lens")
    assert main(["score", "--corpus", "demo", "--metric", "length"]) == 0
    out, err = capsys.readouterr()
    assert "EAGER" in out
    assert "/sys/gec-lens" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", [["human"], ["meta", "--metric", "m2", "--no-store"]])
def test_no_bootstrap(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert main([*command, "--corpus", "demo", "--bootstrap", "0"]) == 0
    assert "Traceback" not in capsys.readouterr().err
