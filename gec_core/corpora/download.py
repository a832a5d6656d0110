"""Download a corpus from where its authors published it.

The files (a few megabytes) are downloaded, unpacked and compared with known checksums in memory; the corpus folder
is written only if all of them are right.
"""

from __future__ import annotations

import gzip
import hashlib
import http.client
import io
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import urlsplit

from gec_core.corpora import building, catalogue, folder
from gec_core.corpora.catalogue import MANIFESTS, Download, Manifest
from gec_core.corpora.folder import info_text, new_folder
from gec_core.corpora.published_corpora import PUBLISHED
from gec_core.corpora.text import Budget, normalise
from gec_core.errors import CorpusError, DownloadError

MOST_BYTES = 100_000_000
_SECONDS_WITHOUT_A_BYTE = 30
_PAUSES = (1.0, 4.0)
"""Seconds before the second and the third try."""
_LOCAL = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """The progress of downloading one file."""

    file: str
    received: int
    total: int | None
    seconds: float

    @property
    def rate(self) -> float:
        """Bytes per second."""
        return self.received / self.seconds if self.seconds else 0.0


OnProgress = Callable[[DownloadProgress], None]


def fetch(name: str, *, on_progress: OnProgress = lambda progress: None, mirror: str | None = None) -> Path:
    """Download a corpus and return its folder; one that exists already is left unchanged.

    Args:
        name: The name of the corpus in the catalogue.
        on_progress: Called after every piece of a file.
        mirror: An address under which all files of the manifest are found by their names.

    Raises:
        DownloadError: There is no such corpus, or a file cannot be downloaded or is not the expected one.
    """
    if name in PUBLISHED:
        return _fetch_published(name, mirror, on_progress)
    if name not in MANIFESTS:
        raise DownloadError(f"No corpus {name!r} to download. There are: {', '.join([*MANIFESTS, *PUBLISHED])}.")
    manifest = MANIFESTS[name]
    target = catalogue.download_folder() / name
    if target.is_dir():
        return target
    try:
        files = _files(manifest, mirror, on_progress)
    except DownloadError as problem:
        raise DownloadError(f"{problem} Nothing was kept.\n{manifest.by_hand()}") from problem
    with new_folder(target) as staging:
        for file, data in files.items():
            (staging / file).parent.mkdir(exist_ok=True)
            (staging / file).write_bytes(data)
        (staging / folder.INFO).write_text(info_text(manifest.info) + manifest.toml, encoding="utf-8")
        folder.CorpusFolder(staging, name, str(target)).load()
    return target


def _fetch_published(name: str, mirror: str | None, on_progress: OnProgress) -> Path:
    """Download the archives of a corpus one after the other, and build its folder from them."""
    target, corpus = catalogue.download_folder() / name, PUBLISHED[name]
    if target.is_dir():
        return target
    members = [*corpus.members.values(), *(corpus.folders or {}).values()]
    addresses = list(dict.fromkeys(member.archive for member in members))
    with tempfile.TemporaryDirectory(prefix="gec-lens-") as temporary:
        places = {address: Path(temporary) / str(number) for number, address in enumerate(addresses)}
        try:
            for address, place in places.items():
                wanted = {member.path for member in members if member.archive == address}
                asked = f"{mirror.rstrip('/')}/{PurePosixPath(address).name}" if mirror else address
                _unpack(asked, _get(asked, on_progress), wanted, place)
            return building.assembled(name, building.unpacked(places), target)
        except (CorpusError, DownloadError) as problem:
            by_hand = (
                f"By hand: download {' and '.join(addresses)}, unpack, and use `corpora build {name} --from FOLDER`."
            )
            raise DownloadError(f"{problem} Nothing was kept.\n{by_hand}") from problem


def _unpack(address: str, data: bytes, wanted: set[str], place: Path) -> None:
    """Write the wanted files and folders of a tar.gz, without its first folder."""
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            plain = b"".join(Budget(address, packed=len(data), most=MOST_BYTES).read(stream))
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            for entry in archive:
                parts = PurePosixPath(entry.name).parts[1:]
                inside = {"/".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
                if not inside & wanted or ".." in parts or not entry.isreg() or entry.issparse():
                    continue
                content = archive.extractfile(entry)
                path = place.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read() if content else b"")
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error, CorpusError) as problem:
        raise DownloadError(f"{address} is a damaged archive ({problem}).") from problem


