# mypy: disable-error-code="attr-defined"
"""The corpus folder: loading it, which file an error names, and saving a corpus without loss."""

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import CONLL14, needs_conll14
from corpus_files import M2, SMALL, write
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_core import corpora
from gec_core.corpora import folder
from gec_core.corpora.assemble import gold_from_references
from gec_core.errors import CorpusError
from gec_core.types import Annotation, Corpus, CorpusInfo, Edit, ErrorGroup, Judgment, Judgments, Ranked, Sentence

LISTING = '<x><sentence numann="1"><text>Fine .</text></sentence></x>'
RANKINGS = '<x><ranking-item src-id="1" user="ann"><translation rank="1" system="GHOST"/></ranking-item></x>'
PAIRS = "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n0,ann,A,1,B,2\n"


def test_gold_gives_edits_and_references(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path / "small", SMALL))
    assert corpus.name == "small"
    assert [sentence.source for sentence in corpus.sentences] == ["This machines is old .", "Fine ."]
    assert corpus.sentences[0].references == ("This machine is old .", "These machines are old .")
    assert corpus.sentences[1].references == ("Fine .", "Fine .")
    assert corpus.sentences[0].annotations[0] == Annotation(0, (Edit(1, 2, "machine", "Nn"),))
    assert corpus.systems == {
        "A": ("This machine is old .", "Fine ."),
        "B": ("These machines are old .", "Fine !"),
    }
    assert corpus.judgments is None
    assert corpus.human is None
    assert corpus.info == CorpusInfo()


def test_sources_may_come_from_gold(tmp_path: Path) -> None:
    without = {name: text for name, text in SMALL.items() if name != "source.txt"}
    assert (
        corpora.load(write(tmp_path / "a", without)).fingerprint
        == corpora.load(write(tmp_path / "b", SMALL)).fingerprint
    )


def test_references_alone_give_edits(tmp_path: Path) -> None:
    files = {"source.txt": "a b\n", "references/ref0.txt": "a\n", "references/ref1.txt": "a b\n"}
    [sentence] = corpora.load(write(tmp_path, files)).sentences
    assert sentence.references == ("a", "a b")
    assert sentence.annotations == (Annotation(0, (Edit(1, 2, ""),)), Annotation(1))


def test_given_references_are_kept_beside_gold(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path, {**SMALL, "references/only.txt": "x\ny\n"}))
    assert [sentence.references for sentence in corpus.sentences] == [("x",), ("y",)]
    assert len(corpus.sentences[0].annotations) == 2


def test_references_are_sorted_by_number(tmp_path: Path) -> None:
    files = {f"references/ref{number}.txt": f"{number}\n" for number in (10, 9, 1)}
    [sentence] = corpora.load(write(tmp_path, {"source.txt": "a\n", **files})).sentences
    assert sentence.references == ("1", "9", "10")


def test_everything_may_be_compressed(tmp_path: Path) -> None:
    files = {**SMALL, "judgments.csv": PAIRS, "human.tsv": "A\t1\n", "corpus.toml": "title = 'T'\n"}
    plain = corpora.load(write(tmp_path / "plain", files))
    packed = corpora.load(
        write(tmp_path / "packed", {f"{name}.gz": gzip.compress(text.encode()) for name, text in files.items()})
    )
    assert packed.fingerprint == plain.fingerprint
    assert packed.info.title == "T"


def test_grouped_errors_come_from_gold_xml(tmp_path: Path) -> None:
    [sentence] = corpora.load(write(tmp_path, {"gold.xml": LISTING})).sentences
    assert sentence.errors == ()
    assert sentence.references == ("Fine .",)


def test_judgments_of_a_system_without_outputs_are_kept(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path, {**SMALL, "judgments.xml": RANKINGS}))
    assert corpus.judgments is not None
    assert corpus.judgments.systems == ("GHOST",)


def test_human_scores_and_pairs(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path, {**SMALL, "judgments.csv": PAIRS, "human.tsv": "A\t0.5\n"}))
    assert corpus.judgments is not None
    assert corpus.judgments.systems == ("A", "B")
    assert corpus.human == {"A": 0.5}


@pytest.mark.parametrize("key", ["title", "name"])
def test_corpus_toml(tmp_path: Path, key: str) -> None:
    toml = f'{key} = "My corpus"\r\nlanguage = "de"\r\nnotice = "made up"\r\n'
    info = corpora.load(write(tmp_path, {**SMALL, "corpus.toml": toml})).info
    assert info == CorpusInfo(title="My corpus", language="de", notice="made up")


