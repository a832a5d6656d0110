"""Files as visitors send them, put where the readers of corpora find them, for as long as they are read.

Names cannot leave their folder, and what all files together unpack to is limited before any of it is kept.
"""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from gec_core.corpora import archive, folder
from gec_core.corpora.limits import UPLOAD, Budget
from gec_core.corpora.text import TextFile, counted
from gec_core.errors import CorpusError

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
