"""Corpus folders in zip files, unpacked with limits, since an archive may come from anybody.

Entries that would leave the folder, links, encrypted entries and archives that unpack to far more than their size
are refused. An archive is unpacked into a temporary folder, which is removed after reading.
"""

from __future__ import annotations

import io
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

from gec_core.corpora.folder import CorpusFolder, file_name, is_corpus, not_a_corpus, save
from gec_core.corpora.text import ANY, Budget, TextFile
from gec_core.errors import CorpusError
from gec_core.types import Corpus

MOST_ENTRIES = 10_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@contextmanager
def unpacked(path: Path) -> Iterator[CorpusFolder]:
    """The corpus folder in a zip file, at the top or inside a single folder; removed after the `with` block."""
    with extracted(TextFile(path, str(path), ANY)) as folder:
        if not is_corpus(folder.path):
            raise not_a_corpus(folder.label)
        yield folder


@contextmanager
def extracted(file: TextFile) -> Iterator[CorpusFolder]:
    """The content of a zip file, without a single folder around it, whether it is a corpus or not."""
    with tempfile.TemporaryDirectory(prefix="gec-lens-") as temporary:
        root = Path(temporary)
        try:
            with zipfile.ZipFile(file.path) as archive:
                _unpack(archive, root, file)
        except (zipfile.BadZipFile, zlib.error, EOFError) as problem:
            raise file.error(f"not a complete zip file ({problem}). Pack or download it again.") from None
        except (RuntimeError, ValueError) as problem:  # unsupported features; names that are not UTF-8
            raise file.error(f"a zip file that cannot be read ({problem}). Pack it again.") from None
        except OSError as problem:
            raise file.error(f"cannot be unpacked ({problem.strerror}).") from None
        inside = list(root.iterdir())
        if not is_corpus(root) and len(inside) == 1 and inside[0].is_dir():
            root = inside[0]
        label = "/".join([file.name, *root.relative_to(temporary).parts])
        yield CorpusFolder(root, file.path.stem, label, file.limits)


def zipped(corpus: Corpus) -> bytes:
    """The corpus folder of a corpus as a zip file, which can be unpacked or loaded as it is.

    Raises:
        CorpusError: The corpus cannot be saved as a folder (see `folder.save`).
    """
    with tempfile.TemporaryDirectory(prefix="gec-lens-") as temporary:
        root = Path(temporary) / "corpus"
        save(corpus, root)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(path for path in root.rglob("*") if path.is_file()):
                archive.write(path, f"{file_name(corpus.name)}/{path.relative_to(root).as_posix()}")
    return packed.getvalue()


def _unpack(archive: zipfile.ZipFile, root: Path, file: TextFile) -> None:
    name = file.name
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise CorpusError(f"{name}: {len(entries):,} entries; a corpus has at most {MOST_ENTRIES:,}.")
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
    """Refuse an entry that does not belong in a corpus, before any of its bytes is read."""
    windows = PureWindowsPath(entry.filename)
    problem = ""
    if not PurePosixPath(entry.filename).parts:
        problem = "has no name"
    elif ".." in windows.parts or windows.drive or windows.root:
        problem = "would be written outside its folder"
    elif "\\" in entry.filename:
        problem = "has a backslash in its name"
    elif stat.S_IFMT(mode := entry.external_attr >> 16) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        problem = "is a link or a device, not a file"
    elif entry.flag_bits & 0x1:
        problem = "is encrypted"
    elif entry.compress_type not in _METHODS:
        problem = "is compressed by a method other than deflate"
    if problem:
        raise CorpusError(f"{name}: the entry {entry.filename!r} {problem}. Nothing was unpacked.")
