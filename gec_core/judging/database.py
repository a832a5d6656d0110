"""Sessions of judging on disk: SQLite in WAL mode, one transaction per answer.

An answer is on disk before the judge sees the next item, and the same answer sent twice (a lost reply, a second tab) is
kept once. Codes and tokens are random; of tokens and owners' secrets only hashes are kept. Every change of an answer
has a number, so that whoever counts answers reads only what is new.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from gec_core.environment import data_folder
from gec_core.errors import JudgingError
from gec_core.judging.session import Answer, Item, Judge, Plan, Session, Texts, checked_values
from gec_core.judging.tables import (
    SessionChange,
    as_item,
    connect,
    next_serial,
    prepared,
    read_changes,
    read_held,
    read_texts,
    writing,
)

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of codes: without those that are mistaken for one another (0 and O, 1, I and L)."""
CODE_LENGTH = 8
LONGEST_NAME = 40
MOST_JUDGES = 500
_NOT_THE_OWNER = "This is not the link of a session's owner, or the session was deleted."
_DELETED = "This session was deleted."
_CLOSED = "This session is closed: no more answers are taken."


@dataclass(frozen=True)
class OwnedSession:
    """A new session, with the secret that only its owner is told."""

    session: Session
    secret: str


Counted = TypeVar("Counted")
Changes = Callable[[int], list[SessionChange]]
"""Return the answers that changed after the change of this number."""
Chooser = Callable[[Session, Judge, Sequence[Item], Changes, Counter[int]], Item | None]
"""Choose the next item of a judge from the judge's items so far, all answers, and how many others look at each sentence
at the moment; None when there is none."""


