"""The glossary, assets/glossary.md: every term is explained once, and tooltips draw on it."""

from __future__ import annotations

import re
from functools import cache

from gec_core.environment import bundled

FILE = bundled("assets", "glossary.md")


@cache
def terms() -> dict[str, str]:
    """Return the explanation of every term, in the order of the file."""
    found = re.findall(r"^## ([^\n]+)\n(.+?)(?=\n## |\Z)", FILE.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {term: " ".join(text.split()) for term, text in found}


def help(term: str) -> str:
    """Return the explanation of a term, for a tooltip.

    Raises:
        KeyError: There is no such term in the glossary.
    """
    return terms()[term]
