"""The grammar part of Asano et al. 2017: 1 − errors that a grammar checker finds / tokens.

Their checker was LanguageTool 3.5. It is called over HTTP: at the address of a server, or from its jar, which is then
started as a server for the lifetime of this process. Without an address or a jar, Harper replaces it, in this process.
Checkers are made for ordinary text, so the output is detokenised.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from http.client import HTTPException
from inspect import cleandoc
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy as np

from gec_core.environment import installed, package_version
from gec_core.errors import MissingInput, ModelError
from gec_core.metrics import options, register
from gec_core.metrics.base import Availability, Metric, Score
from gec_core.metrics.options import option
from gec_core.models.causal_lm import detokenise
from gec_core.models.corrector import harper_errors
from gec_core.models.loading import remembered, text_key
from gec_core.store import Store
from gec_core.types import Array, Pair

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
        self.version = package_version("harper-py") if installed("harper") else "missing"

    def check(self) -> None:
        if not installed("harper"):
            raise MissingInput("The grammar checker Harper is not installed: pip install harper-py.")

    def errors(self, text: str) -> int:
        return len(harper_errors(text))


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


@register
class AsanoGrammar(Metric):
    id = "asano-grammar"
    languages = ("en",)
    elsewhere = "Its checker, Harper, knows English only."
    name = "Asano: grammar"
    family = "model"
    order = 141
    summary = "The share of tokens in which a grammar checker finds no error."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    output_alone = True
    averages = True
    own_process = True
    pace = 0.01
    chunk = 128
    card = cleandoc(r"""
        ### Formula
        $$
        1 - \frac{\text{errors found}}{\text{tokens}}
        $$

        The paper's checker was LanguageTool; Harper replaces it unless a LanguageTool server or jar is given.

        ### Known failures
        A checker finds only errors for which it has rules.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        languagetool: str = option(
            "", "address of a LanguageTool server, or path of languagetool-server.jar; empty: Harper"
        )

    options: Options

    @cached_property
    def checker(self) -> Checker:
        return checker(self.options.languagetool)

    @property
    def signature(self) -> str:
        return f"{self.id}|v{self.version}|checker:{self.checker.signature}"

    @property
    def label(self) -> str:
        return f"{self.name} · {self.checker.name}"

    def availability(self) -> Availability:
        try:
            self.checker.check()
        except MissingInput as problem:
            return Availability(ready=False, how=str(problem))
        return Availability(ready=True)

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        written = [detokenise(pair.output) for pair in pairs]
        errors = error_counts(self.checker, written, store)
        return [
            np.array([errors[text], len(pair.output.split())], np.float64)
            for pair, text in zip(pairs, written, strict=True)
        ]

    def aggregate(self, statistics: Array) -> Score:
        errors, tokens = statistics.sum(axis=0).astype(int).tolist()
        return Score(float(self.sentence_scores(statistics).mean()), {"errors": errors, "tokens": tokens})

    def sentence_scores(self, statistics: Array) -> Array:
        """Compute the score of every row; it is 0 for an empty output."""
        errors, tokens = statistics.T
        scores: Array = np.where(tokens > 0, np.maximum(0, 1 - errors / np.maximum(tokens, 1)), 0.0)
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [{"errors": errors, "tokens": tokens} for errors, tokens in statistics.astype(int).tolist()]
