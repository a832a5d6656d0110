"""Rankings of systems by people, a file or a metric, with rank ranges and clusters; Expected Wins.

Expected Wins is the mean, over the opponents of a system, of wins / (wins + losses). Ties do not count, nor do
opponents without a decided comparison. A system without any decided comparison has no score.

Rank ranges come from a bootstrap over items. Clusters are those of the Workshops on Machine
Translation: a new cluster begins where no system above shares a rank with any system below,
according to their rank ranges. Systems within a cluster cannot be distinguished.

Items are drawn, not pairs: the pairs of one item come from one judgment of one sentence and are
not independent. Published ranges that come from drawing pairs are narrower for that reason.

A bootstrap of very few judgments says that they are certain: three judges who agree agree in every sample. While
pairs of systems have fewer than `FEW` decided comparisons on average, ranges and intervals therefore also cover what
the counts leave open, where each share of wins has the distribution Beta(wins + 1, losses + 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gec_core.errors import ScoreError
from gec_core.human import pairs, trueskill
from gec_core.human.pairs import FIRST_BETTER, TIE, Pairs
from gec_core.scoring.table import MetricScores
from gec_core.types import Array, Integers

LEVEL = 0.95
"""The share of the samples that an interval covers."""
FEW = 10
"""Decided comparisons per pair of systems, on average, below which a bootstrap alone is too narrow."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of a statistic in the middle `level` of bootstrap samples; None where no sample defines it."""

    low: float | None
    high: float | None
    level: float
    samples: int
    skipped: int = 0
    """Samples in which the statistic was not defined, such as a correlation of constant scores."""


def interval(values: Array, *, level: float = LEVEL) -> Interval:
    """The percentile interval of a statistic from its values in all samples, NaN where it is not defined."""
    defined = values[~np.isnan(values)]
    skipped = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, level, len(values), skipped)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, len(values), skipped)


@lru_cache(maxsize=1)
def item_weights(items: int, samples: int, seed: int) -> Array:
    """The count of each item in each bootstrap sample, one row per sample.

    Any sum over items is then `weights @ sums_per_item`, for all samples at once. The table is cached, since
    many statistics use the same samples, and is therefore read-only.
    """
    if samples < 1:
        raise ScoreError(f"A bootstrap needs at least one sample, not {samples}.")
    weights = draw_items(np.random.default_rng(seed), items, samples)
    weights.setflags(write=False)
    return weights


def draw_items(generator: np.random.Generator, items: int, samples: int) -> Array:
    """A table of weights as of `item_weights`, drawn by this generator."""
    drawn = generator.integers(items, size=(samples, items)) if items else np.empty((samples, 0))
    cells = (drawn + np.arange(samples)[:, None] * items).ravel().astype(np.int64)
    return np.bincount(cells, minlength=samples * items).reshape(samples, items).astype(np.float64)


Method = Literal["ew", "ts"]
Aggregate = Literal["usual", "ew", "ts"]
AGGREGATES: dict[Aggregate, str] = {
    "usual": "the metric's own score",
    "ew": "Expected Wins of its sentence scores",
    "ts": "TrueSkill of its sentence scores",
}
"""How a metric's scores of systems are made: as the metric defines them, or from its sentence scores, as human
rankings are made from judgments (Goto et al. 2025)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One system in a ranking. The rank range and the cluster are None without a bootstrap."""

    system: str
    score: float
    rank: int
    """1 is best; systems with the same score share the better rank."""
    rank_low: int | None = None
    rank_high: int | None = None
    cluster: int | None = None
    comparisons: int | None = None
    """The number of pairs with this system; None if the ranking does not come from pairs."""


@dataclass(frozen=True)
class Ranking:
    """Systems from best to worst; ties in alphabetical order."""

    method: str
    standings: tuple[Standing, ...]
    unranked: tuple[str, ...] = ()
    """Systems in the judgments without a score: never compared, or never with a winner."""
    samples: int = 0
    """Bootstrap samples behind the rank ranges and clusters."""

    @property
    def scores(self) -> dict[str, float]:
        return {standing.system: standing.score for standing in self.standings}

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(standing.system for standing in self.standings)


