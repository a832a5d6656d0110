"""Shapley credits: what each edit of an output contributes to a metric's score.

The edits of an output are the players of a game. A subset of them is worth the score of the source with just
these edits made, less the score of the source itself. The credit of an edit is its Shapley value in this game
(`shapley`): the mean of what it adds over all orders in which the edits can be made. Credits add up to the score
of the output less that of the source. Edits that do the same get the same credit; an edit that never changes the
score gets none.

All subsets are scored in one batch, each different text once, and kept in the store like any other score. How
many texts may be scored depends on what one costs the metric (`most_texts`); where all subsets would be more,
orders are sampled, and `error` says how far credits may be off.

Scores are sentence scores, with the sentence as a corpus of its own (`texts.score_texts`). For a metric that
weighs by what other systems did (GoToScorer) each subset takes the system's place among its `peers`; the weights
change with it.

A coalition is a number whose bit p is set if player p is in it. Exactly, the values of all coalitions are
needed. For larger games orders are drawn at random, each together with its reverse, which makes the mean far
steadier than as many independent orders; the spread of these pairs says how far the mean may be off. In either
case the values of all players add up to what the whole is worth beyond nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gec_core.align.edits import apply_edits
from gec_core.explain.blocks import Explanation
from gec_core.explain.edits import output_edits
from gec_core.explain.texts import score_texts
from gec_core.metrics.base import Metric
from gec_core.types import Edit, Progress, Sentence, ignore

if TYPE_CHECKING:
    from gec_core.store import Store


SECONDS = 1.5
"""What the credits of one output may cost unless said otherwise, by the pace of the metric."""
FEWEST_TEXTS, MOST_TEXTS = 64, 2048
"""However slow or quick the metric is."""

Key = tuple[int, int, str]
"""What makes edits of two outputs the same: span and correction."""


@dataclass(frozen=True, slots=True)
class EditCredit:
    """An edit of an output and what it is worth, in points of the metric."""

    start: int
    end: int
    correction: str
    type: str
    credit: float

    @property
    def key(self) -> Key:
        return self.start, self.end, self.correction


@dataclass(frozen=True, slots=True)
class Credit:
    """The credits of all edits of one output under one metric."""

    score: float
    source_score: float
    error: float
    """The largest standard error of a credit; 0 where credits are exact."""
    edits: tuple[EditCredit, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class EditDifference:
    """What an edit contributes to the difference of two outputs' scores.

    The same edit may be worth more in the one output than in the other, since it keeps other company.
    """

    start: int
    end: int
    correction: str
    type: str
    first: float | None
    """Its credit in the first output; None if that does not have it."""
    second: float | None

    @property
    def credit(self) -> float:
        return (self.first or 0.0) - (self.second or 0.0)


@dataclass(frozen=True, slots=True)
class Difference:
    """Why two outputs of one sentence differ in score: the credits of all edits and `baseline` add up to it."""

    first_score: float
    second_score: float
    baseline: float
    """How much better the source fares in the first system's place than in the second's. It is 0 but for metrics
    that score a system among its peers, which are not the same for both."""
    error: float
    edits: tuple[EditDifference, ...]
    """From left to right; an edit that both outputs have stands here once."""
    exact: bool

    @property
    def value(self) -> float:
        return self.first_score - self.second_score


def credit(
    metric: Metric,
    sentence: Sentence,
    output: str,
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Credit:
    """What each edit of the output is worth to the metric; `seconds` is what it may cost, by the metric's pace."""
    edits = output_edits(sentence.source, output, store)
    whole = (1 << len(edits)) - 1
    exact = len(edits) <= most_exact(metric, seconds)
    orders = [] if exact else draw_orders(len(edits), most_texts(metric, seconds), seed)
    coalitions = range(whole + 1) if exact else {each for order in orders for each in joining(order)}
    texts = {each: _with(sentence.source, edits, each) for each in coalitions}
    distinct = list(dict.fromkeys(texts.values()))
    scores = score_texts(metric, sentence, distinct, peers=peers, store=store, on_progress=on_progress)
    score_of = dict(zip(distinct, scores.tolist(), strict=True))
    values = {each: score_of[text] for each, text in texts.items()}
    if exact:
        credits, error = exact_values(np.array([values[each] for each in coalitions])), 0.0
    else:
        credits, errors = sampled_values(orders, values)
        error = float(errors.max())
    worth = zip(edits, credits.tolist(), strict=True)
    return Credit(
        score=values[whole],
        source_score=values[0],
        error=error,
        edits=tuple(EditCredit(edit.start, edit.end, edit.correction, edit.type, value) for edit, value in worth),
        exact=exact,
    )


