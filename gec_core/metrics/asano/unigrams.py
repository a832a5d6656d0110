"""Unigram frequencies of English tokens, from the word lists of the `wordfreq` package.

These lists have no punctuation, and no clitics as separate tokens. A clitic gets the sum of the frequencies of all
words that end in it. Punctuation gets its frequency in the Brown corpus (1,161,192 tokens in NLTK's version), which is
not available here. The counts of comma, full stop and opening quotation mark, nine tenths of them, and the total were
checked against published figures; the others could not be checked. They matter little: an error of a tenth in one of
them changes the fluency of a sentence of twenty tokens with that mark by .002.
"""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.util import find_spec

MARKS = {
    ",": 58334,
    ".": 49346,
    "``": 8837,
    "''": 8789,
    ";": 5566,
    "?": 4693,
    "--": 3432,
    ")": 2466,
    "(": 2435,
    ":": 1795,
    "!": 1596,
}
BROWN = 1_161_192
SAME_MARK = {'"': "``", "'": "''", "-": "--", "–": "--", "—": "--"}
CLITICS = ("'s", "n't", "'ll", "'re", "'ve", "'d", "'m")
RAREST_WORD = 1e-8
"""The lowest frequency in the word lists."""
RAREST_MARK = 1e-4
FUNCTION_WORD = 1e-3
"""The frequency from which METEOR (Denkowski and Lavie 2014) counts a word as a function word."""


def source() -> str:
    """The source of the frequencies, for signatures."""
    return f"wordfreq-{importlib.metadata.version('wordfreq')}" if find_spec("wordfreq") else "missing"


def log_probability(tokens: Iterable[str]) -> float:
    """Compute the log-probability of tokens under the unigram model."""
    return sum(math.log(frequency(token)) for token in tokens)


@lru_cache(maxsize=100_000)
def frequency(token: str) -> float:
    """The relative frequency of a token in running text."""
    mark = SAME_MARK.get(token, token)
    if mark in MARKS:
        return MARKS[mark] / BROWN
    if not any(map(str.isalnum, token)):
        return RAREST_MARK
    words = 1 - sum(MARKS.values()) / BROWN
    return words * (_clitics().get(token.lower()) or _word(token))


def is_content(token: str) -> bool:
    """Say whether a token is a content word."""
    return any(map(str.isalnum, token)) and token.lower() not in CLITICS and _word(token) < FUNCTION_WORD


def _word(word: str) -> float:
    from wordfreq import word_frequency

    return max(RAREST_WORD, float(word_frequency(word, "en", wordlist="large")))


@cache
def _clitics() -> dict[str, float]:
    from wordfreq import get_frequency_dict

    totals = dict.fromkeys(CLITICS, 0.0)
    for word, share in get_frequency_dict("en", wordlist="large").items():
        for clitic in CLITICS:
            if word.endswith(clitic) and len(word) > len(clitic):
                totals[clitic] += share
    return totals
