"""Reading ahead: what the first page about a corpus needs is read while the browser loads its scripts."""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Thread
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard import IMPORTING

MOST = 64
"""Corpora that are read ahead while a server runs, and threads at a time: anybody can ask for any name."""
_THREAD = "read-ahead"

# Streamlit warns that it cannot show a spinner where there is no page.
_warnings = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")
_warnings.addFilter(lambda record: record.threadName != _THREAD)


class ReadingAhead:
    """Middleware that sees which corpus a page is asked for, and begins to read it the first time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._begun: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http" and b"text/html" in dict(scope["headers"]).get(b"accept", b""):
            name = parse_qs(scope["query_string"].decode("latin-1")).get("corpus", [""])[0]
            if name not in self._begun and len(self._begun) < MOST:
                self._begun.add(name)
                Thread(target=self._read, args=(name,), name=_THREAD, daemon=True).start()
        await self._app(scope, receive, send)

    def _read(self, name: str) -> None:
        if not read_ahead(name):
            self._begun.discard(name)  # invented names do not use up the bound


def read_ahead(name: str) -> bool:
    """Read a corpus, or the first without a name, and its scores as far as they are known; whether it is there."""
    with IMPORTING:
        from dashboard import cache
        from dashboard.session import DEFAULT_METRICS
        from gec_core.errors import GecLensError

    with suppress(GecLensError):  # the page that asked will tell it
        known = cache.corpus_names()
        wanted = name or next(iter(known), "")
        if wanted in known:
            cache.read_ahead(wanted, DEFAULT_METRICS)
            return True
    return False
