"""Two meaningless metrics, as a baseline for meta-evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics.base import Metric, Score
from gec_core.metrics.fscore import ratio
from gec_core.metrics.sums import Sums
from gec_core.types import Array, Pair


@register
class Length(Metric):
    id = "length"
    name = "Length ratio"
    family = "sanity"
    order = 900
    summary = "Tokens of the output per token of the source; it says nothing about quality."
    reads = "source"
    card = cleandoc(r"""
        ### Formula
        $$
        \frac{|H|}{|S|}
        $$

        The number of tokens of the output divided by that of the source.

        ### Why it is here
        A meaningless score gets a correlation as well. If a metric is not clearly better than this one, its correlation
        says little.
        """)

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return [np.array([len(output.split()), len(sentence.tokens)], float) for sentence, output in pairs]

    def aggregate(self, statistics: Array) -> Score:
        output, source = (int(total) for total in statistics.sum(axis=0))
        return Score(ratio(output, source), {"output_tokens": output, "source_tokens": source})

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return self.sentence_scores(counts @ statistics)

    def sums(self, systems: Sequence[Array]) -> Sums:
        return Sums(count=lambda _, rows: rows, score=lambda sums: sums[..., 0] / sums[..., 1])

    def sentence_scores(self, statistics: Array) -> Array:
        return np.array([ratio(output, source) for output, source in statistics])

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [{"output_tokens": int(output), "source_tokens": int(source)} for output, source in statistics]


@register
class Constant(Metric):
    id = "constant"
    name = "Constant"
    family = "sanity"
    order = 910
    summary = "1 for every output; correlations with it are undefined."
    reads = "source"
    card = cleandoc(r"""
        ### Formula
        $1$

        ### Why it is here
        It shows what happens where nothing can be computed: correlations with it are undefined, and reported as such.
        """)
    averages = True

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return [np.ones(1) for _ in pairs]

    def aggregate(self, statistics: Array) -> Score:
        return Score(1.0, {"sentences": len(statistics)})

    def sentence_scores(self, statistics: Array) -> Array:
        return np.ones(len(statistics))