def _files(manifest: Manifest, mirror: str | None, on_progress: OnProgress) -> dict[str, bytes]:
    """Download the files of the corpus folder and compare each with its checksum."""
    files: dict[str, bytes] = {}
    for download in manifest.downloads:
        address = f"{mirror.rstrip('/')}/{download.file}" if mirror else download.address
        for file, data in _extract(download, _get(address, on_progress)).items():
            files[file] = data if file.endswith(".xml") else _normalised(data)
    sources = [line.removeprefix(b"S ") for line in files["gold.m2"].split(b"\n") if line.startswith(b"S ")]
    for file in manifest.copies_of_source:
        files[file] = b"".join(line + b"\n" for line in sources)
    for file, expected in manifest.sums.items():
        found = hashlib.sha256(files[file]).hexdigest()
        if found != expected:
            raise DownloadError(f"{file} is not the expected text (sha256 {found}, expected {expected}).")
    return files


def _normalised(data: bytes) -> bytes:
    """The text with single spaces and Unix line ends: outputs were published with all kinds of both."""
    lines = data.decode(errors="replace").removesuffix("\n").split("\n")
    return "".join(f"{normalise(line)}\n" for line in lines).encode()


def _get(address: str, on_progress: OnProgress) -> bytes:
    _check_address(address)
    for pause in (*_PAUSES, None):
        try:
            return _try(address, on_progress)
        except urllib.error.HTTPError as problem:
            reason = f"the server answered {problem.code} {problem.reason}"
            if problem.code < 500:
                break
        except (http.client.InvalidURL, ValueError) as problem:
            raise DownloadError(f"{address} is not an address ({problem}).") from None
        except (OSError, http.client.HTTPException) as problem:
            reason = str(getattr(problem, "reason", problem)) or type(problem).__name__
        if pause is not None:
            time.sleep(pause)
    raise DownloadError(f"{address} could not be downloaded: {reason}.")


def _try(address: str, on_progress: OnProgress) -> bytes:
    request = urllib.request.Request(address, headers={"User-Agent": "gec-lens"})
    opener = urllib.request.build_opener(_SafeRedirects)
    started = time.monotonic()
    data = bytearray()
    with opener.open(request, timeout=_SECONDS_WITHOUT_A_BYTE) as response:
        length = response.headers.get("Content-Length", "")
        total = int(length) if length.isdecimal() else None
        while piece := response.read(1 << 16):
            data += piece
            if len(data) > MOST_BYTES:
                raise DownloadError(f"{address} is larger than {MOST_BYTES / 1e6:.0f} MB, much more than expected.")
            on_progress(DownloadProgress(PurePosixPath(address).name, len(data), total, time.monotonic() - started))
    if total is not None and len(data) != total:
        raise ConnectionError(f"the connection broke after {len(data)} of {total} bytes")
    return bytes(data)


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follow redirects, but only to https."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        _check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
    except ValueError as problem:
        raise DownloadError(f"{address} is not an address ({problem}).") from None
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL):
        raise DownloadError(f"{address} is not an https address, so nobody vouches for what it sends.")


def _extract(download: Download, data: bytes) -> dict[str, bytes]:
    """The files of the corpus folder in a downloaded file."""
    if not download.file.endswith(".tar.gz"):
        return dict.fromkeys(download.files, data)
    try:
        found = _members(data, download.file, set(download.files.values()))
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error, CorpusError) as problem:
        raise DownloadError(f"{download.address} is a damaged archive ({problem}).") from problem
    for member in download.files.values():
        if member not in found:
            raise DownloadError(f"{download.address} lacks {member}.")
    return {file: found[member] for file, member in download.files.items()}


def _members(data: bytes, name: str, wanted: set[str]) -> Mapping[str, bytes]:
    """Regular files of a tar.gz by name, in memory: nothing is written, so no entry can escape its folder."""
    found: dict[str, bytes] = {}
    with gzip.open(io.BytesIO(data)) as stream:
        plain = b"".join(Budget(name, packed=len(data), most=MOST_BYTES).read(stream))
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for entry in archive:
            member = PurePosixPath(entry.name).as_posix()
            if member in wanted and entry.isreg() and not entry.issparse():
                content = archive.extractfile(entry)
                found[member] = content.read() if content else b""
    return found
