"""The store: rows of statistics on disk, by a hash of the texts that they were computed from.

The same output of the same sentence is never scored twice, whichever system, corpus or process it comes from. Rows
are written chunk by chunk, so that a crash loses little. SQLite in WAL mode lets several processes read and write at
once.

Every row carries a checksum of its signature, key and numbers. A row that does not match it counts as missing and is
computed again. A file that SQLite cannot read is set aside under a dated name, and a new store begins with the rows
that could be saved. A store that can be read but not written is read. No state of the disk stops a run: `problem` says
why new rows are not kept, `notice` what was repaired.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import struct
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import numpy as np

from gec_core.environment import cache_folder
from gec_core.formatting import counted
from gec_core.types import Annotation, Array, Reads, Sentence

_AT_ONCE = 5000
_TABLES = {
    "signatures": "(id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE)",
    "checked_rows": "(signature INTEGER NOT NULL, key BLOB NOT NULL, row BLOB NOT NULL, checksum BLOB NOT NULL, "
    "PRIMARY KEY (signature, key)) WITHOUT ROWID",
}
_PAGE = 4096
"""The bytes of a page, which is what SQLite takes unless it is told otherwise."""
_COLUMNS = "signature, key, row, checksum"
_UNCHECKED = "rows"
"""The table of stores from before rows had checksums; its rows are taken over when such a store is opened."""
_CANNOT_WRITE = {sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY} | {
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH,
}  # fmt: skip
_log = logging.getLogger(__name__)
_told: dict[str, None] = {}


def incidents() -> list[str]:
    """What this process had to say of stores, each once: damage that was repaired, rows that are not kept."""
    return list(_told)


class _Damaged(sqlite3.DatabaseError):
    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


_FAILURES = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What reading a damaged file raises; SQLite quotes names of its schema, which then need not be text."""
_checked: set[Path] = set()
"""Files that this process has checked before it added to them: rows put into a damaged tree are not found again."""


