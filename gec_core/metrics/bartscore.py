"""BARTScore (Yuan et al. 2021): the probability of the output given a reference, by a sequence-to-sequence model.

The score is the mean log-probability of a token: negative, and the closer to 0 the better. With several references, the
one that makes the output most probable counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics.base import Score
from gec_core.metrics.model import ModelMetric
from gec_core.store import Store
from gec_core.types import Array, Pair


@register
class BartScore(ModelMetric):
    id = "bartscore"
    name = "BARTScore"
    order = 130
    summary = "The mean log-probability of the output's tokens under BART, given a reference."
    citation = "Yuan et al. 2021, BARTScore: Evaluating Generated Text as Text Generation, NeurIPS"
    reads = "references"
    averages = True
    kind = "seq2seq"
    pace = 0.2
    card = cleandoc(r"""
        ### Formula
        $$
        \text{BARTScore} = \max_R \frac{1}{|H|} \sum_{t=1}^{|H|} \log p(h_t \mid h_{<t}, R)
        $$

        The mean log-probability that BART gives to the tokens of the output, given the reference.

        ### Known failures
        Like BERTScore, it hardly correlates with people in GEC (Gong et al. 2022: r .172).
        """)

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.seq2seq import likelihoods

        wanted = [[(reference, output) for reference in sentence.references] for sentence, output in pairs]
        found = likelihoods(self.place, (each for group in wanted for each in group), store)
        return [np.array([number for each in group for number in found[each]]) for group in wanted]

    def aggregate(self, statistics: Array) -> Score:
        truncated = int((np.nansum(statistics[:, 1::2], axis=1) > 0).sum())
        return Score(float(self.sentence_scores(statistics).mean()), {"truncated": truncated})

    def sentence_scores(self, statistics: Array) -> Array:
        scores: Array = np.nanmax(statistics[:, ::2], axis=1)
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        means, cuts = statistics[:, ::2], statistics[:, 1::2]
        return [
            {
                "by_reference": row[~np.isnan(row)].tolist(),
                **({"note": "truncated: longer than the model's limit"} if np.nansum(cut) else {}),
            }
            for row, cut in zip(means, cuts, strict=True)
        ]
