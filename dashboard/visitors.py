"""What a visitor has uploaded, kept on the server for the browser that sent it, for a stated time.

The server gives every browser a random token in a cookie that scripts cannot read (`Protection`). What a visitor
uploads is written to a folder of the cache that is named by a hash of that token: whoever lists the folder does not
learn the token, and without the token nobody is given what is in it. Folders that were not used for the stated time
are deleted, by a thread of the server and whenever somebody uploads. `GEC_LENS_KEEP_UPLOADS` is that time in hours
(default: 24); 0 keeps nothing.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from dashboard.protection import seconds
from gec_core.corpora.archive import unpacked, zipped
from gec_core.corpora.uploads import with_systems
from gec_core.environment import cache_folder
from gec_core.errors import CorpusError, GecLensError
from gec_core.scoring.imported import Imported, ImportedScores
from gec_core.types import Corpus, Note

MOST_SYSTEMS = 30
"""Systems that a visitor may add to one corpus."""
MOST_CHARACTERS = 200_000_000
"""Characters of text that are kept for one visitor."""
_OWN = "corpus:"
"""What the notes of uploaded corpora are kept under, before the name."""
_FILE, _TEMPORARY = "uploads.json.gz", ".part"


@dataclass
class Uploads:
    """Corpora, systems and scores that one visitor uploaded, and sets of systems that they named.

    Callbacks of the upload panel write it; everything that asks for a corpus or a metric reads it. A corpus with added
    systems is kept rather than rebuilt in every run, because computing its fingerprint takes a while.
    """

    corpora: dict[str, Corpus] = field(default_factory=dict)
    systems: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """Added systems by the name of the corpus."""
    notes: dict[str, dict[str, tuple[Note, ...]]] = field(default_factory=dict)
    """What was done to added systems, by the name of the corpus and of the system."""
    imported: dict[str, Imported] = field(default_factory=dict)
    """Imported scores by metric id."""
    system_sets: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """Sets of systems that the visitor named, by the name of the corpus."""
    _combined: dict[str, tuple[Corpus, Corpus]] = field(default_factory=dict)
    """By name: a corpus, and the same corpus with the added systems."""

    def added(self, corpus: str) -> tuple[str, ...]:
        """Name the systems that the visitor added to this corpus."""
        return tuple(self.systems.get(corpus, ()))

    def complete(self, corpus: Corpus) -> Corpus:
        """Return the corpus with the visitor's systems: the same object as long as neither changes."""
        mine = self.systems.get(corpus.name)
        if not mine:
            return corpus
        known = self._combined.get(corpus.name)
        if known is None or known[0] is not corpus:
            known = (corpus, with_systems(corpus, mine, self.notes.get(corpus.name)))
            self._combined[corpus.name] = known
        return known[1]

    def metrics_for(self, corpus: Corpus) -> dict[str, Imported]:
        """Return the imported scores that fit the systems and sentences of this corpus, by id."""
        return {id: metric for id, metric in self.imported.items() if not metric.misfit(corpus)}

    def add_systems(
        self, corpus: str, systems: Mapping[str, Sequence[str]], notes: Mapping[str, tuple[Note, ...]] | None = None
    ) -> None:
        """Add systems to a corpus, all or none of them, with notes on what was done to their outputs."""
        mine = self.systems.get(corpus, {}) | {name: tuple(lines) for name, lines in systems.items()}
        if len(mine) > MOST_SYSTEMS:
            raise CorpusError(
                f"You would have {len(mine)} systems of your own; at most {MOST_SYSTEMS} are kept. Remove some first."
            )
        self._refuse_too_much(sum(len(line) for lines in systems.values() for line in lines))
        self.systems[corpus] = mine
        self.notes[corpus] = {**self.notes.get(corpus, {}), **(notes or {})}
        self._combined.pop(corpus, None)

    def remove_system(self, corpus: str, system: str) -> None:
        """Remove an added system."""
        self.systems.get(corpus, {}).pop(system, None)
        self.notes.get(corpus, {}).pop(system, None)
        self._combined.pop(corpus, None)

    def add_corpus(self, corpus: Corpus) -> None:
        """Add a corpus of the visitor's own."""
        self._refuse_too_much(_characters(corpus))
        self.corpora[corpus.name] = corpus

    def remove_corpus(self, name: str) -> None:
        """Remove a corpus, with the systems that were added to it."""
        for kept in (self.corpora, self.systems, self.notes, self.system_sets, self._combined):
            kept.pop(name, None)

    def as_json(self) -> dict[str, Any]:
        """Everything that was uploaded, in a form to write to disk."""
        return {
            "corpora": {name: base64.b64encode(zipped(corpus)).decode() for name, corpus in self.corpora.items()},
            "systems": self.systems,
            "system_sets": self.system_sets,
            "notes": {
                **{name: _notes_json(each) for name, each in self.notes.items()},
                **{f"{_OWN}{name}": _notes_json(corpus.notes) for name, corpus in self.corpora.items()},
            },
            "imported": {
                id: {
                    "name": metric.name,
                    "file": metric.file,
                    "digest": metric.digest_of_file,
                    "systems": dict(metric.scores.systems),
                    "sentences": {name: values.tolist() for name, values in metric.scores.sentences.items()},
                }
                for id, metric in self.imported.items()
            },
        }

    @classmethod
    def restored(cls, content: Mapping[str, Any]) -> Uploads:
        """What `as_json` wrote; what cannot be read any more is left out."""
        found = cls()
        notes = content.get("notes", {})
        for name, packed in content.get("corpora", {}).items():
            try:
                found.corpora[name] = _unpacked(name, base64.b64decode(packed), _notes(notes.get(f"{_OWN}{name}", {})))
            except GecLensError:
                continue
        for corpus, systems in content.get("systems", {}).items():
            found.systems[corpus] = {name: tuple(lines) for name, lines in systems.items()}
            found.notes[corpus] = _notes(notes.get(corpus, {}))
        for corpus, sets in content.get("system_sets", {}).items():
            found.system_sets[corpus] = {name: tuple(systems) for name, systems in sets.items()}
        for id, told in content.get("imported", {}).items():
            sentences = {name: np.array(values) for name, values in told["sentences"].items()}
            scores = ImportedScores(told["systems"], sentences)
            found.imported[id] = Imported(told["name"], id, scores, file=told["file"], digest=told["digest"])
        return found

    def _refuse_too_much(self, more: int) -> None:
        kept = sum(_characters(corpus) for corpus in self.corpora.values())
        kept += sum(len(line) for added in self.systems.values() for lines in added.values() for line in lines)
        if kept + more > MOST_CHARACTERS:
            raise CorpusError(
                f"Your uploads would come to {(kept + more) / 1e6:,.0f} million characters; at most "
                f"{MOST_CHARACTERS / 1e6:.0f} million are kept for one visitor. Remove something first."
            )


