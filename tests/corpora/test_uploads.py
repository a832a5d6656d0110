# mypy: disable-error-code="func-returns-value, union-attr"
"""Files that somebody drops on a page: read, or refused with the file, the line, and what to do."""

import gzip
import io
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gec_core import corpora
from gec_core.corpora import archive, text, uploads
from gec_core.corpora.suspicions import out_of_step
from gec_core.corpora.uploads import Upload, UploadedCorpus, guess_role, read_corpus, read_outputs, with_systems
from gec_core.errors import CorpusError
from gec_core.types import Corpus, Sentence

SOURCES = [
    "He go to school every day .",
    "I has two brother , really .",
    "She like the music .",
    "They was late again .",
    "We needs more times .",
    "It rain a lot here .",
]
REFERENCES = [
    "He goes to school every day .",
    "I have two brothers , really .",
    "She likes music .",
    "They were late again .",
    "We need more time .",
    "It rains a lot here .",
]
TAIL = "REQUIRED|||-NONE-|||0"
GOOD = ["He goes to school every day .", "I have two brother , really .", *SOURCES[2:]]


def sentences() -> tuple[Sentence, ...]:
    return tuple(Sentence(source, (reference,)) for source, reference in zip(SOURCES, REFERENCES, strict=True))


CORPUS = Corpus("six", sentences(), {"OLD": tuple(REFERENCES[:3] + SOURCES[3:])})


def lined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def zip_of(files: dict[str, bytes] | dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return packed.getvalue()


def strange_zip(flags: int = 0, version: int = 20, name: bytes = b"a.txt") -> bytes:
    """A zip file that says it needs these features."""
    data = bytearray(zip_of({"a.txt": lined(GOOD)}))
    listed = data.index(b"PK\x01\x02")
    data[6:8] = data[listed + 8 : listed + 10] = flags.to_bytes(2, "little")
    data[listed + 6 : listed + 8] = version.to_bytes(2, "little")
    return bytes(data).replace(b"a.txt", name)


def upload(name: str, content: bytes | str) -> Upload:
    return Upload(name, content if isinstance(content, bytes) else content.encode())


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing may be left where the files are unpacked."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.txt", lined(GOOD)),
        ("mine.out", lined(GOOD).rstrip("\n")),
        ("mine.txt.gz", gzip.compress(lined(GOOD).encode())),
        ("mine.TXT.GZ", gzip.compress(lined(GOOD).encode())),
        ("mine.txt", b"\xef\xbb\xbf" + lined(GOOD).replace("\n", "\r\n").encode()),
        ("all.zip", zip_of({"folder/mine.txt": lined(GOOD), "folder/readme.md": "x"})),
        ("../../mine.txt", lined(GOOD)),
    ],
    ids=[
        "text",
        "no last line end",
        "gzip",
        "GZIP",
        "BOM and CRLF",
        "zip",
        "path",
    ],  # compressed bytes have the time in them
)
def test_what_is_understood_of_a_good_file(name: str, content: bytes) -> None:
    (found,) = read_outputs([upload(name, content)], CORPUS)
    assert found.lines == tuple(GOOD)
    assert found.name == "mine"
    assert found.tokens == sum(len(line.split()) for line in GOOD)
    assert found.unchanged == pytest.approx(4 / 6)
    assert found.findings == ()


