"""A chat model behind an OpenAI-compatible endpoint, with the standard library.

The key is read from an environment variable when a request is sent, and from nowhere else: it is not an option, so it
is in no signature, store, address, log or report. Messages name the address without user, password and query, and
answers of the server are searched for the key before they are quoted. Redirects are refused, since they would hand the
key to another server.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from gec_core.errors import ModelError, OptionError

URL, MODEL, KEY = "GEC_LENS_LLM_URL", "GEC_LENS_LLM_MODEL", "GEC_LENS_LLM_KEY"
"""Environment variables: the address up to /v1, the name of the model, and the key if the server wants one."""
LONGEST_ANSWER = 1 << 20
"""Bytes of an answer that are read."""
LONGEST_WAIT = 60.0
"""Seconds that a server may ask us to wait before the next try."""
_BUSY = {408, 409, 425, 429, 500, 502, 503, 504}
"""Codes after which another try makes sense."""
_QUOTED = 200

Message = Mapping[str, str]


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        return None


@dataclass(frozen=True)
class Endpoint:
    """Where to send prompts, and how patiently."""

    url: str
    model: str
    key_variable: str = KEY
    timeout: float = 120.0
    tries: int = 4
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise OptionError("The address of the LLM endpoint must begin with http:// or https:// and name a server.")
        if parts.username or parts.password:
            raise OptionError(
                f"{self.shown}: the address of the LLM endpoint must not contain a user or a password. Put the key "
                f"into the environment variable {self.key_variable}."
            )

    @property
    def shown(self) -> str:
        """The address as messages show it: without user, password and query."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

    def chat(self, messages: Sequence[Message], *, seed: int, most_tokens: int, schema: Mapping[str, Any]) -> str:
        """The model's answer to a conversation.

        The server is asked for JSON of this schema; one that does not support that is asked again without.

        Raises:
            ModelError: The server cannot be reached, refuses the request, or stays busy.
        """
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(messages),
            "temperature": 0,
            "seed": seed,
            "max_tokens": most_tokens,
            "stream": False,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "scores", "strict": True, "schema": schema},
            },
        }
        try:
            found = self._posted(body)
        except _Refused as refused:
            if refused.code not in (400, 415, 422, 501):
                raise ModelError(self._told(refused)) from None
            del body["response_format"]
            try:
                found = self._posted(body)
            except _Refused as again:
                raise ModelError(self._told(again)) from None
        try:
            content = found["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            raise ModelError(
                f"{self.shown}: the answer is not that of a chat completion. Is the address right?"
            ) from None
        return content if isinstance(content, str) else ""

    def _posted(self, body: Mapping[str, Any]) -> Any:
        """Send a request, again after a while if the server is busy or does not answer in time."""
        problem = ""
        for attempt in range(self.tries):
            try:
                return self._sent(body)
            except HTTPError as error:
                with error:
                    text = error.read(LONGEST_ANSWER).decode("utf-8", "replace")
                if error.code not in _BUSY:
                    raise _Refused(error.code, text) from None
                problem = f"it is busy or has a problem (code {error.code})"
                wait = _asked_to_wait(error.headers.get("Retry-After"), attempt)
            except TimeoutError:
                problem, wait = f"no answer within {self.timeout:g} seconds", 0.0
            except (URLError, OSError, ValueError) as error:
                if isinstance(getattr(error, "reason", None), TimeoutError):
                    problem, wait = f"no answer within {self.timeout:g} seconds", 0.0
                else:
                    problem, wait = (
                        self._without_key(f"{getattr(error, 'reason', error)}"),
                        _asked_to_wait(None, attempt),
                    )
            if attempt + 1 < self.tries:
                self.sleep(wait)
        raise ModelError(f"{self.shown}: {problem}, after {self.tries} tries. What was answered so far is kept.")

    def _sent(self, body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "gec-lens"}
        if key := os.environ.get(self.key_variable, ""):
            headers["Authorization"] = f"Bearer {key}"
        parts = urlsplit(self.url)
        address = parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions", fragment="").geturl()
        request = Request(address, json.dumps(body).encode(), headers, method="POST")
        with build_opener(_NoRedirects).open(request, timeout=self.timeout) as answer:
            return json.loads(answer.read(LONGEST_ANSWER))

    def _told(self, refused: _Refused) -> str:
        """What the server said when it refused a request, for people."""
        if refused.code in (401, 403):
            return (
                f"{self.shown}: the server refuses the key (code {refused.code}). Put a valid one into the environment "
                f"variable {self.key_variable}."
            )
        if 300 <= refused.code < 400:
            return f"{self.shown}: the server redirects to another address, which is not followed. Give that address."
        said = self._without_key(" ".join(refused.text.split())[:_QUOTED])
        return (
            f"{self.shown}: the server refuses the request for the model {self.model!r} (code {refused.code}: {said})."
        )

    def _without_key(self, text: str) -> str:
        key = os.environ.get(self.key_variable, "")
        return text.replace(key, "…") if key else text


class _Refused(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(code)
        self.code, self.text = code, text


def _asked_to_wait(header: str | None, attempt: int) -> float:
    """Seconds before the next try: what the server asks for, otherwise 1, 2, 4 …"""
    try:
        return min(max(float(header or ""), 0.0), LONGEST_WAIT)
    except ValueError:
        return float(min(2**attempt, LONGEST_WAIT))
