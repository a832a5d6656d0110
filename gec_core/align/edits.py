"""Applying edits to a sentence, and reading edits off two versions of it."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

from gec_core.types import Edit


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """The source with every edit made (its first correction), from the last to the first.

    Edits are in source positions and should not overlap; insertions at one place keep their order.
    """
    tokens = source.split()
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end))[::-1]:
        tokens[edit.start : edit.end] = edit.correction.split()
    return " ".join(tokens)


def diff_edits(source: str, target: str) -> tuple[Edit, ...]:
    """The edits that turn source into target: a token diff, neighbouring changes merged into one."""
    before, after = source.split(), target.split()
    edits: list[Edit] = []
    for code in Levenshtein.opcodes(before, after):
        if code.tag == "equal":
            continue
        start, end = code.src_start, code.src_end
        correction = " ".join(after[code.dest_start : code.dest_end])
        if edits and edits[-1].end == start:
            last = edits.pop()
            start, correction = last.start, f"{last.correction} {correction}".strip()
        edits.append(Edit(start, end, correction))
    return tuple(edits)