def from_scores(scores: Mapping[str, float], method: str) -> Ranking:
    """Rank systems by plain scores, higher is better: those of a file, a metric or a paper."""
    for name, score in scores.items():
        if not np.isfinite(score):
            raise ScoreError(f"{name} cannot be ranked: its score is {score}.")
    systems = sorted(scores, key=lambda name: (-scores[name], name))
    ranks = places(np.array([scores[name] for name in systems]))
    return Ranking(
        method,
        tuple(Standing(name, float(scores[name]), int(rank)) for name, rank in zip(systems, ranks, strict=True)),
    )


def rank(compared: Pairs, method: Method, *, runs: int = trueskill.RUNS, seed: int = 0, samples: int = 0) -> Ranking:
    """Rank systems by Expected Wins (`ew`) or TrueSkill (`ts`).

    Args:
        compared: The pairs of systems that were judged.
        method: `ew` or `ts`.
        runs: The number of TrueSkill runs, whose mean is taken.
        seed: The seed of TrueSkill and of the bootstrap.
        samples: Bootstrap samples over items for rank ranges at 95% and clusters; 0 for none.
    """
    if method not in get_args(Method):
        raise ScoreError(f"No ranking method {method!r}. There are: {', '.join(get_args(Method))}.")
    scores = expected_wins(compared) if method == "ew" else trueskill.trueskill(compared, runs=runs, seed=seed)
    met = np.bincount(np.concatenate([compared.first, compared.second]), minlength=len(compared.systems))
    standings = [
        replace(one, comparisons=int(met[compared.systems.index(one.system)]))
        for one in from_scores(scores, method).standings
    ]
    if samples:
        standings = with_ranges(standings, _rank_ranges(compared, method, samples, seed))
    unranked = tuple(name for name in compared.systems if name not in scores)
    return Ranking(method, tuple(standings), unranked, samples)


def rank_by_sentence_scores(
    scores: Mapping[str, ArrayLike], method: Method, *, runs: int = trueskill.RUNS, seed: int = 0, samples: int = 0
) -> Ranking:
    """Rank systems by a metric treated as a judge, who ranks all systems on every sentence."""
    return rank(pairs.from_scores(scores), method, runs=runs, seed=seed, samples=samples)


def aggregated(column: MetricScores, how: Aggregate, *, runs: int = trueskill.RUNS, seed: int = 0) -> MetricScores:
    """The scores of a metric, with those of systems made as human rankings are.

    The metric is a judge who compares all systems on every sentence. Sentence scores and statistics stay as they are.

    Raises:
        ScoreError: The metric has no sentence scores of a system, or there is only one system.
    """
    if how == "usual":
        return column
    if len(column.systems) < 2:
        raise ScoreError("Metrics are ranked as people are by comparing systems: at least two are needed.")
    if lacking := [system for system in column.systems if not column.has_sentences([system])]:
        raise ScoreError(f"{column.metric.name} has no sentence scores of {', '.join(lacking)}.")
    found = rank_by_sentence_scores(
        {system: column.sentence_scores(system) for system in column.systems}, how, runs=runs, seed=seed
    ).scores
    scored = {
        system: replace(each, score=replace(each.score, value=found.get(system, NEUTRAL[how])))
        for system, each in column.systems.items()
    }
    return replace(column, systems=scored)


NEUTRAL: dict[Method, float] = {"ew": 0.5, "ts": 0.0}
"""The score of a system that ties with all others on every sentence."""


def places(scores: Array) -> Integers:
    """The rank of each score along the last axis, 1 for the highest; equal scores share the better rank."""
    return 1 + (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)


def expected_wins(pairs: Pairs) -> dict[str, float]:
    """The score of every system that won or lost at least once."""
    scores = resampled_wins(pairs, np.ones((1, pairs.items)))[0]
    return {name: float(score) for name, score in zip(pairs.systems, scores, strict=True) if not np.isnan(score)}


def resampled_wins(pairs: Pairs, weights: Array) -> Array:
    """The scores with items counted as often as `weights` says: one row per sample, one column per system, or NaN."""
    decided = pairs.where(pairs.relation != TIE)
    cells = _winner_and_loser(decided)
    size = len(pairs.systems)
    wins = [np.bincount(cells, row[decided.item], minlength=size * size) for row in weights]
    return _mean_win_rate(np.array(wins, dtype=np.float64).reshape(len(weights), size, size))


def few_comparisons(compared: Pairs) -> bool:
    """Whether there are too few comparisons for a bootstrap alone."""
    pairs_of_systems = len(compared.systems) * (len(compared.systems) - 1) / 2
    return int((compared.relation != TIE).sum()) < FEW * pairs_of_systems


