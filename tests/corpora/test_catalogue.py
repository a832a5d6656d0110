"""Finding corpora by name."""

import os
from pathlib import Path

import pytest
from conftest import CONLL14, needs_conll14
from corpus_files import SMALL, write

from gec_core import corpora, environment
from gec_core.corpora import catalogue
from gec_core.errors import CorpusError


def test_what_every_installation_knows() -> None:
    demo, conll14, *others = corpora.catalogue_entries()
    assert (demo.name, conll14.name) == ("demo", "conll14")
    assert [entry.name for entry in others] == ["seeda", "gmeg-fce", "gmeg-wiki", "tmu-gfm"]
    assert all(f"corpora build {entry.name} --from FOLDER" in entry.how for entry in others)
    assert conll14.path is None
    assert "corpora fetch conll14" in conll14.how
    assert "GEC_LENS_DATA" in conll14.how
    assert conll14.title.startswith("CoNLL-2014")


def test_folders_of_corpora_and_corpora_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "many" / "zwei", {**SMALL, "corpus.toml": 'title = "Number two"'})
    write(tmp_path / "many" / "conll14", SMALL)
    write(tmp_path / "many" / ".hidden", SMALL)
    write(tmp_path / "many" / "no corpus", {"readme.md": "x"})
    write(tmp_path / "eins", {**SMALL, "corpus.toml": "broken"})
    folders = [tmp_path / "many", tmp_path / "eins", tmp_path / "nowhere"]
    monkeypatch.setenv("GEC_LENS_DATA", os.pathsep.join(map(str, folders)))
    found = {entry.name: (entry.title, entry.path) for entry in corpora.catalogue_entries() if entry.name != "demo"}
    assert [name for name in found if found[name][1]] == ["conll14", "eins", "zwei"]
    assert found["zwei"] == ("Number two", tmp_path / "many" / "zwei")
    assert found["eins"] == ("eins", tmp_path / "eins")
    assert found["conll14"][0].startswith("CoNLL-2014")
    assert corpora.load("zwei").info.title == "Number two"


def test_the_first_folder_wins_and_downloads_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    downloaded = write(catalogue.download_folder() / "conll14", SMALL)
    entry = catalogue.get("conll14")
    assert entry is not None
    assert entry.path == downloaded
    own = write(tmp_path / "conll14", SMALL)
    monkeypatch.setenv("GEC_LENS_DATA", str(own))
    entry = catalogue.get("conll14")
    assert entry is not None
    assert entry.path == own


def test_a_corpus_folder_comes_before_the_catalogue_but_a_stray_folder_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GEC_LENS_DATA", str(write(tmp_path / "data" / "mine", SMALL).parent))
    (tmp_path / "mine").mkdir()
    assert corpora.load("mine").systems["A"][1] == "Fine ."
    write(tmp_path / "mine", {**SMALL, "systems/A.txt": "x\ny\n"})
    assert corpora.load("mine").systems["A"][1] == "y"


def test_what_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"No corpus 'nosuch': .* the catalogue has only demo, conll14"):
        corpora.load("nosuch")
    with pytest.raises(CorpusError, match="No corpus 'xxx"):
        corpora.load("x" * 5000)
    with pytest.raises(CorpusError, match=r"The corpus conll14 is not on this machine\. Get it with"):
        corpora.load("conll14")
    with pytest.raises(CorpusError, match="not a corpus folder"):
        corpora.load(tmp_path)
    with pytest.raises(CorpusError, match=r"a corpus is a folder or a \.zip of one"):
        corpora.load(write(tmp_path, {"source.txt": "a"}) / "source.txt")


def test_folders_of_our_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path))
    assert environment.cache_folder() == tmp_path
    assert environment.data_folder() == tmp_path / "data"
    monkeypatch.delenv("GEC_LENS_CACHE")
    assert environment.cache_folder().name == "gec-lens"
    assert environment.data_folder().name == "gec-lens"


@needs_conll14
@pytest.mark.parametrize("folder", [CONLL14, CONLL14.parent])
def test_conll14_by_name(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("GEC_LENS_DATA", str(folder))
    assert corpora.load("conll14").fingerprint == corpora.load(CONLL14).fingerprint
