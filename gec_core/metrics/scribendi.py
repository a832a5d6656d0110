"""Scribendi Score (Islam and Magnani 2021): a change is good if it reads better and still says about the same.

Reading better is a lower perplexity under a language model; saying the same is a high ratio of sorted tokens or
of characters. A good change counts +1, any other −1, no change 0; the score of a system is the sum.

The language model reads text as people write it: on CoNLL-2014 that brings the correlation with TrueSkill from
r = .852, rho = .868 (tokenised text) to .897, .890 with the embedded model. The ratios are of the tokenised text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics._model import ModelMetric, ModelOptions, note_on_length
from gec_core.metrics.base import Score
from gec_core.metrics.options import option
from gec_core.models.causal_lm import detokenise
from gec_core.store import Store
from gec_core.types import Array, Pair

PPL_SOURCE, PPL_OUTPUT, TOKEN_SORT, LEVENSHTEIN, UNCHANGED, LONGEST = range(6)
"""The numbers of a row; the last is the length of the longer text in tokens of the model."""
VERDICTS = {1: "better", 0: "unchanged", -1: "not better"}


@register
class Scribendi(ModelMetric):
    id = "scribendi"
    name = "Scribendi Score"
    order = 110
    summary = "Changes that lower the perplexity of the sentence and keep its words, less all other changes."
    citation = (
        "Islam and Magnani 2021, Is this the end of the gold standard? A straightforward reference-less GEC metric"
    )
    reads = "source"
    kind = "causal-lm"
    pace = 0.05

    @dataclass(frozen=True)
    class Options(ModelOptions):
        detokenise: bool = option(True, "let the language model read text without the tokeniser's spaces")
        threshold: float = option(
            0.8, "how similar source and output must be (the larger of the two ratios)", least=0, most=1
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        detokenised = str(self.options.detokenise).lower()
        return f"scribendi-parts|v{self.version}|model:{self.model_signature}|detokenise:{detokenised}"

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.causal_lm import perplexity, token_nats

        read = {text: self._as_read(text) for pair in pairs for text in (pair.sentence.source, pair.output)}
        nats = token_nats(self.place, read.values(), store)
        rows = []
        for sentence, output in pairs:
            source = sentence.source
            surprise = nats[read[source]], nats[read[output]]
            ratios = token_sort_ratio(source, output), levenshtein_ratio(source, output)
            longest = max(len(each) for each in surprise)
            rows.append(np.array([*map(perplexity, surprise), *ratios, source == output, longest]))
        return rows

    def _as_read(self, text: str) -> str:
        return detokenise(text) if self.options.detokenise else text

    def aggregate(self, statistics: Array) -> Score:
        scores = self.sentence_scores(statistics)
        counts = {
            name: int(np.sum(scores == value)) for name, value in (("positive", 1), ("negative", -1), ("zero", 0))
        }
        return Score(float(scores.sum()), {**counts, "mean": float(scores.mean())})

    def resampled(self, statistics: Array, counts: Array) -> Array:
        sums: Array = counts @ self.sentence_scores(statistics)
        return sums

    def sentence_scores(self, statistics: Array) -> Array:
        better = statistics[:, PPL_SOURCE] > statistics[:, PPL_OUTPUT]
        similar = np.maximum(statistics[:, TOKEN_SORT], statistics[:, LEVENSHTEIN]) >= self.options.threshold
        scores: Array = np.where(statistics[:, UNCHANGED] > 0, 0.0, np.where(better & similar, 1.0, -1.0))
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {
                "ppl_source": row[PPL_SOURCE],
                "ppl_output": row[PPL_OUTPUT],
                "tsr": row[TOKEN_SORT],
                "ldr": row[LEVENSHTEIN],
                "verdict": VERDICTS[int(score)],
                **note_on_length(self, row[LONGEST]),
            }
            for row, score in zip(statistics.tolist(), self.sentence_scores(statistics), strict=True)
        ]


def token_sort_ratio(source: str, output: str) -> float:
    """How alike the sorted words are, without case and punctuation, from 0 to 1."""
    from rapidfuzz import fuzz, utils

    return fuzz.token_sort_ratio(source, output, processor=utils.default_process) / 100


def levenshtein_ratio(source: str, output: str) -> float:
    """1 − LD / (|S| + |H|) in characters, where replacing one costs as much as deleting and inserting."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(source, output)
