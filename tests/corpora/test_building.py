"""Corpora built from the files that their authors published, and fetched from a server that has them."""

import functools
import io
import tarfile
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from judged import DATA, needs_judged

from gec_core import corpora
from gec_core.corpora import building, download
from gec_core.corpora.published_corpora import PUBLISHED
from gec_core.errors import CorpusError, DownloadError


@needs_judged
@pytest.mark.parametrize(
    ("name", "sentences", "systems", "sets"),
    [
        ("conll14", 1312, 13, ["judgments", "napoles2015"]),
        ("seeda", 1312, 15, ["edit", "sent"]),
        ("gmeg-fce", 968, 7, ["ratings"]),
        ("gmeg-wiki", 992, 7, ["ratings"]),
        ("tmu-gfm", 1374, 5, ["grammaticality", "fluency", "meaning"]),
    ],
)
def test_a_corpus_is_built_from_published_files(
    tmp_path: Path, name: str, sentences: int, systems: int, sets: list[str]
) -> None:
    corpus = corpora.load(building.build(name, DATA, target=tmp_path / name))
    assert (len(corpus), len(corpus.systems), list(corpus.judgment_sets)) == (sentences, systems, sets)
    if name == "seeda":
        assert {key: len(corpus.system_set(key)) for key in corpus.system_sets} == {
            "base": 12,
            "+INPUT": 13,
            "+fluency": 14,
            "all": 15,
        }
        assert len(corpus.verdicts) == 6469


@needs_judged
def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "files"
    source.mkdir()
    (source / "tmu-gfm-dataset.csv").write_bytes(
        (DATA / "tmu-gfm" / "tmu-gfm-dataset.csv").read_bytes().replace(b"Rising", b"Risen")
    )
    with pytest.raises(CorpusError, match=r"human/gfm\.csv is not the expected file"):
        building.build("tmu-gfm", source, target=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named_with_its_address(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"tmu-gfm-dataset\.csv is not in it\. It is published in https://github"):
        building.build("tmu-gfm", tmp_path, target=tmp_path / "out")
    with pytest.raises(CorpusError, match="'x' cannot be built"):
        building.build("x", tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    served = tmp_path / "served"
    served.mkdir()
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", served
        running.shutdown()


def pack(path: Path, files: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"repository-1/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


@needs_judged
def test_a_corpus_is_fetched_and_only_what_belongs_to_it(
    server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address, served = server
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("gec_core.corpora.catalogue.download_folder", lambda: tmp_path / "corpora")
    archive = PUBLISHED["tmu-gfm"].members["human/gfm.csv"].archive.rpartition("/")[2]
    data = (DATA / "tmu-gfm" / "tmu-gfm-dataset.csv").read_bytes()
    pack(served / archive, {"tmu-gfm-dataset.csv": data, "../../evil": b"x", "other.txt": b"x"})
    seen: list[download.DownloadProgress] = []
    folder = download.fetch("tmu-gfm", mirror=address, on_progress=seen.append)
    assert sorted(path.name for path in folder.iterdir()) == ["corpus.toml", "human", "source.txt", "systems"]
    assert seen[-1].received == (served / archive).stat().st_size
    assert corpora.load(folder).chosen_set == "grammaticality"


def test_a_damaged_archive_leaves_nothing(
    server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address, served = server
    monkeypatch.setattr("gec_core.corpora.catalogue.download_folder", lambda: tmp_path / "corpora")
    archive = PUBLISHED["tmu-gfm"].members["human/gfm.csv"].archive.rpartition("/")[2]
    (served / archive).write_bytes(b"\x1f\x8b no archive")
    with pytest.raises(DownloadError, match=r"damaged archive .* Nothing was kept\.\nBy hand: download https"):
        download.fetch("tmu-gfm", mirror=address)
    pack(served / archive, {"tmu-gfm-dataset.csv": b"source,output\n"})
    with pytest.raises(DownloadError, match="Nothing was kept"):
        download.fetch("tmu-gfm", mirror=address)
    assert not (tmp_path / "corpora" / "tmu-gfm").exists()
