"""Agreement of a metric with judges on pairs of outputs, of two metrics with each other, and of ranks.

Agreement on pairs: every convention counts agreeing, disagreeing and relevant pairs; they differ in ties:

* HTies (Chollampatt and Ng 2018): all pairs are relevant; a tie of both agrees, a tie of one counts 0.
* NoTies (WMT from 2014 on): ties of the judge are dropped; a tie of the metric counts 0.
* Decided: ties of either are dropped.
* SEEDA (the scripts of Kobayashi et al. 2024): ties of the judge are dropped; a tie of the metric counts
  as "first worse", so the order of the two systems matters. It is alphabetical here.

tau is (agree - disagree) / pairs, accuracy is agree / pairs.

Rank differences: the table of Gong et al. (2022) prints, for each system, the distance to the *nearer* of its two
human ranks, by Expected Wins and by TrueSkill, and sums these (53, 27, 21 and 12; against Expected Wins alone it
would be 56, 32, 24 and 14). So `rank_differences` takes several human rankings, and the nearest counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gec_core.errors import ScoreError
from gec_core.human.pairs import SECOND_BETTER, TIE, Pairs, relation, score_table
from gec_core.human.ranking import Interval, interval, item_weights, places
from gec_core.meta.correlation import Correlation, Scores, common_systems, correlate
from gec_core.types import Array, Flags, Integers

Ties = Literal["HTies", "NoTies", "Decided", "SEEDA"]


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of a metric's preferences with the judges', under one convention on ties."""

    ties: Ties
    agree: int
    disagree: int
    pairs: int
    by_item: Integers = field(repr=False, compare=False)
    """Columns agree, disagree and pairs, one row per item, for the bootstrap."""

    @property
    def tau(self) -> float | None:
        """None if no pair is relevant."""
        return (self.agree - self.disagree) / self.pairs if self.pairs else None

    @property
    def accuracy(self) -> float | None:
        """None if no pair is relevant."""
        return self.agree / self.pairs if self.pairs else None

    def tau_interval(self, *, samples: int = 1000, seed: int = 0) -> Interval:
        """The 95% interval of tau over bootstrap samples of items."""
        agree, disagree, pairs = (item_weights(len(self.by_item), samples, seed) @ self.by_item).T
        return interval(_shares(agree - disagree, pairs))


@dataclass(frozen=True, slots=True)
class OrderAgreement:
    """Pairs counted by how two metrics order them."""

    alike: int
    opposed: int
    """Each prefers the other one."""
    one_tied: int
    """Only one of the metrics has a preference."""
    both_tied: int

    @property
    def pairs(self) -> int:
        return self.alike + self.opposed + self.one_tied + self.both_tied


@dataclass(frozen=True, slots=True)
class SystemAgreement:
    """Two metrics over whole systems."""

    spearman: Correlation
    kendall: Correlation
    order: OrderAgreement


@dataclass(frozen=True, slots=True)
class RankDifference:
    """One system's rank by the metric and by people; systems with the same score share the better rank."""

    system: str
    metric_rank: int
    human_ranks: tuple[int, ...]
    """One for each human ranking, in the order in which they were given."""

    @property
    def raised(self) -> int:
        """The number of ranks by which the metric ranks it higher than the nearest human rank; negative if lower."""
        return min((rank - self.metric_rank for rank in self.human_ranks), key=abs)

    @property
    def arrow(self) -> str:
        """↑2: two ranks higher than people rank it, ↓2: two lower, ✓: the same rank."""
        if not self.raised:
            return "✓"
        return f"{'↑' if self.raised > 0 else '↓'}{abs(self.raised)}"


@dataclass(frozen=True)
class RankDifferences:
    """The rank differences of all systems that are in every ranking, in the order of the metric."""

    rows: tuple[RankDifference, ...]

    @property
    def total(self) -> int:
        """The sum of the absolute differences: 0 if the metric ranks as people do."""
        return sum(abs(row.raised) for row in self.rows)


def pair_agreement(pairs: Pairs, scores: Mapping[str, ArrayLike], ties: Ties) -> PairAgreement:
    """Compare a metric's sentence scores, given by system, with the judgments in `pairs`."""
    return compare(pairs, preferences(pairs, scores), ties)


def preferences(pairs: Pairs, scores: Mapping[str, ArrayLike]) -> Integers:
    """The metric's preference on each pair: -1 first better, 0 tie (equal scores), 1 second better."""
    present = np.union1d(pairs.first, pairs.second)
    table = score_table(scores, [pairs.systems[index] for index in present])
    if len(pairs) and pairs.sentence.max() >= table.shape[1]:
        raise ScoreError(
            f"The pairs go up to sentence {pairs.sentence.max() + 1}, "
            f"but there are scores of only {table.shape[1]} sentences."
        )
    row = np.searchsorted(present, [pairs.first, pairs.second])
    first, second = table[row, pairs.sentence]
    return relation(first, second)


def compare(pairs: Pairs, preferred: Integers, ties: Ties) -> PairAgreement:
    """Compare preferences (see `preferences`) with the judgments."""
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


def system_agreement(one: Scores, other: Scores) -> SystemAgreement:
    """The agreement of two metrics on the systems that both score."""
    systems = sorted(set(one) & set(other))
    first, second = (np.array([[scores[name]] for name in systems]).reshape(-1, 1) for scores in (one, other))
    return SystemAgreement(
        correlate(one, other, "spearman"), correlate(one, other, "kendall"), _order_agreement(first, second)
    )


def sentence_agreement(one: Mapping[str, ArrayLike], other: Mapping[str, ArrayLike]) -> OrderAgreement:
    """The agreement of two metrics on every two systems on every sentence."""
    systems = sorted(set(one) & set(other))
    first, second = score_table(one, systems), score_table(other, systems)
    if first.shape != second.shape:
        raise ScoreError(
            f"One metric has scores of {first.shape[1]} sentences, the other of {second.shape[1]}. "
            "Score the same corpus with both."
        )
    return _order_agreement(first, second)


def rank_differences(metric: Scores, human: Scores, *more: Scores) -> RankDifferences:
    """Compare a metric's ranking with one or more human rankings of the systems that all score."""
    systems = common_systems(human, metric, *more)
    ranks = [places(np.array([scores[name] for name in systems])) for scores in (metric, human, *more)]
    rows = [
        RankDifference(name, int(one), tuple(map(int, others)))
        for name, one, *others in zip(systems, *ranks, strict=True)
    ]
    return RankDifferences(tuple(sorted(rows, key=lambda row: (row.metric_rank, row.system))))


def _order_agreement(one: Array, other: Array) -> OrderAgreement:
    """Compare every two rows (systems) of two tables in every column."""
    left, right = np.triu_indices(len(one), k=1)
    first, second = (relation(table[left], table[right]) for table in (one, other))
    product, untied = first * second, np.abs(first) + np.abs(second)
    return OrderAgreement(
        alike=int((product > 0).sum()),
        opposed=int((product < 0).sum()),
        one_tied=int((untied == 1).sum()),
        both_tied=int((untied == 0).sum()),
    )


def _per_item(pairs: Pairs, flags: Flags) -> Integers:
    return np.bincount(pairs.item[flags], minlength=pairs.items)


def _shares(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
