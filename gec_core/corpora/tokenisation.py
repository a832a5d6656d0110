"""Outputs that are cut into tokens in another way than the sources.

Every metric here compares tokens, so such outputs score close to nothing however good they are. Now and then
joining or splitting is a correction ("any one" to "anyone"); a system that does it in many sentences was
tokenised by another tokeniser, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from gec_core.types import Corpus

MANY = 0.1
"""The share of a system's outputs from which on they count as tokenised differently."""
_STUCK = re.compile(r"(\w{3,})([,;:?!.])")


def mismatches(corpus: Corpus) -> Iterator[str]:
    """One message for each system whose outputs are not tokenised as the sources are."""
    for name, outputs in corpus.systems.items():
        lines = [
            (number, *found)
            for number, (sentence, output) in enumerate(zip(corpus.sentences, outputs, strict=True), 1)
            if output != sentence.source and (found := mismatch(sentence.source, output))
        ]
        if len(lines) > MANY * len(corpus):
            number, theirs, ours = lines[0]
            yield (
                f"{name}: {len(lines)} of {len(corpus)} outputs are tokenised unlike their sources, the first in line "
                f"{number}: {theirs!r} where the source has {ours!r}. Scores compare tokens: tokenise the outputs "
                f"as the sources are."
            )


def mismatch(source: str, output: str) -> tuple[str, str] | None:
    """The first place where the output joins what the source has apart, or the other way round: both versions."""
    known, tokens = set(source.split()), output.split()
    new = [token for token in tokens if token not in known]
    squeezed = source.replace(" ", "")
    for token in new:
        if token in squeezed:
            for one, other in pairwise(source.split()):
                if token == one + other:
                    return token, f"{one} {other}"
        stuck = _STUCK.fullmatch(token)
        if stuck and stuck[2] in known:
            return token, f"{stuck[1]} {stuck[2]}"
    for one, other in pairwise(tokens) if len(new) > 1 else ():
        if one + other in known and one not in known and other not in known:
            return f"{one} {other}", one + other
    return None