class Store:
    """Rows of statistics by signature and key; opened for every use, so that threads and processes can share it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else _usual_path()
        self.problem = ""
        """Why new rows are not kept; empty while they are."""
        self.notice = ""
        """What was found damaged and how it was repaired; empty if nothing was."""
        self._access: Literal["write", "read", "none"] = "write"
        self._address = ""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open()
        except OSError as error:
            self._without_writing(error)
        except _FAILURES as error:
            self._after(error)

    def get(self, signature: str, keys: Iterable[bytes]) -> dict[bytes, Array]:
        """The rows of these keys, as far as the store has them undamaged."""
        wanted = list(keys)
        for _ in range(2):
            if self._access == "none":
                return {}
            try:
                return self._found(signature, wanted)
            except _FAILURES as error:
                if not self._after(error):
                    break
        return {}

    def put(self, signature: str, rows: Mapping[bytes, Array]) -> None:
        """Add rows, all or none of them."""
        for _ in range(2):
            if self._access != "write":
                return
            try:
                if self.path not in _checked and not self._intact():
                    raise _Damaged("its pages are not in order")
                _checked.add(self.path)
                with closing(self._connect()) as connection, connection:
                    _insert(connection, signature, ((key, _bytes(row)) for key, row in rows.items()))
                return
            except _FAILURES as error:
                self._after(error)

    def _open(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            if not _has(connection, *_TABLES):
                _create_tables(connection)
            if _has(connection, _UNCHECKED):
                _take_over_unchecked(connection)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._address or self.path, timeout=60, uri=bool(self._address))
        if not self._address:
            connection.execute("PRAGMA synchronous=NORMAL")
        return connection

    def _found(self, signature: str, wanted: list[bytes]) -> dict[bytes, Array]:
        found: dict[bytes, Array] = {}
        damaged = 0
        begun = _checksum_of(signature)
        with closing(self._connect()) as connection:
            columns, table = ("row, checksum", "checked_rows")
            if self._access == "read" and not _has(connection, table):
                columns, table = ("row, NULL", _UNCHECKED)
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                for key, row, checksum in connection.execute(
                    f"SELECT key, {columns} FROM {table} WHERE signature = (SELECT id FROM signatures WHERE "
                    f"signature = ?) AND key IN ({','.join('?' * len(part))})",
                    [signature, *part],
                ):
                    if _sound(row) and (table == _UNCHECKED or checksum == _checksum(begun, key, row)):
                        found[key] = np.frombuffer(row)
                    else:
                        damaged += 1
        if damaged and self._access == "write" and not self._intact():
            raise _Damaged("rows do not match their checksums")
        if damaged:
            self._tell(
                f"{counted(damaged, 'row')} of the store {self.path} {'is' if damaged == 1 else 'are'} damaged, and "
                "computed again."
            )
        return found

    def _after(self, error: Exception) -> bool:
        """Repair or do without what cannot be read or written; whether another try makes sense."""
        unknown = sqlite3.SQLITE_IOERR if isinstance(error, sqlite3.Error) else sqlite3.SQLITE_CORRUPT
        code = getattr(error, "sqlite_errorcode", unknown) & 0xFF
        if code not in _CANNOT_WRITE and self._access == "write":
            try:
                self._set_aside(error)
                return True
            except (OSError, *_FAILURES) as another:
                return self._without_writing(another)
        return self._without_writing(error)

    def _without_writing(self, error: Exception) -> bool:
        """Go on with a store that is only read, or with none; whether it can be read."""
        if self._access == "write":
            for address in (f"{self.path.absolute().as_uri()}?mode={how}" for how in ("ro", "ro&immutable=1")):
                with suppress(OSError, *_FAILURES):
                    self._access, self._address = "read", address
                    with closing(self._connect()) as connection:
                        connection.execute("SELECT count(*) FROM signatures").fetchone()
                    self.problem = (
                        f"The store {self.path} cannot be written ({error}). Stored scores are used; new ones are "
                        "computed, but not kept."
                    )
                    _say(self.problem)
                    return True
        self._access = "none"
        self.problem = f"The store {self.path} cannot be used ({error}). Scores are computed, but not kept."
        _say(self.problem)
        return False

    def _set_aside(self, error: Exception) -> None:
        """Move the file away under a dated name, and begin a new one with the rows that can be saved."""
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        aside = self.path.with_name(f"{self.path.stem}.damaged-{stamp}{self.path.suffix}")
        if not self._intact():  # another process may have repaired it meanwhile
            for ending in ("-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.replace(f"{self.path}{ending}", f"{aside}{ending}")
            os.replace(self.path, aside)
        self._open()
        if not aside.exists():
            return
        saved = self._save(aside) or self._save_with_another_header(aside)
        self._tell(
            f"The store {self.path} was damaged ({error}). It is kept as {aside.name}; a new one begins with "
            f"{counted(saved, 'row')} that could be saved. The rest is computed again."
        )

    def _save(self, damaged: Path) -> int:
        """Add what can be read of a damaged file; how many rows that is."""
        with closing(self._connect()) as connection, connection:
            return sum(_insert(connection, signature, rows) for signature, rows in _salvaged(damaged))

    def _save_with_another_header(self, damaged: Path) -> int:
        """Read a file whose first page is lost with that of a new store, whose tables begin on the same pages."""
        copy = damaged.with_suffix(".copy")
        try:
            with closing(self._connect()) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            first = bytearray(self.path.read_bytes()[:_PAGE])
            first[92:96] = bytes(4)  # the file is as long as it is, not as long as the header says
            copy.write_bytes(bytes(first) + damaged.read_bytes()[_PAGE:])
            return self._save(copy)
        finally:
            for ending in ("", "-wal", "-shm"):
                Path(f"{copy}{ending}").unlink(missing_ok=True)

    def _intact(self) -> bool:
        """Whether the file has all its tables and pages, in order; about a second for a million rows."""
        try:
            with closing(self._connect()) as connection:
                for query in ("SELECT id, signature FROM signatures", f"SELECT {_COLUMNS} FROM checked_rows"):
                    connection.execute(f"{query} LIMIT 1").fetchone()
                return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
        except _FAILURES:
            return False

    def _tell(self, notice: str) -> None:
        self.notice = f"{self.notice} {notice}".strip()
        _say(notice)


def store_version(path: Path | None = None) -> Hashable:
    """Something that differs when a process has added rows to a store, found without opening it.

    SQLite keeps new rows in a file of their own, with `-wal` at its end; an empty one comes and goes with readers.
    """
    path = path or _usual_path()
    return path, _state(path), _state(path.with_name(f"{path.name}-wal"))


def _usual_path() -> Path:
    return cache_folder() / "scores.sqlite"


def _state(file: Path) -> tuple[int, int]:
    """The size of a file and the time of its last change; zeros if it is empty or not there."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return (found.st_size, found.st_mtime_ns) if found.st_size else (0, 0)


