"""Sessions of judging on disk: SQLite in WAL mode, one transaction per answer.

An answer is on disk before the judge sees the next item, and the same answer sent twice (a lost reply, a second tab) is
kept once. Codes and tokens are random; of tokens and owners' secrets only hashes are kept.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gec_core.environment import data_folder
from gec_core.errors import JudgingError
from gec_core.judging.plan import Answer, Item, Plan, Texts, checked_values

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of codes: without those that are mistaken for one another (0 and O, 1, I and L)."""
CODE_LENGTH = 8
LONGEST_NAME = 40
MOST_JUDGES = 500
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
"""


@dataclass(frozen=True)
class Session:
    """One session, without its secrets."""

    id: str
    code: str
    plan: Plan
    created: float
    closed: float | None
    revealed: dict[str, Any] | None
    """What judges see of the results once the owner has revealed them."""
    database: Path

    @property
    def texts(self) -> Texts:
        """The texts that judges see."""
        return _texts(self.database, self.id)


@dataclass(frozen=True)
class Judge:
    """Somebody who joined a session."""

    id: int
    name: str
    prediction: str = ""


@dataclass(frozen=True)
class OwnedSession:
    """A new session, with the secret that only its owner is told."""

    session: Session
    secret: str


Chooser = Callable[[Session, Judge, Sequence[Item], Sequence[Answer]], Item | None]
"""Choose the next item of a judge from the judge's items so far and all answers; None when the judge is done."""