def possible_wins(compared: Pairs, samples: int, seed: int) -> Array:
    """Expected Wins that few comparisons leave open: one row per sample, one column per system.

    The share of wins of each two systems is drawn from Beta(wins + 1, losses + 1), and from all shares alike where the
    two were never compared.
    """
    size = len(compared.systems)
    decided = compared.where(compared.relation != TIE)
    wins = np.bincount(_winner_and_loser(decided), minlength=size * size).reshape(size, size)
    first, second = np.triu_indices(size, 1)
    shares = np.random.default_rng(seed).beta(
        wins[first, second] + 1, wins[second, first] + 1, size=(samples, len(first))
    )
    rates = np.zeros((samples, size, size))
    rates[:, first, second], rates[:, second, first] = shares, 1 - shares
    found: Array = rates.sum(axis=2) / max(size - 1, 1)
    return found


def wins_intervals(compared: Pairs, samples: int, seed: int) -> dict[str, Interval]:
    """The interval of each system's Expected Wins."""
    drawn = resampled_wins(compared, item_weights(compared.items, samples, seed))
    found = {name: interval(column) for name, column in zip(compared.systems, drawn.T, strict=True)}
    if not few_comparisons(compared):
        return found
    possible = possible_wins(compared, samples, seed)
    return {
        name: _covering(found[name], interval(column))
        for name, column in zip(compared.systems, possible.T, strict=True)
    }


def _covering(one: Interval, other: Interval) -> Interval:
    """The narrowest interval that covers both."""
    lows = [each.low for each in (one, other) if each.low is not None]
    highs = [each.high for each in (one, other) if each.high is not None]
    return replace(one, low=min(lows, default=None), high=max(highs, default=None))


def with_ranges(standings: list[Standing], ranges: dict[str, tuple[int, int]]) -> list[Standing]:
    """The standings, best first, with rank ranges and clusters; a system in no sample may have any rank."""
    spans = [ranges.get(one.system, (1, len(standings))) for one in standings]
    done: list[Standing] = []
    cluster, worst = 0, 0
    for index, (one, (low, high)) in enumerate(zip(standings, spans, strict=True)):
        if worst < min(best for best, _ in spans[index:]):
            cluster += 1
        worst = max(worst, high)
        done.append(replace(one, rank_low=low, rank_high=high, cluster=cluster))
    return done


def _rank_ranges(compared: Pairs, method: Method, samples: int, seed: int) -> dict[str, tuple[int, int]]:
    """The best and the worst rank of each system in the middle 95% of the samples in which it has one."""
    weights = item_weights(compared.items, samples, seed)
    scores = resampled_wins(compared, weights) if method == "ew" else trueskill.resampled(compared, weights, seed=seed)
    found = _middle_ranks(compared, scores)
    if few_comparisons(compared):
        for name, (low, high) in _middle_ranks(compared, possible_wins(compared, samples, seed)).items():
            if name in found:
                found[name] = min(low, found[name][0]), max(high, found[name][1])
    return found


def _middle_ranks(compared: Pairs, scores: Array) -> dict[str, tuple[int, int]]:
    ranks = np.where(np.isnan(scores), np.nan, places(scores))
    found = {}
    for name, column in zip(compared.systems, ranks.T, strict=True):
        defined = column[~np.isnan(column)]
        if len(defined):
            low = np.quantile(defined, (1 - LEVEL) / 2, method="lower")
            high = np.quantile(defined, (1 + LEVEL) / 2, method="higher")
            found[name] = (int(low), int(high))
    return found


def _winner_and_loser(decided: Pairs) -> Integers:
    """The flat index of each pair in a table with a row for the winner and a column for the loser."""
    first_won = decided.relation == FIRST_BETTER
    winner = np.where(first_won, decided.first, decided.second)
    loser = np.where(first_won, decided.second, decided.first)
    return winner * len(decided.systems) + loser


def _mean_win_rate(wins: Array) -> Array:
    """The mean over the opponents met; the last two axes are winner and loser."""
    met = wins + wins.swapaxes(-1, -2)
    rates = np.divide(wins, met, out=np.zeros_like(wins), where=met > 0)
    opponents = (met > 0).sum(axis=-1)
    return np.divide(rates.sum(axis=-1), opponents, out=np.full(wins.shape[:-1], np.nan), where=opponents > 0)
