"""The weight of an edit in PT-M² and PT-ERRANT: how far it alone moves the source towards or away from the reference.

w(u) = |score(S', R) − score(S, R)|, where S' is the source S with only the edit u applied. A scorer compares a sentence
with a reference; a rule turns the differences of one reading into weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, NamedTuple, Protocol

import numpy as np

from gec_core.metrics.bertscore.similarity import BertSimilarity, PairOfTexts, identity_scores
from gec_core.metrics.blocks import ValuedEdit, valued
from gec_core.metrics.readings import Reading
from gec_core.models.places import Place
from gec_core.models.seq2seq import likelihoods
from gec_core.store import Store
from gec_core.types import Edit

Weights = Literal["model", "identity", "permuted", "one"]
ROUNDING = 1e-6
"""Smaller differences come from the order in which 32-bit numbers were added up: they count as 0."""
SMALLEST = 1e-4
"""Smaller weights are raised to this one before 1/w is taken."""


class Measured(NamedTuple):
    """A scorer's result for a pair."""

    value: float
    cut: bool = False
    """Whether a sentence was truncated because it is too long for the model."""


class PairScorer(Protocol):
    """Measures how close candidates are to references, on any scale: only differences are used."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What its results depend on besides the texts, for signatures."""

    def measure(self, pairs: Iterable[PairOfTexts], store: Store | None) -> Mapping[PairOfTexts, Measured]:
        """Measure each pair."""


@dataclass(frozen=True)
class BertScorer:
    """F of BERTScore. Rescaling would multiply all weights by the same factor, so there is no option for it."""

    similarity: BertSimilarity

    @property
    def parts(self) -> tuple[str, ...]:
        return self.similarity.parts

    def measure(self, pairs: Iterable[PairOfTexts], store: Store | None) -> dict[PairOfTexts, Measured]:
        return {pair: Measured(each.f, each.cut) for pair, each in self.similarity.scores(pairs, store).items()}


@dataclass(frozen=True)
class BartScorer:
    """BARTScore: the mean log-probability of the candidate's tokens, given the reference."""

    place: Place

    @property
    def parts(self) -> tuple[str, ...]:
        return (f"model:{self.place.signature}",)

    def measure(self, pairs: Iterable[PairOfTexts], store: Store | None) -> dict[PairOfTexts, Measured]:
        found = likelihoods(self.place, ((reference, candidate) for candidate, reference in pairs), store)
        return {(candidate, reference): Measured(*each) for (reference, candidate), each in found.items()}


@dataclass(frozen=True)
class IdentityScorer:
    """BERTScore with similarity 1 for equal word pieces and 0 otherwise: a control that shows what the model adds."""

    place: Place

    @property
    def parts(self) -> tuple[str, ...]:
        return (f"pieces:{self.place.signature}",)

    def measure(self, pairs: Iterable[PairOfTexts], store: Store | None) -> dict[PairOfTexts, Measured]:
        return {pair: Measured(each.f, each.cut) for pair, each in identity_scores(self.place, pairs).items()}


@dataclass(frozen=True)
class WeightRule:
    """The rule that turns gains into weights."""

    weights: Weights = "model"
    inverse: bool = False
    seed: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        seed = (f"seed:{self.seed}",) if self.weights == "permuted" else ()
        return f"weights:{self.weights}", f"inverse:{str(self.inverse).lower()}", *seed

    def weigh(self, reading: Reading, measured: Mapping[PairOfTexts, Measured]) -> list[ValuedEdit]:
        """Compute the weights of all edits of a reading, from left to right."""
        edits = reading.edits
        gains = [self.gain(reading, measured, edit) for edit in edits]
        weights = [1.0 if gain is None else abs(gain) for gain in gains]
        if self.weights == "permuted":
            weights = self._shuffle(reading, weights)
        if self.inverse:
            weights = [1 / max(weight, SMALLEST) for weight in weights]
        tokens = reading.source.split()
        return [
            valued(edit, tokens, weight, reading.verdict(edit)) for edit, weight in zip(edits, weights, strict=True)
        ]

    def gain(self, reading: Reading, measured: Mapping[PairOfTexts, Measured], edit: Edit) -> float | None:
        """Compute score(S', R) − score(S, R): below 0 where the edit leads away from the reference.

        None where weights are not measured.
        """
        if self.weights == "one":
            return None
        changed, before = (reading.changed(edit), reading.reference), (reading.source, reading.reference)
        gain = measured[changed].value - measured[before].value
        return gain if abs(gain) >= ROUNDING else 0.0

    def _shuffle(self, reading: Reading, weights: list[float]) -> list[float]:
        """Permute the weights among the edits, always in the same way for the same reading."""
        what = repr((reading.source, reading.reference, reading.proposed)).encode()
        number = int.from_bytes(blake2b(what, digest_size=8).digest(), "big")
        return np.random.default_rng([self.seed, number]).permutation(weights).tolist()


def pairs_to_measure(readings: Iterable[Reading]) -> Iterable[PairOfTexts]:
    """All comparisons that the weights of these readings need."""
    for reading in readings:
        edits = reading.edits
        if edits:
            yield reading.source, reading.reference
        yield from ((reading.changed(edit), reading.reference) for edit in edits)
