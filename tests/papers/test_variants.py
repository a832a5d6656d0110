"""CoNLL-2014 as papers used it, on a corpus small enough to check by hand."""

from pathlib import Path
from typing import Any

import pytest
from conftest import sentence

from gec_core.errors import CorpusError, MissingInput
from gec_core.papers import variants
from gec_core.types import Corpus

SOURCES = ["a b", "c d", "e f"]
CORPUS = Corpus("small", tuple(sentence(text, text) for text in SOURCES), {"one": ("a", "c", "e")})
GOLD = """S a b
A 0 1|||Nn|||A|||REQUIRED|||-NONE-|||0
A 1 2|||Um||||||REQUIRED|||-NONE-|||0
A 1 2|||Nn|||B|||REQUIRED|||-NONE-|||2

S c d
A 0 1|||Nn|||C|||REQUIRED|||-NONE-|||0
A 0 1|||Nn|||C|||REQUIRED|||-NONE-|||2

S e f
"""


def write(folder: Path, name: Any, text: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_references_with_the_um_edits(tmp_path: Path) -> None:
    write(tmp_path, "references-um/ref0.txt", "A b\nC d\nE f\n")
    write(tmp_path, "references-um/ref1.txt", "a B\nc D\ne F\n")
    found = variants.um(CORPUS, tmp_path)
    assert [one.references for one in found.sentences] == [("A b", "a B"), ("C d", "c D"), ("E f", "e F")]
    assert found.systems == CORPUS.systems


def test_alternatives_make_references_without_the_um_edits(tmp_path: Path) -> None:
    write(tmp_path, "gold-with-alternatives.m2", GOLD)
    found = variants.alternatives(CORPUS, tmp_path)
    assert [one.references for one in found.sentences] == [("A b", "a B"), ("C d", "C d"), ("e f", "e f")]
    assert [len(edit.edits) for edit in found.sentences[0].annotations] == [2, 1]


def test_sentences_that_do_not_cluster_by_overlap_are_left_out(tmp_path: Path) -> None:
    """In the first, one annotator corrects what the other leaves alone, and the other way round."""
    write(
        tmp_path,
        "gold-with-alternatives.m2",
        GOLD.replace("|||Um|||", "|||Mec|||").replace("A 1 2|||Mec||||||", "A 0 0|||Mec|||,|||"),
    )
    found = variants.clean(variants.alternatives(CORPUS, tmp_path))
    assert [one.source for one in found.sentences] == ["c d", "e f"]
    assert found.systems == {"one": ("c", "e")}


def test_rewrites_stand_in_for_systems_without_the_merged_lines(tmp_path: Path) -> None:
    write(tmp_path, "rewrites/expert_minimalA.txt", "A b\nC d\nE f\n")
    write(tmp_path, "rewrites/merged_ids.txt", "2\n")
    found = variants.rewrites(CORPUS, tmp_path)
    assert found.systems == {"source": ("a b", "e f"), "expert_minimalA": ("A b", "E f")}


@pytest.mark.parametrize(
    ("make", "file"),
    [
        (variants.um, "references-um"),
        (variants.alternatives, "gold-with-alternatives.m2"),
        (variants.rewrites, "rewrites"),
    ],
)
def test_the_file_that_is_missing_is_named(make: Any, file: str, tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match=file):
        make(CORPUS, tmp_path)
    with pytest.raises(MissingInput, match=file):
        make(CORPUS, None)


def test_files_that_do_not_fit_the_corpus_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "references-um/ref0.txt", "A b\n")
    with pytest.raises(CorpusError, match=r"ref0.txt: 1 lines, but the corpus has 3"):
        variants.um(CORPUS, tmp_path)
    write(tmp_path, "gold-with-alternatives.m2", "S other\n")
    with pytest.raises(CorpusError, match="not those of the corpus"):
        variants.alternatives(CORPUS, tmp_path)
