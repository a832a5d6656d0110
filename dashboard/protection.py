"""What the server sends, refuses and limits, whatever a page does.

* Every answer has headers: no guessing of types, no frames of others, no addresses told to others, and a content policy
  that loads nothing from elsewhere. Streamlit itself needs inline styles and scripts, and charts need `eval`.
* Visitors may not read the server's figures (`/_stcore/metrics`), clear the caches of all visitors or stop the server:
  Streamlit accepts such messages from anybody.
* Every browser gets a token in a cookie that scripts cannot read, by which `visitors` keeps its uploads.
* What one visitor has uploaded and not yet left behind has a limit; Streamlit frees it when the visitor is gone.

`GEC_LENS_FRAMES` names the sites that may show the dashboard in a frame, with spaces between.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable
from http.cookies import SimpleCookie

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_UPLOADED = 400 << 20
"""Bytes of raw files that one visitor may have on the server at a time."""
REFUSED = frozenset({"clear_cache", "set_run_on_save", "debug_disconnect_websocket", "debug_shutdown_runtime"})
"""Messages of the browser that act on all visitors or on the server."""


COOKIE = "gec_lens_visitor"
HOURS = "GEC_LENS_KEEP_UPLOADS"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def headers(frames: str = "") -> dict[str, str]:
    """The headers of every answer; `frames` are sites that may show the dashboard in a frame."""
    policy = {
        "default-src": "'self'",
        "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob: data:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' ws: wss: data: blob:",
        "worker-src": "'self' blob:",
        "frame-src": "'self' data: blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": f"'self' {frames}".strip(),
    }
    return {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
    } | ({} if frames else {"X-Frame-Options": "SAMEORIGIN"})


class Protection:
    """Middleware around Streamlit's server."""

    def __init__(self, app: ASGIApp, uploaded: Callable[[str], int] | None = None) -> None:
        """Wrap a server.

        Args:
            app: The server.
            uploaded: The number of bytes that a session has on the server.
        """
        self._app = app
        self._uploaded = uploaded or _bytes_uploaded
        sent = headers(os.environ.get("GEC_LENS_FRAMES", ""))
        self._headers = [(name.lower().encode(), value.encode()) for name, value in sent.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or pass it on."""
        if scope["type"] == "websocket":
            await self._app(scope, _filtered(receive), send)
        elif scope["type"] == "http":
            answer = self._answer(scope) or self._app
            await answer(scope, receive, self._with_headers(send, scope))
        else:
            await self._app(scope, receive, send)

    def _answer(self, scope: Scope) -> ASGIApp | None:
        """What is said instead of passing a request on; None if it is passed on."""
        path = str(scope["path"])
        if path.rstrip("/").endswith("/_stcore/metrics"):
            return PlainTextResponse("Not found", 404)
        _, found, session_and_file = path.partition("/_stcore/upload_file/")
        if found and scope["method"] in ("PUT", "POST"):
            length = dict(scope["headers"]).get(b"content-length", b"")
            if not length.isdigit():
                return PlainTextResponse("Say how long the file is.", 411)
            session = session_and_file.partition("/")[0]
            if int(length) + self._uploaded(session) > MOST_UPLOADED:
                return PlainTextResponse(f"At most {MOST_UPLOADED >> 20} MB at a time. Remove files first.", 413)
        return None

    def _with_headers(self, send: Send, scope: Scope) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                theirs = list(message.get("headers", ()))
                known = {name.lower() for name, _ in theirs}  # pages of our own have stricter ones
                ours = [(name, value) for name, value in self._headers if name not in known]
                if dict(theirs).get(b"content-type", b"").startswith(b"text/html") and seconds():
                    ours.append((b"set-cookie", _visitor(scope).encode()))
                message = {**message, "headers": [*theirs, *ours]}
            await send(message)

        return sending


def seconds() -> float:
    """How long uploads are kept after they were last used; 0 if they are not kept at all."""
    try:
        return max(0.0, float(os.environ.get(HOURS, "24")) * 3600)
    except ValueError:
        return 24 * 3600.0


def new_token() -> str:
    """A token for a browser that has none."""
    return secrets.token_urlsafe(32)


def valid(token: str) -> bool:
    """Whether a cookie can be a token of ours."""
    return bool(_TOKEN.fullmatch(token))


def set_cookie(token: str, *, secure: bool) -> str:
    """The header that gives a browser its token."""
    attributes = f"Path=/; Max-Age={int(seconds())}; HttpOnly; SameSite=Lax"
    return f"{COOKIE}={token}; {attributes}{'; Secure' if secure else ''}"


def _visitor(scope: Scope) -> str:
    """The cookie that tells a browser from others: the one that it has, for another while, or a new one."""
    told = dict(scope["headers"])
    theirs = SimpleCookie(told.get(b"cookie", b"").decode("latin-1"))
    token = theirs[COOKIE].value if COOKIE in theirs else ""
    secure = scope.get("scheme") == "https" or told.get(b"x-forwarded-proto") == b"https"
    return set_cookie(token if valid(token) else new_token(), secure=secure)


def _filtered(receive: Receive) -> Receive:
    """Messages of a browser without those that are not a visitor's to send."""
    from streamlit.proto.BackMsg_pb2 import BackMsg

    async def received() -> Message:
        while True:
            message = await receive()
            content = message.get("bytes")
            if not content:
                return message
            try:
                kind = BackMsg.FromString(content).WhichOneof("type")
            except Exception:  # what is no message is for Streamlit to refuse
                return message
            if kind not in REFUSED:
                return message

    return received


def _bytes_uploaded(session: str) -> int:
    from streamlit import runtime

    storage = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
    return sum(len(file.data) for file in list(storage.get(session, {}).values()))
