"""A corrector that runs offline, so that anybody has the output of a system nobody tuned.

Harper is a rule-based grammar checker. It is weak and cautious: good enough to try an analysis with, never a reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import Any

from gec_core.corpora.tokenise import tokenise
from gec_core.errors import MissingInput
from gec_core.models.causal_lm import detokenise

NAME = "harper"
WEAK = "Harper is a rule-based checker that misses most errors. Its corrections are for trying things out."
_NO_ERRORS = frozenset({"Enhancement", "Formatting", "Readability", "Redundancy", "Regionalism", "Style"})
"""Kinds of advice that is not about errors."""
_lock = Lock()  # a linter cannot be used by two threads at once


def correct(sources: Sequence[str], *, raw: bool = False) -> list[str]:
    """Correct tokenised sentences with Harper, taking the first suggestion for every error that it finds.

    Args:
        sources: Sentences with spaces between the tokens.
        raw: Whether to leave the outputs as ordinary text; otherwise they are tokenised like the sources.

    Raises:
        MissingInput: Harper is not installed.

    >>> correct(["He go to school ."])
    ['He goes to school .']
    """
    if not find_spec("harper"):
        raise MissingInput("The corrector Harper is not installed: pip install harper-py.")
    found = [corrected(detokenise(source)) for source in sources]
    return found if raw else list(tokenise(found, "like-source", sources).lines)


def corrected(text: str) -> str:
    """Correct ordinary text."""
    with _lock:
        lints = [lint for lint in _linter().lint(text, language="plaintext") if lint.lint_kind not in _NO_ERRORS]
    end = len(text)
    for lint in sorted(lints, key=lambda lint: -lint.span.start):
        if not lint.suggestions or lint.span.end > end:
            continue
        first = lint.suggestions[0]
        kind = str(first.kind).rpartition(".")[2]
        start = lint.span.end if kind == "INSERT_AFTER" else lint.span.start
        text = text[:start] + (first.replacement_text or "") + text[lint.span.end :]
        end = lint.span.start
    return " ".join(text.split())


@cache
def _linter() -> Any:
    from harper import Linter

    return Linter()
