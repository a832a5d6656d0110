"""Bad uploads and bad addresses: each is told in words or set right, none ends in a traceback.

Those of the command line are in tests/cli/test_cli_bad_inputs.py; together they are more than 250.
"""

import gzip
import itertools
import zipfile
from io import BytesIO

import pytest
from opening import opened, shown
from streamlit.testing.v1 import AppTest

from gec_core import corpora
from gec_core.corpora.uploads import Upload, read_corpus, read_outputs
from gec_core.scoring.imported import read_uploads

DEMO = corpora.load("demo")


def zip_of(**files: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


FILES: dict[str, tuple[str, bytes]] = {
    "empty": ("a.txt", b""),
    "one line": ("a.txt", b"a b\n"),
    "not UTF-8": ("a.txt", b"caf\xe9\n" * 86),
    "UTF-16": ("a.txt", "a b\n".encode("utf-16") * 86),
    "zeros": ("a.txt", b"\x00" * 500),
    "half a pair": ("a.txt", b"\xed\xa0\x80\n" * 86),
    "a picture": ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00" * 20),
    "a PDF": ("a.txt", b"%PDF-1.7\n" * 86),
    "a zip by another name": ("a.txt", zip_of(x=b"y")),
    "half a zip": ("a.zip", zip_of(x=b"y" * 100)[:60]),
    "an empty zip": ("a.zip", zip_of()),
    "half a gzip": ("a.txt.gz", gzip.compress(b"a b\n" * 86)[:20]),
    "a bomb": ("a.txt.gz", gzip.compress(b"a" * 30_000_000)),
    "broken JSON": ("a.json", b'{"a": ['),
    "JSON of nothing": ("a.json", b"null"),
    "JSONL of lists": ("a.jsonl", b"[1, 2]\n" * 86),
    "JSONL with a hole": ("a.jsonl", b'{"output": "x"}\n{"output": \n'),
    "CSV without a heading": ("a.csv", b"1,2,3\n4,5\n"),
    "TSV with one column": ("a.tsv", b"score\n1\n"),
    "no parquet": ("a.parquet", b"PAR1nothing"),
    "no XML": ("a.xml", b"<scripts><script></scripts>"),
    "an XML bomb": ("a.xml", b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><scripts>&b;</scripts>'),
    "no M2": ("a.m2", b"nonsense\n"),
    "a long line": ("a.txt", b"a " * 5000 + b"\n"),
    "carriage returns": ("a.txt", b"a b\r" * 86),
}


@pytest.mark.parametrize("kind", FILES)
def test_outputs_that_are_none_are_refused_by_name(kind: str) -> None:
    name, content = FILES[kind]
    found = read_outputs([Upload(name, content)], DEMO)
    assert all(each.lines is None for each in found)
    told = [finding.message for each in found for finding in each.findings if finding.level == "error"]
    assert any(name in message for message in told), told


@pytest.mark.parametrize("kind", [kind for kind in FILES if kind != "one line"])  # which is a sound source
def test_corpora_that_are_none_are_refused_by_name(kind: str) -> None:
    name, content = FILES[kind]
    role = "corpus" if name.endswith(".zip") else "gold" if name.endswith((".m2", ".xml")) else "source"
    files, roles = [Upload(name, content), Upload("h.txt", b"a c\nb\n")], [role, "outputs"]
    found = read_corpus(files, roles, "mine")  # type: ignore[arg-type]
    problems = [*found.findings, *(finding for each in found.outputs for finding in each.findings)]
    told = [finding.message for finding in problems if finding.level == "error"]
    assert told, found
    assert any(name in message or "h.txt" in message for message in told), told


@pytest.mark.parametrize("kind", FILES)
def test_scores_that_are_none_are_refused_by_name(kind: str) -> None:
    name, content = FILES[kind]
    metrics, findings = read_uploads([Upload(name, content)], ())
    told = [finding.message for finding in findings if finding.level == "error"]
    assert not [metric for metric in metrics if not metric.misfit(DEMO)]
    assert any(name in message for message in told) or all(metric.misfit(DEMO) for metric in metrics), told


VALUES = ["", "nobody", "-1", "999999999999999999999", "NaN", "<script>x</script>", "a\nb\x00", "é" * 300]
PARTS = {
    "10_overview.py": ("corpus", "metrics", "human"),
    "20_rankings.py": ("sort", "highlight", "without", "judgments", "aggregate"),
    "30_correlation.py": ("view", "coefficient", "click", "window", "human"),
    "35_across.py": ("view", "measure", "order", "method"),
    "40_agreement.py": ("view", "agreement", "tied"),
    "45_types.py": ("type", "errors_of", "level", "measure"),
    "48_why.py": ("a", "b", "sides", "group", "by", "unit"),
    "50_disagreements.py": ("first", "second", "length", "page", "only"),
    "60_sentence.py": ("sentence", "system", "against"),
    "70_my_system.py": ("analyse", "rival", "bring", "mine", "part"),
    "80_playground.py": ("source", "output", "reference", "step", "preset"),
    "85_judge.py": ("session", "owner"),
    "92_guess.py": ("step",),
    "95_metrics.py": ("metric",),
}
ADDRESSES = [
    (page, part, value)
    for (page, part), value in zip(
        ((page, part) for page, parts in PARTS.items() for part in parts), itertools.cycle(VALUES), strict=False
    )
]


@pytest.mark.parametrize(("page", "part", "value"), ADDRESSES, ids=range(len(ADDRESSES)))
def test_an_address_that_names_nothing_opens_the_page_all_the_same(
    app: AppTest, page: str, part: str, value: str
) -> None:
    app.query_params[part] = value
    for name, usual in {"corpus": "demo", "metrics": ["m2", "gleu"]}.items():
        app.query_params[name] = value if name == part else usual
    opened(app, page)
    assert len(shown(app)) > 100
    told = " ".join(str(each.value) for kind in (app.warning, app.info, app.error, app.toast) for each in kind)
    read = {*app.session_state["_page_choices"], "human", "judgments", "aggregate", "without"}
    if value and part in read - {"source", "output", "reference"}:  # in which any text is right
        assert told
