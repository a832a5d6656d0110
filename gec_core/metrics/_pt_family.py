"""What PT-M2 and PT-ERRANT share: weights take the place of counts in a metric that counts edits (Gong et al. 2022).

The metrics differ in which edits they read off an output. Each of these, and each gold edit, weighs as much as
it alone moves the source towards the annotator's reference or away from it (gec_core.metrics._pt_weights); sums
of weights then go where the metric without weights has numbers of edits.

As in the published code: nothing out of nothing is 1; a sentence whose edits all weigh nothing is scored as if
they all weighed the same (`zero_fallback`; the corpus score does without). Where an annotator accepts several
corrections, the one in the output is weighed.

At sentence level most weights are never needed: where no edit is correct F is 0, where all are it is 1. Such
sentences are not shown to the model.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import GecLensError
from gec_core.metrics._bert_similarity import BertSimilarity, PairOfTexts, resolve_layer
from gec_core.metrics._model import ModelMetric, ModelOptions
from gec_core.metrics._pt_edits import Reading
from gec_core.metrics._pt_weights import (
    BartScorer,
    BertScorer,
    IdentityScorer,
    Measured,
    Rule,
    Scorer,
    WeighedEdit,
    pairs_to_measure,
)
from gec_core.metrics.base import Availability, Metric, Score, f_score, ratio
from gec_core.metrics.options import option
from gec_core.models.places import Kind, Place, locate
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair

EMBEDDED_LAYERS = {"all-MiniLM-L6-v2": 3}
"""Of its six layers the one that goes best with people's rankings on CoNLL-2014, and half the work of the last."""
UNWEIGHED = (np.nan, np.nan, np.nan)
NAMES = ("correct", "proposed", "gold")


class Read(NamedTuple):
    """An output as held against every annotator."""

    readings: list[Reading]
    complete: bool = True
    """Whether everything was looked at to find its edits (see M2's lattices)."""


@dataclass(frozen=True)
class WeighedOptions(ModelOptions):
    """The options of both."""

    level: Literal["sentence", "corpus"] = option(
        "sentence",
        "the mean of sentence scores, or one score of all edits with annotators chosen as the metric without weights "
        "does it",
    )
    scorer: Literal["bert", "bart"] = option("bert", "what compares a sentence with the reference")
    layer: str = option("auto", "the layer of the encoder, from 0; auto: one that suits the model")
    weights: Literal["model", "identity", "permuted", "one"] = option(
        "model",
        "where weights come from: the model, or a control: equality of word pieces, the model's weights dealt "
        "out anew among the edits of a sentence, or 1 for all, which is the metric without weights",
    )
    inverse: bool = option(False, "weigh an edit by 1/w: what matters least counts most")
    beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0, most=100)
    zero_fallback: bool = option(True, "score a sentence by counts where all of its edits weigh nothing")
    seed: int = option(0, "for permuted weights", least=0, most=1_000_000_000)


