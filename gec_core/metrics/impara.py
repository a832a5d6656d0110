"""IMPARA (Maeda et al. 2022): a quality-estimation model, with a check that the output is similar to the source.

The score is the sigmoid of the estimate of a BERT model trained on automatically corrupted sentences; it is 0 if the
cosine of source and output (means of BERT's last layer) is below the threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.errors import GecLensError
from gec_core.metrics import register
from gec_core.metrics.base import Availability, Score
from gec_core.metrics.model import ModelMetric, ModelOptions
from gec_core.metrics.options import option
from gec_core.models.loading import remembered, text_key
from gec_core.models.places import Place, locate
from gec_core.store import Store
from gec_core.types import Array, Pair

QUALITY, SIMILARITY, CUT = range(3)
LONGEST = 128
PUBLISHED_ENCODER = "bert-base-cased"


@register
class Impara(ModelMetric):
    id = "impara"
    name = "IMPARA"
    order = 160
    summary = "The quality of the output by a quality-estimation model, if the output is similar enough to the source."
    citation = "Maeda et al. 2022, IMPARA: Impact-Based Metric for GEC Using Parallel Data, COLING"
    reads = "source"
    averages = True
    kind = "regressor"
    published = "gotutiyan/IMPARA-QE"
    pace = 0.2
    card = cleandoc(r"""
        ### Formula
        $$
        \text{IMPARA} = \begin{cases}
        \sigma(\text{QE}(H)) & \text{if } \cos(S, H) \ge 0.9 \\
        0 & \text{otherwise}
        \end{cases}
        $$

        with a quality-estimation BERT (QE), and the cosine of the mean vectors of source and output.

        ### Known failures
        It needs the authors' model, which no package registry carries.
        """)

    @dataclass(frozen=True)
    class Options(ModelOptions):
        model: str = option("auto", "quality-estimation model: a folder, or a name on the model hub")
        encoder: str = option("auto", "encoder that compares output and source: a folder, or a name on the model hub")
        threshold: float = option(0.9, "cosine of output and source below which the score is 0", least=-1, most=1)

    options: Options

    @cached_property
    def encoder(self) -> Place:
        """The encoder that compares output and source."""
        name = PUBLISHED_ENCODER if self.options.encoder == "auto" else self.options.encoder
        return locate("encoder", name, allow_download=self.options.allow_download)

    @property
    def model_signature(self) -> str:
        try:
            return f"{self.place.signature}+{self.encoder.signature}"
        except GecLensError:
            return f"{self.options.model}@missing"

    @property
    def signature(self) -> str:
        return f"{self.id}|v{self.version}|model:{self.model_signature}|threshold:{self.options.threshold}"

    @property
    def statistics_signature(self) -> str:
        return f"impara-parts|v{self.version}|model:{self.model_signature}"

    def availability(self) -> Availability:
        ready = super().availability()
        try:
            return ready if not ready.ready else Availability(ready=bool(self.encoder))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.encoder import estimates

        quality = estimates(self.place, [(pair.output,) for pair in pairs], store, longest=LONGEST)
        cosines = self._cosines([(sentence.source, output) for sentence, output in pairs], store)
        rows = []
        for sentence, output in pairs:
            value, cut = quality[output,]
            rows.append(np.array([1 / (1 + np.exp(-value)), cosines[sentence.source, output], cut]))
        return rows

    def _cosines(self, pairs: Sequence[tuple[str, str]], store: Store | None) -> dict[tuple[str, str], float]:
        """Compute the cosine of each distinct pair, or take it from the store."""
        keys = {pair: text_key(*pair) for pair in pairs}
        signature = f"mean-cosine|v1|model:{self.encoder.signature}"
        rows = remembered(store, signature, {key: pair for pair, key in keys.items()}, self._new_cosines)
        return {pair: float(rows[key][0]) for pair, key in keys.items()}

    def _new_cosines(self, pairs: Sequence[tuple[str, str]]) -> list[Array]:
        from gec_core.models.encoder import layer_count, load_encoder

        encoder = load_encoder(self.encoder, layer_count(self.encoder))
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        pieces = {text: each.ids for text, each in zip(texts, encoder.pieces(texts), strict=True)}
        means = encoder.mean_vectors(pieces.values())
        units = {text: means[ids] / np.linalg.norm(means[ids]) for text, ids in pieces.items()}
        return [np.array([units[source] @ units[output]], np.float64) for source, output in pairs]

    def aggregate(self, statistics: Array) -> Score:
        scores = self.sentence_scores(statistics)
        different = int(np.sum(statistics[:, SIMILARITY] < self.options.threshold))
        return Score(float(scores.mean()), {"too_different": different, "truncated": int(statistics[:, CUT].sum())})

    def sentence_scores(self, statistics: Array) -> Array:
        similar = statistics[:, SIMILARITY] >= self.options.threshold
        scores: Array = np.where(similar, statistics[:, QUALITY], 0.0)
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {
                "quality": quality,
                "similarity": similarity,
                **({"note": f"truncated to {LONGEST} word pieces"} if cut else {}),
            }
            for quality, similarity, cut in statistics.tolist()
        ]