def test_hidden_and_foreign_files_are_not_systems(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path, {**SMALL, "systems/._A.txt": "x", "systems/notes.md": "x"}))
    assert list(corpus.systems) == ["A", "B"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"systems/A.txt": "one\n"},
            "c/systems/A.txt: 1 line, but source.txt has 2. Is there a blank line at the end, or is a line missing?",
        ),
        ({"systems/A.txt": "one\ntwo\n\n"}, "c/systems/A.txt: 3 lines, but source.txt has 2."),
        ({"references/r.txt": ""}, "c/references/r.txt: 0 lines, but source.txt has 2."),
        ({"source.txt": "Fine .\n"}, "c/gold.m2: 2 sentences, but source.txt has 1 line."),
        (
            {"source.txt": "This machines is old .\nFine !\n"},
            "c/source.txt:2: differs from sentence 2 of gold.m2: token 2 is '!' here and '.' there.",
        ),
        (
            {"source.txt": "This machines is\nFine .\n"},
            "c/source.txt:1: differs from sentence 1 of gold.m2: 3 tokens here and 5 there.",
        ),
        ({"source.txt": "", "gold.m2": ""}, "c/source.txt: has no sentences. A corpus needs at least one."),
        ({"gold.m2": f"{M2}X\n"}, "c/gold.m2:8: found 'X'"),
        ({"gold.xml": LISTING}, "c/gold.xml: there is gold.m2, too. Keep one of the two."),
        ({"source.txt.gz": b""}, "c/source.txt.gz: there is source.txt, too. Keep one of the two."),
        ({"systems/A.txt.gz": b""}, "c/systems/A.txt.gz: there is A.txt, too. Keep one of the two."),
        ({"judgments.xml": RANKINGS, "judgments.csv": PAIRS}, "c/judgments.csv: there is judgments.xml, too."),
        (
            {"judgments.xml": RANKINGS.replace('"1"', '"3"', 1)},
            "c/judgments.xml: the judgments do not fit the outputs, whether sentences are counted from 0",
        ),
        ({"corpus.toml": "title = 3\n"}, "c/corpus.toml: title is 3; expected text in quotes."),
        ({"corpus.toml": f"x = {'[' * 9999}"}, "c/corpus.toml: not a TOML file"),
        ({"corpus.toml": "title\n"}, "c/corpus.toml: not a TOML file (Expected '=' after a key"),
        ({"systems/A.txt": b"\xff\xffa\n"}, "c/systems/A.txt:1: not UTF-8: byte 0xFF, the 1st of the line."),
    ],
)
def test_the_file_that_does_not_fit_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str | bytes], message: str
) -> None:
    write(tmp_path / "c", {**SMALL, **changes})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError) as caught:
        corpora.load("c")
    assert str(caught.value).startswith(message)


def test_a_corpus_may_have_neither_references_nor_gold(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path, {"source.txt": "a\n"}))
    assert (corpus.sentences[0].references, corpus.sentences[0].annotations) == ((), ())


def test_loose_files(tmp_path: Path) -> None:
    write(tmp_path, {**SMALL, "gold.xml": LISTING})
    paths = {name: tmp_path / "systems" / f"{name}.txt" for name in ("B", "A")}
    corpus = corpora.from_files(source=tmp_path / "source.txt", hypotheses=paths, m2=tmp_path / "gold.m2", name="n")
    assert corpus.name == "n"
    assert list(corpus.systems) == ["B", "A"]
    without_source = corpora.from_files(hypotheses=paths, m2=tmp_path / "gold.m2")
    assert without_source.fingerprint == corpus.fingerprint
    assert corpora.from_files(m2=str(tmp_path / "gold.xml")).sentences[0].errors == ()


def test_loose_files_that_do_not_fit_are_named(tmp_path: Path) -> None:
    write(tmp_path, {"s.txt": "a\nb\n", "h.txt": "a\n", "r.txt": "a\nb\n"})
    source, output, reference = (tmp_path / name for name in ("s.txt", "h.txt", "r.txt"))
    with pytest.raises(CorpusError, match=r"h\.txt: 1 line, but files has 2 sentences"):
        corpora.from_files(source=source, hypotheses={"A": output}, references=[reference])
    with pytest.raises(CorpusError, match="files: no sources"):
        corpora.from_files(references=[reference])


@needs_conll14
def test_conll14_loads() -> None:
    corpus = corpora.load(CONLL14)
    assert corpora.summarise(corpus) == corpora.Summary(
        sentences=1312, tokens=30144, references=2, annotators=2, edits=5598, systems=13, judgments=2319, judges=8
    )
    assert corpus.systems["INPUT"] == tuple(sentence.source for sentence in corpus.sentences)
    assert corpus.systems["POST"].count("") == 1


@needs_conll14
def test_conll14_without_references_has_those_of_gong_et_al(tmp_path: Path) -> None:
    for name in ("source.txt", "gold.m2"):
        shutil.copy(CONLL14 / name, tmp_path)
    published = [(CONLL14 / "references-um" / f"ref{number}.txt").read_text().splitlines() for number in (0, 1)]
    derived = zip(*(sentence.references for sentence in corpora.load(tmp_path).sentences), strict=True)
    assert [list(lines) for lines in derived] == published


texts = st.lists(st.text("ab.é<&|\"'", min_size=1, max_size=3), max_size=4).map(" ".join)
names = st.text("AB c.-é", min_size=1, max_size=4).filter(
    lambda name: not name.startswith(".") and name.strip() == name
)
codes = st.text("ABC.é-", min_size=1, max_size=4)


