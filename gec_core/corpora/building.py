"""Build the folder of a published corpus from files that one has, or from what `download` fetched."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from gec_core.corpora import catalogue, folder
from gec_core.corpora.catalogue import Manifest
from gec_core.corpora.folder import info_text, new_folder
from gec_core.corpora.published_corpora import PUBLISHED, Member, PublishedCorpus, digest, is_raw, sums
from gec_core.corpora.text import normalise
from gec_core.errors import CorpusError

Find = Callable[[Member], Path]
"""Finds the file or folder of a member."""


def build(name: str, source: Path, *, target: Path | None = None) -> Path:
    """Build a corpus of the catalogue from a folder that has the files its authors published.

    Args:
        name: The name of the corpus.
        source: A folder with the files, such as clones of the repositories; they are searched at any depth.
        target: The corpus folder to write; the download folder of the catalogue unless given.

    Returns:
        The corpus folder; one that exists already is left unchanged.

    Raises:
        CorpusError: There is no such corpus, a file is missing, or it is not the expected one.
    """
    if name not in PUBLISHED and name not in catalogue.MANIFESTS:
        raise CorpusError(f"{name!r} cannot be built. There are: {', '.join([*catalogue.MANIFESTS, *PUBLISHED])}.")
    if not source.is_dir():
        raise CorpusError(f"{source}: there is no such folder. Name the one that has the published files.")
    return assembled(name, lambda member: _found(source, member), target or catalogue.download_folder() / name)


def assembled(name: str, find: Find, target: Path) -> Path:
    """Write the corpus folder from files that `find` finds, and check it.

    Raises:
        CorpusError: A file is not the expected one, or the corpus cannot be read.
    """
    if target.is_dir():
        return target
    manifest = catalogue.MANIFESTS.get(name)
    corpus = PUBLISHED[name] if manifest is None else _published(manifest)
    with new_folder(target) as staging:
        _fill(staging, corpus, find)
        for file, expected in (sums(name) if manifest is None else manifest.sums).items():
            found = digest(staging / file)
            if found != expected:
                raise CorpusError(f"{file} is not the expected file (sha256 {found}, expected {expected}).")
        (staging / folder.INFO).write_text(toml_text(corpus), encoding="utf-8")
        folder.CorpusFolder(staging, name, str(target)).load()
    return target


def toml_text(corpus: PublishedCorpus) -> str:
    """The corpus.toml of a published corpus."""
    text = info_text(corpus.info)
    if corpus.system_sets:
        text += f"\n[{folder.SYSTEMS}]\n"
        text += "".join(f"{json.dumps(key)} = {json.dumps(list(each))}\n" for key, each in corpus.system_sets.items())
    return text + corpus.toml


def _published(manifest: Manifest) -> PublishedCorpus:
    """A corpus of which single files are downloaded; its files may have the names of the corpus folder already."""
    members = {
        file: Member(download.address, member or download.file, (file,))
        for download in manifest.downloads
        for file, member in download.files.items()
    }

    def copy_sources(staging: Path) -> None:
        lines = (staging / "gold.m2").read_bytes().split(b"\n")
        text = b"".join(line.removeprefix(b"S ") + b"\n" for line in lines if line.startswith(b"S "))
        for file in manifest.copies_of_source:
            (staging / file).write_bytes(text)

    return PublishedCorpus(manifest.info, members, manifest.toml, make=copy_sources)


def _fill(staging: Path, corpus: PublishedCorpus, find: Find) -> None:
    for name, member in corpus.members.items():
        path = staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = find(member).read_bytes()
        path.write_bytes(data if is_raw(name) else _uniform(data))
    for name, member in (corpus.folders or {}).items():
        shutil.copytree(
            find(member), staging / name, ignore=shutil.ignore_patterns(".*"), copy_function=shutil.copyfile
        )
    for path in (each for each in staging.rglob("*") if each.is_dir()):
        path.chmod(0o755)
    corpus.make(staging)


def _uniform(data: bytes) -> bytes:
    """Text with single spaces and Unix line ends: outputs were published with all kinds of both."""
    lines = data.decode(errors="replace").removesuffix("\n").split("\n")
    return "".join(f"{normalise(line)}\n" for line in lines).encode()


def _found(source: Path, member: Member) -> Path:
    """The file of a member below a folder; of several, the one with the shortest path."""
    for wanted in (member.path, *member.also):
        direct = source / wanted
        if direct.exists():
            return direct
        parts = tuple(wanted.split("/"))
        fitting = [path for path in source.rglob(parts[-1]) if path.parts[-len(parts) :] == parts]
        if fitting:
            return min(fitting, key=lambda path: (len(path.parts), str(path)))
    names = " or ".join(dict.fromkeys([member.path, *member.also]))
    raise CorpusError(f"{source}: {names} is not in it. It is published in {member.archive}.")


def unpacked(files: Mapping[str, Path]) -> Find:
    """A finder in unpacked archives, by their addresses."""

    def find(member: Member) -> Path:
        path = files[member.archive] / member.path
        if not path.exists():
            raise CorpusError(f"{member.archive} lacks {member.path}.")
        return path

    return find
