"""The gap between two systems, sentence by sentence: score(A) − score(B) as a sum, exact for every metric.

A score is a function of sums over sentences (gec_core.metrics.sums). For means and sums of sentence scores a sentence
contributes its own difference. For any other function, such as M2's F of summed counts, the mean gradient over the
line from B's sums to A's (gec_core.meta.aumann_shapley) gives every summed number a price, and a sentence contributes
the price of what it adds to A's sums less the price of what it adds to B's.

People compare outputs: there, a sentence contributes wins less losses of A over B, as a share of all comparisons of
the two that had a winner. Expected Wins and TrueSkill rank all systems by the same comparisons: they are no sides of
their own, but give this one its ranks. Where people rate outputs, a sentence contributes the difference of the mean
ratings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gec_core.errors import CorpusError, GecLensError, MissingInput, ScoreError
from gec_core.human import Pairs, ranking
from gec_core.human.pairs import FIRST_BETTER, SECOND_BETTER
from gec_core.human.sources import MEAN, NAMES, PairSet, available, judged_pairs, published, ranking_for
from gec_core.meta.aumann_shapley import mean_gradient, reach
from gec_core.metrics.base import Metric
from gec_core.metrics.sums import Sums
from gec_core.scoring.table import MetricScores, distinct_name
from gec_core.types import Array, Corpus, Ratings

EXACT = 1e-9
"""How far the contributions of a side may sum to something else than its gap."""
PEOPLE = "People"
NEGLIGIBLE = 1e-12
"""A rest that comes from rounding alone."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A part of a gap that no sentence contributes, such as the noise of drawn references."""

    name: str
    contribution: float


@dataclass(frozen=True, eq=False)
class Prices:
    """What a metric pays for what is summed over sentences, on the way from one system to the other."""

    sums: Sums
    slopes: Array
    """Sentences × numbers, or one row for all sentences: what one more of a number adds to the score."""
    numbers: tuple[Array, Array]
    """For each system the numbers of its sentences."""
    states: tuple[Array, Array]
    """For each system the states of its sentences."""
    added: float
    """What the integral did not reach; see `MeanGradient`."""


@dataclass(frozen=True, eq=False)
class Gap:
    """Why one side scores two systems differently: `contributions` and `rest` sum to `gap`."""

    side: str
    """The id of a metric, or the name of a human ranking."""
    label: str
    signature: str
    systems: tuple[str, str]
    scores: tuple[float, float]
    ranks: tuple[int, int]
    """Among all systems that the side scores; 1 is best, and equal scores share the better rank."""
    contributions: Array
    """Of every sentence of the corpus."""
    rest: tuple[Rest, ...] = ()
    prices: Prices | None = field(default=None, repr=False)
    """What edits are credited by; None for people and for scores that were computed elsewhere."""
    metric: Metric | None = field(default=None, repr=False)
    """None for people."""
    votes: tuple[Array, Array] | None = field(default=None, repr=False)
    """Of every sentence how often people preferred the first system, and how often the second; None if they did not."""
    ratings: tuple[Array, Array] | None = field(default=None, repr=False)
    """Of every sentence how people rated the two outputs (NaN: not at all); None if they did not rate."""
    spread: float = 0.0
    """The standard deviation of the side's scores over all systems: the unit that sides are compared in."""
    rankings: tuple[tuple[str, tuple[int, int]], ...] = ()
    """Where people compared: each ranking of all systems by these comparisons, with its ranks; `ranks` is the first."""

    @property
    def gap(self) -> float:
        """score(A) − score(B)."""
        return self.scores[0] - self.scores[1]

    @property
    def residual(self) -> float:
        """What is left of the gap beside all contributions: rounding."""
        return self.gap - float(self.contributions.sum()) - sum(each.contribution for each in self.rest)

    @property
    def name(self) -> str:
        """The short name: the title of the metric, which names a model only where it is a substitute."""
        return self.metric.title if self.metric else self.label

    def strongest(self, count: int | None = None) -> list[int]:
        """The sentences with the largest contributions either way; without those that contribute nothing."""
        order = np.argsort(-np.abs(self.contributions), kind="stable")
        return [int(line) for line in order[:count] if self.contributions[line] != 0]


