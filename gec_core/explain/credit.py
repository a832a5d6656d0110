"""Shapley credits: what each edit of an output contributes to a metric's score.

All metrics get the same edits, so that credits can be compared.

The edits of an output are the players of a cooperative game. The value of a coalition, a subset of the edits, is the
score of the source with just these edits applied. The credit of an edit is its Shapley value: the mean of what it adds
to the score over all orders in which the edits can be applied. Credits sum to the score of the output minus that of the
source. Edits that do the same have the same credit; an edit that never changes the score has credit 0.

All coalitions are scored in one batch, each distinct text once, and kept in the store like any other score. How many
texts may be scored depends on the pace of the metric (`most_texts`); where all coalitions would be more, orders are
sampled, and `error` says how far credits may be off.

Scores are sentence scores, with the sentence as a corpus of its own (`metrics.base.score_texts`). For a metric that
weighs by what other systems did (GoToScorer), each text takes the system's place among its `peers`; the weights change
with it.

A coalition is a number whose bit p is set if player p is in it. Exact values need all coalitions. For larger games,
orders are drawn at random, each together with its reverse, which has a much lower variance than as many independent
orders; the spread of these pairs gives the standard error. In either case the values of all players sum to the value of
all edits minus that of none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np

from gec_core import languages
from gec_core.align import errant_pipeline
from gec_core.align.edits import apply_edits, diff_edits
from gec_core.errors import MissingInput
from gec_core.metrics.base import Metric, score_texts
from gec_core.metrics.blocks import EditKey, Explanation, ValuedEdit, valued
from gec_core.types import Array, Corpus, Edit, Progress, Sentence, ignore

if TYPE_CHECKING:
    from gec_core.align.errant_edits import TextPair
    from gec_core.store import Store

AT_ONCE = 128
"""The number of outputs whose edits are extracted, and stored, at a time: two or three seconds of work."""


def output_edits(source: str, output: str, store: Store | None = None) -> tuple[Edit, ...]:
    """Extract the edits of an output: ERRANT's with their types, or merged token differences.

    Token differences where ERRANT cannot run, and where the source does not seem to be English.
    """
    if errant_pipeline.find() is None or languages.guess([source]) not in ("", languages.ENGLISH):
        return diff_edits(source, output)
    from gec_core.align.errant_edits import edit_types

    return edit_types(source, output, store)


def errant_problem(corpus: Corpus) -> str:
    """Say why ERRANT cannot read the edits of a corpus; empty if it can."""
    if corpus.language not in ("", languages.ENGLISH):
        return (
            f"Error types come from ERRANT, whose rules are English, and {corpus.name} is "
            f"{languages.name(corpus.language)}."
        )
    problem = errant_pipeline.missing()
    return problem and f"Error types come from ERRANT, which cannot run here. {problem}"


def corpus_edits(
    corpus: Corpus, store: Store | None = None, on_progress: Callable[[Progress], None] = ignore
) -> dict[tuple[str, str], tuple[Edit, ...]]:
    """Extract ERRANT's edits of all outputs of a corpus, by source and output.

    Raises:
        MissingInput: ERRANT cannot run here, or the corpus is not English.
    """
    from gec_core.align.errant_edits import edits_of

    if problem := errant_problem(corpus):
        raise MissingInput(problem)
    found: dict[tuple[str, str], tuple[Edit, ...]] = {}
    started, pairs = time.monotonic(), _pairs(corpus)
    for start in range(0, len(pairs), AT_ONCE):
        fresh = edits_of(pairs[start : start + AT_ONCE], store)
        found.update(((pair.source, pair.output), edits) for pair, edits in fresh.items())
        on_progress(Progress("Edits", len(found), len(pairs), time.monotonic() - started))
    return found


def unread_edits(corpus: Corpus, store: Store) -> int:
    """Count the outputs of a corpus whose edits are neither in the store nor come with the project."""
    from gec_core.align.errant_edits import unread

    return unread(_pairs(corpus), store)


def _pairs(corpus: Corpus) -> list[TextPair]:
    """The distinct outputs; those of one sentence follow each other, so that its source is parsed once."""
    from gec_core.align.errant_edits import TextPair

    columns = zip(corpus.sentences, *corpus.systems.values(), strict=True)
    return list(dict.fromkeys(TextPair(sentence.source, text) for sentence, *texts in columns for text in texts))


def edits_read_by() -> str:
    """The name of what extracts the edits here, to be shown beside credits."""
    return errant_pipeline.label() if errant_pipeline.find() else "token differences"


SECONDS = 1.5
"""The time that the credits of one output may take unless given, by the pace of the metric."""
FEWEST_TEXTS, MOST_TEXTS = 64, 2048
"""The limits of the number of texts, whatever the pace of the metric."""
FEWEST_PAIRS = 4
"""The least number of orders drawn with their reverses, so that an error can be estimated."""

Order = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Credits:
    """The credits of all edits of one output under one metric."""

    score: float
    source_score: float
    error: float
    """The largest standard error of a credit; 0 where credits are exact."""
    edits: tuple[ValuedEdit, ...]
    """The edits with their credits, in points of the metric."""
    exact: bool

    def by_key(self) -> dict[EditKey, float]:
        """The credit of each distinct edit; the same word may be inserted twice in one place."""
        credits: dict[EditKey, float] = {}
        for edit in self.edits:
            credits[edit.key] = credits.get(edit.key, 0.0) + edit.value
        return credits

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        edits = [_edit_dict(edit) | {"credit": edit.value} for edit in self.edits]
        numbers = {"score": self.score, "source_score": self.source_score, "error": self.error}
        return numbers | {"edits": edits, "exact": self.exact}


@dataclass(frozen=True)
class CreditDifference:
    """Why two outputs of one sentence differ in score: the credits of all edits and `baseline` sum to the "
    "difference."""

    first: Credits
    second: Credits

    @property
    def value(self) -> float:
        """The score of the first output minus that of the second."""
        return self.first.score - self.second.score

    @property
    def baseline(self) -> float:
        """The score of the source in the first system's place minus that in the second's.

        It is 0 except for metrics that score a system among its peers, which are not the same for both.
        """
        return self.first.source_score - self.second.source_score

    @property
    def error(self) -> float:
        return self.first.error + self.second.error

    @property
    def exact(self) -> bool:
        return self.first.exact and self.second.exact

    @cached_property
    def edits(self) -> tuple[ValuedEdit, ...]:
        """The distinct edits of both outputs with their contributions to the difference, from left to right."""
        found = {edit.key: edit for edit in (*self.second.edits, *self.first.edits)}
        values = {key: tuple(credit or 0.0 for credit in self.credits(edit)) for key, edit in found.items()}
        return tuple(replace(found[key], value=values[key][0] - values[key][1]) for key in sorted(found))

    def credits(self, edit: ValuedEdit) -> tuple[float | None, float | None]:
        """The credits of an edit in the first and in the second output; None where the output does not have it.

        They may differ, because the other edits of the outputs differ.
        """
        ours, theirs = self._by_key
        return ours.get(edit.key), theirs.get(edit.key)

    @cached_property
    def _by_key(self) -> tuple[dict[EditKey, float], dict[EditKey, float]]:
        return self.first.by_key(), self.second.by_key()

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        edits = []
        for edit in self.edits:
            first, second = self.credits(edit)
            edits.append(_edit_dict(edit) | {"first": first, "second": second, "credit": edit.value})
        return {
            "first_score": self.first.score,
            "second_score": self.second.score,
            "baseline": self.baseline,
            "error": self.error,
            "edits": edits,
            "exact": self.exact,
            "value": self.value,
        }


