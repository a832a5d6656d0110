"""A table of bad inputs on the command line and in files: each is told in words, none ends in a traceback."""

import itertools
from pathlib import Path

import pytest

from gec_core.cli import main

ARGUMENTS = [
    *(["score", "--corpus", name, "--metric", "length"] for name in (
        "", " ", "nowhere", "~nobody", "~nobody/x", "/dev/zero", "/dev/null", "/proc/self/mem", "demo/", "../demo/x",
        "http://example.org/x.zip", "demo\n", "de\tmo", "\x1b[31m", "%s", "*", "a" * 300, "é" * 200, "con", "NUL.txt",
    )),
    *(["score", "--corpus", "demo", "--metric", ids] for ids in (
        "", ",", "m3", "M2", "m2,m3", "m2;gleu", "../m2", "m2.beta", "length,lenght", "none", "all,", "\x00m2",
    )),
    *(["score", "--corpus", "demo", "--metric", "m2", "--option", option] for option in (
        "", "m2", "m2.beta", "m2.beta=", "m2.beta=x", "m2.beta=-1", "m2.beta=nan", "m2.beta=inf", "m2.gamma=1",
        "m3.beta=1", "beta=1", "m2.beta=1e999", "m2.max_unchanged=-1", "m2.max_unchanged=1.5", "m2.=1", ".beta=1",
    )),
    *(["score", "--corpus", "demo", "--metric", "length", *more] for more in (
        ["--systems", "NOBODY"], ["--systems", ""], ["--systems", ","], ["--systems", "EAGER,NOBODY"],
        ["--systems", "eager "], ["--workers", "0"], ["--workers", "-1"], ["--workers", "x"], ["--workers", "1.5"],
        ["--format", "xml"],
        ["--sentences", "x"], ["--sentences", "5-2"], ["--sentences", "0"], ["--sentences", "999999"],
        ["--sentences", "1,,2"], ["--hyp", "A"], ["--hyp", "A="], ["--hyp", "=x"],
        ["--hyp", "A=nowhere.txt"], ["--hyp", "A=/dev/zero"], ["--scores", "nowhere.tsv"], ["--judgments", "nobody"],
    )),
    *(["human", "--corpus", "demo", *more] for more in (
        ["--method", "best"], ["--judges", "nobody"], ["--set", "all"], ["--runs", "0"], ["--runs", "x"],
        ["--seed", "-1"], ["--seed", "x"], ["--bootstrap", "-1"], ["--bootstrap", "x"],
    )),
    *(["explain", "--corpus", "demo", "--metric", "m2", *more] for more in (
        ["--system", "NOBODY", "--sentence", "1"], ["--system", "", "--sentence", "1"],
        ["--system", "EAGER", "--sentence", "x"], ["--system", "EAGER", "--sentence", "99999"],
        ["--system", "EAGER", "--sentence", "-1"], ["--sentence", "1.5", "--system", "EAGER"],
    )),
    *(["disagree", "--corpus", "demo", *more] for more in (
        ["--metric", "m2"], ["--metric", "m2,m3"], ["--metric", "m2,gleu", "--top", "0"],
        ["--metric", "m2,gleu", "--top", "x"], ["--metric", "m2,gleu,bleu"],
    )),
    *(["why", "--corpus", "demo", *more] for more in (
        ["--metric", "m2"], ["EAGER", "--metric", "m2"], ["EAGER", "NOBODY", "--metric", "m2"],
        ["EAGER", "EAGER", "--metric", "m2"], ["EAGER", "FLUENT", "--metric", "m3"],
    )),
    *(["table", which, "--corpus", "demo", "--metric", "m2", *more] for which, more in (
        ("scores", ["--format", "pdf"]), ("everything", []), ("ranking", ["--human", "nobody"]),
        ("scores", ["--out", "/nowhere/x.tex"]), ("scores", ["--out", "/"]), ("", []),
    )),
    *(["figure", which, "--corpus", "demo", "--metric", "m2", *more] for which, more in (
        ("ranking", []), ("ranking", ["--out", "x"]), ("ranking", ["--out", "x.jpg"]), ("pie", ["--out", "x.svg"]),
        ("ranking", ["--out", "x.svg", "--width", "10"]),
        ("correlation", ["--out", "x.pdf", "--human", "nobody"]), ("ranking", ["--out", ""]),
    )),
    *(["report", "--corpus", "demo", *more] for more in (["--system", "NOBODY"], [], ["--system", ""])),
    *(["reproduce", *more] for more in (["nobody2020"], [""], ["napoles2015", "--corpus", "nowhere"])),
    *(["corpora", *more] for more in (
        ["show"], ["show", "nowhere"], ["check", "nowhere"], ["check", "/dev/null"], ["fetch", "nowhere"],
        ["fetch", "demo", "--mirror", "x"], ["eat", "demo"],
    )),
    *(["types", "--corpus", name] for name in ("nowhere", "")),
    *(["run", *more] for more in (
        ["--port", "0"], ["--port", "-1"], ["--port", "65536"], ["--port", "99999"], ["--port", "x"], ["--port", "1.5"],
        ["--port", "٣"], ["--address", "nowhere.invalid"], ["--address", "192.0.2.1"], ["--address", "a" * 300],
    )),
    *(["stress", "--corpus", "demo", "--metric", "m2", "--each", each] for each in ("0", "-1", "x", "1e9")),
    *(["score", "--corpus", "demo", "--metric", "length", "--sentences", each] for each in (
        "1-5-9", "judged,1", "1e2", "٣", "1..3", "1;2", "/", "--",
    )),
    *(["explain", "--corpus", "demo", "--metric", "m2", "--system", "EAGER", "--sentence", each] for each in (
        "1e1", "",
    )),
    *(["score", "--corpus", "demo", "--hyp", each, "--metric", "length"] for each in ("=A=h.txt", "A=.", "A=h.txt\n")),
    ["score", "--corpus", "demo", "--metric", "gleu", "--option", "gleu.iterations=10000000000"],
    ["report", "--corpus", "demo", "--system", "EAGER", "--out", "/proc/x.html"], ["install-weights", "x"],
    ["trial", "--corpus", "demo", "--metric", "llm-sentence", "--first", "0"], ["judge", "show"],
    ["corpora", "fetch", "conll14", "--mirror", "ftp://x"], ["types", "--corpus", "demo", "--level", "x"],
    [], [""], ["scores"], ["--nonsense"], ["score"], ["score", "--metric", "m2"], ["score", "--corpus"],
]  # fmt: skip
"""Arguments that are wrong, and must be answered with exit code 2."""


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_wrong_arguments_are_told(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = main(arguments)
    except SystemExit as left:  # by argparse
        code = int(str(left.code))
    out, err = capsys.readouterr()
    assert code == 2, (arguments, out, err)
    assert len(err.strip()) > 15, arguments
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


FILES: dict[str, bytes] = {
    "empty": b"", "one line": b"a b\n", "three lines": b"a\nb\nc\n", "not UTF-8": b"\xff\xfe\x00\n",
    "Latin-1": b"caf\xe9\nx\n", "UTF-16": "a b\nc d\n".encode("utf-16"), "zeros": b"\x00\x00\n\x00\n",
    "gzip magic": b"\x1f\x8b\x00", "zip magic": b"PK\x03\x04", "a picture": b"\x89PNG\r\n\x1a\n\x00\n",
    "no end": b"a b\nc", "half a pair": b"\xed\xa0\x80\nb\n",
}  # fmt: skip
SOUND = {"s": b"a b\nc d\n", "r": b"a x\nc d\n", "h": b"a x\nc d\n"}
ODD_BUT_SOUND = {("no end", "s"), ("no end", "r"), ("no end", "h")}


@pytest.mark.parametrize(("kind", "role"), list(itertools.product(FILES, SOUND)))
def test_files_that_do_not_fit_are_told_by_name(
    kind: str, role: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in (SOUND | {role: FILES[kind]}).items():
        (tmp_path / f"{name}.txt").write_bytes(content)
    given = ["score", "--source", str(tmp_path / "s.txt"), "--ref", str(tmp_path / "r.txt")]
    code = main([*given, "--hyp", f"A={tmp_path / 'h.txt'}", "--metric", "length", "--no-store"])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    if (kind, role) in ODD_BUT_SOUND:
        assert code == 0
    else:
        assert code == 2, (out, err)
        assert any(f"{name}.txt" in err for name in SOUND), err


M2 = [
    "A 0 1|||R|||x|||REQUIRED|||-NONE-|||0\n", "S a b\nA 0 1\n", "S a b\nA x y|||R|||x|||REQUIRED|||-NONE-|||0\n",
    "S a b\nA 0 1|||R|||x\n", "S a b\nA 0 1|||R|||x|||REQUIRED|||-NONE-|||z\n", "S a b\nB what\n", "nonsense\n",
    "S a b\nA 1 0|||R|||x|||REQUIRED|||-NONE-|||0\n", "S a b\nA -5 0|||R|||x|||REQUIRED|||-NONE-|||0\n",
    "S a b\nA 0 99999999999999999999|||R|||x|||REQUIRED|||-NONE-|||0\n", "S a b\n\n\nA\n", "\x00S a\n",
    "S a b\nA 0|||R|||x|||REQUIRED|||-NONE-|||0\n", "S a b\nA 0.5 1|||R|||x|||REQUIRED|||-NONE-|||0\n",
]  # fmt: skip


@pytest.mark.parametrize("text", M2)
def test_gold_files_that_are_none_are_told_by_name(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.m2").write_text(text, encoding="utf-8")
    (tmp_path / "h.txt").write_text("a b\n")
    given = ["--m2", str(tmp_path / "g.m2"), "--hyp", f"A={tmp_path / 'h.txt'}", "--metric", "m2", "--no-store"]
    code = main(["score", *given, "--strict"])
    err = capsys.readouterr().err
    assert code == 2, err
    assert "g.m2" in err or "sentence" in err
    assert "Traceback" not in err


OUTPUTS: dict[str, bytes] = {
    "crcr.txt": b"a b\r\rc d\r\r", "mixed.txt": b"a b\r\nc d\ne f\r\n", "nel.txt": b"a b\xc2\x85c d\n",
    "be.txt": "a b\nc d\n".encode("utf-16-be"), "utf32.txt": "a b\nc d\n".encode("utf-32"), "nul.txt": b"a b\nc\x00d\n",
    "list.json": b'["a x", 5]', "dict.json": b'{"outputs": "a"}', "nan.jsonl": b'{"output": NaN}\n{"output": "c d"}\n',
    "bool.jsonl": b'{"output": true}\n{"output": "c d"}\n', "null.jsonl": b'{"output": null}\n{"output": "c"}\n',
    "dup.jsonl": b'{"id":1,"output":"a"}\n{"id":1,"output":"c"}\n',
    "open.csv": b'system,output\nA,"a x\nA,c d\n', "semicolons.csv": b"output;score\na x;1\nc d;2\n",
    "twice.tsv": b"output\toutput\na x\ta y\nc d\tc e\n",
    "nested.json": b'[{"output": ["a", "b"]}, {"output": "c"}]', "short.csv": b"id,output\n1,a\n2\n",
    "comma.csv": b"id,output\n1,a, b\n2,c\n", "html.txt": b"<html><body>a</body></html>\nc d\n",
}  # fmt: skip
"""Outputs for two sentences, none of which can be read as two outputs."""


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_that_are_none_are_told_by_name(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.txt").write_bytes(SOUND["s"])
    (tmp_path / name).write_bytes(OUTPUTS[name])
    given = ["--source", str(tmp_path / "s.txt"), "--hyp", f"A={tmp_path / name}", "--metric", "length", "--no-store"]
    assert main(["score", *given]) == 2
    assert name in capsys.readouterr().err
