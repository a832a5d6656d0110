"""The fluency part of Asano et al. 2017 (after Lau et al. 2015): probability beyond that of the single words.

f = (log Pm − log Pu) / |H|, cut off at 0 and 1, with Pm from a language model and Pu from single words, so that
rare words are not held against a sentence. The paper says that f mostly lies between 0 and 1 by itself, and gives
.820 to the sources of CoNLL-2014: with logarithms to base 10, which it does not name, they get .834 here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics._model import ModelMetric, ModelOptions, note_on_length
from gec_core.metrics.base import Availability, Score
from gec_core.metrics.options import option
from gec_core.models import unigrams
from gec_core.models.causal_lm import detokenise
from gec_core.store import Store
from gec_core.types import Array, Pair

MODEL, UNIGRAM, TOKENS, PIECES = range(4)
"""The numbers of a row: both log-probabilities in nats, the length in tokens, and in tokens of the model."""


@register
class AsanoFluency(ModelMetric):
    id = "asano-fluency"
    name = "Asano: fluency"
    order = 142
    summary = "How much more probable the output is to a language model than its words are by themselves."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    averages = True
    kind = "causal-lm"
    pace = 0.05

    @dataclass(frozen=True)
    class Options(ModelOptions):
        detokenise: bool = option(True, "let the language model read text without the tokeniser's spaces")
        base: float = option(
            10.0, "of the logarithms: the larger, the fewer scores are cut off at 1", least=1.1, most=1000
        )

    options: Options

    @property
    def signature(self) -> str:
        return f"{super().signature}|words:{unigrams.source()}"

    @property
    def statistics_signature(self) -> str:
        read = f"detokenise:{str(self.options.detokenise).lower()}|words:{unigrams.source()}"
        return f"asano-fluency-parts|v{self.version}|model:{self.model_signature}|{read}"

    def availability(self) -> Availability:
        if not find_spec("wordfreq"):
            return Availability(ready=False, how="Install the word frequencies that it needs: pip install wordfreq.")
        return super().availability()

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.causal_lm import token_nats

        read = [detokenise(pair.output) if self.options.detokenise else pair.output for pair in pairs]
        nats = token_nats(self.place, read, store)
        rows = []
        for pair, text in zip(pairs, read, strict=True):
            tokens = pair.output.split()
            rows.append(np.array([-nats[text].sum(), unigrams.log_probability(tokens), len(tokens), len(nats[text])]))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(self.sentence_scores(statistics).mean()), {"cut_off": self._cut_off(statistics)})

    def _cut_off(self, statistics: Array) -> int:
        raw = self._raw(statistics)
        return int(np.sum((raw < 0) | (raw > 1)))

    def sentence_scores(self, statistics: Array) -> Array:
        return np.clip(self._raw(statistics), 0, 1)

    def _raw(self, statistics: Array) -> Array:
        """Before it is cut off; 0 for an empty output."""
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
