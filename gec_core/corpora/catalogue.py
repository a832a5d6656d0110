"""The corpora that can be had by name.

`demo` comes with the project. Others lie in the folders that GEC_LENS_DATA names (each a corpus, or a
folder of corpora), or where `corpora fetch` put them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gec_core.corpora.folder import is_corpus, read_info
from gec_core.corpora.manifest import MANIFESTS
from gec_core.errors import CorpusError
from gec_core.paths import data_folder

_BUNDLED = Path(__file__).resolve().parents[2] / "data"
_TITLES = {"demo": "Demonstration corpus"} | {name: manifest.info.title for name, manifest in MANIFESTS.items()}


@dataclass(frozen=True, slots=True)
class Entry:
    """A corpus by name: where it is, or how to get it."""

    name: str
    title: str
    path: Path | None
    how: str = ""


def entries() -> list[Entry]:
    """All corpora: those that every installation knows first, then the others by name."""
    found = _found()
    return [_entry(name, found.get(name)) for name in (*_TITLES, *sorted(set(found) - set(_TITLES)))]


def get(name: str) -> Entry | None:
    """The entry of that name, if there is one."""
    return next((entry for entry in entries() if entry.name == name), None)


def download_folder() -> Path:
    """Where `corpora fetch` puts corpora."""
    return data_folder() / "corpora"


def _entry(name: str, path: Path | None) -> Entry:
    if path is not None:
        return Entry(name, _title(path) or _TITLES.get(name, name), path)
    how = "It belongs into the data folder of the project, which is incomplete here."
    if name in MANIFESTS:
        how = (
            f"Get it with `python -m gec_core corpora fetch {name}`, "
            f"or name a folder that has it in the variable GEC_LENS_DATA."
        )
    return Entry(name, _TITLES[name], None, how)


def _title(path: Path) -> str:
    try:
        return read_info(path).title
    except CorpusError:
        return ""  # loading the corpus tells what is wrong; a list of corpora must not fail over one of them


def _found() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in _folders():
        for path in [folder] if is_corpus(folder) else _children(folder):
            found.setdefault(path.resolve().name, path)
    return found


def _folders() -> Iterator[Path]:
    yield _BUNDLED
    for name in os.environ.get("GEC_LENS_DATA", "").split(os.pathsep):
        if name:
            yield Path(name).expanduser()
    yield download_folder()


def _children(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and is_corpus(path))
