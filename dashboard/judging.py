"""What judges see: a small page of its own under /j/CODE, without Streamlit, and the requests that it makes.

A phone loads some kilobytes instead of a dashboard, an answer is one short request, and a judge whose network is gone
keeps the answer in the browser and sends it again. The page gets texts and places only: which system wrote what stays
on the server. Judges are identified by a token in a header, so there are no cookies, and another site cannot answer in
a judge's name.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from dashboard.protection import COOKIE
from gec_core.align.edits import diff_edits
from gec_core.environment import bundled
from gec_core.errors import GecLensError, JudgingError
from gec_core.judging.database import JudgingDatabase, plain_code
from gec_core.judging.next_item import choose_item, most_items
from gec_core.judging.session import Item, Judge, Session
from gec_core.types import Edit

PATH = "j"
"""The first part of the address of a judge's page."""
SLOW_SECONDS, SPACING, LONGEST_WAIT = 60.0, 1.0, 5.0
"""Seconds for which wrong codes count, between two codes of somebody who is slowed down, and to wait at most."""
MOST_KNOWN = 10_000
Key = TypeVar("Key")
Value = TypeVar("Value")
LARGEST_BODY = 20_000
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_FILES = {"judge.js": "text/javascript", "judge.css": "text/css"}


def enabled() -> bool:
    """Whether this server collects judgments: `GEC_LENS_JUDGING=off` switches it off."""
    return _setting() not in ("off", "0", "no", "false")


def needs_login() -> bool:
    """Whether only people who have logged in open sessions (`GEC_LENS_JUDGING=login`); judges need no login."""
    return _setting() == "login"


def _setting() -> str:
    return os.environ.get("GEC_LENS_JUDGING", "on").strip().lower()


class Tries:
    """Wrong codes by browser and by address, so that codes cannot be guessed by trying many.

    A class shares one address, and some of its members mistype the code. Whoever has tried too many wrong codes lately
    is slowed down, not locked out: codes of that browser or address are looked up one a second, right ones as well as
    wrong ones, since whoever is refused only wrong ones could try as many as they like. A code that was right from an
    address is not slowed down there: nobody guesses it any more.

    Args:
        browser: Wrong codes of one browser in `SLOW_SECONDS`.
        address: Wrong codes of one address in that time.
        clock: Returns the time in seconds.
    """

    def __init__(self, browser: int = 10, address: int = 100, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = (browser, address)
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()
        self._right: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._free: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str, browser: str, code: str) -> float | None:
        """How many seconds this code has to wait before it is looked up; None if too many wait already."""
        now = self._clock()
        with self._lock:
            if (address, code) in self._right:
                return 0.0
            slowed = [
                key
                for key, most in zip(_sources(address, browser), self._most, strict=True)
                if sum(at > now - SLOW_SECONDS for at in self._wrong.get(key, ())) >= most
            ]
            turn = max([now, *(self._free.get(key, now) for key in slowed)])
            if turn - now > LONGEST_WAIT:
                return None
            for key in slowed:
                _remember(self._free, key, turn + SPACING)
            return turn - now

    def count(self, address: str, browser: str, code: str, *, right: bool) -> None:
        """Remember whether a code was right."""
        with self._lock:
            if right:
                _remember(self._right, (address, code), None)
                return
            for key, most in zip(_sources(address, browser), self._most, strict=True):
                times = self._wrong.get(key) or deque(maxlen=most)
                times.append(self._clock())
                _remember(self._wrong, key, times)


def _sources(address: str, browser: str) -> tuple[str, str]:
    return f"{address} {browser}", address