def _say(message: str) -> None:
    if message not in _told:
        _told[message] = None
        _log.info(message)


def _bytes(row: Array) -> bytes:
    return np.ascontiguousarray(row, np.float64).tobytes()


def _sound(row: object) -> bool:
    """Whether something can be the numbers of a row."""
    return isinstance(row, bytes) and len(row) > 0 and len(row) % 8 == 0


def _checksum_of(signature: str) -> Any:
    """A checksum that has begun with the signature: rows that are found under another one do not match."""
    return hashlib.blake2b(signature.encode(), digest_size=8)


def _checksum(begun: Any, key: bytes, row: bytes) -> bytes:
    checksum = begun.copy()
    checksum.update(struct.pack("<I", len(key)) + key + row)
    found: bytes = checksum.digest()
    return found


def _has(connection: sqlite3.Connection, *tables: str) -> bool:
    known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return known.issuperset(tables)


def _create_tables(connection: sqlite3.Connection) -> None:
    """Begin a store, unless another process was quicker; one table without the other is a damaged store."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        there = [name for name in _TABLES if _has(connection, name)]
        if len(there) == 1 and not _has(connection, _UNCHECKED):
            raise _Damaged("one of its tables is missing")
        for name, columns in _TABLES.items():
            connection.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")


def _insert(connection: sqlite3.Connection, signature: str, rows: Iterable[tuple[bytes, bytes]]) -> int:
    """Add rows under a signature; how many there were."""
    begun = _checksum_of(signature)
    connection.execute("INSERT OR IGNORE INTO signatures (signature) VALUES (?)", [signature])
    (number,) = connection.execute("SELECT id FROM signatures WHERE signature = ?", [signature]).fetchone()
    added = [(number, key, row, _checksum(begun, key, row)) for key, row in rows]
    connection.executemany("INSERT OR REPLACE INTO checked_rows VALUES (?, ?, ?, ?)", added)
    return len(added)


def _take_over_unchecked(connection: sqlite3.Connection) -> None:
    """Give rows from before there were checksums theirs; nothing else about them changes."""
    begun = {number: _checksum_of(text) for number, text in connection.execute("SELECT id, signature FROM signatures")}
    connection.create_function("sound", 1, _sound)
    connection.create_function("checksum_of", 3, lambda number, key, row: _checksum(begun[number], key, row))
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if _has(connection, _UNCHECKED):  # another process may have been quicker
            connection.execute(
                "INSERT OR IGNORE INTO checked_rows SELECT signature, key, row, checksum_of(signature, key, row) "
                f"FROM {_UNCHECKED} WHERE sound(row) AND signature IN (SELECT id FROM signatures)"
            )
            connection.execute(f"DROP TABLE {_UNCHECKED}")


def _salvaged(path: Path) -> Iterator[tuple[str, list[tuple[bytes, bytes]]]]:
    """The rows of a damaged file that match their checksums, by signature: from both ends up to what is unreadable."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.text_factory = lambda text: text.decode(errors="replace")
            signatures = list(_as_far_as_readable(connection, "SELECT id, signature FROM signatures"))
            for number, signature in signatures:
                begun = _checksum_of(str(signature))
                sound = {
                    key: row
                    for order in ("ASC", "DESC")
                    for key, row, checksum in _as_far_as_readable(
                        connection,
                        f"SELECT key, row, checksum FROM checked_rows WHERE signature = ? ORDER BY key {order}",
                        number,
                    )
                    if isinstance(key, bytes) and _sound(row) and checksum == _checksum(begun, key, row)
                }
                if sound:
                    yield str(signature), list(sound.items())
    except _FAILURES:
        return


def _as_far_as_readable(connection: sqlite3.Connection, query: str, *values: object) -> Iterator[Any]:
    with suppress(*_FAILURES):
        yield from connection.execute(query, values)


class MemoryStore(Store):
    """A store in memory that keeps the rows used last, up to a number of bytes; thread-safe."""

    def __init__(self, most_bytes: int) -> None:
        self.problem = self.notice = ""
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
