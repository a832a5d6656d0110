"""What a metric is: sufficient statistics per sentence, and scores made from them.

A metric never looks at text twice. `statistics` turns (sentence, output) pairs into rows of numbers;
everything after that, corpus scores, sentence scores, subsets and bootstraps, is arithmetic on rows.
A new metric is one module in this package with one class under `@register`, and its test.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gec_core.metrics import options
from gec_core.types import Array, Pair, Reads, Sentence

if TYPE_CHECKING:
    from gec_core.explain.blocks import Explanation
    from gec_core.store import Store


@dataclass(frozen=True, slots=True)
class Score:
    """A score with the counts behind it."""

    value: float
    details: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
    """The signature of the metric; set by scoring, not by the metric itself."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a metric can run on this machine, and if not, what would make it."""

    ready: bool
    how: str = ""


class Metric(ABC):
    """A way to score the outputs of a system, with its options fixed."""

    id: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[str]
    """The heading it stands under: overlap, edits, model, sanity."""
    summary: ClassVar[str]
    """What it measures, in one sentence."""
    citation: ClassVar[str] = ""
    order: ClassVar[int] = 100
    """Where it stands in lists: smaller comes first."""
    version: ClassVar[int] = 1
    """Raised whenever the same text would give other numbers, so that stored ones are not taken for it."""
    reads: Reads
    percent: ClassVar[bool] = False
    """Whether the score is in percent."""
    by_peers: ClassVar[bool] = False
    """Whether the score of a system depends on which others are scored together with it."""
    pace: ClassVar[float] = 0.0005
    """Seconds that a new pair takes on two cores, roughly: says what to do at once and what in the background."""
    chunk: ClassVar[int] = 512
    """Pairs that are scored, and stored, at a time."""
    own_process: ClassVar[bool] = False
    """Whether it uses all cores by itself (a model does), so that worker processes would be in its way."""
    Options: ClassVar[type[options.Options]] = options.Options

    def __init__(self, options: options.Options | None = None) -> None:
        self.options = options if options is not None else self.Options()

    @property
    def label(self) -> str:
        """The name to show beside its numbers; metrics with a model say which one is used."""
        return self.name

    @property
    def signature(self) -> str:
        """What must be said beside a number for someone else to get the same: `m2|v1|beta:0.5|…`."""
        return "|".join([self.id, f"v{self.version}", *self.options.parts()])

    @property
    def statistics_signature(self) -> str:
        """The signature of the rows alone: metrics that agree in it share stored statistics."""
        return self.signature

    @property
    def averages(self) -> bool:
        """Whether the score of a corpus is the mean of its sentences' scores."""
        return False

    @property
    def from_sentences(self) -> bool:
        """Whether the score of a corpus follows from its rows, so that samples of them say how sure it is."""
        return True

    def availability(self) -> Availability:
        return Availability(ready=True)

    @abstractmethod
    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """One row of numbers a pair; rows may differ in length (one block a reference, say)."""

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """What scoring calls for the rows of these pairs.

        Metrics whose pairs share costly parts (the perplexity of a source, say) override it to keep those in
        the store, too.
        """
        return self.statistics(pairs)

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """Called once with the stored rows of all systems; what it returns is what the methods below read.

        For metrics that weigh what a system did by what the others did, or whose stored rows serve several
        metrics and hold more than this one needs.
        """
        return dict(statistics)

    @abstractmethod
    def aggregate(self, statistics: Array) -> Score:
        """The score of a whole: rows are sentences, short rows are filled up with NaN."""

    def resampled(self, statistics: Array, counts: Array) -> Array:
        """The scores of many corpora made of the same sentences: a row of `counts` says how often each occurs.

        What `aggregate` gives for the rows repeated that often, in the order of the corpus. Where the score is
        made of sums, metrics override this with something quicker that gives the same.
        """
        if self.averages:
            means: Array = counts @ self.sentence_scores(statistics) / counts.sum(axis=1)
            return means
        repeats = counts.astype(np.intp)
        return np.array([self.aggregate(np.repeat(statistics, row, axis=0)).value for row in repeats])

    @abstractmethod
    def sentence_scores(self, statistics: Array) -> Array:
        """The score of every row on its own."""

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        """The counts behind every row's score."""
        return [{} for _ in statistics]

    def explain(
        self, sentence: Sentence, output: str, *, store: Store | None = None, peers: Sequence[str] = ()
    ) -> Explanation:
        """Why an output gets its sentence score, in the metric's own terms.

        `peers` are the outputs of the other systems, for metrics that look at these, too.
        """
        from gec_core.explain.native import Case, explain

        return explain(Case(self, sentence, output, store, peers))


def stack(rows: Sequence[Array]) -> Array:
    """Rows of different lengths as one table, filled up with NaN on the right."""
    lengths = np.fromiter(map(len, rows), np.intp, len(rows))
    table = np.full((len(rows), lengths.max(initial=0)), np.nan)
    if len(rows):
        table[np.arange(table.shape[1]) < lengths[:, None]] = np.concatenate(rows)
    return table


def f_score(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean of precision and recall; 0 when both are 0."""
    weight = beta * beta
    bottom = weight * precision + recall
    return (1 + weight) * precision * recall / bottom if bottom > 0 else 0.0


def ratio(top: float, bottom: float) -> float:
    """top / bottom, where nothing out of nothing is everything: 0/0 = 1."""
    return top / bottom if bottom else 1.0
