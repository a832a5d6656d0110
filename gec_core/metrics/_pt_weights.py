"""What an edit weighs in PT-M2: how far it alone moves the source towards the reference, or away from it.

w(u) = |score(S', R) − score(S, R)|, S' being the source S with only the edit u made. A scorer compares a
sentence with a reference; a rule turns the differences of one reading into weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, NamedTuple, Protocol

import numpy as np

from gec_core.metrics._bert_similarity import BertSimilarity, PairOfTexts, identity_scores
from gec_core.metrics._pt_edits import Reading, Verdict
from gec_core.models.places import Place
from gec_core.models.seq2seq import likelihoods
from gec_core.store import Store

Weights = Literal["model", "identity", "permuted", "one"]
ROUNDING = 1e-6
"""Differences below it come from the order in which 32-bit numbers were added up: they are 0."""
SMALLEST = 1e-4
"""What 1/w takes a smaller weight for."""


class Measured(NamedTuple):
    """A scorer's number for a pair."""

    value: float
    cut: bool = False
    """Whether the model could not read a sentence to its end."""


class Scorer(Protocol):
    """Says how close candidates come to references; any scale will do, since only differences are used."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What its numbers depend on besides the texts, for signatures."""

    def measure(self, pairs: Iterable[PairOfTexts], store: Store | None) -> Mapping[PairOfTexts, Measured]:
        """The number of each pair."""


@dataclass(frozen=True)
class BertScorer:
    """F of BERTScore. Rescaling would multiply all weights by one number, so there is no such option."""

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
    """BERTScore on word pieces that are either equal or have nothing in common: what the model adds is the rest."""

    place: Place

    @property
    def parts(self) -> tuple[str, ...]:
        return (f"pieces:{self.place.signature}",)

    def measure(self, pairs: Iterable[PairOfTexts], store: Store | None) -> dict[PairOfTexts, Measured]:
        return {pair: Measured(each.f, each.cut) for pair, each in identity_scores(self.place, pairs).items()}


class WeighedEdit(NamedTuple):
    """An edit, what it did, and how much that counts."""

    start: int
    end: int
    correction: str
    weight: float
    gain: float | None
    """score(S', R) − score(S, R): below 0 it leads away from the reference. None if no scorer was asked."""
    verdict: Verdict


@dataclass(frozen=True)
class Rule:
    """How gains become weights."""

    weights: Weights = "model"
    inverse: bool = False
    seed: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        seed = (f"seed:{self.seed}",) if self.weights == "permuted" else ()
        return f"weights:{self.weights}", f"inverse:{str(self.inverse).lower()}", *seed

    def weigh(self, reading: Reading, measured: Mapping[PairOfTexts, Measured]) -> list[WeighedEdit]:
        """All edits of a reading with their weights, from left to right."""
        edits = reading.edits
        gains = [self._gain(measured, reading, reading.changed(edit)) for edit in edits]
        weights = [1.0 if gain is None else abs(gain) for gain in gains]
        if self.weights == "permuted":
            weights = self._shuffle(reading, weights)
        if self.inverse:
            weights = [1 / max(weight, SMALLEST) for weight in weights]
        return [
            WeighedEdit(edit.start, edit.end, edit.correction, weight, gain, reading.verdict(edit))
            for edit, weight, gain in zip(edits, weights, gains, strict=True)
        ]

    def _gain(self, measured: Mapping[PairOfTexts, Measured], reading: Reading, changed: str) -> float | None:
        if self.weights == "one":
            return None
        gain = measured[changed, reading.reference].value - measured[reading.source, reading.reference].value
        return gain if abs(gain) >= ROUNDING else 0.0

    def _shuffle(self, reading: Reading, weights: list[float]) -> list[float]:
        """The weights dealt out anew among the edits, always in the same way for the same reading."""
        what = repr((reading.source, reading.reference, reading.proposed)).encode()
        number = int.from_bytes(blake2b(what, digest_size=8).digest(), "big")
        return np.random.default_rng([self.seed, number]).permutation(weights).tolist()


def pairs_to_measure(readings: Iterable[Reading]) -> Iterable[PairOfTexts]:
    """Every comparison that the weights of these readings are made of."""
    for reading in readings:
        edits = reading.edits
        if edits:
            yield reading.source, reading.reference
        yield from ((reading.changed(edit), reading.reference) for edit in edits)
