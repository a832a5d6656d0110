"""Downloading CoNLL-2014, from a server on this machine."""

import gzip
import http.server
import io
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CONLL14, needs_conll14

from gec_core import corpora
from gec_core.corpora import catalogue, download
from gec_core.corpora.catalogue import MANIFESTS
from gec_core.corpora.download import DownloadProgress, fetch
from gec_core.errors import CorpusError, DownloadError

MANIFEST = MANIFESTS["conll14"]
NAPOLES = CONLL14.parent / "napoles2015" / "data" / "all_judgments.xml"


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder, and misbehaves on request."""

    refuse = 0
    """How many requests are answered with 503 first."""
    cut = False
    """Whether the connection breaks in the middle of every file."""
    redirect = ""
    asked: list[str]

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients hang up in the middle of things here, and mean to."""


class Handler(http.server.SimpleHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.server.refuse:
            self.server.refuse -= 1
            self.send_error(503)
        elif self.server.redirect:
            self.send_response(302)
            self.send_header("Location", self.server.redirect)
            self.end_headers()
        elif self.server.cut:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"only this")
        else:
            super().do_GET()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def published(tmp_path: Path) -> Path:
    return tmp_path / "published"


@pytest.fixture
def server(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(download, "_PAUSES", (0.0, 0.0))
    published.mkdir()
    server = Server(("127.0.0.1", 0), lambda *args: Handler(*args, directory=str(published)))
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def pack(path: Path, files: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as out:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            out.addfile(entry, io.BytesIO(data))


def original(file: str) -> Path:
    """A file of the corpus folder on this machine."""
    return NAPOLES if file == "human/napoles2015.xml" else CONLL14 / file


def publish(folder: Path) -> None:
    """The files as their authors publish them, made of the corpus on this machine."""
    for item in MANIFEST.downloads:
        contents = {member: original(file).read_bytes() for file, member in item.files.items()}
        if item.file.endswith(".tar.gz"):
            pack(folder / item.file, {f"./{member}": data for member, data in contents.items()})
        else:
            (folder / item.file).write_bytes(contents[""])


def assert_nothing_is_left() -> None:
    folder = catalogue.download_folder()
    assert not folder.exists() or list(folder.iterdir()) == []


@needs_conll14
def test_fetch_gives_the_corpus(server: Server, published: Path) -> None:
    publish(published)
    seen: list[DownloadProgress] = []
    folder = fetch("conll14", on_progress=seen.append, mirror=address(server))
    assert folder == catalogue.download_folder() / "conll14"
    assert corpora.load("conll14").fingerprint == corpora.load(CONLL14).fingerprint
    assert corpora.load("conll14").info == MANIFEST.info
    sets = corpora.load("conll14").judgment_sets
    assert {id: each.title for id, each in sets.items()} == {
        "judgments": "rankings of Grundkiewicz et al. 2015",
        "napoles2015": "rankings of Napoles et al. 2015",
    }
    assert "INPUT" in sets["napoles2015"].judgments.systems
    last = {progress.file: progress for progress in seen}
    assert list(last) == [item.file for item in MANIFEST.downloads]
    assert all(progress.received == progress.total and progress.rate > 0 for progress in last.values())
    assert [path.name for path in folder.parent.iterdir()] == ["conll14"]
    assert sorted(MANIFEST.sums) == sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*.*") if path.name != "corpus.toml"
    )


@needs_conll14
def test_what_is_there_is_not_fetched_again(server: Server, published: Path) -> None:
    publish(published)
    folder = fetch("conll14", mirror=address(server))
    asked = len(server.asked)
    assert fetch("conll14", mirror=address(server)) == folder
    assert len(server.asked) == asked


@needs_conll14
def test_another_text_is_refused(server: Server, published: Path) -> None:
    publish(published)
    outputs = {member: (CONLL14 / file).read_bytes() for file, member in MANIFEST.downloads[1].files.items()}
    pack(published / "official_submissions.tar.gz", outputs | {"official_submissions/CAMB": b"something else\n" * 1312})
    with pytest.raises(DownloadError, match=r"^systems/CAMB\.txt is not the expected text \(sha256 .*\)\. Nothing"):
        fetch("conll14", mirror=address(server))
    assert_nothing_is_left()


@needs_conll14
def test_a_server_that_stumbles_is_asked_again(server: Server, published: Path) -> None:
    publish(published)
    server.refuse = 2
    fetch("conll14", mirror=address(server))
    assert server.asked[:3] == ["/conll14st-test-data.tar.gz"] * 3


def test_a_missing_file_is_not_asked_for_again(server: Server) -> None:
    with pytest.raises(DownloadError) as caught:
        fetch("conll14", mirror=address(server))
    assert "conll14st-test-data.tar.gz could not be downloaded: the server answered 404" in str(caught.value)
    assert "By hand: " in str(caught.value)
    assert all(item.address in str(caught.value) for item in MANIFEST.downloads)
    assert len(server.asked) == 1
    assert_nothing_is_left()


def test_a_server_that_does_not_recover(server: Server) -> None:
    server.refuse = 99
    with pytest.raises(DownloadError, match="the server answered 503"):
        fetch("conll14", mirror=address(server))
    assert len(server.asked) == 3


def test_a_broken_connection(server: Server) -> None:
    server.cut = True
    with pytest.raises(DownloadError, match="the connection broke after 9 of 1000 bytes"):
        fetch("conll14", mirror=address(server))
    assert len(server.asked) == 3
    assert_nothing_is_left()


def test_nobody_there(server: Server) -> None:
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError, match="Connection refused"):
        fetch("conll14", mirror=address(server))


