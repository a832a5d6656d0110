"""Zip files and uploads: unpacked to a temporary folder, with limits, since they may come from anybody.

Entries that would leave the folder, links, encrypted entries and archives that unpack to far more than
they weigh are refused. What is unpacked lives in a temporary folder and is gone when it has been read.

Names cannot leave their folder, and what all files together unpack to is limited before any of it is kept.
"""

from __future__ import annotations

import gzip
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from threading import Lock

from gec_core.corpora import archive, folder
from gec_core.corpora.folder import CorpusFolder, is_corpus, not_a_corpus
from gec_core.corpora.text import ANY, UPLOAD, Budget, TextFile, counted
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


MOST_FILES = 50
LARGE = 20_000_000
"""Bytes from which on files are read one visitor after the other: reading takes a few times their size in memory."""
_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came: its name, and what is in it."""

    name: str
    data: bytes


@contextmanager
def on_disk(uploads: Sequence[Upload]) -> Iterator[list[TextFile]]:
    """The files in a temporary folder, each in one of its own, under names that cannot leave it."""
    if (total := sum(len(upload.data) for upload in uploads)) > UPLOAD.bytes:
        raise CorpusError(f"{total / 1e6:,.0f} MB in all; at most {UPLOAD.bytes / 1e6:.0f} MB are taken at a time.")
    zips = [upload.name for upload in uploads if upload.name.lower().endswith(".zip")]
    if len(uploads) > MOST_FILES or len(zips) > 1:
        raise CorpusError(
            f"{counted(len(uploads), 'file')}, {len(zips)} of them zip files; at most {MOST_FILES} files and one "
            "zip file are taken at a time."
        )
    with (
        _one_at_a_time if total > LARGE else nullcontext(),
        tempfile.TemporaryDirectory(prefix="gec-lens-upload-") as temporary,
    ):
        files = []
        for number, upload in enumerate(uploads):
            path = Path(temporary) / str(number) / _file_name(upload.name)
            path.parent.mkdir()
            path.write_bytes(upload.data)
            files.append(TextFile(path, upload.name, UPLOAD))
        refuse_bombs(files)
        yield files


def refuse_bombs(files: Sequence[TextFile]) -> None:
    """What all files together unpack to has the limit of one: many small bombs are a large one."""
    if sum(_unpacked_size(file) for file in files) > UPLOAD.bytes:
        raise CorpusError(f"All files together unpack to more than {UPLOAD.bytes / 1e6:.0f} MB. Bring fewer at a time.")


def _unpacked_size(file: TextFile) -> int:
    """How many bytes come out of a file; 0 if something is wrong with it, which its reader tells."""
    packed = file.path.stat().st_size
    if file.path.suffix.lower() != ".gz":
        return packed
    budget = Budget(file.name, packed, UPLOAD.bytes)
    try:
        with gzip.open(file.path) as stream:
            return sum(len(piece) for piece in budget.read(stream))
    except (CorpusError, OSError, EOFError, zlib.error):
        return 0


def _file_name(name: str) -> str:
    """The name with its ending, without what a file system would take amiss."""
    kept = "".join("_" if character in "/\\" or not character.isprintable() else character for character in name)
    return kept.encode()[-100:].decode(errors="ignore").lstrip(".") or "file"


def texts_of(file: TextFile, opened: ExitStack) -> Iterator[TextFile]:
    """The file, or the text files in it if it is a zip file."""
    if file.path.suffix.lower() != ".zip":
        yield file
        return
    inside = opened.enter_context(archive.extracted(file))
    if folder.is_corpus(inside.path):
        raise file.error("this is a corpus folder, not outputs. Bring it as a corpus of your own.")
    refuse_bombs(files_in(inside))
    found = sorted(path for path in inside.path.rglob("*") if path.name.lower().endswith((".txt", ".txt.gz")))
    if not found:
        raise file.error("there is no text file in it; expected one .txt a system.")
    for path in found:
        yield inside.file(path)


def files_in(found: folder.CorpusFolder) -> list[TextFile]:
    """Every file of a folder, at any depth."""
    return [found.file(path) for path in found.path.rglob("*") if path.is_file()]
