"""The file in which sessions of judging are kept: its tables, connections and transactions.

SQLite in WAL mode: one process writes at a time, and readers do not wait for it.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

from gec_core.errors import JudgingError
from gec_core.judging.session import Answer, Item, Session, Texts

HELD = 180
"""Seconds for which an item that was handed out and not answered yet counts as judged when others are given theirs."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, owner BLOB NOT NULL, plan TEXT NOT NULL, texts TEXT NOT NULL,
    created REAL NOT NULL, closed REAL, revealed TEXT
);
CREATE TABLE IF NOT EXISTS judges (
    id INTEGER PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, name TEXT NOT NULL,
    token BLOB NOT NULL UNIQUE, joined REAL NOT NULL, prediction TEXT, UNIQUE (session, name)
);
CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, judge INTEGER NOT NULL REFERENCES judges ON DELETE CASCADE, number INTEGER NOT NULL,
    sentence INTEGER NOT NULL, places TEXT NOT NULL, repeat_of INTEGER, UNIQUE (judge, number)
);
CREATE TABLE IF NOT EXISTS answers (
    item INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, answer TEXT NOT NULL, received REAL NOT NULL,
    seconds REAL NOT NULL, request TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS texts (session TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, texts TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS last_changes (
    session TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, serial INTEGER NOT NULL
);
"""
# Texts and the number of the last change have tables of their own: SQLite writes and reads whole rows, and with its
# texts a row of a session has megabytes. Earlier versions had them in `sessions.texts`, which is empty now.
_ADDED = {"sessions": ("shared",), "judges": ("excluded",), "items": ("offered",), "answers": ("serial",)}
"""Columns that databases of earlier versions lack."""
_INDEX = "CREATE INDEX IF NOT EXISTS answers_by_change ON answers (serial)"


@dataclass(frozen=True)
class SessionChange:
    """An answer as it is now, with the number of its last change."""

    serial: int
    answer: Answer
    excluded: bool
    """Whether the owner left the judge out."""


_queues: defaultdict[Path, Lock] = defaultdict(Lock)


@lru_cache(maxsize=64)
def prepared(path: Path) -> None:
    """Make the tables, and add the columns that an older database lacks; once in a process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCHEMA)
        for table, columns in _ADDED.items():
            there = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for column in columns:
                if column not in there:
                    connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")
        connection.execute(_INDEX)


def connect(path: Path) -> sqlite3.Connection:
    """Connect to a database; a transaction is on disk when it ends, and deleted texts are overwritten."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextmanager
def writing(path: Path, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
    """One transaction, which waits for others to end and is taken back when an error leaves it.

    Threads of this process queue up: SQLite itself would let them try again and again, and some wait for seconds. A
    transaction that is not durable survives the end of the process, and a power failure only once a durable one
    has followed it.
    """
    with _queues[path], closing(connect(path)) as connection:
        if not durable:
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


@lru_cache(maxsize=64)
def read_texts(path: Path, session: str) -> Texts:
    """The texts of a session. They never change, and reading them for every request would take longest of all."""
    with closing(connect(path)) as connection:
        row = connection.execute(
            "SELECT coalesce(texts.texts, sessions.texts) FROM sessions LEFT JOIN texts ON session = id WHERE id = ?",
            [session],
        ).fetchone()
    if row is None:
        raise JudgingError("This session was deleted.")
    return Texts.from_json(json.loads(row[0]))


def read_changes(connection: sqlite3.Connection, session: Session, after: int) -> list[SessionChange]:
    """The answers that changed after the change of this number, in the order of their changes."""
    rows = connection.execute(
        "SELECT items.id, number, sentence, places, repeat_of, name, answer, received, seconds, answers.serial, "
        "excluded FROM answers JOIN items ON item = items.id JOIN judges ON judge = judges.id "
        "WHERE session = ? AND answers.serial > ? ORDER BY answers.serial, items.id",
        [session.id, after],
    )
    return [
        SessionChange(
            row[9], Answer(as_item(*row[:5]), row[5], tuple(json.loads(row[6])), row[7], row[8]), bool(row[10])
        )
        for row in rows
    ]


def read_held(connection: sqlite3.Connection, session: Session) -> Counter[int]:
    """How many judges were handed each sentence a short while ago and have not answered yet."""
    rows = connection.execute(
        "SELECT sentence FROM items JOIN judges ON judge = judges.id LEFT JOIN answers ON item = items.id "
        "WHERE session = ? AND answer IS NULL AND repeat_of IS NULL AND NOT excluded AND offered > ?",
        [session.id, time.time() - HELD],
    )
    return Counter(sentence for (sentence,) in rows)


def next_serial(connection: sqlite3.Connection, session: Session) -> int:
    """Number one more change of an answer."""
    (serial,) = connection.execute(
        "INSERT INTO last_changes VALUES (?, 1) "
        "ON CONFLICT (session) DO UPDATE SET serial = serial + 1 RETURNING serial",
        [session.id],
    ).fetchone()
    return int(serial)


def as_item(id: int, number: int, sentence: int, places: str, repeat_of: int | None) -> Item:
    """The item of a row of the table `items`."""
    return Item(number, sentence, tuple(tuple(place) for place in json.loads(places)), repeat_of, id)
