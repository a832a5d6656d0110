"""Grammar checkers, which count the errors in a text.

Harper runs in this process. LanguageTool, which Asano et al. used, is called over HTTP: at the address of a server, or
from its jar, which is then started as a server for the lifetime of this process.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import json
import re
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy as np

from gec_core.errors import MissingInput, ModelError
from gec_core.models.runtime import remembered, text_key
from gec_core.store import Store
from gec_core.types import Array

NO_ERRORS = {"Enhancement", "Formatting", "Readability", "Redundancy", "Regionalism", "Style"}
"""Kinds of Harper's messages that are advice rather than errors."""
SECONDS = 60


class Checker(ABC):
    """A program that counts the errors in a text, which is not tokenised."""

    name: str
    version: str

    @property
    def signature(self) -> str:
        return re.sub(r"[\s|:]+", "-", f"{self.name.lower()}-{self.version}")

    @abstractmethod
    def check(self) -> None:
        """Raise MissingInput, with a remedy, if the checker cannot run here."""

    @abstractmethod
    def errors(self, text: str) -> int:
        """Count the errors in a text."""


class Harper(Checker):
    """The grammar checker Harper, from the package harper-py."""

    name = "Harper"

    def __init__(self) -> None:
        self.version = importlib.metadata.version("harper-py") if find_spec("harper") else "missing"

    def check(self) -> None:
        if not find_spec("harper"):
            raise MissingInput("The grammar checker Harper is not installed: pip install harper-py.")

    def errors(self, text: str) -> int:
        with _harper_lock:
            return sum(lint.lint_kind not in NO_ERRORS for lint in _linter().lint(text, language="plaintext"))


_harper_lock = Lock()  # a linter cannot be used by two threads at once


@cache
def _linter() -> Any:
    from harper import Linter

    return Linter()


class LanguageTool(Checker):
    """A LanguageTool server, given by its address or by the path of languagetool-server.jar."""

    name = "LanguageTool"

    def __init__(self, where: str) -> None:
        self._where = where
        self.version = where.removeprefix("http://").removeprefix("https://").rstrip("/")
        if not self._is_address:
            self.version = Path(where).resolve().parent.name

    @property
    def _is_address(self) -> bool:
        return self._where.startswith(("http://", "https://"))

    def check(self) -> None:
        if self._is_address:
            return
        if not Path(self._where).expanduser().is_file():
            raise MissingInput(
                f"languagetool={self._where}: give http://host:port, or the path of languagetool-server.jar."
            )
        if not shutil.which("java"):
            raise MissingInput("LanguageTool's jar needs Java, but there is no `java` on the PATH.")

    def errors(self, text: str) -> int:
        address = self._where.rstrip("/") if self._is_address else _server(Path(self._where).expanduser().resolve())
        body = urlencode({"text": text, "language": "en-US"}).encode()
        try:
            with urlopen(Request(f"{address}/v2/check", body), timeout=SECONDS) as answer:
                return len(json.load(answer)["matches"])
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as problem:
            raise ModelError(
                f"LanguageTool at {address} did not give a valid answer ({problem}). Check that it is running, and "
                "that it is version 3.5 or later."
            ) from problem


@lru_cache(maxsize=1)
def _server(jar: Path) -> str:
    """Start LanguageTool on a free port and return its address once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["java", "-cp", jar.name, "org.languagetool.server.HTTPServer", "--port", str(port)]
    process = subprocess.Popen(command, cwd=jar.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(process.terminate)
    address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(f"{address}/v2/languages", timeout=1):
                return address
        except HTTPError:
            return address
        except (URLError, OSError):
            time.sleep(0.2)
    process.terminate()
    raise ModelError(f"{jar}: LanguageTool did not start. Does `{' '.join(command)}` run in its folder?")


def checker(languagetool: str) -> Checker:
    """The checker to use: LanguageTool if an address or a jar is given, otherwise Harper."""
    return LanguageTool(languagetool) if languagetool else Harper()


def error_counts(used: Checker, texts: Iterable[str], store: Store | None) -> dict[str, int]:
    """Count the errors in each distinct text, or take the count from the store."""

    def count(new: Sequence[str]) -> list[Array]:
        return [np.array([used.errors(text)], np.float64) for text in new]

    keys = {text: text_key(text) for text in texts}
    rows = remembered(store, f"errors|v1|{used.signature}", {key: text for text, key in keys.items()}, count)
    return {text: int(rows[key][0]) for text, key in keys.items()}