class JudgingDatabase:
    """All sessions of one server; opened for every use, so that threads and processes can share it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else data_folder() / "judging.sqlite"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._writing() as connection:
                connection.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise JudgingError(f"Judgments cannot be kept in {self.path}: {error}.") from None

    def create(self, plan: Plan, texts: Texts) -> OwnedSession:
        """Open a session and return it with its owner's secret."""
        id, secret = secrets.token_urlsafe(9), secrets.token_urlsafe(24)
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        kept = json.dumps({"sources": dict(texts.sources), "outputs": {n: dict(o) for n, o in texts.outputs.items()}})
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO sessions (id, code, owner, plan, texts, created) VALUES (?, ?, ?, ?, ?, ?)",
                [id, code, _hash(secret), json.dumps(plan.as_json()), kept, time.time()],
            )
        return OwnedSession(self.owned(id, secret), secret)

    def with_code(self, code: str) -> Session:
        """Return the session that judges enter with this code."""
        return self._session("code = ?", [code.strip().upper().replace("-", "")[:64]], "No session has this code.")

    def owned(self, id: str, secret: str) -> Session:
        """Return the session if the secret is its owner's."""
        wrong = "This is not the link of a session's owner, or the session was deleted."
        with closing(self._connect()) as connection:
            row = connection.execute("SELECT owner FROM sessions WHERE id = ?", [id]).fetchone()
        if row is None or not hmac.compare_digest(row[0], _hash(secret)):
            raise JudgingError(wrong)
        return self._session("id = ?", [id], wrong)

    def close(self, session: Session, *, closed: bool = True) -> None:
        """Close a session to further answers, or open it again."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE sessions SET closed = ? WHERE id = ?", [time.time() if closed else None, session.id]
            )

    def reveal(self, session: Session, results: dict[str, Any] | None) -> None:
        """Show these results to the judges; None hides them again."""
        with self._writing() as connection:
            kept = json.dumps(results) if results is not None else None
            connection.execute("UPDATE sessions SET revealed = ? WHERE id = ?", [kept, session.id])

    def delete(self, session: Session) -> None:
        """Delete a session with its texts, judges and answers; the database overwrites what it deletes."""
        with self._writing() as connection:
            connection.execute("DELETE FROM sessions WHERE id = ?", [session.id])
        _texts.cache_clear()

    def join(self, session: Session, name: str = "", prediction: str = "") -> tuple[Judge, str]:
        """Add a judge and return the token that identifies them; without a name they get a number."""
        _refuse_closed(session)
        wanted = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip()
        if prediction and prediction not in session.plan.predictions:
            raise JudgingError("Predict one of the metrics of the list.")
        token = secrets.token_urlsafe(24)
        with self._writing() as connection:
            (there,) = connection.execute("SELECT count(*) FROM judges WHERE session = ?", [session.id]).fetchone()
            if there >= MOST_JUDGES:
                raise JudgingError(f"This session has {there} judges already; no more can join.")
            try:
                added = connection.execute(
                    "INSERT INTO judges (session, name, token, joined, prediction) VALUES (?, ?, ?, ?, ?)",
                    [session.id, wanted or f"judge {there + 1}", _hash(token), time.time(), prediction],
                )
            except sqlite3.IntegrityError:
                raise JudgingError(f"Somebody called {wanted!r} judges here already. Choose another name.") from None
        return Judge(int(added.lastrowid or 0), wanted or f"judge {there + 1}", prediction), token

    def judge(self, session: Session, token: str) -> Judge:
        """Return the judge with this token."""
        with closing(self._connect()) as connection:
            row = connection.execute(
                "SELECT id, name, prediction FROM judges WHERE session = ? AND token = ?", [session.id, _hash(token)]
            ).fetchone()
        if row is None:
            raise JudgingError("You have not joined this session on this device. Join it first.")
        return Judge(row[0], row[1], row[2] or "")

    def judges(self, session: Session) -> list[Judge]:
        """All judges in the order in which they joined."""
        with closing(self._connect()) as connection:
            rows = connection.execute(
                "SELECT id, name, prediction FROM judges WHERE session = ? ORDER BY id", [session.id]
            ).fetchall()
        return [Judge(id, name, prediction or "") for id, name, prediction in rows]

    def next_item(self, session: Session, judge: Judge, choose: Chooser) -> Item | None:
        """Return the judge's open item, or choose a new one; None when the judge is done or the session closed."""
        if session.closed is not None:
            return None
        with self._writing() as connection:
            mine = [item for item, _ in self._items(connection, "judge = ?", [judge.id])]
            answered = {
                number
                for (number,) in connection.execute(
                    "SELECT number FROM items JOIN answers ON item = id WHERE judge = ?", [judge.id]
                )
            }
            waiting = [item for item in mine if item.number not in answered]
            if waiting:
                return waiting[0]
            chosen = choose(session, judge, mine, self._answers(connection, session))
            if chosen is None:
                return None
            return self._add_item(connection, judge, chosen)

    def answer(
        self,
        session: Session,
        judge: Judge,
        item: int,
        values: object,
        request: str,
        *,
        seconds: float = 0.0,
        replace: bool = False,
    ) -> bool:
        """Keep the answer to an item and return whether it is new.

        Args:
            session: The session.
            judge: Who answers.
            item: The key of the item.
            values: One value per place, or one verdict per edit.
            request: A random name of this answer: the same answer sent again is recognised by it.
            seconds: How long the judge took.
            replace: Whether an answer that is there already is taken back.
        """
        _refuse_closed(session)
        with self._writing() as connection:
            found = self._items(connection, "items.id = ? AND judge = ?", [item, judge.id])
            if not found:
                raise JudgingError("This item is not yours to answer.")
            kept = json.dumps(checked_values(session.plan, found[0][0], session.texts, values))
            row = [item, kept, time.time(), min(max(float(seconds), 0.0), 1e6), str(request)[:64]]
            known = connection.execute("SELECT request FROM answers WHERE item = ?", [item]).fetchone()
            if known is not None and (known[0] == row[4] or not replace):
                return False
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", row)
            return True

    def last_answered(self, judge: Judge) -> tuple[Item, tuple[float, ...]] | None:
        """Return the item that the judge answered last, with the answer, to be answered again."""
        with closing(self._connect()) as connection:
            row = connection.execute(
                "SELECT item, answer FROM answers JOIN items ON item = id WHERE judge = ? ORDER BY number DESC LIMIT 1",
                [judge.id],
            ).fetchone()
            if row is None:
                return None
            ((item, _),) = self._items(connection, "items.id = ?", [row[0]])
            return item, tuple(json.loads(row[1]))

    def answers(self, session: Session) -> list[Answer]:
        """All answers in the order in which they came in."""
        with closing(self._connect()) as connection:
            return self._answers(connection, session)

    def record(self, session: Session, answers: Sequence[Answer]) -> int:
        """Add answers that were given elsewhere, all or none of them; judges are found or added by name."""
        with self._writing() as connection:
            known = {
                name: Judge(id, name)
                for id, name in connection.execute("SELECT id, name FROM judges WHERE session = ?", [session.id])
            }
            numbers: dict[int, int] = {}
            for answer in answers:
                judge = known.get(answer.judge) or self._imported_judge(connection, session, answer.judge)
                known[answer.judge] = judge
                if judge.id not in numbers:
                    (numbers[judge.id],) = connection.execute(
                        "SELECT coalesce(max(number), 0) FROM items WHERE judge = ?", [judge.id]
                    ).fetchone()
                numbers[judge.id] += 1
                asked = Item(numbers[judge.id], answer.item.sentence, answer.item.places, answer.item.repeat_of)
                added = self._add_item(connection, judge, asked)
                connection.execute(
                    "INSERT INTO answers VALUES (?, ?, ?, ?, ?)",
                    [added.id, json.dumps(answer.values), answer.received, answer.seconds, secrets.token_hex(8)],
                )
        return len(answers)

    def _imported_judge(self, connection: sqlite3.Connection, session: Session, name: str) -> Judge:
        added = connection.execute(
            "INSERT INTO judges (session, name, token, joined) VALUES (?, ?, ?, ?)",
            [session.id, name, _hash(secrets.token_urlsafe(24)), time.time()],
        )
        return Judge(int(added.lastrowid or 0), name)

    def _add_item(self, connection: sqlite3.Connection, judge: Judge, item: Item) -> Item:
        added = connection.execute(
            "INSERT INTO items (judge, number, sentence, places, repeat_of) VALUES (?, ?, ?, ?, ?)",
            [judge.id, item.number, item.sentence, json.dumps(item.places), item.repeat_of],
        )
        return Item(item.number, item.sentence, item.places, item.repeat_of, int(added.lastrowid or 0))

    def _items(self, connection: sqlite3.Connection, where: str, values: Sequence[object]) -> list[tuple[Item, int]]:
        rows = connection.execute(
            f"SELECT id, judge, number, sentence, places, repeat_of FROM items WHERE {where} ORDER BY id", values
        )
        return [
            (Item(number, sentence, _places(places), repeat_of, id), judge)
            for id, judge, number, sentence, places, repeat_of in rows
        ]

    def _answers(self, connection: sqlite3.Connection, session: Session) -> list[Answer]:
        rows = connection.execute(
            "SELECT items.id, number, sentence, places, repeat_of, name, answer, received, seconds FROM answers "
            "JOIN items ON item = items.id JOIN judges ON judge = judges.id WHERE session = ? "
            "ORDER BY received, items.id",
            [session.id],
        )
        return [
            Answer(
                Item(number, sentence, _places(places), repeat_of, id),
                name,
                tuple(json.loads(given)),
                received,
                seconds,
            )
            for id, number, sentence, places, repeat_of, name, given, received, seconds in rows
        ]

    def _session(self, where: str, values: Sequence[object], otherwise: str) -> Session:
        with closing(self._connect()) as connection:
            row = connection.execute(
                f"SELECT id, code, plan, created, closed, revealed FROM sessions WHERE {where}", values
            ).fetchone()
        if row is None:
            raise JudgingError(otherwise)
        id, code, plan, created, closed, revealed = row
        shown = json.loads(revealed) if revealed else None
        return Session(id, code, Plan.from_json(json.loads(plan)), created, closed, shown, self.path)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, which waits for others to end and is taken back when an error leaves it."""
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            if connection.in_transaction:
                connection.execute("COMMIT")


@lru_cache(maxsize=16)
def _texts(path: Path, session: str) -> Texts:
    """The texts of a session. They never change, and reading them for every request would take longest of all."""
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        row = connection.execute("SELECT texts FROM sessions WHERE id = ?", [session]).fetchone()
    if row is None:
        raise JudgingError("This session was deleted.")
    found = json.loads(row[0])
    return Texts(
        {int(index): text for index, text in found["sources"].items()},
        {name: {int(index): text for index, text in outputs.items()} for name, outputs in found["outputs"].items()},
    )


def _refuse_closed(session: Session) -> None:
    if session.closed is not None:
        raise JudgingError("This session is closed: no more answers are taken.")


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _places(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(place) for place in json.loads(text))