def column_names(gaps: Sequence[Gap]) -> list[str]:
    """The names of sides as columns, as tables of scores have them: `m2`, and `m2[beta=1.0]` beside it."""
    ids, names = [gap.side for gap in gaps], list[str]()
    for gap in gaps:
        name = distinct_name(gap.metric, ids) if gap.metric else gap.side
        names.append(gap.signature if name in names else name)
    return names


def metric_gap(column: MetricScores, first: str, second: str) -> Gap:
    """The gap between two systems under one metric, by sentence.

    Args:
        column: The scores of all systems; ranks are among these.
        first: The system A of score(A) − score(B).
        second: The system B.

    Raises:
        CorpusError: The metric has no score of one of them.
        MissingInput: The metric has scores of whole systems only.
        ScoreError: The metric's score is no function of sums over sentences.
    """
    metric = column.metric
    check_pair(column.systems, first, second, metric.name)
    if not column.has_sentences([first, second]):
        lacking = [name for name in (first, second) if not column.has_sentences([name])]
        raise MissingInput(
            f"{metric.name} has no sentence scores of {' and '.join(lacking)}, only scores of whole systems, so the "
            "difference cannot be shared among sentences."
        )
    scored = column.systems[first], column.systems[second]
    prices = price(metric.sums([each.statistics for each in scored]), *(each.statistics for each in scored))
    contributions = np.sum(prices.slopes * (prices.numbers[0] - prices.numbers[1]), axis=1)
    contributions.setflags(write=False)
    left = scored[0].score.value - scored[1].score.value - float(contributions.sum())
    if not prices.sums.rest and abs(left) > EXACT * max(1.0, *(abs(each.score.value) for each in scored)):
        raise ScoreError(f"{metric.name}: its score is not what `Metric.sums` makes of its sums, by {left:.3g}.")
    return Gap(
        side=metric.id,
        label=metric.label,
        signature=metric.signature,
        systems=(first, second),
        scores=(scored[0].score.value, scored[1].score.value),
        ranks=_ranks(column.values, first, second),
        contributions=contributions,
        rest=(Rest(prices.sums.rest, left),) if prices.sums.rest and abs(left) > NEGLIGIBLE else (),
        prices=prices,
        metric=metric,
        spread=float(np.std(list(column.values.values()))),
    )


def price(sums: Sums, first: Array, second: Array) -> Prices:
    """The prices on the way from the second system to the first, given their digested statistics."""
    (ours, theirs), numbers = zip(*map(sums.of_system, (first, second)), strict=True)
    end, start = sums.totals(numbers[0]), sums.totals(numbers[1])
    found = mean_gradient(sums.smooth or sums.score, sums.kinks, start, end)
    gradients = reach(found.gradients, end - start, sums.score(end) - sums.score(start))
    return Prices(sums, sums.slopes(gradients), numbers, (ours, theirs), found.added)


