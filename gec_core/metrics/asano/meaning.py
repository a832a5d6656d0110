"""The meaning part of Asano et al. 2017: content words of source and output that match.

As in METEOR, words match if they are equal, have the same stem, or are synonyms in WordNet (where that is installed);
words that make up a thousandth or more of English text are function words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from typing import Any

import numpy as np

from gec_core.errors import GecLensError
from gec_core.metrics import options, register
from gec_core.metrics.asano import unigrams
from gec_core.metrics.asano.wordnet import WordNet, find_wordnet, load_wordnet, wordnet_id
from gec_core.metrics.base import Availability, Case, Metric, Score
from gec_core.metrics.blocks import Explanation, Facts
from gec_core.metrics.options import option
from gec_core.types import Array, Pair

MATCHED, OUTPUT, SOURCE = range(3)


@register
class AsanoMeaning(Metric):
    id = "asano-meaning"
    name = "Asano: meaning"
    family = "model"
    order = 143
    summary = "Content words of the source that the output keeps, by word, stem or synonym."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    averages = True
    card = cleandoc(r"""
        ### Formula
        Content words of output and source are matched (same word, same stem, or synonyms where WordNet is found):

        $$
        \frac{P \cdot R}{0.85\,P + 0.15\,R}
        $$

        ### Known failures
        Doing nothing is perfect.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        t: float = option(
            0.85,
            "weight of recall: content words that are lost count more than those that are added",
            least=0,
            most=100,
        )
        wordnet: str = option(
            "auto", "folder of the WordNet database; auto: one in a usual location, otherwise no synonyms"
        )

    options: Options

    @cached_property
    def wordnet(self) -> Path | None:
        return find_wordnet(self.options.wordnet)

    @property
    def synonyms(self) -> str:
        """The source of the synonyms, for signatures."""
        try:
            return wordnet_id(self.wordnet) if self.wordnet else "none"
        except GecLensError:
            return "missing"

    @property
    def signature(self) -> str:
        return "|".join([self.id, f"v{self.version}", *self._sources, f"t:{self.options.t}"])

    @property
    def statistics_signature(self) -> str:
        return "|".join([f"{self.id}-counts", f"v{self.version}", *self._sources])

    @property
    def _sources(self) -> tuple[str, str]:
        return f"words:{unigrams.source()}", f"synonyms:{self.synonyms}"

    @property
    def label(self) -> str:
        return self.name if self.synonyms == "none" else f"{self.name} · with WordNet"

    def availability(self) -> Availability:
        if missing := [name for name in ("snowballstemmer", "wordfreq") if not find_spec(name)]:
            return Availability(ready=False, how=f"It needs other packages: pip install {' '.join(missing)}.")
        try:
            return Availability(ready=self.wordnet is None or bool(self.wordnet))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        wordnet = load_wordnet(self.wordnet) if self.wordnet else None
        rows = []
        for sentence, output in pairs:
            words, others = content_words(output.split()), content_words(sentence.tokens)
            rows.append(np.array([matched(words, others, wordnet), len(words), len(others)], np.float64))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        matched, output, source = statistics.sum(axis=0).astype(int).tolist()
        counts = {"matched": matched, "output_words": output, "source_words": source}
        return Score(float(self.sentence_scores(statistics).mean()), counts)

    def sentence_scores(self, statistics: Array) -> Array:
        matched, output, source = statistics.T
        precision = _share(matched, output, otherwise=source == 0)
        recall = _share(matched, source, otherwise=output == 0)
        bottom = self.options.t * precision + (1 - self.options.t) * recall
        return _share(precision * recall, bottom, otherwise=np.zeros(len(bottom), bool))

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {"matched": matched, "output_words": output, "source_words": source}
            for matched, output, source in statistics.astype(int).tolist()
        ]

    def explanation(self, case: Case) -> Explanation:
        facts = {
            "content words of the source": ", ".join(content_words(case.sentence.tokens)) or "none",
            "content words of the output": ", ".join(content_words(case.output.split())) or "none",
            "matched content words": case.details["matched"],
        }
        return case.explanation(Facts("Content words", facts))


def _share(top: Array, bottom: Array, *, otherwise: Array | np.ndarray[Any, np.dtype[np.bool_]]) -> Array:
    """Compute top / bottom, or `otherwise` where the bottom is 0."""
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), otherwise)


def content_words(tokens: Sequence[str]) -> list[str]:
    """The content words among the tokens, in lower case."""
    return [token.lower() for token in tokens if unigrams.is_content(token)]


def matched(words: Sequence[str], others: Sequence[str], wordnet: WordNet | None) -> int:
    """The largest number of words that can be matched one to one with the others; equal words have equal stems."""
    left, right = Counter(map(stem, words)), Counter(map(stem, others))
    pairs = (left & right).total()
    if wordnet is None:
        return pairs
    return pairs + _synonyms(_unpaired(words, left & right), _unpaired(others, left & right), wordnet)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a word, by the stemmer that METEOR uses (Snowball English)."""
    return _stemmer().stemWord(word)


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def _unpaired(words: Sequence[str], paired: Counter[str]) -> list[str]:
    """The words that remain when the matched stems are removed."""
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
