"""The fluency part of Asano et al. 2017 (after Lau et al. 2015): probability relative to that of the single words.

f = (log Pm − log Pu) / |H|, clipped to 0 to 1, with Pm from a language model and Pu from a unigram model, so that rare
words do not lower the score. The paper says that f mostly lies between 0 and 1, and reports .820 for the sources of
CoNLL-2014; with logarithms to base 10 (the paper does not name the base) they get .834 here.

Unigram frequencies are those of the `wordfreq` package. Its lists have no punctuation, and no clitics as separate
tokens. A clitic gets the sum of the frequencies of all words that end in it. Punctuation gets its frequency in the
Brown corpus (1,161,192 tokens in NLTK's version), which is not available here. The counts of comma, full stop and
opening quotation mark, nine tenths of them, and the total were checked against published figures; the others could not
be checked. They matter little: an error of a tenth in one of them changes the fluency of a sentence of twenty tokens
with that mark by .002.
"""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.environment import installed
from gec_core.metrics import register
from gec_core.metrics.base import Availability, Case, Score
from gec_core.metrics.blocks import Explanation, Facts
from gec_core.metrics.model import ModelMetric, ModelOptions, note_on_length, surprisal_block
from gec_core.metrics.options import option
from gec_core.models.causal_lm import detokenise
from gec_core.store import Store
from gec_core.types import Array, Pair

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
    return f"wordfreq-{importlib.metadata.version('wordfreq')}" if installed("wordfreq") else "missing"


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


MODEL, UNIGRAM, TOKENS, PIECES = range(4)
"""The columns of a row: both log-probabilities in nats, the length in tokens, and in tokens of the model."""


@register
class AsanoFluency(ModelMetric):
    id = "asano-fluency"
    languages = ("en",)
    elsewhere = "Its unigram counts are English."
    name = "Asano: fluency"
    order = 142
    summary = "How much more probable the output is under a language model than under a unigram model."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    output_alone = True
    averages = True
    kind = "causal-lm"
    pace = 0.05
    card = cleandoc(r"""
        ### Formula
        $$
        f = \frac{\log P_m(H) - \log P_u(H)}{|H|}
        $$

        clipped to 0 to 1: how much more probable a language model ($P_m$) finds the sentence than a unigram model
        ($P_u$) does.

        ### Known failures
        It rewards probable sentences, whether or not they mean what the source means.
        """)

    @dataclass(frozen=True)
    class Options(ModelOptions):
        detokenise: bool = option(True, "detokenise text for the language model")
        base: float = option(
            10.0, "base of the logarithms: the larger, the fewer scores are clipped to 1", least=1.1, most=1000
        )

    options: Options

    @property
    def signature(self) -> str:
        return f"{super().signature}|words:{source()}"

    @property
    def statistics_signature(self) -> str:
        read = f"detokenise:{str(self.options.detokenise).lower()}|words:{source()}"
        return f"asano-fluency-parts|v{self.version}|model:{self.model_signature}|{read}"

    def availability(self) -> Availability:
        if not installed("wordfreq"):
            return Availability(ready=False, how="It needs word frequencies: pip install wordfreq.")
        return super().availability()

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.causal_lm import token_nats

        read = [detokenise(pair.output) if self.options.detokenise else pair.output for pair in pairs]
        nats = token_nats(self.place, read, store)
        rows = []
        for pair, text in zip(pairs, read, strict=True):
            tokens = pair.output.split()
            rows.append(np.array([-nats[text].sum(), log_probability(tokens), len(tokens), len(nats[text])]))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(self.sentence_scores(statistics).mean()), {"cut_off": self._cut_off(statistics)})

    def _cut_off(self, statistics: Array) -> int:
        raw = self._raw(statistics)
        return int(np.sum((raw < 0) | (raw > 1)))

    def sentence_scores(self, statistics: Array) -> Array:
        return np.clip(self._raw(statistics), 0, 1)

    def _raw(self, statistics: Array) -> Array:
        """The scores before clipping; 0 for an empty output."""
        gain = statistics[:, MODEL] - statistics[:, UNIGRAM]
        raw: Array = gain / np.maximum(statistics[:, TOKENS], 1) / math.log(self.options.base)
        return raw

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {
                "log_p_model": row[MODEL],
                "log_p_words": row[UNIGRAM],
                "before_cut_off": raw,
                **note_on_length(self, row[PIECES]),
            }
            for row, raw in zip(statistics.tolist(), self._raw(statistics).tolist(), strict=True)
        ]

    def explanation(self, case: Case) -> Explanation:
        details = case.details
        facts = {
            "log-probability under the language model": details["log_p_model"],
            "log-probability under the unigram model": details["log_p_words"],
            "tokens": len(case.output.split()),
            "score before clipping to 0 to 1": details["before_cut_off"],
        }
        read = detokenise(case.output) if self.options.detokenise else case.output
        return case.explanation(
            Facts("Probability relative to that of single words", facts),
            surprisal_block("Surprisal of the output's tokens", read, self.place, case.store),
        )