@dataclass(frozen=True, slots=True)
class OutputExplanation:
    """An output under one metric: the credits of its edits, and the metric's own explanation."""

    credits: Credits
    explanation: Explanation


def explain_output(
    metric: Metric,
    sentence: Sentence,
    output: str,
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    seed: int = 0,
    seconds: float = SECONDS,
    known: Credits | None = None,
) -> OutputExplanation:
    """Explain the score of an output by credits, unless these are known, and in the metric's own terms.

    See `edit_credits` for the arguments.
    """
    credits = known or edit_credits(
        metric, sentence, output, peers=peers, store=store, on_progress=on_progress, seed=seed, seconds=seconds
    )
    return OutputExplanation(credits, metric.explain(sentence, output, store=store, peers=peers))


def edit_credits(
    metric: Metric,
    sentence: Sentence,
    output: str,
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Credits:
    """Compute the credit of each edit of an output.

    Args:
        peers: The outputs of the other systems, for metrics that compare systems with each other.
        seed: The seed of sampled orders.
        seconds: The time that it may take, by the pace of the metric; it decides whether credits are exact.
    """
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
    tokens = sentence.tokens
    return Credits(
        score=values[whole],
        source_score=values[0],
        error=error,
        edits=tuple(valued(edit, tokens, credit) for edit, credit in zip(edits, credits.tolist(), strict=True)),
        exact=exact,
    )


def most_texts(metric: Metric, seconds: float = SECONDS) -> int:
    """The number of texts that are scored for the credits of one output."""
    return min(max(int(seconds / metric.pace), FEWEST_TEXTS), MOST_TEXTS)


def most_drawn(metric: Metric, edits: int, seconds: float = SECONDS) -> int:
    """At most how many texts the orders take that are drawn for an output with so many edits."""
    return max(most_texts(metric, seconds), 2 * FEWEST_PAIRS * (edits - 1) + 2)


def most_exact(metric: Metric, seconds: float = SECONDS) -> int:
    """The number of edits up to which credits are exact: all their subsets are few enough to be scored."""
    return most_texts(metric, seconds).bit_length() - 1


def _with(source: str, edits: Iterable[Edit], coalition: int) -> str:
    return apply_edits(source, (edit for place, edit in enumerate(edits) if coalition >> place & 1))


def _edit_dict(edit: ValuedEdit) -> dict[str, Any]:
    return {"start": edit.start, "end": edit.end, "correction": edit.correction, "type": edit.type}


def exact_values(values: Array) -> Array:
    """Compute the Shapley value of each player from the values of all coalitions, in the order of their numbers."""
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
    """Draw random orders, each followed by its reverse, that need at most so many coalitions in all.

    At least `FEWEST_PAIRS` pairs are drawn, however many coalitions they need.
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
    """The coalitions from none to all players, as players join in this order."""
    return accumulate((1 << player for player in order), initial=0)


def sampled_values(orders: Sequence[Order], values: Mapping[int, float]) -> tuple[Array, Array]:
    """Estimate the Shapley value of each player, and its standard error, from orders as drawn by `draw_orders`."""
    gains = np.empty((len(orders), len(orders[0])))
    for row, order in zip(gains, orders, strict=True):
        row[list(order)] = np.diff([values[coalition] for coalition in joining(order)])
    pairs = (gains[::2] + gains[1::2]) / 2
    return pairs.mean(axis=0), pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