BOMB = zip_of({"a.txt": b"a" * 30_000_000})
REFUSED = [
    ("m.txt", lined(GOOD[:5]), "m.txt: 5 lines, but six has 6 sentences. No output for sentence 6"),
    (
        "m.txt",
        lined(GOOD[:2] + GOOD[3:]),
        "m.txt: 5 lines, but six has 6 sentences. Line 3 looks like the output for line 4 of the sources, and "
        "the lines after it are shifted, too: a line before it is missing.",
    ),
    (
        "m.txt",
        lined([*GOOD[:2], "Oh no !", *GOOD[2:]]),
        "m.txt: 7 lines, but six has 6 sentences. Line 4 looks like the output for line 3 of the sources, and "
        "the lines after it are shifted, too: there is an extra line before it.",
    ),
    ("m.txt", lined(GOOD).replace("\n", "\r"), "m.txt: 1 line, but six has 6 sentences. Lines end in carriage returns"),
    ("m.txt", "", "m.txt: 0 lines, but six has 6 sentences."),
    ("m.txt", b"caf\xe9\n" * 6, "m.txt:1: not UTF-8: byte 0xE9, the 4th of the line. Save the file as UTF-8"),
    (
        "m.txt",
        b"caf\xe9\n" + "café\n".encode() * 5,
        "m.txt:1: not UTF-8: byte 0xE9, the 4th of the line. Other lines are UTF-8, so encodings are mixed",
    ),
    ("m.txt", lined(GOOD).encode("utf-16"), "m.txt:1: this is UTF-16 text."),
    ("m.txt", lined(GOOD).replace("music", "mu\x00sic"), "m.txt:3: found a NUL byte: this is not a text file."),
    ("m.txt", zip_of({"a": "b"}), "m.txt: this is a zip file (its name should end in .zip)"),
    ("m.txt", gzip.compress(b"x"), "m.txt: this is a gzip file: its name should end in .gz."),
    ("m.txt", b"%PDF-1.7 ...", "m.txt: this is a PDF document."),
    ("m.txt.gz", b"plain", "m.txt.gz: not a complete gzip file"),
    ("m.zip", b"plain", "m.zip: not a complete zip file"),
    ("m.zip", BOMB, "m.zip: unpacks to more than 200 times its size"),
    ("m.txt.gz", gzip.compress(b"a" * 30_000_000), "m.txt.gz: unpacks to more than 200 times its size"),
    ("m.zip", zip_of({"../m.txt": "x"}), "m.zip: the entry '../m.txt' would be written outside its folder"),
    ("m.zip", zip_of({"readme.md": "x"}), "m.zip: has no text files"),
    ("m.zip", zip_of({"source.txt": "x\n"}), "m.zip: this is a corpus folder, not outputs."),
    ("m.txt", "a\n" * 100_001, "m.txt: 100,001 lines; at most 100,000 are allowed."),
    ("m.txt", "a " * 2001 + "\n", "m.txt:1: 2,001 tokens; a sentence may have at most 2,000 tokens."),
    ("m.txt", "a" * 100_001, "m.txt:1: 100,001 bytes; a sentence may have at most 2,000 tokens."),
]


@pytest.mark.parametrize(("name", "content", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused_and_why(name: str, content: bytes | str, message: str) -> None:
    (found,) = read_outputs([upload(name, content)], CORPUS)
    assert found.lines is None
    (finding,) = found.findings
    assert finding.level == "error"
    assert finding.message.startswith(message)


@pytest.mark.parametrize(
    ("features", "problem"),
    [
        ({"flags": 0x20}, "compressed patched data (flag bit 5)"),
        ({"flags": 0x40}, "strong encryption (flag bit 6)"),
        ({"version": 99}, "zip file version 9.9"),
        ({"flags": 0x800, "name": b"\xff.txt"}, "'utf-8' codec can't decode byte 0xff in position 0"),
    ],
    ids=["patched", "strong encryption", "version", "name"],
)
def test_zip_files_that_python_does_not_read(
    features: dict[str, int] | dict[str, int | bytes], problem: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    packed = strange_zip(**features)
    told = f"m.zip: a zip file that cannot be read ({problem}"
    (outputs,) = read_outputs([upload("m.zip", packed)], CORPUS)
    assert outputs.findings[0].message.startswith(told)
    assert own({"m.zip": packed}).findings[0].message.startswith(told)
    path = tmp_path_factory.mktemp("strange") / "m.zip"
    path.write_bytes(packed)
    with pytest.raises(CorpusError, match=r"m\.zip: a zip file that cannot be read"):
        corpora.load(path)


def test_a_refused_file_does_not_keep_the_others_out() -> None:
    found = read_outputs([upload("bad.txt", b"\xff"), upload("good.txt", lined(GOOD))], CORPUS)
    assert [one.lines is None for one in found] == [True, False]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (SOURCES, "m.txt: equals the source in every line."),
        (REFERENCES, "m.txt: equals reference 1 wherever that differs from the source."),
        (CORPUS.systems["OLD"], "m.txt: equals OLD in every line."),
        ([*GOOD[:4], "", ""], "m.txt: 2 outputs empty where the source has text: sentences 5, 6."),
        (["I do not know ."] * 6, "m.txt: 6 of 6 lines are 'I do not know .'."),
        (
            [*GOOD[1:], "x"],
            "m.txt: 6 of 6 lines have little in common with their sources, the first is line 1. Line 1 looks like the "
            "output for line 2 of the sources, and the lines after it are shifted, too: a line before it is missing.",
        ),
        ([GOOD[0], "I have two brothers, really.", *GOOD[2:]], "m.txt: 1 of 6 outputs are tokenised unlike"),
        ([f"xx {source}" for source in SOURCES], "m.txt: in 6 of 6 changed lines the source is closer"),
        ([*GOOD, "", ""], "m.txt: dropped 2 blank lines at the end."),
    ],
)
def test_what_may_be_added_but_is_odd(lines: Sequence[str], message: str) -> None:
    (found,) = read_outputs([upload("m.txt", lined(lines))], CORPUS)
    assert found.lines is not None
    assert len(found.lines) == 6
    assert any(finding.level == "warning" and finding.message.startswith(message) for finding in found.findings)


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        (range(100, 300), "Line 1 looks like the output for line 101 of the sources, and the lines after it are "
         "shifted, too: 100 lines before it are missing."),
        ([*range(50), *range(90, 300)], "Line 51 looks like the output for line 91 of the sources, and the lines "
         "after it are shifted, too: 40 lines before it are missing."),
        ([*[0] * 20, *range(280)], "Line 21 looks like the output for line 1 of the sources, and the lines after it "
         "are shifted, too: there are 20 extra lines before it."),
        ([*range(100), 101, 777, *range(102, 300)], ""),
        (range(1000, 1300), ""),
    ],
    ids=["100 missing", "40 missing later", "20 too many", "one chance hit", "another file"],
)  # fmt: skip
def test_how_far_a_file_is_out_of_step(outputs: range | list[Any], told: str) -> None:
    def text(number: int) -> str:
        return f"a{number} b{number} c{number}"

    assert out_of_step([Sentence(text(number)) for number in range(300)], [text(number) for number in outputs]) == told


