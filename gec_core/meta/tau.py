"""Sentence level: on how many pairs of outputs does a metric prefer the one that the judge preferred?

Every convention counts agreeing and disagreeing pairs and the pairs that matter; they differ in ties:

* HTies (Chollampatt and Ng 2018): all pairs matter; a tie of both agrees, a tie of one counts 0.
* NoTies (WMT from 2014 on): ties of the judge are dropped; a tie of the metric counts 0.
* Decided: ties of either are dropped.
* SEEDA (the scripts of Kobayashi et al. 2024): ties of the judge are dropped; a tie of the metric counts
  as "first worse", so which system stands first matters. It is the alphabetically first one here.

tau is (agree - disagree) / pairs, accuracy is agree / pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gec_core.errors import ScoreError
from gec_core.human.bootstrap import Interval, interval, item_weights
from gec_core.human.pairs import SECOND_BETTER, TIE, Array, Flags, Integers, Pairs, relation, score_table

Ties = Literal["HTies", "NoTies", "Decided", "SEEDA"]


@dataclass(frozen=True)
class PairAgreement:
    """How far a metric's preferences go with the judges', under one convention on ties."""

    ties: Ties
    agree: int
    disagree: int
    pairs: int
    by_item: Integers = field(repr=False, compare=False)
    """Columns agree, disagree and pairs, a row an item: what the bootstrap sums."""

    @property
    def tau(self) -> float | None:
        """None if no pair matters."""
        return (self.agree - self.disagree) / self.pairs if self.pairs else None

    @property
    def accuracy(self) -> float | None:
        """None if no pair matters."""
        return self.agree / self.pairs if self.pairs else None

    def tau_interval(self, *, samples: int = 1000, seed: int = 0) -> Interval:
        """The 95% interval of tau over bootstrap samples of items."""
        agree, disagree, pairs = self._resampled(samples, seed)
        return interval(_shares(agree - disagree, pairs))

    def accuracy_interval(self, *, samples: int = 1000, seed: int = 0) -> Interval:
        """The 95% interval of accuracy over bootstrap samples of items."""
        agree, _, pairs = self._resampled(samples, seed)
        return interval(_shares(agree, pairs))

    def _resampled(self, samples: int, seed: int) -> Array:
        weights = item_weights(len(self.by_item), samples, seed)
        resampled: Array = (weights @ self.by_item).T
        return resampled


def pair_agreement(pairs: Pairs, scores: Mapping[str, ArrayLike], ties: Ties) -> PairAgreement:
    """Compare a metric's sentence scores, given by system, with the judgments in `pairs`."""
    return compare(pairs, preferences(pairs, scores), ties)


def preferences(pairs: Pairs, scores: Mapping[str, ArrayLike]) -> Integers:
    """What the metric says of each pair: -1 first better, 0 tie (equal scores), 1 second better."""
    present = np.union1d(pairs.first, pairs.second)
    table = score_table(scores, [pairs.systems[index] for index in present])
    if len(pairs) and pairs.sentence.max() >= table.shape[1]:
        raise ScoreError(
            f"The pairs go up to sentence {pairs.sentence.max()} (counted from 0), "
            f"but there are scores of only {table.shape[1]} sentences."
        )
    row = np.searchsorted(present, [pairs.first, pairs.second])
    first, second = table[row, pairs.sentence]
    return relation(first, second)


def compare(pairs: Pairs, preferred: Integers, ties: Ties) -> PairAgreement:
    """Compare preferences, as `preferences` gives them, with the judgments."""
    if ties not in get_args(Ties):
        raise ScoreError(f"No convention {ties!r} for ties. There are: {', '.join(get_args(Ties))}.")
    if ties == "SEEDA":
        preferred = np.where(preferred == TIE, SECOND_BETTER, preferred)
    counts = np.ones(len(pairs), dtype=np.bool_) if ties == "HTies" else pairs.relation != TIE
    if ties == "Decided":
        counts = counts & (preferred != TIE)
    marked = (counts & (pairs.relation == preferred), counts & (pairs.relation * preferred < 0), counts)
    by_item = np.stack([_per_item(pairs, flags) for flags in marked], axis=1)
    by_item.setflags(write=False)
    agree, disagree, total = by_item.sum(axis=0).tolist()
    return PairAgreement(ties, agree, disagree, total, by_item)


def _per_item(pairs: Pairs, flags: Flags) -> Integers:
    return np.bincount(pairs.item[flags], minlength=pairs.items)


def _shares(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
