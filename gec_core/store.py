"""The store: rows of statistics on disk, by a hash of the texts that they were computed from.

The same output of the same sentence is never scored twice, whichever system, corpus or process it comes from. Rows
are written chunk by chunk, so that a crash loses little. SQLite in WAL mode lets several processes read and write at
once.

A store that cannot be used (a full or read-only disk, a damaged file) never stops a run: `problem` says why, and
everything is computed without it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Lock

import numpy as np

from gec_core.environment import cache_folder
from gec_core.types import Annotation, Array, Reads, Sentence

_AT_ONCE = 5000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS signatures (id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS rows (
    signature INTEGER NOT NULL, key BLOB NOT NULL, row BLOB NOT NULL, PRIMARY KEY (signature, key)
) WITHOUT ROWID;
"""


class Store:
    """Rows of statistics by signature and key; opened for every use, so that threads and processes can share it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else cache_folder() / "scores.sqlite"
        self.problem = ""
        """Why the store is not used; empty while it is."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def get(self, signature: str, keys: Iterable[bytes]) -> dict[bytes, Array]:
        """The rows of these keys, as far as the store has them."""
        if self.problem:
            return {}
        wanted = list(keys)
        found: dict[bytes, Array] = {}
        try:
            with closing(self._connect()) as connection:
                for start in range(0, len(wanted), _AT_ONCE):
                    part = wanted[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(part))
                    rows = connection.execute(
                        "SELECT key, row FROM rows WHERE signature = (SELECT id FROM signatures WHERE signature = ?) "
                        f"AND key IN ({marks})",
                        [signature, *part],
                    )
                    found.update((key, np.frombuffer(row)) for key, row in rows)
        except sqlite3.Error as error:
            self._give_up(error)
        return found

    def put(self, signature: str, rows: Mapping[bytes, Array]) -> None:
        """Add rows, all or none of them."""
        if self.problem:
            return
        try:
            with closing(self._connect()) as connection, connection:
                connection.execute("INSERT OR IGNORE INTO signatures (signature) VALUES (?)", [signature])
                (number,) = connection.execute("SELECT id FROM signatures WHERE signature = ?", [signature]).fetchone()
                connection.executemany(
                    "INSERT OR REPLACE INTO rows VALUES (?, ?, ?)",
                    [(number, key, np.ascontiguousarray(row, np.float64).tobytes()) for key, row in rows.items()],
                )
        except sqlite3.Error as error:
            self._give_up(error)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=60)
        connection.execute("PRAGMA synchronous=NORMAL")
        return connection

    def _give_up(self, error: Exception) -> None:
        self.problem = f"The store {self.path} cannot be used ({error}). Scores are computed, but not kept."


class MemoryStore(Store):
    """A store in memory that keeps the rows used last, up to a number of bytes; thread-safe."""

    def __init__(self, most_bytes: int) -> None:
        self.problem = ""
        self._rows: OrderedDict[tuple[str, bytes], Array] = OrderedDict()
        self._bytes, self._most, self._lock = 0, most_bytes, Lock()

    def get(self, signature: str, keys: Iterable[bytes]) -> dict[bytes, Array]:
        found = {}
        with self._lock:
            for key in keys:
                row = self._rows.get((signature, key))
                if row is not None:
                    self._rows.move_to_end((signature, key))
                    found[key] = row
        return found

    def put(self, signature: str, rows: Mapping[bytes, Array]) -> None:
        with self._lock:
            for key, row in rows.items():
                old = self._rows.pop((signature, key), None)
                self._bytes += row.nbytes - (old.nbytes if old is not None else 0)
                self._rows[signature, key] = row
            while self._bytes > self._most:
                _, row = self._rows.popitem(last=False)
                self._bytes -= row.nbytes


def context_key(sentence: Sentence, reads: Reads) -> bytes:
    """A hash of everything that a metric reads of a sentence besides the output.

    Stored and precomputed rows are found by it: a change of its input would lose them all.
    """
    parts: list[object] = [sentence.source]
    if reads == "references":
        parts += sentence.references
    elif reads == "gold":
        parts.append([_annotation(one) for one in sentence.annotations])
        if sentence.errors is not None:
            parts.append(
                [[group.required, [_annotation(one) for one in group.alternatives]] for group in sentence.errors]
            )
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def _annotation(one: Annotation) -> list[object]:
    return [one.annotator, [[edit.start, edit.end, edit.type, *edit.corrections] for edit in one.edits]]


def pair_key(context: bytes, output: str) -> bytes:
    """The key of an output of the sentence with this context key."""
    return hashlib.blake2b(output.encode(), digest_size=16, key=context).digest()