def test_names_that_are_taken_and_files_that_say_the_same() -> None:
    first, second, third = read_outputs([upload(n, lined(GOOD)) for n in ("OLD.txt", "a.txt", "a.txt.gz.txt")], CORPUS)
    assert (first.name, second.name, third.name) == ("OLD-2", "a", "a-2")
    assert "there is already a system OLD, so this one is called OLD-2" in first.findings[0].message
    assert second.findings[-1].message == "a.txt: the same as OLD.txt in every line. Is one of them the wrong file?"


@pytest.mark.parametrize("names", [("a: b.txt", "c: d.txt"), ("o.txt", "o.txt")])
def test_files_that_say_the_same_whatever_they_are_called(names: tuple[str, str]) -> None:
    first, second = read_outputs([upload(name, lined(GOOD)) for name in names], CORPUS)
    told = f"{names[1]}: the same as {names[0]} in every line. Is one of them the wrong file?"
    assert [finding.message for finding in first.findings] == []
    assert second.findings[-1].message == told


def test_too_much_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "UPLOAD", text.Limits(bytes=100, sentences=10))
    (found,) = read_outputs([upload("a.txt", "x" * 60), upload("b.txt", "x" * 60)], CORPUS)
    assert found.findings[0].message == "0 MB in all; upload at most 0 MB at a time."
    two = [upload(name, zip_of({})) for name in ("a.zip", "b.zip")]
    (found,) = read_outputs(two, CORPUS)
    assert found.findings[0].message.startswith(
        "2 files, 2 of them zip files; upload at most 50 files and one zip file"
    )


