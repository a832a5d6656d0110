"""A part of a corpus: the judged sentences, those that a file lists, or ranges.

Sentences are counted from 1 here, as in the lines of a file. Published correlations are often over the judged
sentences only (SEEDA: 391 of 1,312).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from gec_core.corpora.text import TextFile
from gec_core.errors import CorpusError, MissingInput
from gec_core.formatting import counted
from gec_core.types import Corpus, Judgments

JUDGED = "judged"
SHAPE = "judged, a file of numbers, or ranges such as 1-100,205,300-"
_RANGE = re.compile(r"([0-9]{1,9})?(-)?([0-9]{1,9})?")


def select(corpus: Corpus, what: str) -> Corpus:
    """The part of a corpus that has only the chosen sentences.

    Args:
        corpus: The corpus.
        what: `judged` (sentences with human judgments, of whichever set), the name of a file with one number per line,
            or ranges: `1-100,205,300-`. Numbers are counted from 1. The order of the corpus is kept.

    Raises:
        MissingInput: The corpus has no judgments.
        CorpusError: There is no such file, or a number is none of the corpus.
    """
    path = Path(what)
    if what.strip() != JUDGED and path.is_file():
        return corpus.at(sorted(number - 1 for number in listed(TextFile.at(path), len(corpus))))
    return corpus.at(positions(corpus, what))


def positions(corpus: Corpus, what: str) -> list[int]:
    """The positions of the chosen sentences, counted from 0: `judged` or ranges, but no file.

    Raises:
        MissingInput: The corpus has no judgments.
        CorpusError: It is no list of ranges, or a number is none of the corpus.
    """
    if what.strip() == JUDGED:
        return _judged(corpus)
    return sorted(number - 1 for number in _ranges(what, len(corpus)))


def as_ranges(numbers: Iterable[int]) -> str:
    """Write numbers as ranges, `1-3,7`: the shortest text that `positions` reads as these."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs)


def _judged(corpus: Corpus) -> list[int]:
    sets = [each.judgments for each in corpus.judgment_sets.values()] or [corpus.judgments or Judgments(())]
    found = sorted({item.sentence for judgments in sets for item in judgments.items if item.ranked})
    if not found:
        raise MissingInput(f"{corpus.name} has no human judgments, so no sentence of it is judged.")
    return found


def listed(file: TextFile, size: int) -> set[int]:
    """The numbers in a file with one number per line, counted from 1."""
    found = set()
    for line, text in enumerate(file.lines(), 1):
        if text and not (text.isdecimal() and 1 <= int(text) <= size):
            raise file.error(f"found {text!r}; expected the number of a sentence from 1 to {size:,}.", line)
        found |= {int(text)} if text else set()
    if not found:
        raise file.error("lists no sentence. Write one number per line, counted from 1.")
    return found


def _ranges(what: str, size: int) -> set[int]:
    found: set[int] = set()
    for part in what.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None or not (match[1] or match[3]):
            raise CorpusError(f"Sentences {what!r}: there is no such file, and it is no list of ranges. Write {SHAPE}.")
        first = int(match[1] or 1)
        last = int(match[3] or size) if match[2] else first
        if not 1 <= first <= last <= size:
            raise CorpusError(f"Sentences {part.strip()}: the corpus has {counted(size, 'sentence')}, counted from 1.")
        found |= set(range(first, last + 1))
    return found