def people_gap(
    compared: Pairs,
    ranked: ranking.Ranking,
    first: str,
    second: str,
    *,
    sentences: int,
    label: str = PEOPLE,
    ranking_title: str = "",
) -> Gap:
    """The gap between two systems in the eyes of people, by sentence.

    The scores are the shares of the comparisons of the two that each of them won, ties left out; the ranks are
    those of `ranked`, which takes the comparisons with all other systems into account.

    Args:
        compared: The comparisons of the judges.
        ranked: The ranking by people whose ranks are told.
        first: The system A.
        second: The system B.
        sentences: How many sentences the corpus has.
        label: The name to show.
        ranking_title: The name of the ranking to show; by default that of its method.

    Raises:
        CorpusError: People did not rank one of the systems.
        ScoreError: No judge ever preferred one of the two to the other.
    """
    title = ranking_title or NAMES.get(ranked.method, ranked.method)
    check_pair(ranked.scores, first, second, title)
    ranks = _ranks(ranked.scores, first, second)
    one, other = (compared.systems.index(name) if name in compared.systems else -1 for name in (first, second))
    ahead = (compared.first == one) & (compared.second == other)
    behind = (compared.first == other) & (compared.second == one)
    wins = ahead & (compared.relation == FIRST_BETTER) | behind & (compared.relation == SECOND_BETTER)
    losses = ahead & (compared.relation == SECOND_BETTER) | behind & (compared.relation == FIRST_BETTER)
    won, lost = (np.bincount(compared.sentence[each], minlength=sentences) for each in (wins, losses))
    decided = int(won.sum() + lost.sum())
    if not decided:
        raise ScoreError(f"No judge preferred {first} to {second} or the other way round, so there is no gap to split.")
    contributions = (won - lost) / decided
    contributions.setflags(write=False)
    return Gap(
        side=ranked.method,
        label=label,
        signature=f"human|comparisons of the two:{decided}|ranks:{ranked.method}",
        systems=(first, second),
        scores=(float(won.sum()) / decided, float(lost.sum()) / decided),
        ranks=ranks,
        contributions=contributions,
        votes=(won.astype(float), lost.astype(float)),
        spread=_spread_of_leads(compared),
        rankings=((title, ranks),),
    )


def ratings_gap(ratings: Ratings, first: str, second: str, *, side: str, label: str = "") -> Gap:
    """The gap between the mean ratings of two systems, by sentence.

    Args:
        ratings: The mean rating of every output.
        first: The system A.
        second: The system B.
        side: The name of the ranking.
        label: The name to show; by default that of the ranking.

    Raises:
        CorpusError: People did not rate one of the systems.
    """
    means = ratings.means
    check_pair(means, first, second, label or side)
    rows = ratings.values[ratings.systems.index(first)], ratings.values[ratings.systems.index(second)]
    shares = [np.nan_to_num(row) / np.count_nonzero(~np.isnan(row)) for row in rows]
    contributions = shares[0] - shares[1]
    contributions.setflags(write=False)
    return Gap(
        side=side,
        label=label or side,
        signature=f"human|{side}|ratings:{sum(int(np.count_nonzero(~np.isnan(row))) for row in rows)}",
        systems=(first, second),
        scores=(means[first], means[second]),
        ranks=_ranks(means, first, second),
        contributions=contributions,
        ratings=rows,
        spread=float(np.std(list(means.values()))),
    )


def ranking_gap(ranked: ranking.Ranking, first: str, second: str, *, sentences: int, label: str = "") -> Gap:
    """The gap between two systems in a human ranking without judgments of sentences: no sentence contributes to it.

    Raises:
        CorpusError: People did not rank one of the systems.
    """
    check_pair(ranked.scores, first, second, label or ranked.method)
    scores = ranked.scores[first], ranked.scores[second]
    contributions = np.zeros(sentences)
    contributions.setflags(write=False)
    return Gap(
        side=ranked.method,
        label=label or ranked.method,
        signature=f"human|{ranked.method}",
        systems=(first, second),
        scores=scores,
        ranks=_ranks(ranked.scores, first, second),
        contributions=contributions,
        rest=(Rest("a ranking without judgments of sentences", scores[0] - scores[1]),),
        spread=float(np.std(list(ranked.scores.values()))),
    )