def test_a_redirection_away_from_https(server: Server) -> None:
    server.redirect = "http://example.com/x.tar.gz"
    with pytest.raises(DownloadError, match=r"http://example\.com/x\.tar\.gz is not an https address"):
        fetch("conll14", mirror=address(server))
    assert len(server.asked) == 1


@pytest.mark.parametrize("mirror", ["http://example.com", "ftp://example.com", "file:///etc"])
def test_only_https(mirror: str) -> None:
    with pytest.raises(DownloadError, match="is not an https address"):
        fetch("conll14", mirror=mirror)


def test_only_what_has_a_manifest() -> None:
    with pytest.raises(
        DownloadError,
        match=r"No corpus 'nosuch' to download\. There are: conll14, seeda, gmeg-fce, gmeg-wiki, tmu-gfm\.",
    ):
        fetch("nosuch")


def links(path: Path) -> None:
    with tarfile.open(path, "w:gz") as out:
        entry = tarfile.TarInfo("conll14st-test-data/noalt/official-2014.combined.m2")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        out.addfile(entry)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(b"<html>Moved</html>"), "is a damaged archive"),
        (lambda path: path.write_bytes(gzip.compress(b"no tar" * 999)), "is a damaged archive"),
        (lambda path: path.write_bytes(gzip.compress(b"\0" * 50_000_000)), "unpacks to more than 200 times its size"),
        (lambda path: pack(path, {"../../evil": b"x"}), "lacks conll14st-test-data/noalt/official-2014.combined.m2"),
        (links, "lacks conll14st-test-data/noalt/official-2014.combined.m2"),
    ],
)
def test_an_archive_that_is_not_what_it_should_be(server: Server, published: Path, spoil: Any, message: str) -> None:
    spoil(published / "conll14st-test-data.tar.gz")
    with pytest.raises(DownloadError, match=message):
        fetch("conll14", mirror=address(server))
    assert_nothing_is_left()
    assert not list(published.parent.rglob("*evil*"))


def test_a_download_without_end(server: Server, published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (published / "conll14st-test-data.tar.gz").write_bytes(b"x" * 200_000)
    monkeypatch.setattr(download, "MOST_BYTES", 100_000)
    with pytest.raises(DownloadError, match="is larger than 0 MB, much more than expected"):
        fetch("conll14", mirror=address(server))


@needs_conll14
def test_a_read_only_place(server: Server, published: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    publish(published)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "file"))
    with pytest.raises(CorpusError, match=r"conll14: cannot be written \(Not a directory\)"):
        fetch("conll14", mirror=address(server))


@needs_conll14
def test_an_interrupted_fetch_leaves_nothing(server: Server, published: Path) -> None:
    publish(published)

    def stop(progress: DownloadProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("conll14", on_progress=stop, mirror=address(server))
    assert_nothing_is_left()


def test_every_file_has_a_sum_and_an_origin() -> None:
    origins = {file for item in MANIFEST.downloads for file in item.files} | set(MANIFEST.copies_of_source)
    assert origins == set(MANIFEST.sums)
    assert all(item.address.startswith("https://") for item in MANIFEST.downloads)
