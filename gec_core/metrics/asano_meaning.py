"""The meaning part of Asano et al. 2017: content words of source and output that stand for each other.

As METEOR does, words are matched if they are equal, have the same stem, or are synonyms in WordNet (where that
is installed); words with a share of a thousandth or more of English text are function words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from gec_core.errors import GecLensError
from gec_core.metrics import options, register
from gec_core.metrics.base import Availability, Metric, Score
from gec_core.metrics.options import option
from gec_core.models import unigrams
from gec_core.models.wordnet import find_wordnet, load_wordnet, wordnet_id
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

    @dataclass(frozen=True)
    class Options(options.Options):
        t: float = option(
            0.85, "weight of recall: what is left out of the source counts more than what is added", least=0, most=100
        )
        wordnet: str = option("auto", "folder of the WordNet database; auto: one in a usual place, or no synonyms")

    options: Options

    @cached_property
    def wordnet(self) -> Path | None:
        return find_wordnet(self.options.wordnet)

    @property
    def synonyms(self) -> str:
        """Where synonyms come from, as it stands in signatures."""
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
            return Availability(ready=False, how=f"Install what it counts words with: pip install {' '.join(missing)}.")
        try:
            return Availability(ready=self.wordnet is None or bool(self.wordnet))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        from gec_core.metrics._content_words import content_words, matched

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


def _share(top: Array, bottom: Array, *, otherwise: Array | np.ndarray[Any, np.dtype[np.bool_]]) -> Array:
    """top / bottom; where the bottom is 0, whatever is given."""
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), otherwise)
