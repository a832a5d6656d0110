"""Small pieces of plain English: edits, numbers, enumerations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from gec_core.minus import minus

MOST_WORDS = 8
"""Longer pieces of the text are cut in the middle."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")
SAME = 1e-9
"""Differences below it come from rounding."""


class Span(Protocol):
    """An edit of any kind."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def correction(self) -> str: ...


def quoted(text: str) -> str:
    """A piece of the text, set apart; of many words only the first and the last."""
    words = text.split()
    if len(words) > MOST_WORDS:
        text = " ".join([*words[: MOST_WORDS // 2], "…", *words[-MOST_WORDS // 2 :]])
    return f"“{text}”" if "`" in text else f"`{text}`"


def joined(parts: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def number(value: float) -> str:
    """Two digits after the point, one for large numbers, and for small ones two digits that are not 0."""
    size = abs(value)
    text = f"{value:.1f}" if size >= 10 else f"{value:.2f}" if size >= 0.1 or size < SAME else f"{value:.2g}"
    return minus(text)


def apart(one: float, other: float) -> tuple[str, str]:
    """Two different numbers with as many digits as it takes to tell them apart."""
    if (texts := (number(one), number(other)))[0] != texts[1]:
        return texts
    digits = next((digits for digits in range(3, 9) if f"{one:.{digits}f}" != f"{other:.{digits}f}"), 9)
    return minus(f"{one:.{digits}f}"), minus(f"{other:.{digits}f}")


def times(ratio: float) -> str:
    """How often: twice, 4.2 times, 31 times."""
    if round(ratio, 1) == 2:
        return "twice"
    return f"{ratio:.1f} times" if ratio < 10 else f"{ratio:.0f} times" if ratio < 1000 else "over 1,000 times"


def done(edits: Iterable[Span], tokens: Sequence[str], *, by_both: bool = False) -> str:
    """`changes a to b and c to d and deletes e`, as one says of a system, or of two."""
    groups: dict[str, list[str]] = {}
    for edit in edits:
        verb, what = _phrase(edit, tokens)
        groups.setdefault(verb if by_both else f"{verb}s", []).append(what)
    return joined([f"{verb} {joined(what)}" for verb, what in groups.items()])


def doing(edit: Span, tokens: Sequence[str]) -> str:
    """`changing a to b`, as a thing of its own."""
    verb, what = _phrase(edit, tokens)
    return f"{verb.removesuffix('e')}ing {what}"


def _phrase(edit: Span, tokens: Sequence[str]) -> tuple[str, str]:
    """A verb, and what it is about."""
    new = quoted(edit.correction)
    if edit.start == edit.end:
        return "insert", f"{new} {_place(edit, tokens)}"
    old = _which(edit, tokens)
    return ("change", f"{old} to {new}") if edit.correction else ("delete", old)


def named(edit: Span, tokens: Sequence[str]) -> str:
    """The new words alone, which is how one speaks of a correction."""
    return quoted(edit.correction) if edit.correction else f"the deletion of {_which(edit, tokens)}"


def _place(edit: Span, tokens: Sequence[str]) -> str:
    return f"before {quoted(tokens[edit.end])}" if edit.end < len(tokens) else "at the end"


def _which(edit: Span, tokens: Sequence[str]) -> str:
    """The words that an edit changes; of several equal ones it is said which, by what follows or by counting."""
    old, size = quoted(" ".join(tokens[edit.start : edit.end])), edit.end - edit.start
    same = [at for at in range(len(tokens) - size + 1) if tokens[at : at + size] == tokens[edit.start : edit.end]]
    if len(same) == 1:
        return old
    followers = [tokens[at + size : at + size + 1] for at in same]
    if followers.count(followers[same.index(edit.start)]) == 1:
        return f"{old} {_place(edit, tokens)}"
    return f"the {_ordinal(same.index(edit.start))} {old}"


def _ordinal(index: int) -> str:
    return ORDINALS[index] if index < len(ORDINALS) else f"{index + 1}th"
