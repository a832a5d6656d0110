"""BERTScore (Zhang et al. 2020): how similar the words of an output are to those of a reference, in context.

Gong et al. (2022) show it as what not to do with whole corrected sentences: nearly all words of an output
are those of the reference, whatever the correction is worth. See gec_core.metrics.ptm2 for the remedy.

idf weights belong to a set of sentences, which is named as an option and enters the signature, so that a
pair's score does not depend on which other pairs are scored with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import GecLensError, MissingInput
from gec_core.metrics import register
from gec_core.metrics._bert_similarity import BertSimilarity, Idf, resolve_layer
from gec_core.metrics._model import ModelMetric, ModelOptions
from gec_core.metrics.base import Availability, Score
from gec_core.metrics.options import option
from gec_core.store import Store
from gec_core.types import Array, Pair

EMBEDDED_LAYERS = {"all-MiniLM-L6-v2": 6}
"""Of its layers the last one goes best with people's rankings on CoNLL-2014, though badly (r is about .2)."""


class Baseline(NamedTuple):
    """What sentences that have nothing to do with each other get: rescaling makes it 0."""

    p: float
    r: float
    f: float


BASELINES = {
    ("bert-base-uncased", 9): Baseline(0.35375935, 0.3537393, 0.35219112),
    ("bert-large-uncased", 18): Baseline(0.4278576, 0.42786714, 0.42646673),
    ("distilbert-base-uncased", 5): Baseline(0.6666034, 0.66660464, 0.66620487),
    ("roberta-base", 10): Baseline(0.8146725, 0.8146619, 0.814463),
    ("roberta-large", 17): Baseline(0.83150584, 0.8314941, 0.83122575),
}
"""Published with version 0.3 of BERTScore, for English."""
UNSCALED = Baseline(0.0, 0.0, 0.0)


@register
class BERTScore(ModelMetric):
    id = "bertscore"
    name = "BERTScore"
    order = 150
    summary = "How similar each word is, in its context, to the most similar word of the reference."
    citation = "Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT, ICLR"
    reads = "references"
    averages = True
    kind = "encoder"
    chunk = 1024
    pace = 0.01

    @dataclass(frozen=True)
    class Options(ModelOptions):
        layer: str = option("auto", "the layer whose vectors are compared, from 0; auto: one that suits the model")
        references: Literal["best", "mean"] = option("best", "of several references, the best one or their mean")
        rescale: bool = option(False, "stretch the scale so that unrelated sentences get 0; needs a known baseline")
        idf: str = option("", "a file or folder of sentences: pieces that are rare in them count more; empty: no")

    options: Options

    @cached_property
    def similarity(self) -> BertSimilarity:
        layer = resolve_layer(self.place, self.options.layer, EMBEDDED_LAYERS, self.id)
        return BertSimilarity(self.place, layer, Idf.read(self.options.idf) if self.options.idf else None)

    @cached_property
    def baseline(self) -> Baseline:
        if not self.options.rescale:
            return UNSCALED
        model, layer = self.place.name.rsplit("/", 1)[-1], self.similarity.layer
        if (model, layer) not in BASELINES:
            known = ", ".join(f"{name} at layer {at}" for name, at in BASELINES)
            raise MissingInput(f"No baseline is known for {model} at layer {layer}, only for {known}: rescale=false.")
        return BASELINES[model, layer]

    def availability(self) -> Availability:
        found = super().availability()
        if not found.ready:
            return found
        try:
            return Availability(ready=bool(self.similarity and self.baseline))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    @property
    def signature(self) -> str:
        chosen = f"references:{self.options.references}", f"rescale:{str(self.options.rescale).lower()}"
        return "|".join([self.id, f"v{self.version}", *self._compared(), *chosen])

    @property
    def statistics_signature(self) -> str:
        return "|".join(["bertscore-rows", f"v{self.version}", *self._compared()])

    def _compared(self) -> tuple[str, ...]:
        """What the numbers depend on besides the texts; as asked for where the model is not here."""
        try:
            return self.similarity.parts
        except GecLensError:
            asked = self.options
            return f"model:{self.model_signature}", f"layer:{asked.layer}", f"idf:{asked.idf or 'none'}"

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """For each pair: whether a text was cut, then precision and recall on every reference."""
        wanted = ((output, reference) for sentence, output in pairs for reference in sentence.references)
        found = self.similarity.scores(wanted, store)
        rows = []
        for sentence, output in pairs:
            scores = [found[output, reference] for reference in sentence.references]
            cut = any(each.cut for each in scores)
            rows.append(np.array([cut, *(value for each in scores for value in (each.precision, each.recall))]))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        p, r, f = (float(value) for value in self._picked(statistics)[0].mean(axis=0))
        return Score(f, {"p": p, "r": r, "f": f, "truncated": int(statistics[:, 0].sum())})

    def sentence_scores(self, statistics: Array) -> Array:
        return self._picked(statistics)[0][:, 2]

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        scores, best = self._picked(statistics)
        details = []
        for line, (p, r, f) in enumerate(scores.tolist()):
            which = {"reference": int(best[line])} if self.options.references == "best" else {}
            details.append({"p": p, "r": r, "f": f, **which, "truncated": bool(statistics[line, 0])})
        return details

    def _picked(self, statistics: Array) -> tuple[Array, NDArray[np.intp]]:
        """Precision, recall and F of every sentence, and the reference that has the highest F."""
        sides = statistics[:, 1:].reshape(len(statistics), -1, 2)
        total = sides.sum(axis=2)
        f = np.divide(2 * sides.prod(axis=2), total, out=np.zeros_like(total), where=total != 0)
        scores = (np.dstack([sides, f]) - self.baseline) / (1 - np.array(self.baseline))
        best = np.nanargmax(scores[:, :, 2], axis=1)
        if self.options.references == "mean":
            return np.nanmean(scores, axis=1), best
        return np.take_along_axis(scores, best[:, None, None], axis=1)[:, 0], best
