"""The base class of all metrics.

A metric reads each text once. `statistics` turns (sentence, output) pairs into rows of numbers; corpus scores,
sentence scores, subsets and bootstraps are arithmetic on these rows. A metric also owns what is said about it: its
options, its card, the explanation of its scores and their step-by-step computation. A new metric is one module with
one class under `@register`, and its test.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from gec_core.errors import MissingInput, ScoreError
from gec_core.formatting import joined
from gec_core.languages import name as language_name
from gec_core.metrics import options
from gec_core.metrics.blocks import Block, Explanation, Facts, Step, shown
from gec_core.metrics.sums import Sums, mean_of_sentences
from gec_core.store import Store, context_key, pair_key
from gec_core.types import Array, Pair, Progress, Reads, Sentence, ignore

SECONDS_BETWEEN_REPORTS = 1.0
"""The approximate time between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score with the counts behind it."""

    value: float
    details: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
    """The signature of the metric; set by scoring, not by the metric itself."""

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.signature})" if self.signature else f"{self.value:.4f}"


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a metric can run on this machine."""

    ready: bool
    how: str = ""
    """What to install or download if it cannot."""


class Metric(ABC):
    """A metric with its options fixed.

    Subclasses define the class attributes without a default, `statistics`, `aggregate` and `sentence_scores`. All
    other methods have a default; those worth overriding are `sentence_details`, `resampled`, `explanation` and
    `computation`.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[str]
    """The heading under which lists show it: overlap, edits, model, sanity."""
    summary: ClassVar[str]
    """What it measures, in one sentence."""
    card: ClassVar[str] = ""
    """Markdown for the page that describes the metrics: formula, strengths, known failures. Formulas are LaTeX:
    `$…$` within a line; `$$` on lines of their own around a formula that stands alone."""
    citation: ClassVar[str] = ""
    order: ClassVar[int] = 100
    """Its position in lists; smaller numbers come first."""
    version: ClassVar[int] = 1
    """Increased whenever the same text would get other numbers, so that stored numbers are not mistaken for them."""
    reads: Reads
    output_alone: ClassVar[bool] = False
    """Whether the score depends on the output alone, whatever the source says."""
    percent: ClassVar[bool] = False
    """Whether the score is in percent."""
    by_peers: bool = False
    """Whether the score of a system depends on which other systems are scored with it."""
    languages: ClassVar[tuple[str, ...]] = ()
    """Codes of the languages that it is made for; empty for any."""
    elsewhere: ClassVar[str] = ""
    """What would let it score other languages, as a sentence."""
    pace: ClassVar[float] = 0.0005
    """Approximate seconds per new pair on two cores: decides what is computed at once and what in the background."""
    chunk: ClassVar[int] = 512
    """The number of pairs that are scored, and stored, at a time."""
    own_process: ClassVar[bool] = False
    """Whether it uses all cores by itself, as models do, so that worker processes would only slow it down."""
    paid: ClassVar[bool] = False
    """Whether computing may cost money: the dashboard then computes nothing without being asked."""
    Options: ClassVar[type[options.Options]] = options.Options

    def __init__(self, options: options.Options | None = None) -> None:
        self.options = options if options is not None else self.Options()

    @property
    def title(self) -> str:
        """The name in tables and charts; a metric on a substitute for its published model adds the substitute."""
        return self.name

    @property
    def label(self) -> str:
        """The name to show beside its numbers; metrics with a model add the name of the model."""
        return self.name

    @property
    def signature(self) -> str:
        """Everything that someone else needs to get the same numbers: `m2|v1|beta:0.5|…`."""
        return "|".join([self.id, f"v{self.version}", *self.options.parts()])

    @property
    def statistics_signature(self) -> str:
        """The signature of the rows alone; metrics with the same one share stored rows."""
        return self.signature

    @property
    def averages(self) -> bool:
        """Whether the score of a corpus is the mean of its sentence scores."""
        return False

    @property
    def from_sentences(self) -> bool:
        """Whether the score of a corpus follows from its rows, so that resampling them gives confidence intervals."""
        return True

    def availability(self) -> Availability:
        """Say whether the metric can run on this machine."""
        return Availability(ready=True)

    def loaded(self) -> bool:
        """Say whether everything slow that a quick metric needs is in memory.

        Not asked of metrics with a model: their explanations are made in the background in any case.
        """
        return True

    def obstacle(self, sentence: Sentence) -> str:
        """Say why the metric cannot score outputs of this sentence; empty if it can."""
        found = self.availability()
        if not found.ready:
            return f"{self.name} cannot run here. {found.how}"
        needed = {"source": True, "references": sentence.references, "gold": sentence.annotations}
        if not needed[self.reads]:
            return (
                f"{self.name} needs references (references/*.txt, --ref, or references=…) or gold edits (gold.m2, "
                "--m2, or gold=…), and there are none."
            )
        return ""

    def unsuited(self, language: str) -> str:
        """Say why the metric is not for texts of a language (a code, empty if unknown); empty if it is."""
        if not language or not self.languages or language in self.languages:
            return ""
        made = joined([language_name(each) for each in self.languages])
        return f"{self.name} is made for {made}, and the texts are {language_name(language)}. {self.elsewhere}".strip()

    def outdated(self, rows: Mapping[bytes, Array]) -> set[bytes]:
        """Select the stored rows to be computed again, because an earlier version computed just these differently.

        It spares all other rows a new `version`.
        """
        return set()

    @abstractmethod
    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """Compute one row of numbers per pair; rows may differ in length (one block per reference, for example)."""

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        """Compute the rows of these pairs when a corpus is scored.

        Metrics whose pairs share costly parts, such as the perplexity of a source, override it to keep these parts in
        the store as well.
        """
        return self.statistics(pairs)

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """Turn the stored rows of all systems into the rows that the methods below read.

        For metrics that weigh edits of one system by what the others did, and for metrics that share stored rows which
        hold more than each of them needs.
        """
        return dict(statistics)

    def digest_texts(self, rows: Array, places: Sequence[tuple[str, int]], statistics: Mapping[str, Array]) -> Array:
        """Digest the stored rows of other texts, each in the place of one output: a system and a sentence.

        `statistics` are the stored rows of all systems; empty unless the metric looks at peers.
        """
        return self.digest({"": rows})[""]

    @abstractmethod
    def aggregate(self, statistics: Array) -> Score:
        """Compute the corpus score. Rows are sentences; short rows are filled up with NaN."""

    def resampled(self, statistics: Array, counts: Array) -> Array:
        """Compute the scores of many corpora that consist of the same sentences, each a number of times.

        A metric whose score is a function of sums overrides this with something faster that gives the same.

        Args:
            statistics: One row per sentence.
            counts: One row per corpus: how often each sentence occurs in it.

        Returns:
            For each corpus what `aggregate` gives for the rows repeated that often, in the order of the sentences.
        """
        if self.averages:
            means: Array = counts @ self.sentence_scores(statistics) / counts.sum(axis=1)
            return means
        repeats = counts.astype(np.intp)
        return np.array([self.aggregate(np.repeat(statistics, row, axis=0)).value for row in repeats])

    @abstractmethod
    def sentence_scores(self, statistics: Array) -> Array:
        """Compute the score of every row on its own."""

    def sums(self, systems: Sequence[Array]) -> Sums:
        """How scores follow from sums over sentences, for systems with these digested statistics.

        Metrics whose score is not the mean of sentence scores override it, so that the difference of two systems'
        scores can be shared among sentences and edits (gec_core.meta.gap).
        """
        if self.averages:
            return mean_of_sentences(self.sentence_scores)
        raise ScoreError(
            f"{self.name} does not say how its score follows from sums over sentences (`Metric.sums`), so the "
            "difference of two systems cannot be shared among sentences."
        )

    def caveat(self, details: Mapping[str, Any]) -> str:
        """What has to be said beside a score with these details, such as that it is approximate; mostly nothing."""
        return ""

    def costs(self, pairs: Sequence[Pair], store: Store | None) -> str:
        """Say what computing these pairs would cost besides time, such as paid requests; mostly nothing."""
        return ""

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        """Give the counts behind every row's score."""
        return [{} for _ in statistics]

    def explain(
        self, sentence: Sentence, output: str, *, store: Store | None = None, peers: Sequence[str] = ()
    ) -> Explanation:
        """Explain the sentence score of an output in the metric's own terms.

        Args:
            peers: The outputs of the other systems, for metrics that compare systems with each other.
        """
        return self.explanation(Case(self, sentence, output, store, peers))

    def steps(
        self, sentence: Sentence, output: str, *, store: Store | None = None, peers: Sequence[str] = ()
    ) -> tuple[Step, ...]:
        """Compute the sentence score of an output step by step; the value of the last step is the score."""
        return tuple(self.computation(Case(self, sentence, output, store, peers)))

    def explanation(self, case: Case) -> Explanation:
        """Build what `explain` returns; by default the numbers behind the score."""
        return case.explanation(*([Facts("What the score is made of", case.details)] if case.details else []))

    def computation(self, case: Case) -> Iterable[Step]:
        """Build what `steps` returns; by default the blocks of the explanation, one after the other.

        Steps are computed anew from counts and texts rather than copied from the score, so that the last step checks
        the score.
        """
        for number, block in enumerate(self.explanation(case).blocks):
            yield Step(block.title, "" if number else self.summary, (block,))
        yield Step("The score", "The result.", (), (f"{self.name} = {shown(case.score)}",), case.score)


