"""Saving a corpus and loading it gives the same corpus, or an error and nothing on the disk."""

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import CONLL14, needs_conll14
from corpus_files import SMALL, write
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_core import corpora
from gec_core.corpora import saving
from gec_core.corpora.assemble import gold_from_references
from gec_core.errors import CorpusError
from gec_core.types import Annotation, Corpus, CorpusInfo, Edit, ErrorGroup, Judgment, Judgments, Ranked, Sentence

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
    with pytest.raises(CorpusError, match="is already there"):
        corpora.save(corpus, tmp_path / "in")
    assert corpora.load(tmp_path / "in").fingerprint == corpus.fingerprint


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpora.load(write(tmp_path / "in", SMALL))

    def full(*args: object, **kwargs: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saving.Path, "write_text", full)
    with pytest.raises(CorpusError, match=r"out: cannot be written \(No space left on device\)"):
        corpora.save(corpus, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@needs_conll14
def test_conll14_is_saved_and_loaded(tmp_path: Path) -> None:
    corpus = corpora.load(CONLL14)
    corpora.save(corpus, tmp_path / "copy")
    assert corpora.load(tmp_path / "copy").fingerprint == corpus.fingerprint
