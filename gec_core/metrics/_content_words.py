"""How many content words of two sentences stand for each other, as METEOR matches them: exact, stem, synonym."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from gec_core.models.unigrams import is_content
from gec_core.models.wordnet import WordNet


def content_words(tokens: Sequence[str]) -> list[str]:
    """The words that are not function words, in lower case."""
    return [token.lower() for token in tokens if is_content(token)]


def matched(words: Sequence[str], others: Sequence[str], wordnet: WordNet | None) -> int:
    """The most words that can be paired off with one of the others; equal words have equal stems."""
    left, right = Counter(map(stem, words)), Counter(map(stem, others))
    pairs = (left & right).total()
    if wordnet is None:
        return pairs
    return pairs + _synonyms(_unpaired(words, left & right), _unpaired(others, left & right), wordnet)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The word without its endings, by the stemmer that METEOR uses (Snowball English)."""
    return _stemmer().stemWord(word)


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def _unpaired(words: Sequence[str], paired: Counter[str]) -> list[str]:
    """The words that are left when the paired stems are taken away."""
    left, rest = paired.copy(), []
    for word in words:
        if left[stem(word)] > 0:
            left[stem(word)] -= 1
        else:
            rest.append(word)
    return rest


def _synonyms(words: Sequence[str], others: Sequence[str], wordnet: WordNet) -> int:
    """The size of a largest matching between words that share a synset."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not words or not others:
        return 0
    meanings = [wordnet.synsets(other) for other in others]
    shared = [[bool(wordnet.synsets(word) & meaning) for meaning in meanings] for word in words]
    return int((maximum_bipartite_matching(csr_array(shared)) >= 0).sum())
