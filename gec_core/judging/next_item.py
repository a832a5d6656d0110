"""Which item a judge sees next.

The order `random` draws sentences and outputs evenly. The order `adaptive` begins in the same way. Once every pair of
systems was compared about once, it asks where an answer is most informative: about systems whose order is open and
pairs that were rarely compared, on sentences where metrics split. Both prefer sentences with fewer judgments, and no
judge sees a sentence twice unless it is repeated for self-agreement.

Whether an order is open is estimated from Expected Wins: the share of wins against each opponent has the mean and
variance of a Beta distribution (one win and one loss added), so the Expected Wins of two systems are two means with
standard errors, and the order is open to the degree that their difference may be a matter of chance. That is quick, but
takes all comparisons for independent; what is shown to people comes from a bootstrap over judgments (`results`).
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

import numpy as np

from gec_core.judging.database import Changes
from gec_core.judging.session import Answer, Item, Judge, Plan, Session, Texts
from gec_core.judging.tables import SessionChange
from gec_core.types import Array

LOOKED_AT = 40
"""Sentences among which the adaptive order chooses."""
REPEAT_DISTANCE = 5
"""The fewest items between an item and its repetition."""
MOST_FOLLOWED = 64
"""Sessions whose totals are kept in memory."""


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

    def add(self, places: Sequence[Sequence[str]], values: Sequence[float], times: int = 1) -> None:
        """Count one item, where higher values are better; -1 times takes it back."""
        member = self.members(places)
        given = np.asarray(values, dtype=np.float64)
        self.wins[:] += times * (member.T @ (given[:, None] > given[None]) @ member)
        self.met[:] += times * (member.T @ (1 - np.eye(len(given))) @ member)

    def members(self, places: Sequence[Sequence[str]]) -> Array:
        """Which systems (columns) are in which places (rows)."""
        return np.array([[name in place for name in self.systems] for place in places], dtype=np.float64)

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

    def gains(self) -> Array:
        """The information that one more comparison of each pair of systems is expected to give.

        That is the decrease in the variance of their win rate, if the comparison is decided, times the number of
        orders that these two systems leave open.
        """
        decided = self.wins + self.wins.T
        rates = (self.wins + 1) / (decided + 2)
        decrease = rates * (1 - rates) / ((decided + 3) * (decided + 4)) * (decided + 1) / (self.met + 1)
        left_open = self.openness().sum(axis=1)
        return decrease * (left_open[:, None] + left_open[None])

    @property
    def is_warm(self) -> bool:
        """Whether there are as many comparisons as pairs of systems: the adaptive order begins with it."""
        return bool(self.met.sum() >= len(self.systems) * (len(self.systems) - 1))

    def even_places(self, places: Sequence[tuple[str, ...]], size: int, random: np.random.Generator) -> list[int]:
        """Choose the places whose systems were compared least so far."""
        met = dict(zip(self.systems, self.met.sum(axis=1), strict=True))
        draws = random.random(len(places))
        order = sorted(range(len(places)), key=lambda at: (min(met[name] for name in places[at]), draws[at]))
        return order[:size]

    def most_informative_places(self, member: Array, gains: Array, size: int) -> tuple[list[int], float]:
        """Choose the places whose comparison is most informative: the best pair, then what adds most to it.

        A place of several systems counts by the square root of their number: one judgment is about all of them, but
        not an independent one about each, and items that always show outputs which many systems share would say little
        about sentences on which they differ.

        Args:
            member: The systems of each place, from `members`.
            gains: The expected gain of comparing two systems, from `gains`.
            size: How many places to choose at most.

        Returns:
            The chosen places, and the expected gain of comparing them.
        """
        weighted = member / np.sqrt(np.maximum(member.sum(axis=1, keepdims=True), 1.0))
        between = weighted @ gains @ weighted.T
        np.fill_diagonal(between, 0.0)
        if len(member) <= size:
            return list(range(len(member))), float(between.sum()) / 2
        first, second = np.unravel_index(int(np.argmax(between)), between.shape)
        chosen, gain = [int(first), int(second)], float(between[first, second])
        while len(chosen) < size:
            more = between[:, chosen].sum(axis=1)
            more[chosen] = -1.0
            chosen.append(int(np.argmax(more)))
            gain += float(more[chosen[-1]])
        return chosen, gain


@dataclass
class Totals:
    """What the answers of a session come to, kept up to date change by change."""

    tally: Tally
    judged: Counter[int] = field(default_factory=Counter)
    """How often each sentence was judged, repeated items left out."""
    serial: int = -1
    """The last change that is counted."""
    _known: dict[int, Answer] = field(default_factory=dict)

    def update(self, changes: Sequence[SessionChange], *, higher_is_better: bool) -> None:
        """Count the answers that changed."""
        for change in changes:
            item = change.answer.item
            for answer, times in ((self._known.pop(item.id, None), -1), (change.answer, 1)):
                if answer is None or (times == 1 and change.excluded):
                    continue
                values = answer.values if higher_is_better else [-value for value in answer.values]
                if len(values) == len(item.places):  # verdicts on edits compare no outputs
                    self.tally.add(item.places, values, times)
                self.judged[item.sentence] += times * (item.repeat_of is None)
            if not change.excluded:
                self._known[item.id] = change.answer
            self.serial = max(self.serial, change.serial)


_followed: OrderedDict[tuple[str, str], Totals] = OrderedDict()
_lock = Lock()


def totals(session: Session, changes: Changes) -> Totals:
    """Return the totals of a session; only answers that are new since the last call are read.

    Call it within a transaction that writes, so that one thread at a time counts.
    """
    key = (str(session.database), session.id)
    with _lock:
        found = _followed.setdefault(key, Totals(Tally.empty(session.plan.systems)))
        _followed.move_to_end(key)
        while len(_followed) > MOST_FOLLOWED:
            _followed.popitem(last=False)
        found.update(changes(found.serial), higher_is_better=session.plan.kind != "ranking")
    return found


def choose_item(
    session: Session, judge: Judge, mine: Sequence[Item], changes: Changes, held: Counter[int]
) -> Item | None:
    """Choose the next item of a judge; None when the judge is done, or others are looking at all that is left.

    Args:
        session: The session.
        judge: Who is asked.
        mine: The judge's items so far.
        changes: Reads the answers of the session.
        held: How many others look at each sentence at the moment. They count as judgments: a class that begins
            together would otherwise get the same sentence on every phone.
    """
    plan, texts = session.plan, session.texts
    number = len(mine) + 1
    random = np.random.default_rng([plan.seed, judge.id, number])
    repeated = _repetition(plan.repeat_every, mine, random)
    if repeated is not None:
        return repeated
    if sum(item.repeat_of is None for item in mine) >= plan.items_per_judge:
        return None
    seen = {item.sentence for item in mine}
    counted = totals(session, changes)
    judged = {index: counted.judged[index] + held[index] for index in plan.sentences}
    left = [
        index
        for index in plan.sentences
        if index not in seen and judged[index] < plan.judgments_per_sentence and _choices(plan, texts, index)
    ]
    if not left:
        return None
    least = min(judged[index] for index in left)
    shuffled = [int(index) for index in random.permutation([index for index in left if judged[index] == least])]
    tally = counted.tally
    if plan.order == "adaptive" and plan.kind != "edits" and tally.is_warm:
        gains = tally.gains() * (1 + 1e-6 * random.random(tally.met.shape))
        splits = dict(zip(plan.sentences, plan.splits, strict=True)) if plan.splits else {}
        candidates = []
        for index in shuffled[:LOOKED_AT]:
            member = tally.members(texts.places(index))
            chosen, gain = tally.most_informative_places(member, gains, plan.outputs_per_item)
            candidates.append((gain * (1 + splits.get(index, 0.0)), index, chosen))
        _, sentence, chosen = max(candidates, key=lambda one: one[0])
        places = [texts.places(sentence)[at] for at in chosen]
    else:
        sentence = shuffled[0]
        offered = _choices(plan, texts, sentence)
        size = 1 if plan.kind == "edits" else plan.outputs_per_item
        places = [offered[at] for at in tally.even_places(offered, size, random)]
    return Item(number, sentence, tuple(places[at] for at in random.permutation(len(places))))


def judgeable(plan: Plan, texts: Texts) -> list[int]:
    """The sentences of a plan for which there is something to judge: outputs that differ, or edits."""
    return [index for index in plan.sentences if _choices(plan, texts, index)]


def most_items(plan: Plan, texts: Texts) -> int:
    """How many items a judge sees at most, repeated ones included."""
    return _with_repetitions(min(plan.items_per_judge, len(judgeable(plan, texts))), plan.repeat_every)


@lru_cache(maxsize=256)
def _with_repetitions(different: int, every: int) -> int:
    """How many items there are for a judge who sees so many different ones."""
    if not every:
        return different
    mine: list[Item] = []
    random = np.random.default_rng(0)  # which item comes again does not change how many do
    while (repeated := _repetition(every, mine, random)) is not None or different:
        different -= repeated is None
        mine.append(repeated or Item(len(mine) + 1, 0, ()))
    return len(mine)


def metric_splits(scores: Sequence[Mapping[str, Array]], texts: Texts) -> tuple[float, ...]:
    """How far metrics disagree about the outputs of each sentence, from 0 to 1.

    Args:
        scores: For each metric, the scores of all sentences by system.
        texts: The sentences and outputs that are judged.

    Returns:
        The mean over all pairs of different outputs: 0 where all metrics prefer the same one, 1 where as many metrics
        prefer one as the other.
    """
    found = []
    for index in texts.sources:
        firsts = [place[0] for place in texts.places(index)]
        values = np.array([[each[name][index] for name in firsts] for each in scores if set(firsts) <= set(each)])
        if len(values) < 2 or len(firsts) < 2:
            found.append(0.0)
            continue
        ahead = (values[:, :, None] > values[:, None]).sum(axis=0)
        decided = np.triu(ahead + ahead.T, 1)
        share = 2 * np.minimum(ahead, ahead.T) / np.maximum(ahead + ahead.T, 1)
        found.append(float(share[decided > 0].mean()) if (decided > 0).any() else 0.0)
    return tuple(found)


def _repetition(every: int, mine: Sequence[Item], random: np.random.Generator) -> Item | None:
    """An earlier item again, its outputs in another order, where one is due and far enough away."""
    again = {item.repeat_of for item in mine if item.repeat_of is not None}
    if not every or (len(mine) - len(again)) // every <= len(again):
        return None
    old = [item for item in mine[: -REPEAT_DISTANCE or None] if item.repeat_of is None and item.number not in again]
    if not old:
        return None
    item = old[int(random.integers(len(old)))]
    places = tuple(item.places[index] for index in random.permutation(len(item.places)))
    return Item(len(mine) + 1, item.sentence, places, item.number)


def _choices(plan: Plan, texts: Texts, sentence: int) -> list[tuple[str, ...]]:
    """The outputs of a sentence that can be judged; none where there is nothing to compare or to accept."""
    places = texts.places(sentence)
    if plan.kind == "edits":
        return [place for place in places if texts.has_edits(sentence, place)]
    return places if len(places) > 1 or plan.kind == "rating" else []
