"""How frequent English words are by themselves: from the word lists of the `wordfreq` package.

Those know no punctuation and no clitics as tokens of their own. A clitic is as frequent as all the words that
end in it. Punctuation is as frequent as in the Brown corpus (1,161,192 tokens as NLTK has it), which no package
here carries. The counts of comma, full stop and opening quotation mark, nine tenths of them, and the total were
checked against what others print of that corpus; the rest are taken on trust. It matters little: were one of
those off by a tenth, a sentence of twenty tokens with that mark in it would move by .002 in fluency.
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
"""Below it the word lists end."""
RAREST_MARK = 1e-4
FUNCTION_WORD = 1e-3
"""From this frequency on METEOR (Denkowski and Lavie 2014) counts a word as a function word."""


def source() -> str:
    """Where the frequencies come from, as it stands in signatures."""
    return f"wordfreq-{importlib.metadata.version('wordfreq')}" if find_spec("wordfreq") else "missing"


def log_probability(tokens: Iterable[str]) -> float:
    """The log-probability of tokens drawn one by one, whatever stands around them."""
    return sum(math.log(frequency(token)) for token in tokens)


@lru_cache(maxsize=100_000)
def frequency(token: str) -> float:
    """The share of a token in running text."""
    mark = SAME_MARK.get(token, token)
    if mark in MARKS:
        return MARKS[mark] / BROWN
    if not any(map(str.isalnum, token)):
        return RAREST_MARK
    words = 1 - sum(MARKS.values()) / BROWN
    return words * (_clitics().get(token.lower()) or _word(token))


def is_content(token: str) -> bool:
    """Whether a token is a word that is not a function word."""
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
