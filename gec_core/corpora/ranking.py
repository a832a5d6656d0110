"""A ranking of systems by people, given as plain scores: `system<TAB>score`, the best score highest."""

from __future__ import annotations

import math
from collections.abc import Mapping

from gec_core.corpora.text import TextFile, quote


def read(file: TextFile) -> dict[str, float]:
    """The score of every system. Lines that start with # are comments; the first may be a header."""
    scores: dict[str, float] = {}
    lines = [(n, line) for n, line in enumerate(file.raw_lines(), 1) if line.strip() and not line.startswith("#")]
    if lines and _is_header(lines[0][1]):
        del lines[0]
    if not lines:
        raise file.error("there are no scores in it; expected a system, a tab and a number on each line.")
    for number, line in lines:
        name, _, value = (part.strip() for part in line.partition("\t"))
        score = _number(value)
        if not name or score is None or not math.isfinite(score):
            raise file.error(f"found {quote(line)}; expected a system, a tab and a number.", number)
        if name in scores:
            raise file.error(f"{name} is there twice.", number)
        scores[name] = score
    return scores


def write(scores: Mapping[str, float]) -> str:
    """The text of a human.tsv."""
    return "system\tscore\n" + "".join(f"{name}\t{score!r}\n" for name, score in scores.items())


def _is_header(line: str) -> bool:
    name, _, value = (part.strip() for part in line.partition("\t"))
    return bool(name) and value.lower() in ("score", "scores", "value", "rating")


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