@st.composite
def edits(draw: st.DrawFn, length: int) -> Edit:
    start, end = sorted([draw(st.integers(0, length)), draw(st.integers(0, length))])
    plain = st.lists(st.sampled_from(["a", "é", "."]), max_size=2).map(" ".join)
    return Edit(start, end, draw(plain), draw(st.sampled_from(["", "Nn"])), tuple(draw(st.lists(plain, max_size=1))))


@st.composite
def sentences(draw: st.DrawFn, references: int, kind: str) -> Sentence:
    source = draw(texts)
    given_references = tuple(draw(texts) for _ in range(references))
    if kind == "references":
        return Sentence(source, given_references, gold_from_references(source, given_references))
    own = st.lists(edits(len(source.split())), max_size=2).map(tuple)
    if kind == "m2":
        annotations = tuple(Annotation(who, draw(own)) for who in range(draw(st.integers(1, 2))))
        return Sentence(source, given_references, annotations)
    edit = replace(draw(edits(len(source.split()))), type="X", alternatives=())
    group = ErrorGroup((Annotation(0, (edit,)),), draw(st.booleans()), "X")
    return Sentence(source, given_references, (Annotation(0, (edit,)), Annotation(1)), (group,))


@st.composite
def whole_corpora(draw: st.DrawFn) -> Corpus:
    kind = draw(st.sampled_from(["references", "m2", "xml"]))
    references = draw(st.integers(1, 3))
    content = draw(st.lists(sentences(references, kind), min_size=1, max_size=3))
    count = len(content)
    ranked = st.builds(lambda name, rank: (Ranked((name, f"{name}2"), rank),), codes, st.integers(1, 5)) | st.just(())
    items = st.lists(st.builds(Judgment, st.integers(0, count - 1), names, ranked), max_size=2)
    return Corpus(
        "any",
        tuple(content),
        draw(st.dictionaries(names, st.lists(texts, min_size=count, max_size=count).map(tuple), max_size=2)),
        draw(st.none() | items.map(tuple).map(Judgments)),
        draw(
            st.none() | st.dictionaries(names, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=2)
        ),
        draw(st.builds(CorpusInfo, title=st.text(max_size=5), citation=st.text(max_size=5))),
    )


@settings(deadline=None)
@given(whole_corpora())
def test_load_gives_what_save_took(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> None:
    target = tmp_path_factory.mktemp("saved") / "corpus"
    corpora.save(corpus, target)
    loaded = corpora.load(target)
    assert loaded.fingerprint == corpus.fingerprint
    assert loaded.sentences == corpus.sentences
    assert loaded.info == corpus.info
    assert [path.name for path in target.parent.iterdir()] == ["corpus"]


def test_edits_that_only_repeat_the_references_are_not_written_as_gold(tmp_path: Path) -> None:
    files = {"source.txt": "a b\n", "references/ref0.txt": "a || c\n"}
    corpora.save(corpora.load(write(tmp_path / "in", files)), tmp_path / "out")
    written = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert written == ["corpus.toml", "references/ref0.txt", "source.txt"]


def with_system(corpus: Corpus, name: str) -> Corpus:
    return replace(corpus, systems={name: corpus.outputs("A")})


def with_judged(corpus: Corpus, name: str) -> Corpus:
    return replace(corpus, judgments=Judgments((Judgment(0, "ann", (Ranked((name,), 1),)),)))


@pytest.mark.parametrize("name", ["a/b", "../a", ".a", "", "a\\b"])
def test_system_names_that_cannot_be_file_names(tmp_path: Path, name: str) -> None:
    corpus = with_system(corpora.load(write(tmp_path / "in", SMALL)), name)
    with pytest.raises(CorpusError, match="cannot name a file"):
        corpora.save(corpus, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_what_cannot_be_held_without_loss_is_not_saved(tmp_path: Path) -> None:
    corpus = with_judged(corpora.load(write(tmp_path / "in", SMALL)), "two words")
    with pytest.raises(CorpusError, match="cannot hold it without loss"):
        corpora.save(corpus, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_different_numbers_of_references(tmp_path: Path) -> None:
    corpus = Corpus("c", (Sentence("a", ("a",), (Annotation(0),)), Sentence("b", ("b", "b"), (Annotation(0),))))
    with pytest.raises(CorpusError, match="different numbers of references"):
        corpora.save(corpus, tmp_path / "out")


def test_an_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    corpus = corpora.load(write(tmp_path / "in", SMALL))
    with pytest.raises(CorpusError, match="already exists"):
        corpora.save(corpus, tmp_path / "in")
    assert corpora.load(tmp_path / "in").fingerprint == corpus.fingerprint


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpora.load(write(tmp_path / "in", SMALL))

    def full(*args: object, **kwargs: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder.Path, "write_text", full)
    with pytest.raises(CorpusError, match=r"out: cannot be written \(No space left on device\)"):
        corpora.save(corpus, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@needs_conll14
def test_conll14_is_saved_and_loaded(tmp_path: Path) -> None:
    corpus = corpora.load(CONLL14)
    corpora.save(corpus, tmp_path / "copy")
    assert corpora.load(tmp_path / "copy").fingerprint == corpus.fingerprint
