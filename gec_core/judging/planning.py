"""Which item a judge sees next, and how many judgments a ranking still needs.

The order `random` draws sentences and outputs evenly. The order `adaptive` begins in the same way, and once every pair
of systems was compared about once it asks where an answer tells most: about systems whose order is still open and pairs
that were rarely compared, on sentences where metrics split. Both prefer sentences with fewer judgments, and no judge
sees a sentence twice unless it is repeated for self-agreement.

Whether an order is open is estimated from Expected Wins: the share of wins against each opponent has the mean and
variance of a Beta distribution (one win and one loss added), so the Expected Wins of two systems are two means with
standard errors, and the order is certain to the degree that their difference is not a matter of chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import NormalDist

import numpy as np

from gec_core.judging.database import Judge, Session
from gec_core.judging.plan import Answer, Item
from gec_core.types import Array

LOOKED_AT = 40
"""Sentences among which the adaptive order chooses."""
REPEAT_DISTANCE = 5
"""The fewest items between an item and its repetition."""
CERTAINTY = 0.95


@dataclass(frozen=True, eq=False)
class Tally:
    """Wins of systems over one another, and what they say about their order."""

    systems: tuple[str, ...]
    wins: Array
    """Row: the better system; column: the worse one. Ties do not count, as in Expected Wins."""
    met: Array
    """How often two systems were compared, ties included."""

    @classmethod
    def empty(cls, systems: Sequence[str]) -> Tally:
        size = len(systems)
        return cls(tuple(systems), np.zeros((size, size)), np.zeros((size, size)))

    @classmethod
    def of(cls, systems: Sequence[str], answers: Sequence[Answer], *, higher_is_better: bool) -> Tally:
        """Count the comparisons within each answer."""
        found = cls.empty(systems)
        for answer in answers:
            values = answer.values if higher_is_better else [-value for value in answer.values]
            found.add(answer.item.places, values)
        return found

    def add(self, places: Sequence[Sequence[str]], values: Sequence[float]) -> None:
        """Count one item, where higher values are better."""
        number = {name: index for index, name in enumerate(self.systems)}
        rows = [[number[name] for name in place if name in number] for place in places]
        for first, second in combinations(range(len(places)), 2):
            better, worse = (first, second) if values[first] > values[second] else (second, first)
            if values[first] != values[second]:
                self.wins[np.ix_(rows[better], rows[worse])] += 1
            self.met[np.ix_(rows[first], rows[second])] += 1
            self.met[np.ix_(rows[second], rows[first])] += 1

    def expected_wins(self) -> Array:
        """Expected Wins as `human.ranking` defines them; NaN for a system without a decided comparison."""
        decided = self.wins + self.wins.T
        rates = np.divide(self.wins, decided, out=np.zeros_like(self.wins), where=decided > 0)
        opponents = (decided > 0).sum(axis=1)
        return np.divide(rates.sum(axis=1), opponents, out=np.full(len(self.systems), np.nan), where=opponents > 0)

    def strengths(self) -> tuple[Array, Array]:
        """Return smoothed Expected Wins and their variances."""
        size = len(self.systems)
        decided = self.wins + self.wins.T
        rates = (self.wins + 1) / (decided + 2)
        variances = rates * (1 - rates) / (decided + 3)
        others = ~np.eye(size, dtype=np.bool_)
        opponents = max(size - 1, 1)
        return (rates * others).sum(axis=1) / opponents, (variances * others).sum(axis=1) / opponents**2

    def openness(self) -> Array:
        """The chance, up to 1, that each pair of systems is in the wrong order so far, doubled; 0 on the diagonal."""
        means, variances = self.strengths()
        z = np.abs(means[:, None] - means[None]) / np.sqrt(variances[:, None] + variances[None])
        found: Array = np.vectorize(math.erfc, otypes=[np.float64])(z / math.sqrt(2))
        np.fill_diagonal(found, 0.0)
        return found

    def worth(self) -> Array:
        """How much one more comparison of each pair of systems is expected to tell.

        That is the decrease in the variance of their win rate, if the comparison is decided, times the number of
        orders that these two systems leave open.
        """
        decided = self.wins + self.wins.T
        rates = (self.wins + 1) / (decided + 2)
        decrease = rates * (1 - rates) / ((decided + 3) * (decided + 4)) * (decided + 1) / (self.met + 1)
        left_open = self.openness().sum(axis=1)
        return decrease * (left_open[:, None] + left_open[None])


@dataclass(frozen=True)
class OpenPair:
    """Two neighbours in the ranking so far, and how certain their order is."""

    better: str
    worse: str
    certainty: float
    needed: int | None
    """An estimate of how many more items settle the pair; None where far more than there are so far."""


def neighbours(tally: Tally, items: int, certainty: float = CERTAINTY) -> list[OpenPair]:
    """The neighbours in the ranking so far. The standard error shrinks with the square root of the number of items."""
    means, variances = tally.strengths()
    order = sorted(range(len(tally.systems)), key=lambda index: (-means[index], tally.systems[index]))
    goal = NormalDist().inv_cdf(certainty)
    found = []
    for better, worse in pairwise(order):
        z = float((means[better] - means[worse]) / math.sqrt(variances[better] + variances[worse]))
        needed: int | None = 0
        if z < goal:
            factor = (goal / z) ** 2 if z > 0 else math.inf
            needed = math.ceil(items * (factor - 1)) if factor < 100 and items else None
        found.append(OpenPair(tally.systems[better], tally.systems[worse], NormalDist().cdf(z), needed))
    return found


def choose_item(
    session: Session,
    judge: Judge,
    mine: Sequence[Item],
    answers: Sequence[Answer],
    *,
    splits: Mapping[int, float] | None = None,
) -> Item | None:
    """Choose the next item of a judge; None when the judge is done.

    Args:
        session: The session.
        judge: Who is asked.
        mine: The judge's items so far.
        answers: All answers of the session so far.
        splits: For sentences on which metrics split, by how much (0 to 1); the adaptive order prefers them.
    """
    plan = session.plan
    number = len(mine) + 1
    if number > plan.items_per_judge:
        return None
    random = np.random.default_rng([plan.seed, judge.id, number])
    repeated = _repetition(plan.repeat_every, mine, random)
    if repeated is not None:
        return repeated
    seen = {item.sentence for item in mine}
    judged = Counter(answer.item.sentence for answer in answers if answer.item.repeat_of is None)
    left = [
        index
        for index in plan.sentences
        if index not in seen and judged[index] < plan.judgments_per_sentence and _worth_asking(session, index)
    ]
    if not left:
        return None
    least = min(judged[index] for index in left)
    left = [index for index in left if judged[index] == least]
    tally = Tally.of(plan.systems, answers, higher_is_better=plan.kind != "ranking")
    chosen = int(left[random.integers(len(left))])
    if plan.order == "adaptive" and plan.kind != "edits" and _warmed_up(tally):
        worth = tally.worth()
        shuffled = [int(index) for index in random.permutation(left)[:LOOKED_AT]]
        chosen = max(
            shuffled,
            key=lambda index: _most_telling(session, tally, worth, index) * (1 + (splits or {}).get(index, 0.0)),
        )
        places = _telling(session, tally, worth, chosen, random)
    else:
        places = _even(session, tally, chosen, random)
    shown = tuple(places[index] for index in random.permutation(len(places)))
    return Item(number, chosen, shown)


def _repetition(every: int, mine: Sequence[Item], random: np.random.Generator) -> Item | None:
    """An earlier item again, its outputs in another order, where one is due."""
    if not every or not mine or (len(mine) + 1) % every:
        return None
    again = {item.repeat_of for item in mine}
    old = [item for item in mine[: -REPEAT_DISTANCE or None] if item.repeat_of is None and item.number not in again]
    if not old:
        return None
    item = old[int(random.integers(len(old)))]
    places = tuple(item.places[index] for index in random.permutation(len(item.places)))
    return Item(len(mine) + 1, item.sentence, places, item.number)


def _worth_asking(session: Session, sentence: int) -> bool:
    """Whether a sentence has something to judge: two different outputs, or an edit."""
    texts = session.texts
    if session.plan.kind == "edits":
        return any(texts.has_edits(sentence, place) for place in texts.places(sentence))
    return len(texts.places(sentence)) > 1 or session.plan.kind == "rating"


def _warmed_up(tally: Tally) -> bool:
    pairs = len(tally.systems) * (len(tally.systems) - 1) / 2
    return bool(tally.met.sum() / 2 >= pairs)


def _even(session: Session, tally: Tally, sentence: int, random: np.random.Generator) -> list[tuple[str, ...]]:
    """The places whose systems were compared least so far."""
    met = dict(zip(tally.systems, tally.met.sum(axis=1), strict=True))
    places = session.texts.places(sentence)
    if session.plan.kind == "edits":
        places = [place for place in places if session.texts.has_edits(sentence, place)]
    draws = random.random(len(places))
    order = sorted(range(len(places)), key=lambda at: (min(met[name] for name in places[at]), draws[at]))
    return [places[at] for at in order[: 1 if session.plan.kind == "edits" else session.plan.outputs_per_item]]


def _telling(
    session: Session, tally: Tally, worth: Array, sentence: int, random: np.random.Generator
) -> list[tuple[str, ...]]:
    """The places whose comparison tells most: the best pair, then what adds most to it."""
    places = session.texts.places(sentence)
    between = _between(tally, worth, places) * (1 + 1e-6 * random.random((len(places), len(places))))
    first, second = np.unravel_index(int(np.argmax(between)), between.shape)
    chosen = [int(first), int(second)] if len(places) > 1 else [0]
    while len(chosen) < min(session.plan.outputs_per_item, len(places)):
        others = [at for at in range(len(places)) if at not in chosen]
        chosen.append(max(others, key=lambda at: float(between[at, chosen].sum())))
    return [places[at] for at in chosen]


def _most_telling(session: Session, tally: Tally, worth: Array, sentence: int) -> float:
    """How much the best pair of a sentence's outputs would tell."""
    return float(np.max(_between(tally, worth, session.texts.places(sentence)), initial=0.0))


def _between(tally: Tally, worth: Array, places: Sequence[Sequence[str]]) -> Array:
    """For each two places, what comparing their systems would tell."""
    member = np.array([[name in place for name in tally.systems] for place in places], dtype=np.float64)
    found: Array = member @ worth @ member.T
    np.fill_diagonal(found, 0.0)
    return found
