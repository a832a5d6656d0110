"""The typographic characters of a corpus: quotation marks, dashes, ellipses and spaces.

Language models write “curly” quotation marks, long dashes and non-breaking spaces, and the sources of most corpora do
not. Metrics compare tokens, so that `don’t` is wrong where a reference has `don't`. `Characters` learns which forms a
corpus uses and writes other texts in these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_KINDS = {
    "quotation mark": {'"', "“", "”", "„", "‟", "«", "»", "``", "''"},
    "apostrophe": {"'", "’", "‘", "‚", "‛", "`", "´", "ʼ"},
    "dash": {"-", "–", "—", "―", "−", "‐", "‑", "‒"},
    "ellipsis": {"...", "…"},
}
"""The forms of each kind of character."""
_PLAIN = {"quotation mark": '"', "apostrophe": "'", "dash": "-", "ellipsis": "..."}
"""The form to write where a corpus has none of the kind."""
_PAIRS = {("“", "”"), ("„", "“"), ("«", "»"), ("``", "''"), ("‘", "’")}
_FORM = re.compile(r"``|''|\.\.\.|[" + "".join(sorted({c for forms in _KINDS.values() for c in forms if len(c) == 1} - {"-"})) + r"]|-")  # fmt: skip  # noqa: E501
_KIND = {form: kind for kind, forms in _KINDS.items() for form in forms}
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")
_RARE = 0.01
"""The share of a kind below which a form is not one that the corpus uses."""
_LONG = "—―"
"""Dashes that stand between words, never within one."""


@dataclass(frozen=True, slots=True)
class Characters:
    """The forms of quotation marks, apostrophes, dashes and ellipses that a corpus uses."""

    used: frozenset[str]
    usual: dict[str, tuple[str, str]]
    """The usual form of each kind: at the beginning of a word, and elsewhere."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Characters:
        """Learn the forms from the texts of a corpus."""
        counts = Counter(form for text in texts for form in _FORM.findall(text))
        by_kind = {kind: Counter({form: counts[form] for form in forms if counts[form]}) for kind, forms in
                   _KINDS.items()}  # fmt: skip
        used = {form for found in by_kind.values() for form in found if found[form] >= _RARE * found.total()}
        return cls(frozenset(used), {kind: _usual(kind, found) for kind, found in by_kind.items()})

    def written(self, text: str) -> tuple[str, Counter[str]]:
        """The text in the forms of the corpus, and how many characters of each kind were changed."""
        changed: Counter[str] = Counter()
        if not text.isascii():
            text, count = _SPACES.subn(" ", text)
            changed["non-breaking or special space"] += count
            text, count = _INVISIBLE.subn("", text)
            changed["invisible character"] += count

        def form(match: re.Match[str]) -> str:
            found = match[0]
            kind = _KIND[found]
            if (
                found in self.used
                or (found.isascii() and found != '"')
                or (found == _PLAIN[kind] and not self.usual[kind][0])
            ):
                return found
            before, after = text[: match.start()][-1:], text[match.end() :][:1]
            written = self.usual[kind][0 if not before.strip() or before in "([{" else 1] or _PLAIN[kind]
            if written == found:
                return found
            changed[kind] += 1
            return f" {written} " if found in _LONG and before.strip() and after.strip() else written

        written = _FORM.sub(form, text)
        return written, +changed


def _usual(kind: str, found: Counter[str]) -> tuple[str, str]:
    if not found:
        return "", ""
    most = found.most_common(1)[0][0]
    for opening, closing in _PAIRS:
        if most in (opening, closing) and found[opening] and found[closing] and kind == _KIND[opening]:
            return (opening, closing) if kind == "quotation mark" else (closing, closing)
    return most, most