def _remember(known: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    """Keep a value; the one that was kept longest ago is forgotten when there are very many."""
    known[key] = value
    known.move_to_end(key)
    while len(known) > MOST_KNOWN:
        known.popitem(last=False)


def routes() -> list[BaseRoute]:
    """Return the routes of judges, for the server; none if judging is switched off."""
    if not enabled():
        return []
    requests: dict[str, Callable[[JudgingDatabase, Session, Request, dict[str, Any]], dict[str, Any]]] = {
        "about": _about,
        "join": _join,
        "next": _next,
        "answer": _answer,
        "back": _back,
    }
    found: list[BaseRoute] = [
        Route(f"/{PATH}", _to_page),
        Route(f"/{PATH}/", _page),
        Route(f"/{PATH}/files/{{name}}", _file),
    ]
    found += [Route(f"/{PATH}/{{code}}/{name}", _request(act), methods=["POST"]) for name, act in requests.items()]
    return [*found, Route(f"/{PATH}/{{code}}", _page)]


async def _to_page(request: Request) -> Response:
    """To the page with a slash at the end, from which the links to its files are relative."""
    return RedirectResponse(f"{request.url.path}/", headers=HEADERS)


async def _page(_: Request) -> Response:
    return FileResponse(bundled("assets", "judge", "judge.html"), media_type="text/html", headers=HEADERS)


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return Response("There is no such file.", 404, headers=HEADERS)
    return FileResponse(bundled("assets", "judge", name), media_type=_FILES[name], headers=HEADERS)


class _NotJoined(JudgingError):
    """The token is nobody's: the page may forget it."""


_tries = Tries()


def _request(
    act: Callable[[JudgingDatabase, Session, Request, dict[str, Any]], dict[str, Any]],
) -> Callable[[Request], Awaitable[Response]]:
    """A request of the judge's page: JSON in, JSON out; an error has a text for the judge."""

    async def respond(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_BODY:
                return _json({"error": "This request is too large."}, 413)
        try:
            given = json.loads(body or b"{}")
            if not isinstance(given, dict):
                raise ValueError
        except (ValueError, RecursionError):
            return _json({"error": "This request is not JSON."}, 400)
        who = (request.client.host if request.client else "", str(request.cookies.get(COOKIE, "")))
        code = plain_code(request.path_params["code"])
        wait = _tries.wait(*who, code)
        if wait is None:
            return _json({"error": "Many wrong codes came from your network. Trying again …"}, 429)
        await asyncio.sleep(wait)
        return await run_in_threadpool(_respond, act, request, given, code, who)

    return respond


def _respond(
    act: Callable[[JudgingDatabase, Session, Request, dict[str, Any]], dict[str, Any]],
    request: Request,
    given: dict[str, Any],
    code: str,
    who: tuple[str, str],
) -> Response:
    try:
        database = JudgingDatabase()
        try:
            session = database.with_code(code)
        except JudgingError as problem:
            _tries.count(*who, code, right=False)
            return _json({"error": str(problem)}, 404)
        _tries.count(*who, code, right=True)
        return _json(act(database, session, request, given))
    except _NotJoined as problem:
        return _json({"error": str(problem)}, 401)
    except GecLensError as problem:
        return _json({"error": str(problem)}, 409)


def _json(content: dict[str, Any], status: int = 200) -> JSONResponse:
    return JSONResponse(content, status, headers=HEADERS)


def _about(database: JudgingDatabase, session: Session, request: Request, given: dict[str, Any]) -> dict[str, Any]:
    plan = session.plan
    return {
        "title": plan.title,
        "kind": plan.kind,
        "instructions": plan.instructions,
        "items": most_items(plan, session.texts),
        "closed": session.closed is not None,
        "predictions": list(plan.predictions),
        "revealed": session.revealed,
    }


def _join(database: JudgingDatabase, session: Session, request: Request, given: dict[str, Any]) -> dict[str, Any]:
    name, prediction, token = (str(given.get(key) or "") for key in ("name", "prediction", "token"))
    judge, token = database.join(session, name, prediction, token)
    return {"token": token, "name": judge.name}


def _next(database: JudgingDatabase, session: Session, request: Request, given: dict[str, Any]) -> dict[str, Any]:
    judge = _judge(database, session, request)
    item = database.next_item(session, judge, choose_item)
    if item is None:
        return {"done": True, "closed": session.closed is not None, "revealed": session.revealed}
    return {"item": _shown(session, item), "name": judge.name}


def _answer(database: JudgingDatabase, session: Session, request: Request, given: dict[str, Any]) -> dict[str, Any]:
    judge = _judge(database, session, request)
    item, seconds = given.get("item"), given.get("seconds")
    if not isinstance(item, int) or not 0 <= item < 2**63:  # what SQLite can hold
        raise JudgingError("This answer names no item.")
    new = database.answer(
        session,
        judge,
        item,
        given.get("values"),
        str(given.get("request") or ""),
        seconds=float(seconds) if isinstance(seconds, (int, float)) and seconds == seconds else 0.0,
        replace=given.get("replace") is True,
    )
    return {"stored": True, "new": new}


def _back(database: JudgingDatabase, session: Session, request: Request, given: dict[str, Any]) -> dict[str, Any]:
    found = database.last_answered(_judge(database, session, request))
    if found is None:
        return {"none": True}
    item, values = found
    return {"item": _shown(session, item), "values": list(values)}


def _judge(database: JudgingDatabase, session: Session, request: Request) -> Judge:
    try:
        return database.judge(session, request.headers.get("authorization", "").removeprefix("Bearer "))
    except JudgingError as problem:
        raise _NotJoined(str(problem)) from None


def _shown(session: Session, item: Item) -> dict[str, Any]:
    """An item as the page draws it: runs of text, each kept, inserted or deleted. No system has a name here."""
    plan, texts = session.plan, session.texts
    source = texts.sources[item.sentence]
    outputs = []
    for place in item.places:
        output = texts.text(item.sentence, place)
        edits = diff_edits(source, output)
        numbered = plan.kind == "edits"
        runs = _runs(source, edits, numbered) if plan.mark_changes or numbered else [{"text": output}]
        outputs.append({"runs": runs, "edits": len(edits)})
    most = max(most_items(plan, texts), item.number)  # the owner may have asked for fewer meanwhile
    return {"id": item.id, "number": item.number, "of": most, "source": source, "outputs": outputs}


def _runs(source: str, edits: tuple[Edit, ...], numbered: bool) -> list[dict[str, Any]]:
    tokens = source.split()
    found: list[dict[str, Any]] = []
    at = 0
    for number, edit in enumerate(edits):
        parts = [("", " ".join(tokens[at : edit.start])), ("del", " ".join(tokens[edit.start : edit.end]))]
        parts.append(("ins", edit.correction))
        for kind, text in parts:
            if text:
                run: dict[str, Any] = {"text": text}
                if kind:
                    run["kind"] = kind
                    if numbered:
                        run["edit"] = number
                found.append(run)
        at = edit.end
    if at < len(tokens):
        found.append({"text": " ".join(tokens[at:])})
    return found