def most_texts(metric: Metric, seconds: float = SECONDS) -> int:
    """How many texts are scored for the credits of one output."""
    return min(max(int(seconds / metric.pace), FEWEST_TEXTS), MOST_TEXTS)


def most_exact(metric: Metric, seconds: float = SECONDS) -> int:
    """The number of edits up to which credits are exact: all their subsets are few enough to be scored."""
    return most_texts(metric, seconds).bit_length() - 1


def difference(first: Credit, second: Credit) -> Difference:
    """The credits of two outputs of one sentence, under one metric, set against each other."""
    ours, theirs = _by_key(first), _by_key(second)
    types = {edit.key: edit.type for edit in (*second.edits, *first.edits)}
    return Difference(
        first_score=first.score,
        second_score=second.score,
        baseline=first.source_score - second.source_score,
        error=first.error + second.error,
        edits=tuple(EditDifference(*key, types[key], ours.get(key), theirs.get(key)) for key in sorted(types)),
        exact=first.exact and second.exact,
    )


def _by_key(found: Credit) -> dict[Key, float]:
    """The credit of each different edit; the same word may be inserted twice in one place."""
    worth: dict[Key, float] = {}
    for edit in found.edits:
        worth[edit.key] = worth.get(edit.key, 0.0) + edit.credit
    return worth


def _with(source: str, edits: Iterable[Edit], coalition: int) -> str:
    return apply_edits(source, (edit for place, edit in enumerate(edits) if coalition >> place & 1))


Array = NDArray[np.float64]
Order = tuple[int, ...]
FEWEST_PAIRS = 4
"""Orders with their reverses that are drawn at least, or nothing could be said about the error."""


def exact_values(values: Array) -> Array:
    """The Shapley value of each player, from the values of all coalitions in the order of their numbers."""
    players = len(values).bit_length() - 1
    coalitions = np.arange(len(values))
    sizes = sum((coalitions >> player & 1 for player in range(players)), np.zeros_like(coalitions))
    orders = [factorial(size) * factorial(players - size - 1) for size in range(players)]
    weights = np.array(orders) / factorial(players)
    found = np.empty(players)
    for player in range(players):
        without = coalitions[(coalitions >> player & 1) == 0]
        found[player] = weights[sizes[without]] @ (values[without | 1 << player] - values[without])
    return found


def draw_orders(players: int, coalitions: int, seed: int) -> list[Order]:
    """Random orders, each followed by its reverse, that need no more than so many coalitions in all.

    At least `FEWEST_PAIRS` pairs are drawn, whatever they need.
    """
    random = np.random.default_rng(seed)
    orders: list[Order] = []
    needed: set[int] = set()
    while True:
        order: Order = tuple(random.permutation(players).tolist())
        needed |= {*joining(order), *joining(order[::-1])}
        if len(needed) > coalitions and len(orders) >= 2 * FEWEST_PAIRS:
            return orders
        orders += [order, order[::-1]]


def joining(order: Order) -> Iterator[int]:
    """The coalitions from nobody to everybody, as players join in this order."""
    return accumulate((1 << player for player in order), initial=0)


def sampled_values(orders: Sequence[Order], values: Mapping[int, float]) -> tuple[Array, Array]:
    """The estimated Shapley value of each player, and its standard error, from orders as `draw_orders` gives them."""
    gains = np.empty((len(orders), len(orders[0])))
    for row, order in zip(gains, orders, strict=True):
        row[list(order)] = np.diff([values[coalition] for coalition in joining(order)])
    pairs = (gains[::2] + gains[1::2]) / 2
    return pairs.mean(axis=0), pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))


@dataclass(frozen=True, slots=True)
class Worth:
    """An output under one metric, edit by edit and in the metric's own terms."""

    credit: Credit
    explanation: Explanation


def worth(
    metric: Metric,
    sentence: Sentence,
    output: str,
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Worth:
    """What the metric makes of the output; see `credit`."""
    found = credit(
        metric, sentence, output, peers=peers, store=store, on_progress=on_progress, seed=seed, seconds=seconds
    )
    return Worth(found, metric.explain(sentence, output, store=store, peers=peers))
