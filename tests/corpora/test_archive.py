"""Zip files from strangers."""

import io
import os
import stat
import tempfile
import zipfile
from pathlib import Path

import pytest
from corpus_files import SMALL, write

from gec_core import corpora
from gec_core.corpora import archive, text
from gec_core.errors import CorpusError


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files of its own, to see what is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def packed(path: Path, files: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as out:
        for name, text in files.items():
            out.writestr(name, text)
    return path


@pytest.mark.parametrize("inside", ["", "some folder/"])
def test_a_zip_is_the_folder_in_it(tmp_path: Path, temporary: Path, inside: str) -> None:
    files = {f"{inside}{name}": text for name, text in SMALL.items()}
    clutter = {"__MACOSX/._source.txt": "x", f"{inside}.DS_Store": "x", f"{inside}systems/._A.txt": "x"}
    corpus = corpora.load(packed(tmp_path / "mine.zip", files | clutter))
    assert corpus.name == "mine"
    assert corpus.fingerprint == corpora.load(write(tmp_path / "folder", SMALL)).fingerprint
    assert list(temporary.iterdir()) == []


def test_messages_name_the_file_inside_the_zip(tmp_path: Path, temporary: Path) -> None:
    path = packed(tmp_path / "mine.zip", {f"top/{name}": text for name, text in {**SMALL, "systems/A.txt": ""}.items()})
    with pytest.raises(CorpusError, match=r"mine\.zip/top/systems/A\.txt: 0 lines, but source\.txt has 2"):
        corpora.load(path)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["../evil.txt", "systems/../../evil.txt", "/evil.txt", "C:/evil.txt", "..\\evil.txt", "\\\\host\\evil.txt"]
)
def test_entries_that_leave_the_folder_are_refused(tmp_path: Path, temporary: Path, name: str) -> None:
    path = packed(tmp_path / "mine.zip", {**SMALL, name: "evil"})
    with pytest.raises(CorpusError, match=r"mine\.zip: the entry .*evil.* would be written outside its folder"):
        corpora.load(path)
    assert not list(tmp_path.rglob("*evil*"))
    assert list(temporary.iterdir()) == []


def test_backslashes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="has a backslash in its name"):
        corpora.load(packed(tmp_path / "mine.zip", {"systems\\A.txt": "a"}))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    link = zipfile.ZipInfo("source.txt")
    link.create_system = 3
    link.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as out:
        out.writestr(link, "/etc/passwd")
    with pytest.raises(CorpusError, match=r"the entry 'source\.txt' is a link or a device"):
        corpora.load(tmp_path / "mine.zip")


def test_encrypted_entries_are_refused(tmp_path: Path) -> None:
    data = bytearray(packed(tmp_path / "mine.zip", SMALL).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag in the central directory
    (tmp_path / "mine.zip").write_bytes(data)
    with pytest.raises(CorpusError, match=r"the entry 'source\.txt' is encrypted"):
        corpora.load(tmp_path / "mine.zip")


def test_other_compressions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="is compressed by a method other than deflate"):
        corpora.load(packed(tmp_path / "mine.zip", SMALL, zipfile.ZIP_LZMA))


def test_a_bomb_is_stopped_while_unpacking(tmp_path: Path, temporary: Path) -> None:
    """50 MB of zeros weigh 50 KB; ten gigabytes are stopped at the same place."""
    path = packed(tmp_path / "bomb.zip", {"source.txt": "0" * 50_000_000})
    with pytest.raises(CorpusError, match=r"bomb\.zip: unpacks to more than 200 times its size"):
        corpora.load(path)
    assert list(temporary.iterdir()) == []


def test_sizes_in_headers_are_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = io.BytesIO(os.urandom(300_000)).getvalue().hex()
    data = packed(tmp_path / "big.zip", {"source.txt": noise}).read_bytes()
    claimed = len(noise).to_bytes(4, "little")
    (tmp_path / "big.zip").write_bytes(data.replace(claimed, (10).to_bytes(4, "little")))
    with pytest.raises(CorpusError, match=r"big\.zip: (not a complete zip file|unpacks to more than)"):
        corpora.load(tmp_path / "big.zip")
    monkeypatch.setattr(archive, "ANY", text.Limits(bytes=100_000))
    (tmp_path / "big.zip").write_bytes(data)
    with pytest.raises(CorpusError, match=r"big\.zip: unpacks to more than 0 MB"):
        corpora.load(tmp_path / "big.zip")


def test_too_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_ENTRIES", 3)
    with pytest.raises(CorpusError, match=r"mine\.zip: 4 entries; a corpus has at most 3"):
        corpora.load(packed(tmp_path / "mine.zip", SMALL))


def test_what_is_no_zip(tmp_path: Path) -> None:
    whole = packed(tmp_path / "a.zip", SMALL).read_bytes()
    for content in (b"", b"hello", whole[:-30], whole.replace(b"PK\x03\x04", b"PK\x00\x00")):
        (tmp_path / "a.zip").write_bytes(content)
        with pytest.raises(CorpusError, match=r"a\.zip: not a complete zip file"):
            corpora.load(tmp_path / "a.zip")


def test_the_same_entry_twice(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as out:
        out.writestr("source.txt", "a\n")
        with pytest.warns(UserWarning, match="Duplicate name"):
            out.writestr("source.txt", "b\n")
    with pytest.raises(CorpusError, match=r"mine\.zip: cannot be unpacked \(File exists\)"):
        corpora.load(tmp_path / "mine.zip")


def test_a_zip_without_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"mine\.zip: not a corpus folder\. It has neither source\.txt nor gold\.m2"):
        corpora.load(packed(tmp_path / "mine.zip", {"readme.md": "hello"}))
