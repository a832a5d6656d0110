"""Corpora in zip files, which may come from anybody.

Entries that would leave the folder, links, encrypted entries and archives that unpack to far more than
they weigh are refused. What is unpacked lives in a temporary folder and is gone when it has been read.
"""

from __future__ import annotations

import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

from gec_core.corpora.folder import CorpusFolder, is_corpus, not_a_corpus
from gec_core.corpora.limits import ANY, Budget
from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError

MOST_ENTRIES = 10_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@contextmanager
def unpacked(path: Path) -> Iterator[CorpusFolder]:
    """The corpus folder in a zip file, at the top or inside a single folder, for as long as it is needed."""
    with extracted(TextFile(path, str(path), ANY)) as folder:
        if not is_corpus(folder.path):
            raise not_a_corpus(folder.label)
        yield folder


@contextmanager
def extracted(file: TextFile) -> Iterator[CorpusFolder]:
    """What is in a zip file, without the single folder around it, be it a corpus or not."""
    with tempfile.TemporaryDirectory(prefix="gec-lens-") as temporary:
        root = Path(temporary)
        try:
            with zipfile.ZipFile(file.path) as archive:
                _unpack(archive, root, file)
        except (zipfile.BadZipFile, zlib.error, EOFError) as problem:
            raise file.error(f"not a whole zip file ({problem}).") from None
        except (RuntimeError, ValueError) as problem:  # features that Python does not read; names that are not UTF-8
            raise file.error(f"not a zip file that can be read ({problem}). Pack it again.") from None
        except OSError as problem:
            raise file.error(f"cannot be unpacked ({problem.strerror}).") from None
        inside = list(root.iterdir())
        if not is_corpus(root) and len(inside) == 1 and inside[0].is_dir():
            root = inside[0]
        label = "/".join([file.name, *root.relative_to(temporary).parts])
        yield CorpusFolder(root, file.path.stem, label, file.limits)


def _unpack(archive: zipfile.ZipFile, root: Path, file: TextFile) -> None:
    name = file.name
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise CorpusError(f"{name}: {len(entries)} entries, which no corpus needs (at most {MOST_ENTRIES}).")
    for entry in entries:
        _refuse(entry, name)
    budget = Budget(name, file.path.stat().st_size, file.limits.bytes)
    for entry in entries:
        parts = PurePosixPath(entry.filename).parts
        if entry.is_dir() or "__MACOSX" in parts or any(part.startswith(".") for part in parts):
            continue
        target = root.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as stream, target.open("xb") as out:
            out.writelines(budget.read(stream))


def _refuse(entry: zipfile.ZipInfo, name: str) -> None:
    """Refuse entries that have no place in a corpus, before any of their bytes is read."""
    windows = PureWindowsPath(entry.filename)
    problem = ""
    if ".." in windows.parts or windows.drive or windows.root:
        problem = "would be written outside its folder"
    elif "\\" in entry.filename:
        problem = "has a backslash in its name"
    elif stat.S_IFMT(mode := entry.external_attr >> 16) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        problem = "is a link or a device, not a file"
    elif entry.flag_bits & 0x1:
        problem = "is encrypted"
    elif entry.compress_type not in _METHODS:
        problem = "is compressed in a way that is not read here (only deflate)"
    if problem:
        raise CorpusError(f"{name}: the entry {entry.filename!r} {problem}. Nothing was unpacked.")