class WeighedMetric(ModelMetric):
    """A metric on edits with weights from a pretrained scorer."""

    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
    kind = "encoder"
    chunk = 1024
    Options = WeighedOptions

    options: WeighedOptions

    @abstractmethod
    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        """For each pair the edits of the output beside those of every annotator."""

    @property
    @abstractmethod
    def unweighted(self) -> Metric:
        """The metric that does with counts what this one does with weights."""

    @abstractmethod
    def unweighted_rows(self, blocks: Array) -> Array:
        """Rows as `unweighted` reads them, from sentences × annotators × (correct, proposed, gold)."""

    @property
    @abstractmethod
    def edit_parts(self) -> tuple[str, ...]:
        """What edits depend on besides the texts, for signatures."""

    @property
    def needs_model(self) -> bool:
        return self.options.weights != "one"

    @cached_property
    def place(self) -> Place:
        bart = self.options.scorer == "bart" and self.options.weights != "identity"
        kind: Kind = "seq2seq" if bart else "encoder"
        return locate(kind, self.options.model, allow_download=self.options.allow_download)

    @cached_property
    def scorer(self) -> Scorer | None:
        """What compares sentences with references; None where every edit weighs 1."""
        if not self.needs_model:
            return None
        if self.options.weights == "identity":
            return IdentityScorer(self.place)
        if self.options.scorer == "bart":
            return BartScorer(self.place)
        layer = resolve_layer(self.place, self.options.layer, EMBEDDED_LAYERS, self.id)
        return BertScorer(BertSimilarity(self.place, layer))

    @cached_property
    def rule(self) -> Rule:
        return Rule(self.options.weights, self.options.inverse, self.options.seed)

    def availability(self) -> Availability:
        found = self.unweighted.availability()
        if found.ready and self.needs_model:
            found = super().availability()
        if not found.ready:
            return found
        try:
            return Availability(ready=bool(self.scorer or not self.needs_model))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    @property
    def label(self) -> str:
        label = super().label if self.needs_model else self.name
        return label if self.options.weights == "model" else f"{label} · weights: {self.options.weights}"

    @property
    def signature(self) -> str:
        shown = self.options
        counted = f"level:{shown.level}", f"beta:{shown.beta}", f"zero_fallback:{str(shown.zero_fallback).lower()}"
        return "|".join([self.id, f"v{self.version}", *self._weighed(), *counted])

    @property
    def statistics_signature(self) -> str:
        return "|".join([f"{self.id}-sums", f"v{self.version}", *self._weighed(), f"lazy:{str(self._lazy).lower()}"])

    def _weighed(self) -> tuple[str, ...]:
        """What weights depend on besides the texts; as asked for where the model is not here."""
        scorer: tuple[str, ...] = ()
        if self.needs_model:
            try:
                scorer = f"scorer:{self.options.scorer}", *(self.scorer.parts if self.scorer else ())
            except GecLensError:
                asked = f"model:{self.model_signature}", f"layer:{self.options.layer}"
                scorer = f"scorer:{self.options.scorer}", *asked
        return *scorer, *self.rule.parts, *self.edit_parts

    @property
    def _lazy(self) -> bool:
        """Whether weights that cannot change a sentence's score are left out."""
        return self.options.level == "sentence" and self.options.zero_fallback and self.options.beta > 0

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """For each pair: whether its edits are complete and how many comparisons were cut short, then for every
        annotator the numbers of correct, proposed and gold edits and the sums of their weights (NaN: not needed).
        """
        read = self.readings(pairs, store)
        needed = [self.needed(found) for found, _ in read]
        measured = self._measure([reading for found in needed for reading in found], store)
        rows = []
        for (found, complete), weighed in zip(read, needed, strict=True):
            compared = set(pairs_to_measure(weighed)) if measured else ()
            row: list[float] = [complete, sum(measured[pair].cut for pair in compared)]
            for reading in found:
                row += [reading.correct, len(reading.proposed), len(reading.gold)]
                row += _sums(reading, self.rule.weigh(reading, measured)) if reading in weighed else UNWEIGHED
            rows.append(np.array(row, float))
        return rows

    def edit_weights(self, pair: Pair, store: Store | None = None) -> list[list[WeighedEdit]]:
        """For every annotator all edits, proposed or gold, with weight and verdict: what an explanation shows."""
        (found, _) = self.readings([pair], store)[0]
        measured = self._measure(found, store)
        return [self.rule.weigh(reading, measured) for reading in found]

    def needed(self, found: Sequence[Reading]) -> list[Reading]:
        """The readings whose weights make a difference."""
        if not self._lazy:
            return list(found)
        if any(reading.perfect for reading in found):
            return []
        return [reading for reading in found if not reading.decided]

    def _measure(self, found: Sequence[Reading], store: Store | None) -> Mapping[PairOfTexts, Measured]:
        return self.scorer.measure(pairs_to_measure(found), store) if self.scorer else {}

    def aggregate(self, statistics: Array) -> Score:
        counts, weights = _blocks(statistics)
        if self.options.level == "corpus":
            pooled = self.unweighted.aggregate(self.unweighted_rows(weights)).details
            return Score(pooled["f"], {name: pooled[name] for name in "prf"} | self._notes(statistics))
        f = self._f(self._effective(counts, weights))
        edits = _at(counts, np.nanargmax(f, axis=1)).sum(axis=0).astype(int).tolist()
        mean = float(np.mean(np.nanmax(f, axis=1)))
        return Score(mean, dict(zip(NAMES, edits, strict=True)) | {"f": mean} | self._notes(statistics))

    @property
    def averages(self) -> bool:
        return self.options.level == "sentence"

    def resampled(self, statistics: Array, counts: Array) -> Array:
        if self.averages:
            return super().resampled(statistics, counts)
        return self.unweighted.resampled(self.unweighted_rows(_blocks(statistics)[1]), counts)

    def sentence_scores(self, statistics: Array) -> Array:
        best: Array = np.nanmax(self._f(self._effective(*_blocks(statistics))), axis=1)
        return best

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        """Of the best annotator. `weighed` is false where weights make no difference: those shown are counts."""
        counts, weights = _blocks(statistics)
        used = self._effective(counts, weights)
        picked = np.nanargmax(self._f(used), axis=1)
        edits, sums = _at(counts, picked).astype(int).tolist(), _at(used, picked).tolist()
        weighed = (~np.isnan(_at(weights, picked)[:, 0])).tolist()
        return [
            {"annotator": int(picked[line]), "weighed": weighed[line]}
            | dict(zip(NAMES, edits[line], strict=True))
            | {f"{name}_weight": value for name, value in zip(NAMES, sums[line], strict=True)}
            | self._prf(*sums[line])
            | self._notes(statistics[line : line + 1])
            for line in range(len(statistics))
        ]

    def _prf(self, correct: float, proposed: float, gold: float) -> dict[str, float]:
        p, r = ratio(correct, proposed), ratio(correct, gold)
        return {"p": p, "r": r, "f": f_score(p, r, self.options.beta)}

    def _effective(self, counts: Array, weights: Array) -> Array:
        """Weights, or counts where weights were not needed or are all zero."""
        by_counts = np.isnan(weights[:, :, 0])
        if self.options.zero_fallback:
            by_counts |= (weights[:, :, 1] == 0) & (weights[:, :, 2] == 0)
        return np.where(by_counts[:, :, None], counts, weights)

    def _f(self, weights: Array) -> Array:
        """F of every sentence under every annotator; NaN where a sentence has no such annotator."""
        present = ~np.isnan(weights[:, :, 0])
        scores = np.full(present.shape, np.nan)
        scores[present] = self.unweighted.sentence_scores(self.unweighted_rows(weights[present][:, None]))
        return scores

    def _notes(self, statistics: Array) -> dict[str, Any]:
        """What was not looked at in full: here, sentences longer than the model reads."""
        return {"truncated": int(statistics[:, 1].sum())}


def _sums(reading: Reading, weighed: Sequence[WeighedEdit]) -> tuple[float, float, float]:
    """The weights of the correct, the proposed and the gold edits."""
    weight = {Edit(each.start, each.end, each.correction): each.weight for each in weighed}
    met = zip(reading.proposed, reading.matches, strict=True)
    return (
        sum(weight[edit] * matches for edit, matches in met),
        sum(weight[edit] for edit in reading.proposed),
        sum(weight[edit] for edit in reading.gold),
    )


def _blocks(statistics: Array) -> tuple[Array, Array]:
    """Counts and weights, each sentences × annotators × (correct, proposed, gold)."""
    blocks = statistics[:, 2:].reshape(len(statistics), -1, 6)
    return blocks[:, :, :3], blocks[:, :, 3:]


def _at(blocks: Array, annotators: NDArray[np.intp]) -> Array:
    """The numbers of one annotator a sentence."""
    return np.take_along_axis(blocks, annotators[:, None, None], axis=1)[:, 0]
