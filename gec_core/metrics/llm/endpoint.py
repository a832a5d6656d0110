"""A chat model behind an OpenAI-compatible endpoint, with the standard library.

The key is read from an environment variable when a request is sent, and from nowhere else: it is not an option, so it
is in no signature, store, address, log or report. Messages name the address without user, password and query, and
answers of the server are searched for the key before they are quoted. Redirects are refused, since they would hand the
key to another server.

Servers differ in what they accept. A field of the request that a server refuses (structured output, temperature, seed)
is left out from then on, and max_tokens gives way to its new name.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
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
_BAD_REQUEST = {400, 415, 422, 501}
"""Codes of a server that does not know, or does not allow, a field of the request."""
_NEGOTIABLE = {"max_tokens": "max_completion_tokens", "temperature": "", "seed": "", "response_format": ""}
"""Fields that a server may refuse, each with the field that says the same."""
_QUOTED = 200
_MODELS_NAMED = 10

Message = Mapping[str, str]


class Reply(NamedTuple):
    """What a model said."""

    text: str
    cut_off: bool
    """Whether the model had more to say than it was allowed to."""


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
    _refused: set[str] = field(default_factory=set, init=False, repr=False, compare=False)
    """Fields of a request that this server has refused so far."""

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

    def chat(self, messages: Sequence[Message], *, seed: int, most_tokens: int, schema: Mapping[str, Any]) -> Reply:
        """The model's answer to a conversation.

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
        while True:
            for name in self._refused & body.keys():
                value = body.pop(name)
                if other := _NEGOTIABLE[name]:
                    body[other] = value
            try:
                return self._read(self._posted(body))
            except _Refused as refused:
                name = _refused_field(refused, body)
                if not name:
                    raise ModelError(self._told(refused)) from None
                self._refused.add(name)

    def _read(self, found: Any) -> Reply:
        try:
            choice = found["choices"][0]
            content = choice["message"]["content"]
        except (KeyError, IndexError, TypeError):
            raise ModelError(
                f"{self.shown}: the answer is not that of a chat completion. Is the address right?"
            ) from None
        if isinstance(content, list):  # some servers answer in parts
            content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
        return Reply(content if isinstance(content, str) else "", choice.get("finish_reason") == "length")

    def _posted(self, body: Mapping[str, Any]) -> Any:
        """Send a request, again after a while if the server is busy or does not answer in time."""
        problem = ""
        for attempt in range(self.tries):
            try:
                return self._sent(body)
            except HTTPError as error:
                with error:
                    text = error.read(LONGEST_ANSWER).decode("utf-8", "replace")
                if error.code not in _BUSY or "insufficient_quota" in text:
                    raise _Refused(error.code, text) from None
                problem = f"it is busy or has a problem ({self._quoted(error.code, text)})"
                wait = _asked_to_wait(error.headers.get("Retry-After"), attempt)
            except (OSError, HTTPException, ValueError) as error:
                problem, wait = self._failed(error), _asked_to_wait(None, attempt)
            if attempt + 1 < self.tries:
                self.sleep(wait)
        raise ModelError(f"{self.shown}: {problem}, after {self.tries} tries. What was answered so far is kept.")

    def _failed(self, error: Exception) -> str:
        """Why there is no answer, in words."""
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return f"no answer within {self.timeout:g} seconds (see the option timeout)"
        if isinstance(error, json.JSONDecodeError):
            return "the answer is not JSON (is the address right? it usually ends in /v1)"
        return self._without_key(str(reason))

    def _sent(self, body: Mapping[str, Any]) -> Any:
        return self._fetched("chat/completions", json.dumps(body).encode())

    def _fetched(self, what: str, data: bytes | None = None) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "gec-lens"}
        if key := os.environ.get(self.key_variable, ""):
            headers["Authorization"] = f"Bearer {key}"
        parts = urlsplit(self.url)
        address = parts._replace(path=f"{parts.path.rstrip('/')}/{what}", fragment="").geturl()
        request = Request(address, data, headers)
        with build_opener(_NoRedirects).open(request, timeout=self.timeout) as answer:
            return json.loads(answer.read(LONGEST_ANSWER))

    def _models(self) -> list[str]:
        """The models that the server lists, if it does."""
        try:
            return [str(each["id"]) for each in self._fetched("models")["data"]]
        except (OSError, HTTPException, ValueError, KeyError, TypeError):
            return []

    def _told(self, refused: _Refused) -> str:
        """What the server said when it refused a request, for people."""
        if refused.code in (401, 403):
            what = "refuses the key" if os.environ.get(self.key_variable) else "wants a key"
            return (
                f"{self.shown}: the server {what} (code {refused.code}). Put a valid one into the environment variable "
                f"{self.key_variable}."
            )
        if 300 <= refused.code < 400:
            return f"{self.shown}: the server redirects to another address, which is not followed. Give that address."
        told = f"{self.shown}: the server refuses the request for the model {self.model!r}"
        told += f" ({self._quoted(refused.code, refused.text)})."
        if refused.code == 404:
            there = [self._without_key(name) for name in self._models()]
            if there and self.model not in there:
                rest = f" and {len(there) - _MODELS_NAMED} more" if len(there) > _MODELS_NAMED else ""
                return f"{told} Its models are: {', '.join(there[:_MODELS_NAMED])}{rest}."
            return f"{told} Are the name of the model and the address right? The address usually ends in /v1."
        return told

    def _quoted(self, code: int, text: str) -> str:
        """The code and the message of an error, as an OpenAI-compatible server words it or as it is."""
        try:
            found = json.loads(text)
            text = str(found["error"]["message"])
        except (ValueError, KeyError, TypeError):
            pass
        said = self._without_key(" ".join(text.split()))[:_QUOTED].rstrip(".")
        return f"code {code}: {said}" if said else f"code {code}"

    def _without_key(self, text: str) -> str:
        key = os.environ.get(self.key_variable, "")
        return text.replace(key, "…") if key else text


class _Refused(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(code)
        self.code, self.text = code, text


def _refused_field(refused: _Refused, body: Mapping[str, Any]) -> str:
    """The field of a request to leave out: one that the server names, otherwise structured output; empty if none."""
    if refused.code not in _BAD_REQUEST:
        return ""
    named = [name for name in _NEGOTIABLE if name in body and re.search(rf"\b{name}\b", refused.text)]
    return named[0] if named else "response_format" if "response_format" in body else ""


def _asked_to_wait(header: str | None, attempt: int) -> float:
    """Seconds before the next try: what the server asks for, otherwise 1, 2, 4 …"""
    try:
        return min(max(0.0, float(header or "")), LONGEST_WAIT)
    except ValueError:
        return float(min(2**attempt, LONGEST_WAIT))
