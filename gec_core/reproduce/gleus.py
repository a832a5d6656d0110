"""Two forms of GLEU that papers used beside the usual one; their figures cannot be had otherwise.

They are metrics like others, so that their statistics are stored, but not in the registry: nobody should
choose them for anything new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gec_core.metrics.base import Array, Metric, Pair, Score
from gec_core.metrics.gleu import ORDERS, Gleu, _blocks, _draws, _gleu


class SentenceGleu(Gleu):
    """The mean of sentence scores without smoothing, references drawn as for the corpus score (Gong et al. 2022)."""

    id = "sentgleu"
    name = "GLEU, mean of sentences"

    def sentence_scores(self, statistics: Array) -> Array:
        """The mean over all draws: a sentence's score is that with a reference, as often as it is drawn."""
        blocks, sizes = _blocks(statistics)
        draws = _draws(tuple(sizes.tolist()), self.options.iterations, self.options.draw)
        scores = _gleu(blocks)
        means: Array = sum((draws == number).mean(axis=0) * scores[:, number] for number in range(scores.shape[1]))
        return means

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(self.sentence_scores(statistics).mean()))


class FirstGleu(Metric):
    """GLEU as it was first published (Napoles et al. 2015), with weight 0 for what should have been changed.

    An n-gram of the output counts if a reference has it, and once more if the source does not; what the
    references have and the source does not is added to the n-grams of the output in the denominator. All
    references are used at once, each n-gram as often as the reference that has it most often; length is
    compared with the reference of the closest length. This is our reading of the formula. It puts the
    thirteen systems of CoNLL-2014 in the order that was published.
    """

    id = "gleu2015"
    name = "GLEU of 2015"
    family = "overlap"
    summary = "N-grams shared with the references, those that the source lacks counted twice."
    citation = "Napoles et al. 2015, Ground Truth for Grammatical Error Correction Metrics, ACL"
    reads = "references"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """Lengths of output and closest reference, then counted and countable n-grams for n = 1 to 4."""
        return [self._row(pair) for pair in pairs]

    @staticmethod
    def _row(pair: Pair) -> Array:
        source, output = pair.sentence.tokens, pair.output.split()
        references = [reference.split() for reference in pair.sentence.references]
        closest = min(references, key=lambda tokens: (abs(len(tokens) - len(output)), len(tokens)))
        row = [len(output), len(closest)]
        for n in range(1, ORDERS + 1):
            given, had = _ngrams(output, n), _ngrams(source, n)
            wanted: Counter[tuple[str, ...]] = Counter()
            for tokens in references:
                wanted |= _ngrams(tokens, n)
            new = Counter({gram: count for gram, count in wanted.items() if gram not in had})
            row += [(given & wanted).total() + (given & new).total(), given.total() + new.total()]
        return np.array(row, float)

    def aggregate(self, statistics: Array) -> Score:
        return Score(float(_gleu(statistics.sum(axis=0))))

    def sentence_scores(self, statistics: Array) -> Array:
        return _gleu(statistics)


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