@dataclass(frozen=True)
class Case:
    """One output to be explained, with everything that is needed to score it."""

    metric: Metric
    sentence: Sentence
    output: str
    store: Store | None = None
    peers: Sequence[str] = ()

    @property
    def pair(self) -> Pair:
        return Pair(self.sentence, self.output)

    @cached_property
    def rows(self) -> Array:
        """The statistics of the output, as the metric's scores read them: a table of one row."""
        return digested_rows(self.metric, self.sentence, [self.output], peers=self.peers, store=self.store)

    @cached_property
    def score(self) -> float:
        return float(self.metric.sentence_scores(self.rows)[0])

    @cached_property
    def details(self) -> dict[str, Any]:
        return self.metric.sentence_details(self.rows)[0]

    def explanation(self, *blocks: Block, annotator: int | None = None, reference: str | None = None) -> Explanation:
        """The explanation that consists of these blocks."""
        metric = self.metric
        return Explanation(metric.id, metric.name, metric.signature, self.score, blocks, annotator, reference)


def stack(rows: Sequence[Array]) -> Array:
    """Stack rows of different lengths into one table; short rows are filled up with NaN on the right."""
    lengths = np.fromiter(map(len, rows), np.intp, len(rows))
    table = np.full((len(rows), lengths.max(initial=0)), np.nan)
    if len(rows):
        table[np.arange(table.shape[1]) < lengths[:, None]] = np.concatenate(rows)
    return table