class JudgingDatabase:
    """All sessions of one server; connected to for every use, so that threads and processes can share it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else data_folder() / "judging.sqlite"
        try:
            if not self.path.exists():
                prepared.cache_clear()
            prepared(self.path)
        except (OSError, sqlite3.Error) as error:
            raise JudgingError(f"Judgments cannot be kept in {self.path}: {error}.") from None

    def create(self, plan: Plan, texts: Texts) -> OwnedSession:
        """Open a session and return it with its owner's secret."""
        id, secret = _random_name(9), _random_name(24)
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        with writing(self.path) as connection:
            connection.execute(
                "INSERT INTO sessions (id, code, owner, plan, texts, created) VALUES (?, ?, ?, ?, '', ?)",
                [id, code, _hash(secret), json.dumps(plan.as_json()), time.time()],
            )
            connection.execute("INSERT INTO texts VALUES (?, ?)", [id, json.dumps(texts.as_json())])
        return OwnedSession(self.owned(id, secret), secret)

    def with_code(self, code: str) -> Session:
        """Return the session that judges enter with this code."""
        found = self._sessions("code = ?", [plain_code(code)])
        if not found:
            raise JudgingError("No session has this code.")
        return found[0]

    def owned(self, id: str, secret: str) -> Session:
        """Return the session if the secret is its owner's."""
        with closing(connect(self.path)) as connection:
            row = connection.execute("SELECT owner FROM sessions WHERE id = ?", [id]).fetchone()
        if row is None or not hmac.compare_digest(row[0], _hash(secret)):
            raise JudgingError(_NOT_THE_OWNER)
        return self._sessions("id = ?", [id])[0]

    def viewing_key(self, session: Session) -> str:
        """The key of a session's projector view: it opens results to read, and tells nothing of the owner's secret."""
        with closing(connect(self.path)) as connection:
            row = connection.execute("SELECT owner FROM sessions WHERE id = ?", [session.id]).fetchone()
        if row is None:
            raise JudgingError(_DELETED)
        return hmac.new(row[0], b"projector", hashlib.sha256).hexdigest()[:32]

    def viewed(self, id: str, key: str) -> Session:
        """Return the session if the key is that of its projector view."""
        found = self._sessions("id = ?", [id])
        if not found or not hmac.compare_digest(self.viewing_key(found[0]).encode(), key.encode()):
            raise JudgingError("This is not the link of a projector view, or the session was deleted.")
        return found[0]

    def current(self, session: Session) -> Session:
        """Return a session as it is now."""
        found = self._sessions("id = ?", [session.id])
        if not found:
            raise JudgingError(_DELETED)
        return found[0]

    def sessions(self, *, shared: bool = False) -> list[Session]:
        """All sessions in the order in which they were opened, or only those that are closed and shared."""
        return self._sessions("shared AND closed IS NOT NULL" if shared else "1", [])

    def ask_for(self, session: Session, judgments_per_sentence: int, items_per_judge: int) -> None:
        """Change how many judgments a session asks for; judges who were done get further items."""
        plan = replace(session.plan, judgments_per_sentence=judgments_per_sentence, items_per_judge=items_per_judge)
        self._set(session, "plan", json.dumps(plan.as_json()))

    def close(self, session: Session, *, closed: bool = True) -> None:
        """Close a session to further answers, or open it again."""
        self._set(session, "closed", time.time() if closed else None)

    def share(self, session: Session, *, shared: bool = True) -> None:
        """Give the judgments of a closed session to everybody on this server, or take them back."""
        self._set(session, "shared", int(shared))

    def reveal(self, session: Session, results: dict[str, Any] | None) -> None:
        """Show these results to the judges; None hides them again."""
        self._set(session, "revealed", json.dumps(results) if results is not None else None)

    def delete(self, session: Session) -> None:
        """Delete a session with its texts, judges and answers; the database overwrites what it deletes."""
        with writing(self.path) as connection:
            connection.execute("DELETE FROM sessions WHERE id = ?", [session.id])
        read_texts.cache_clear()

    def join(self, session: Session, name: str = "", prediction: str = "", token: str = "") -> tuple[Judge, str]:
        """Add a judge and return the token that identifies them; without a name they get a number.

        A long random `token` is taken as the judge's own. Whoever joins with it again, because the reply was lost, is
        the same judge.
        """
        name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip()
        if prediction and prediction not in session.plan.predictions:
            raise JudgingError("Predict one of the metrics of the list.")
        token = token if 32 <= len(token) <= 64 else secrets.token_urlsafe(24)
        with writing(self.path) as connection:
            known = connection.execute(
                "SELECT id, session, name FROM judges WHERE token = ?", [_hash(token)]
            ).fetchone()
            if known and known[1] == session.id:
                return Judge(known[0], known[2]), token
            if known:
                raise JudgingError("Join with another token.")
            _refuse_closed(connection, session)
            rows = connection.execute("SELECT name FROM judges WHERE session = ?", [session.id])
            taken = {other for (other,) in rows}
            if len(taken) >= MOST_JUDGES:
                raise JudgingError(f"This session has {len(taken)} judges already; no more can join.")
            if name in taken:
                raise JudgingError(f"Somebody called {name!r} judges here already. Choose another name.")
            free = (number for number in range(len(taken) + 1, MOST_JUDGES * 2) if f"judge {number}" not in taken)
            judge = self._add_judge(connection, session, name or f"judge {next(free)}", token, prediction)
        return judge, token

    def judge(self, session: Session, token: str) -> Judge:
        """Return the judge with this token."""
        found = self._judges("session = ? AND token = ?", [session.id, _hash(token)])
        if not found:
            raise JudgingError("You have not joined this session on this device. Join it first.")
        return found[0]

    def judges(self, session: Session) -> list[Judge]:
        """All judges in the order in which they joined."""
        return self._judges("session = ?", [session.id])

    def exclude(self, session: Session, judge: Judge, *, excluded: bool = True) -> None:
        """Leave the answers of a judge out of the results, or count them again. They are kept either way."""
        with writing(self.path) as connection:
            connection.execute(
                "UPDATE judges SET excluded = ? WHERE id = ? AND session = ?", [int(excluded), judge.id, session.id]
            )
            connection.execute(
                "UPDATE answers SET serial = ? WHERE item IN (SELECT id FROM items WHERE judge = ?)",
                [next_serial(connection, session), judge.id],
            )

    def next_item(self, session: Session, judge: Judge, choose: Chooser) -> Item | None:
        """Return the judge's open item, or choose a new one; None when the judge is done or the session closed."""
        if session.closed is not None:
            return None
        with writing(self.path, durable=False) as connection:  # the answer to the item, which is, follows it
            rows = connection.execute(
                "SELECT id, number, sentence, places, repeat_of, answer IS NULL FROM items LEFT JOIN answers ON "
                "item = id WHERE judge = ? ORDER BY id",
                [judge.id],
            ).fetchall()
            mine = [as_item(*row[:-1]) for row in rows]
            waiting = [item for item, row in zip(mine, rows, strict=True) if row[-1]]
            if waiting:
                return waiting[0]
            held = read_held(connection, session)
            chosen = choose(session, judge, mine, lambda after: read_changes(connection, session, after), held)
            return None if chosen is None else self._add_item(connection, judge, chosen)

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
            request: A random name of this answer: the same answer sent again, however late, is recognised by it.
            seconds: How long the judge took.
            replace: Whether an answer that is there already is taken back.
        """
        request = "".join(str(request).split())[:64]
        with writing(self.path) as connection:
            _refuse_closed(connection, session)
            found = connection.execute(
                "SELECT id, number, sentence, places, repeat_of FROM items WHERE id = ? AND judge = ?", [item, judge.id]
            ).fetchone()
            if not found:
                raise JudgingError("This item is not yours to answer.")
            kept = json.dumps(checked_values(session.plan, as_item(*found), session.texts, values))
            known = connection.execute("SELECT request FROM answers WHERE item = ?", [item]).fetchone()
            earlier = known[0].split() if known else []
            if known and (request in earlier or not replace):
                return False
            connection.execute(
                "INSERT OR REPLACE INTO answers (item, answer, received, seconds, request, serial) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [item, kept, time.time(), min(max(float(seconds), 0.0), 1e6), " ".join([*earlier, request]),
                 next_serial(connection, session)],
            )  # fmt: skip
            return True

    def last_answered(self, judge: Judge) -> tuple[Item, tuple[float, ...]] | None:
        """Return the item that the judge answered last, with the answer, to be answered again."""
        with closing(connect(self.path)) as connection:
            row = connection.execute(
                "SELECT id, number, sentence, places, repeat_of, answer FROM answers JOIN items ON item = id "
                "WHERE judge = ? ORDER BY number DESC LIMIT 1",
                [judge.id],
            ).fetchone()
        return None if row is None else (as_item(*row[:-1]), tuple(json.loads(row[-1])))

    def answers(self, session: Session) -> list[Answer]:
        """All answers in the order in which they came in, but for those of excluded judges."""
        with closing(connect(self.path)) as connection:
            found = read_changes(connection, session, -1)
        return [change.answer for change in found if not change.excluded]

    def counted(self, session: Session, count: Callable[[Session, Changes], Counted]) -> Counted:
        """Return what `count` makes of all answers, which it may read since the last change that it knows."""
        with writing(self.path, durable=False) as connection:
            return count(session, lambda after: read_changes(connection, session, after))

    def record(self, session: Session, answers: Sequence[Answer]) -> int:
        """Add answers that were given elsewhere, all or none of them; judges are found or added by name."""
        with writing(self.path) as connection:
            rows = connection.execute("SELECT id, name FROM judges WHERE session = ?", [session.id])
            known = {name: Judge(id, name) for id, name in rows}
            numbers: dict[int, int] = {}
            for answer in answers:
                if answer.judge not in known:
                    token = secrets.token_urlsafe(24)
                    known[answer.judge] = self._add_judge(connection, session, answer.judge, token, "")
                judge = known[answer.judge]
                if judge.id not in numbers:
                    (numbers[judge.id],) = connection.execute(
                        "SELECT coalesce(max(number), 0) FROM items WHERE judge = ?", [judge.id]
                    ).fetchone()
                numbers[judge.id] += 1
                asked = Item(numbers[judge.id], answer.item.sentence, answer.item.places, answer.item.repeat_of)
                added = self._add_item(connection, judge, asked)
                connection.execute(
                    "INSERT INTO answers (item, answer, received, seconds, request, serial) VALUES (?, ?, ?, ?, ?, ?)",
                    [added.id, json.dumps(answer.values), answer.received, answer.seconds, secrets.token_hex(8),
                     next_serial(connection, session)],
                )  # fmt: skip
        return len(answers)

    def _set(self, session: Session, column: str, value: object) -> None:
        with writing(self.path) as connection:
            connection.execute(f"UPDATE sessions SET {column} = ? WHERE id = ?", [value, session.id])

    def _add_judge(
        self, connection: sqlite3.Connection, session: Session, name: str, token: str, prediction: str
    ) -> Judge:
        added = connection.execute(
            "INSERT INTO judges (session, name, token, joined, prediction) VALUES (?, ?, ?, ?, ?)",
            [session.id, name, _hash(token), time.time(), prediction],
        )
        return Judge(int(added.lastrowid or 0), name, prediction)

    def _add_item(self, connection: sqlite3.Connection, judge: Judge, item: Item) -> Item:
        added = connection.execute(
            "INSERT INTO items (judge, number, sentence, places, repeat_of, offered) VALUES (?, ?, ?, ?, ?, ?)",
            [judge.id, item.number, item.sentence, json.dumps(item.places), item.repeat_of, int(time.time())],
        )
        return Item(item.number, item.sentence, item.places, item.repeat_of, int(added.lastrowid or 0))

    def _judges(self, where: str, values: Sequence[object]) -> list[Judge]:
        with closing(connect(self.path)) as connection:
            rows = connection.execute(
                f"SELECT id, name, prediction, excluded FROM judges WHERE {where} ORDER BY id", values
            ).fetchall()
        return [Judge(id, name, prediction or "", bool(excluded)) for id, name, prediction, excluded in rows]

    def _sessions(self, where: str, values: Sequence[object]) -> list[Session]:
        with closing(connect(self.path)) as connection:
            rows = connection.execute(
                "SELECT id, code, plan, created, closed, revealed, shared, coalesce(last_changes.serial, 0) FROM "
                f"sessions LEFT JOIN last_changes ON session = id WHERE {where} ORDER BY created",
                values,
            ).fetchall()
        return [
            Session(
                id, code, Plan.from_json(json.loads(plan)), created, closed,
                json.loads(revealed) if revealed else None, bool(shared), serial, self.path, read_texts(self.path, id),
            )
            for id, code, plan, created, closed, revealed, shared, serial in rows
        ]  # fmt: skip


def _random_name(size: int) -> str:
    """Random bytes as text that a command takes for a value: it does not begin with a dash."""
    while (name := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return name


def plain_code(given: str) -> str:
    """A code as it was made, however it was typed."""
    return "".join(given.upper().replace("-", "").split())[:64]


def _refuse_closed(connection: sqlite3.Connection, session: Session) -> None:
    """Refuse an answer to a session that is closed or deleted now, whatever it was when the request came in."""
    row = connection.execute("SELECT closed FROM sessions WHERE id = ?", [session.id]).fetchone()
    if row is None or row[0] is not None:
        raise JudgingError(_CLOSED)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
