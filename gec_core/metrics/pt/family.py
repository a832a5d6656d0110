"""The base of PT-M² and PT-ERRANT: weights take the place of counts in a metric that counts edits (Gong et al. 2022).

The two metrics differ in how the edits of an output are extracted. The weight of an edit, proposed or gold, is how far
it alone moves the source towards the annotator's reference or away from it (see `weights`); sums of weights replace the
numbers of edits of the metric without weights.

As in the published code, 0/0 is defined as 1, and a sentence whose weights are all 0 is scored as if all weights were
equal (`zero_fallback`; not in the corpus score). Where an annotator accepts several corrections, the one in the output
is weighed.

At sentence level most weights are not needed: where no edit is correct F is 0, where all are correct it is 1. Such
sentences are not passed to the model.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import GecLensError
from gec_core.metrics.base import Availability, Metric, Score
from gec_core.metrics.bertscore.similarity import BertSimilarity, PairOfTexts, resolve_layer
from gec_core.metrics.blocks import ValuedEdit
from gec_core.metrics.fscore import f_score, ratio
from gec_core.metrics.model import ModelMetric, ModelOptions
from gec_core.metrics.options import option
from gec_core.metrics.pt.weights import (
    BartScorer,
    BertScorer,
    IdentityScorer,
    Measured,
    PairScorer,
    WeightRule,
    pairs_to_measure,
)
from gec_core.metrics.readings import APPROXIMATE, EXACT, Reading
from gec_core.metrics.sums import Sums, mean_of_sentences
from gec_core.models.places import Kind, Place, locate
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair

EMBEDDED_LAYERS = {"all-MiniLM-L6-v2": 3}
"""Of its six layers the one that correlates best with people on CoNLL-2014, at half the cost of the last."""
UNWEIGHED = (np.nan, np.nan, np.nan)
NAMES = ("correct", "proposed", "gold")


class Read(NamedTuple):
    """An output compared with every annotator."""

    readings: list[Reading]
    exact: bool = True
    """Whether the lattice that its edits were extracted from was searched exactly (see M²)."""


@dataclass(frozen=True)
class WeightedOptions(ModelOptions):
    """The options that both have."""

    level: Literal["sentence", "corpus"] = option(
        "sentence",
        "the mean of sentence scores, or one score of all edits, with annotators chosen as in the metric without "
        "weights",
    )
    scorer: Literal["bert", "bart"] = option(
        "bert", "the model that compares a sentence with the reference: BERTScore or BARTScore"
    )
    layer: str = option("auto", "layer of the encoder, counted from 0; auto: the one known to work best for the model")
    weights: Literal["model", "identity", "permuted", "one"] = option(
        "model",
        "source of the weights: the model, or a control: equality of word pieces, the model's weights permuted among "
        "the edits of a sentence, or 1 for all, which is the metric without weights",
    )
    inverse: bool = option(False, "use 1/w in place of the weight w")
    beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0, most=100)
    zero_fallback: bool = option(True, "count edits in a sentence whose weights are all 0")
    seed: int = option(0, "seed of the permuted weights", least=0, most=1_000_000_000)


class WeightedMetric(ModelMetric):
    """A metric on edits with weights from a pretrained model."""

    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
    kind = "encoder"
    chunk = 1024
    Options = WeightedOptions

    options: WeightedOptions

    @abstractmethod
    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        """Compare the edits of each output with those of every annotator."""

    @property
    @abstractmethod
    def unweighted(self) -> Metric:
        """The metric that counts edits where this one sums weights."""

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
    def scorer(self) -> PairScorer | None:
        """The model that compares sentences with references; None where every weight is 1."""
        if not self.needs_model:
            return None
        if self.options.weights == "identity":
            return IdentityScorer(self.place)
        if self.options.scorer == "bart":
            return BartScorer(self.place)
        layer = resolve_layer(self.place, self.options.layer, EMBEDDED_LAYERS, self.id)
        return BertScorer(BertSimilarity(self.place, layer))

    @cached_property
    def rule(self) -> WeightRule:
        return WeightRule(self.options.weights, self.options.inverse, self.options.seed)

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
    def title(self) -> str:
        return super().title if self.needs_model else self.name

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
        """What weights depend on besides the texts; the options where the model is missing."""
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
        """Whether weights that cannot change a sentence score are not computed."""
        return self.options.level == "sentence" and self.options.zero_fallback and self.options.beta > 0

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """Compute the rows of these pairs.

        For each pair: how its lattice was searched and how many comparisons were truncated, then for every
        annotator the numbers of correct, proposed and gold edits and the sums of their weights (NaN: not needed).
        """
        read = self.readings(pairs, store)
        needed = [self.needed(found) for found, _ in read]
        measured = self.measure([reading for found in needed for reading in found], store)
        rows = []
        for (found, exact), weighed in zip(read, needed, strict=True):
            compared = set(pairs_to_measure(weighed)) if measured else ()
            row: list[float] = [EXACT if exact else APPROXIMATE, sum(measured[pair].cut for pair in compared)]
            for reading in found:
                row += [reading.correct, len(reading.proposed), len(reading.gold)]
                row += _sums(reading, self.rule.weigh(reading, measured)) if reading in weighed else UNWEIGHED
            rows.append(np.array(row, float))
        return rows

    def needed(self, found: Sequence[Reading]) -> list[Reading]:
        """The readings whose weights change the score."""
        if not self._lazy:
            return list(found)
        if any(reading.perfect for reading in found):
            return []
        return [reading for reading in found if not reading.decided]

    def measure(self, found: Sequence[Reading], store: Store | None) -> Mapping[PairOfTexts, Measured]:
        """Make the comparisons that the weights of these readings need."""
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

    def sums(self, systems: Sequence[Array]) -> Sums:
        """As the metric without weights has them, of weights."""
        if self.averages:
            return mean_of_sentences(self.sentence_scores)
        plain = self.unweighted.sums([self._weights(rows) for rows in systems])
        return replace(
            plain,
            count=lambda states, rows: plain.count(states, self._weights(rows)),
            along=lambda rows: plain.of_system(self._weights(rows)),
        )

    def _weights(self, statistics: Array) -> Array:
        """Rows with weights as the metric without weights reads them."""
        return self.unweighted_rows(_blocks(statistics)[1])

    def sentence_scores(self, statistics: Array) -> Array:
        best: Array = np.nanmax(self._f(self._effective(*_blocks(statistics))), axis=1)
        return best

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        """Give the counts and weights under the best annotator.

        `weighed` is false where weights do not change the score: then the weights are counts.
        """
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
        """Weights, or counts where weights were not needed or are all 0."""
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
        """Notes on what was approximated: here, sentences that are too long for the model."""
        return {"truncated": int(statistics[:, 1].sum())}


def _sums(reading: Reading, weighed: Sequence[ValuedEdit]) -> tuple[float, float, float]:
    """Sum the weights of the correct, the proposed and the gold edits."""
    weight = {Edit(each.start, each.end, each.correction): each.value for each in weighed}
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
    """The numbers of one annotator per sentence."""
    return np.take_along_axis(blocks, annotators[:, None, None], axis=1)[:, 0]