def test_many_small_bombs_are_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is within bounds, all of them together are not."""
    monkeypatch.setattr(uploads, "UPLOAD", text.Limits(bytes=5000, sentences=10_000))
    packed = gzip.compress(b"a\n" * 1500)
    (found,) = read_outputs([upload(f"{n}.txt.gz", packed) for n in "ab"], CORPUS)
    assert found.findings[0].message.startswith("All files together unpack to more than")
    inside = zip_of({f"{n}.txt.gz": packed for n in "ab"})
    (found,) = read_outputs([upload("m.zip", inside)], CORPUS)
    assert found.findings[0].message.startswith("All files together unpack to more than")


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("source.txt", "source"),
        ("src.tok.gz", "source"),
        ("own_src.txt", "source"),
        ("essays.orig", "source"),
        ("ref1.txt", "reference"),
        ("own_ref.txt", "reference"),
        ("essays-corrected.txt", "reference"),
        ("dev.target.gz", "reference"),
        ("pairs.tsv", "pairs"),
        ("gold.m2", "gold"),
        ("gold.m2.gz", "gold"),
        ("mine.zip", "corpus"),
        ("my-system.txt", "outputs"),
        ("refined.txt", "outputs"),
        ("SYSA.txt", "outputs"),
    ],
)
def test_what_a_file_is_by_its_name(file: str, role: str) -> None:
    assert guess_role(file) == role


def own(files: Mapping[str, str | bytes], roles: Any = None) -> UploadedCorpus:
    brought = [upload(name, content) for name, content in files.items()]
    return read_corpus(brought, roles or [guess_role(name) for name in files], "mine")


def annotated(annotators: range, bare: int = 0) -> str:
    """One sentence that all of these corrected, and some that nobody did."""
    edits = "".join(f"A 0 1|||X|||z|||REQUIRED|||-NONE-|||{number}\n" for number in annotators)
    return f"S a b c\n{edits}\n" + "S a b c\n\n" * bare


M2 = "S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n\nS c d\n"


@pytest.mark.parametrize(
    "files",
    [
        {"source.txt": "a b\nc d\n", "ref.txt": "c b\nc d\n"},
        {"both.tsv": "a b\tc b\nc d\tc d\n"},
        {"both.tsv": "Source\tReference\na b\tc b\nc d\tc d\n"},
        {"gold.m2": M2},
        {"source.txt": "a b\nc d\n", "gold.m2.gz": gzip.compress(M2.encode())},
    ],
)
def test_a_corpus_of_ones_own_from_loose_files(files: dict[str, str | bytes]) -> None:
    found = own({**files, "hyp.txt": "c b\nc e\n"})
    assert found.findings == ()
    assert [sentence.source for sentence in found.corpus.sentences] == ["a b", "c d"]
    assert [sentence.references for sentence in found.corpus.sentences] == [("c b",), ("c d",)]
    assert [edit.correction for edit in found.corpus.sentences[0].annotations[0].edits] == ["c"]
    assert found.outputs[0].lines == ("c b", "c e")


def test_two_references_in_one_table_and_a_third_in_a_file() -> None:
    found = own({"both.tsv": "a b\tc b\td b\n", "ref.txt": "e b\n", "hyp.txt": "c b\n"})
    assert found.corpus.sentences[0].references == ("c b", "d b", "e b")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"hyp.txt": "a\n"}, "There are no sources."),
        ({"source.txt": "a\n", "src.txt": "a\n"}, "src.txt: source.txt is sources, too."),
        ({"source.txt": "a\n", "x.tsv": "a\tb\n"}, "x.tsv: source.txt has the sources, too."),
        ({"x.tsv": "a\n"}, "x.tsv:1: found 'a'; expected the source, a tab, and a reference."),
        ({"x.tsv": "a\tb\nc\n"}, "x.tsv:2: 1 column, but the first line has 2. Found 'c'"),
        ({"source.txt": "a\nb\n", "ref.txt": "a\n"}, "ref.txt: 1 line, but source.txt has 2."),
        ({"source.txt": "a\n", "gold.m2": "S b\n"}, "source.txt:1: differs from sentence 1 of gold.m2"),
        ({"gold.m2": "A 0 1\n"}, "gold.m2:1: an A line without an S line"),
        ({"gold.m2": "S " + "a " * 2001 + "\n"}, "mine: sentence 1 has 2,001 tokens"),
        (
            {"gold.m2": "S " + "a " * 60_000 + "\n"},
            "gold.m2:1: 120,002 bytes; a sentence may have at most 2,000 tokens",
        ),
        ({"gold.m2": annotated(range(51))}, "gold.m2: 51 annotators; at most 50 are allowed."),
        (
            {"gold.m2": annotated(range(50), bare=20_000)},
            "gold.m2: 20,001 sentences with 50 references each; at most 1,000,000 references in all",
        ),
        (
            {"gold.xml": "<x>\n<sentence numann='5000'><text>a</text></sentence></x>"},
            "gold.xml:2: 5,000 annotators; at most 50 are allowed.",
        ),
        (
            {"x.tsv": "a\t" * 51 + "a\n"},
            "x.tsv:1: 52 columns; at most the source and 50 references are allowed.",
        ),
        (
            {"mine.zip": zip_of({"source.txt": "a\n"} | {f"references/{n}.txt": "b\n" for n in range(51)})},
            "mine.zip/source.txt: 51 references; at most 50 are allowed.",
        ),
        ({"mine.zip": zip_of({"readme.md": "x"})}, "mine.zip: not a corpus folder."),
        ({"mine.zip": zip_of({"source.txt": "a\n"}), "b.txt": "b\n"}, "mine.zip: a corpus folder is uploaded alone."),
    ],
)
def test_a_corpus_that_cannot_be_made(files: dict[str, str], message: str) -> None:
    found = own(files)
    assert found.corpus is None
    assert found.findings[0].message.startswith(message)


@pytest.mark.parametrize(
    ("files", "roles", "message"),
    [
        ({"source.txt": "a b\n", "ref.txt": "a c\n"}, None, "There are no system outputs to score"),
        ({"source.txt": "a b\n", "hyp.txt": "a c\n"}, None, "There are no references and no gold edits"),
        (
            {"hyp.txt": "a b\n", "source.txt": "a c\n", "ref.txt": "a d\n"},
            ["source", "outputs", "reference"],
            "hyp.txt is given as the sources and source.txt as outputs. Are the two swapped?",
        ),
        ({"source.txt": "a b\n", "ref.txt": "a b\n", "h.txt": "a c\n"}, None, "Every reference equals its source"),
        (
            {"gold.m2": f"S a b\nA 0 1|||T|||c|||{TAIL}\nA 1 4|||T|||<i>d|||{TAIL}\n", "h.txt": "c b\n"},
            None,
            "gold.m2:3: the edit 1 4 to '<i>d' of annotator 0 is outside the sentence, which has 2 tokens. It is left",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::gec_core.errors.CorpusWarning")
def test_a_corpus_that_is_odd(files: dict[str, str], roles: list[str] | None, message: str) -> None:
    (finding,) = own(files, roles).findings
    assert finding.level == "warning"
    assert finding.message.startswith(message)


def test_xml_that_would_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    small = text.Limits(bytes=10_000, sentences=10, tokens=10, tree=50)
    monkeypatch.setattr(uploads, "UPLOAD", small)
    found = own({"gold.xml": "<scripts>" + " " * 100 + "</scripts>"})
    assert found.findings[0].message.startswith("gold.xml: XML of")


def test_a_saved_corpus_opens_again_by_upload_and_by_name(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = with_systems(corpora.load("demo"), {"my system": tuple(corpora.load("demo").systems["NOISY"])})
    packed = archive.zipped(corpus)
    found = own({"saved.zip": packed})
    assert found.corpus.name == "mine"
    assert found.corpus.fingerprint == corpus.fingerprint
    path = tmp_path_factory.mktemp("saved") / "demo.zip"
    path.write_bytes(packed)
    assert corpora.load(path).fingerprint == corpus.fingerprint


def test_memory_that_runs_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(text.TextFile, "lines", full)
    told = "These files take more memory than the server has."
    assert own({"source.txt": "a\n"}).findings[0].message.startswith(told)
    (found,) = read_outputs([upload("m.txt", "a\n")], CORPUS)
    assert found.findings[0].message.startswith(told)


def test_a_table_is_read_once_however_many_columns_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    read, data = [], text.TextFile.data
    monkeypatch.setattr(text.TextFile, "data", lambda file: read.append(file.name) or data(file))
    found = own({"x.tsv": "\t".join("abcde") + "\n"})
    assert found.corpus.sentences[0].references == tuple("bcde")
    assert read == ["x.tsv"]


def test_lines_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of line ends alone would take fifty times its size as a list."""
    made = []
    monkeypatch.setattr(text, "normalise", lambda line: made.append(line) or line)
    (found,) = read_outputs([upload("m.txt", b"\n" * 1_000_000)], CORPUS)
    assert "1,000,000 lines" in found.findings[0].message
    assert made == []