def score_texts(
    metric: Metric,
    sentence: Sentence,
    texts: Sequence[str],
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> Array:
    """Compute the sentence score of each text, as if it alone were the corpus.

    Where a sentence score depends on the sentences before (`sentence=chosen` of M² and ERRANT), it is therefore the
    score under the annotator who is best for this text.
    """
    rows = digested_rows(metric, sentence, texts, peers=peers, store=store, on_progress=on_progress)
    return np.concatenate([metric.sentence_scores(rows[line : line + 1]) for line in range(len(rows))])


def digested_rows(
    metric: Metric,
    sentence: Sentence,
    texts: Sequence[str],
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> Array:
    """Compute the statistics of each text, as the metric's scores read them: one row per text.

    Args:
        peers: Outputs of other systems. A metric that weighs by what the others did (GoToScorer) sees each text as
            the output of one more system beside them.
    """
    rows = text_rows(metric, sentence, [*texts, *peers], store=store, on_progress=on_progress)
    systems = {f"peer {number}": stack([rows[peer]] * len(texts)) for number, peer in enumerate(peers)}
    return metric.digest({"": stack([rows[text] for text in texts]), **systems})[""]


def text_rows(
    metric: Metric,
    sentence: Sentence,
    texts: Sequence[str],
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> dict[str, Array]:
    """Compute the row of each distinct text, or take it from the store, where outputs of systems have theirs.

    Slow metrics compute a few rows at a time, so that progress is reported in between.
    """
    context = context_key(sentence, metric.reads)
    keys = {pair_key(context, text): text for text in texts}
    stored = store.get(metric.statistics_signature, keys) if store else {}
    for key in metric.outdated(stored):
        del stored[key]
    found = {keys[key]: row for key, row in stored.items()}
    missing = [key for key in keys if key not in stored]
    if missing and (problem := metric.obstacle(sentence)):
        raise MissingInput(problem)
    at_once = max(int(SECONDS_BETWEEN_REPORTS / metric.pace), 1)
    started = time.monotonic()
    for start in range(0, len(missing), at_once):
        part = missing[start : start + at_once]
        rows = _gathered(metric, [Pair(sentence, keys[key]) for key in part], store)
        fresh = dict(zip(part, rows, strict=True))
        if store:
            store.put(metric.statistics_signature, fresh)
        found |= {keys[key]: row for key, row in fresh.items()}
        on_progress(Progress(metric.name, len(found), len(keys), time.monotonic() - started))
    return found


def _gathered(metric: Metric, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
    try:
        return metric.gather(pairs, store)
    except MemoryError:
        raise ScoreError(f"{metric.name} ran out of memory. Close other programs and try again.") from None