def _characters(corpus: Corpus) -> int:
    texts = [(sentence.source, *sentence.references) for sentence in corpus.sentences]
    return sum(len(text) for part in (*texts, *corpus.systems.values()) for text in part)


def _notes_json(notes: Mapping[str, Sequence[Note]]) -> dict[str, list[tuple[str, bool]]]:
    return {system: [(note.text, note.caution) for note in each] for system, each in notes.items()}


def _notes(content: Mapping[str, Sequence[Sequence[Any]]]) -> dict[str, tuple[Note, ...]]:
    return {system: tuple(Note(text, caution) for text, caution in each) for system, each in content.items()}


def _unpacked(name: str, packed: bytes, notes: Mapping[str, tuple[Note, ...]]) -> Corpus:
    with tempfile.TemporaryDirectory(prefix="gec-lens-") as temporary:
        path = Path(temporary) / "corpus.zip"
        path.write_bytes(packed)
        with unpacked(path) as folder:
            return replace(folder.load(), name=name, notes=notes)


def in_words() -> str:
    """The time that uploads are kept."""
    kept = seconds()
    for length, unit in ((3600, "hour"), (60, "minute")):
        if kept >= length:
            return f"{kept / length:g} {unit}{'s' if kept != length else ''}"
    return f"{kept:g} seconds"


def save(token: str, content: Mapping[str, Any]) -> str:
    """Keep the uploads of a visitor; nothing is left of them if there are none.

    Args:
        token: The visitor's token.
        content: What to keep, as JSON.

    Returns:
        Why nothing could be kept; empty if it was.
    """
    sweep()
    if not any(content.values()):
        delete(token)
        return ""
    folder = _folder(token)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = folder / f"{secrets.token_hex(8)}{_TEMPORARY}"
        part.touch(mode=0o600)
        part.write_bytes(gzip.compress(json.dumps(content).encode(), 1))
        part.replace(folder / _FILE)
    except OSError as problem:
        return f"Your uploads cannot be kept on this server ({problem.strerror}); a reload will lose them."
    return ""


def load(token: str) -> dict[str, Any]:
    """Return what a visitor uploaded, and keep it for another while; empty if there is nothing."""
    path = _folder(token) / _FILE
    try:
        if path.stat().st_mtime < time.time() - seconds():
            delete(token)
            return {}
        content: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        os.utime(path)
    except (OSError, ValueError, EOFError):
        return {}
    return content


def delete(token: str) -> None:
    """Delete what is kept of a visitor."""
    shutil.rmtree(_folder(token), ignore_errors=True)


def sweep() -> int:
    """Delete what was not used for too long, and count it."""
    oldest = time.time() - seconds()
    gone = 0
    for folder in _root().glob("*"):
        try:
            files = [file.stat().st_mtime for file in folder.iterdir()]
            if max(files, default=0.0) < oldest:
                shutil.rmtree(folder, ignore_errors=True)
                gone += 1
        except OSError:
            continue  # another process deletes it
    return gone


def sweep_until(ended: Event) -> None:
    """Delete what is too old, at once and then often enough for the stated time."""
    while True:
        sweep()
        if ended.wait(min(600.0, max(1.0, seconds() / 4))):
            return


def _root() -> Path:
    return cache_folder() / "visitors"


def _folder(token: str) -> Path:
    return _root() / hashlib.sha256(token.encode()).hexdigest()[:40]
