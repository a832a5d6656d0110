"""A bench that tries to break a metric: how often its score moves the right way when a text is changed.

The changes are in `stress_cases`; the result is a card, a table of metrics and kinds of change with examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gec_core.environment import how_to_run
from gec_core.errors import GecLensError, MissingInput
from gec_core.meta.stress_cases import KINDS, StressCase, cases
from gec_core.metrics.base import Metric, score_texts
from gec_core.scoring import score
from gec_core.scoring.imported import Imported
from gec_core.store import Store
from gec_core.types import Array, Corpus, Progress, Sentence, ignore

STILL = 1e-9
"""Smaller changes of a score come from rounding."""
EXAMPLES = 5
"""Failures that a card shows of each kind."""
_TEXT = "text"


@dataclass(frozen=True)
class Moved:
    """What a metric's score did in one case."""

    case: StressCase
    before: float
    after: float

    @property
    def right(self) -> bool:
        """Whether the score moved as it should."""
        return self.direction == {"up": 1, "down": -1, "same": 0}[self.case.effect]

    @property
    def direction(self) -> int:
        """1 up, −1 down, 0 not at all."""
        change = self.after - self.before
        return 0 if abs(change) < STILL else 1 if change > 0 else -1


@dataclass(frozen=True)
class KindResult:
    """A metric under one kind of change."""

    kind: str
    moved: tuple[Moved, ...]

    @property
    def cases(self) -> int:
        return len(self.moved)

    @property
    def right(self) -> float | None:
        """The share of cases in which the score moved as it should; None if there is no case."""
        return sum(each.right for each in self.moved) / self.cases if self.moved else None

    @property
    def unmoved(self) -> float | None:
        """The share of cases in which the score did not move."""
        return sum(each.direction == 0 for each in self.moved) / self.cases if self.moved else None

    def failures(self) -> list[Moved]:
        """Cases in which the score moved the wrong way or, if it should, not at all; the largest moves first."""
        return sorted((each for each in self.moved if not each.right), key=lambda each: -abs(each.after - each.before))


@dataclass(frozen=True)
class StressCard:
    """How a metric holds up, by kind of change."""

    metric: str
    name: str
    signature: str
    kinds: tuple[KindResult, ...]

    @property
    def mean(self) -> float | None:
        """The mean share of right moves over the kinds that have cases: every kind counts the same."""
        shares = [each.right for each in self.kinds if each.right is not None]
        return float(np.mean(shares)) if shares else None

    def rows(self) -> list[dict[str, object]]:
        """One row per kind."""
        return [
            {
                "metric": self.metric,
                "kind": each.kind,
                "should": KINDS[each.kind][0],
                "cases": each.cases,
                "right": each.right,
                "unmoved": each.unmoved,
                "change": KINDS[each.kind][1],
            }
            for each in self.kinds
        ]


@dataclass(frozen=True)
class StressResult:
    """The cards of several metrics on one corpus."""

    corpus: str
    fingerprint: str
    cards: tuple[StressCard, ...]
    problems: dict[str, str]
    """Why a metric has no card, by its id."""

    def table(self) -> list[dict[str, object]]:
        """One row per metric, one column per kind: the share of right moves."""
        return [
            {"metric": card.metric, "mean": card.mean, **{each.kind: each.right for each in card.kinds}}
            for card in self.cards
        ]


def stress(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    each: int = 100,
    seed: int = 0,
    kinds: Sequence[str] = tuple(KINDS),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> StressResult:
    """Try to break metrics.

    Imported metrics have scores of outputs only: they take part where both texts are outputs of systems.

    Args:
        corpus: A corpus with texts and references.
        metrics: The metrics; those that cannot run are named in `problems`.
        each: The most cases of a kind.
        seed: Of the draw of cases.
        kinds: The kinds of change.
        store: Where scores are kept.
        on_progress: Called as scoring goes on; may raise to cancel.

    Raises:
        MissingInput: The corpus has no texts or no references, or no metric can take part.
    """
    if not corpus.has_texts:
        raise MissingInput(
            f"{corpus.name}: changes are made to texts, and those of this corpus are not on this machine. "
            f"Get them with: {how_to_run(f'corpora fetch {corpus.name}')}"
        )
    if not any(sentence.references for sentence in corpus.sentences):
        raise MissingInput(f"{corpus.name} has no references, from which right and wrong texts are made.")
    made = cases(corpus, each=each, seed=seed, kinds=kinds)
    cards, problems = [], {}
    for metric in metrics:
        try:
            own = [case for case in made if _applies(metric, case)]
            moved = _moved(corpus, metric, own, store, on_progress)
        except GecLensError as problem:
            problems[metric.id] = str(problem)
            continue
        results = (KindResult(kind, tuple(each for each in moved if each.case.kind == kind)) for kind in kinds)
        cards.append(StressCard(metric.id, metric.title, metric.signature, tuple(results)))
    if not cards:
        raise MissingInput(" ".join(problems.values()) or "Name a metric.")
    return StressResult(corpus.name, corpus.fingerprint, tuple(cards), problems)


def _applies(metric: Metric, case: StressCase) -> bool:
    """Whether a case says something about a metric: one on gold edits only if the metric reads these."""
    if isinstance(metric, Imported):
        return case.systems is not None and all(system in metric.scores.sentences for system in case.systems)
    return case.sentence_after is None or metric.reads == "gold"


def _moved(
    corpus: Corpus,
    metric: Metric,
    own: Sequence[StressCase],
    store: Store | None,
    on_progress: Callable[[Progress], None],
) -> list[Moved]:
    if not own:
        raise MissingInput(f"{metric.name} can take part in no case of these kinds.")
    if isinstance(metric, Imported):
        return [Moved(case, *(_imported(metric, system, case.line) for system in case.systems or ())) for case in own]
    if metric.by_peers:
        return [Moved(case, *_beside_peers(corpus, metric, case, store)) for case in own]
    texts = [
        pair
        for case in own
        for pair in ((case.sentence, case.before), (case.sentence_after or case.sentence, case.after))
    ]
    scores = _sentence_scores(corpus.name, metric, texts, store, on_progress).reshape(-1, 2)
    return [Moved(case, float(before), float(after)) for case, (before, after) in zip(own, scores, strict=True)]


def _imported(metric: Imported, system: str, line: int) -> float:
    return float(metric.scores.sentences[system][line])


def _beside_peers(corpus: Corpus, metric: Metric, case: StressCase, store: Store | None) -> Iterable[float]:
    """The scores of both texts beside the outputs of all systems of the corpus."""
    peers = [outputs[case.line] for outputs in corpus.systems.values()]
    for sentence, text in ((case.sentence, case.before), (case.sentence_after or case.sentence, case.after)):
        yield float(score_texts(metric, sentence, [text], peers=peers, store=store)[0])


def _sentence_scores(
    name: str,
    metric: Metric,
    texts: Sequence[tuple[Sentence, str]],
    store: Store | None,
    on_progress: Callable[[Progress], None],
) -> Array:
    """The score of each text on its own."""
    made = Corpus(f"{name}, changed", tuple(pair[0] for pair in texts), {_TEXT: tuple(pair[1] for pair in texts)})
    column = score(made, [metric], store=store, on_progress=on_progress, workers=1).columns[0]
    return column.sentence_scores(_TEXT)