def people_gaps(
    corpus: Corpus,
    first: str,
    second: str,
    rankings: Sequence[str],
    *,
    which: PairSet = "expanded",
    judges: Collection[str] = (),
) -> tuple[list[Gap], dict[str, str]]:
    """The gaps in the eyes of people, and why one that was asked for is not there.

    Rankings of the same comparisons, such as `ew` and `ts`, have one gap: they are one side with the ranks of each.

    Args:
        corpus: The corpus.
        first: The system A.
        second: The system B.
        rankings: The names of rankings: `ew`, `ts` or `mean` of the chosen judgments, or a set of judgments of the
            corpus (`SET` or `SET:ts`; a set alone means `mean` for ratings, and `ew` for all others).
        which: The pairs that are made of rankings.
        judges: Only what these judges said; empty: all.

    Raises:
        MissingInput: There is no such ranking.
    """
    gaps: dict[str, Gap] = {}
    problems = {}
    for name in rankings:
        chosen, _, method = name.partition(":")
        judged, title = corpus, ""
        if chosen in corpus.judgment_sets:
            judged = corpus.judged_by(chosen)
            title = corpus.judgment_sets[chosen].title or chosen
            method = method or (MEAN if judged.ratings else "ew")
        else:
            method = name
        _check_ranking(corpus, judged, method)
        try:
            found = replace(_people_gap(judged, first, second, method, title, which, judges), side=name)
        except GecLensError as problem:
            problems[name] = str(problem)
            continue
        compared = f"comparisons of {judged.chosen_set}" if found.rankings else name
        if compared not in gaps:
            gaps[compared] = found
        elif found.rankings[0] not in gaps[compared].rankings:
            gaps[compared] = replace(gaps[compared], rankings=(*gaps[compared].rankings, *found.rankings))
    return list(gaps.values()), problems


def _check_ranking(corpus: Corpus, judged: Corpus, method: str) -> None:
    """Refuse a name that is no ranking's, and say which ones there are."""
    if method not in NAMES and method not in published():
        sets = [name for name in corpus.judgment_sets if len(corpus.judgment_sets) > 1]
        known = ", ".join([*available(judged), *sets]) or "none"
        raise MissingInput(f"{corpus.name} has no human ranking {method!r}. There are: {known}.")


def _people_gap(
    judged: Corpus, first: str, second: str, method: str, title: str, which: PairSet, judges: Collection[str]
) -> Gap:
    """The gap by one ranking; `title` is that of a set of judgments that was named."""
    ranked = ranking_for(judged, method, which=which, judges=judges)
    named = available(judged)[method]
    label = f"{PEOPLE} ({', '.join(filter(None, [title, named]))})"
    if method == MEAN and judged.ratings is not None:
        return ratings_gap(judged.ratings, first, second, side=method, label=label)
    if not judged.judgments:
        return ranking_gap(ranked, first, second, sentences=len(judged), label=label)
    pairs = judged_pairs(judged, which, judges=judges)
    label = f"{PEOPLE} ({title})" if title else PEOPLE
    return people_gap(pairs, ranked, first, second, sentences=len(judged), label=label, ranking_title=named)


def _spread_of_leads(compared: Pairs) -> float:
    """The standard deviation of wins less losses, as a share of both, over all pairs of systems either way round."""
    size = len(compared.systems)
    leads = np.zeros((size, size))
    np.add.at(leads, (compared.first, compared.second), -compared.relation)
    decided = np.zeros((size, size))
    np.add.at(decided, (compared.first, compared.second), compared.relation != 0)
    shares = (leads - leads.T)[decided + decided.T > 0] / (decided + decided.T)[decided + decided.T > 0]
    return float(np.sqrt(np.mean(shares**2))) if len(shares) else 0.0


def check_pair(known: Mapping[str, object] | Sequence[str], first: str, second: str, what: str) -> None:
    """Refuse systems that are not known, or one system beside itself."""
    unknown = [name for name in (first, second) if name not in known]
    if unknown:
        raise CorpusError(f"{what}: no system {' and '.join(unknown)}. There are: {', '.join(known)}.")
    if first == second:
        raise CorpusError(f"{first} and {second} are the same system. Name two different ones.")


def _ranks(scores: Mapping[str, float], first: str, second: str) -> tuple[int, int]:
    """1 is best; equal scores share the better rank."""
    above = [sum(value > scores[name] for value in scores.values()) for name in (first, second)]
    return 1 + above[0], 1 + above[1]
