"""An LLM judge on trial: position bias, length bias, agreement with itself and with people.

Every question is asked three times: as in scoring, with the outputs in the opposite order, and as in scoring once
more. People's own agreement stands beside the judge's, since no judge can agree with people better than they agree
with each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gec_core.human.agreement import judge_agreement
from gec_core.human.pairs import unexpanded
from gec_core.meta.agreement import compare, preferences
from gec_core.metrics.llm import LLMJudge
from gec_core.metrics.llm.metric import by_output
from gec_core.metrics.llm.prompts import LOWEST, JudgeQuestion
from gec_core.store import Store
from gec_core.types import Array, Corpus, Pair, Progress, ignore


@dataclass(frozen=True)
class Portion:
    """A share of cases, with how many there are."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """None if there is no case."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True)
class TrialFigure:
    """A mean or a coefficient, with how many cases it is of; None if it is not defined."""

    value: float | None
    of: int


@dataclass(frozen=True)
class Trial:
    """What a judge did in a trial."""

    signature: str
    questions: int
    flipped: Portion
    """Pairs of outputs in one question whose order is opposite, or no longer a tie or a tie, in the opposite order."""
    reversed_order: Portion
    """Of these, pairs that are ordered oppositely: better before, worse now."""
    first_over_last: TrialFigure
    """The mean score of an output in the first place less that of the same output in the last place.
    A case is a question with at least two outputs."""
    repeated: Portion
    """Outputs with the same score when the same question is asked again."""
    repeat_difference: float | None
    """The mean absolute difference of these scores."""
    length: TrialFigure
    """The correlation of differences in score with differences in length, over pairs of outputs of a sentence."""
    people: Portion
    """Pairs that people and the judge both order, and in the same way."""
    people_ties: Portion
    """Pairs that people order and the judge does not."""
    people_among_themselves: TrialFigure
    """Raw agreement of two people on the same pair of outputs, ties included."""

    def rows(self) -> list[dict[str, object]]:
        """The card as rows: what was measured, the value, how many cases, and how to read it."""

        def row(what: str, value: float | None, cases: int, reading: str) -> dict[str, object]:
            return {"what": what, "value": value, "cases": cases, "reading": reading}

        ends, among = self.first_over_last, self.people_among_themselves
        return [
            row("position: pairs whose order changes", self.flipped.value, self.flipped.of, "0 is best"),
            row("position: pairs ordered oppositely", self.reversed_order.value, self.reversed_order.of, "0 is best"),
            row("position: first less last place", ends.value, ends.of, "0 is best; 1 is a grade"),
            row("self-agreement: same score again", self.repeated.value, self.repeated.of, "1 is best"),
            row("self-agreement: mean difference", self.repeat_difference, self.repeated.of, "0 is best"),
            row(
                "length: correlation with score",
                self.length.value,
                self.length.of,
                "0 is no bias; above: longer is better",
            ),
            row("people: same order", self.people.value, self.people.of, "1 is best; 0.5 is chance"),
            row("people: not ordered by the judge", self.people_ties.value, self.people_ties.of, "0 is best"),
            row("people among themselves", among.value, among.of, "what can be reached"),
        ]


def trial(
    corpus: Corpus,
    judge: LLMJudge,
    *,
    sentences: int | None = None,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> Trial:
    """Put a judge on trial.

    Args:
        corpus: The corpus; its first sentences are asked about.
        judge: The judge.
        sentences: The number of sentences (default: all).
        store: Where answers are kept.
        on_progress: Called as answers come in; may raise to cancel.
    """
    part = corpus if sentences is None else corpus.at(range(min(sentences, len(corpus))))
    pairs = trial_pairs(part)
    asked, opposite = judge.questions(pairs), judge.questions(pairs, reverse=True)
    total, started = 2 * len(asked) + len(opposite), time.monotonic()

    def told(before: int) -> Callable[[int], None]:
        return lambda done: on_progress(Progress(judge.name, before + done, total, time.monotonic() - started))

    usual = judge.answers(asked, store, on_answers=told(0))
    turned = judge.answers(opposite, store, on_answers=told(len(asked)))
    again = judge.answers(asked, store, repeat=1, on_answers=told(len(asked) + len(opposite)))
    one, other, second = by_output(usual), by_output(turned), by_output(again)
    differing, contrary, compared = _order_changes(asked, one, other)
    both = [key for key in one if key in second]
    gaps = [abs(one[key] - second[key]) for key in both]
    people, people_ties, among = _beside_people(part, one)
    return Trial(
        signature=judge.signature,
        questions=len(asked),
        flipped=Portion(differing, compared),
        reversed_order=Portion(contrary, compared),
        first_over_last=_first_over_last(usual, other),
        repeated=Portion(sum(gap == 0 for gap in gaps), len(gaps)),
        repeat_difference=float(np.mean(gaps)) if gaps else None,
        length=_length_bias(one),
        people=people,
        people_ties=people_ties,
        people_among_themselves=among,
    )


def trial_pairs(corpus: Corpus) -> list[Pair]:
    """All outputs of a corpus, sentence by sentence."""
    columns = zip(corpus.sentences, *corpus.systems.values(), strict=True)
    return [Pair(sentence, text) for sentence, *texts in columns for text in texts]


def _order_changes(
    asked: list[JudgeQuestion], one: Mapping[tuple[str, str], float], other: Mapping[tuple[str, str], float]
) -> tuple[int, int, int]:
    """Pairs of outputs of a question: whose order changes, whose order is opposite, and all."""
    differing = contrary = compared = 0
    for question in asked:
        keys = [(question.source, text) for text in question.shown]
        for first, second in combinations(keys, 2):
            if not all(key in found for key in (first, second) for found in (one, other)):
                continue
            before, after = np.sign(one[first] - one[second]), np.sign(other[first] - other[second])
            compared += 1
            differing += int(before != after)
            contrary += int(before * after < 0)
    return differing, contrary, compared


def _first_over_last(usual: Mapping[JudgeQuestion, Array], other: Mapping[tuple[str, str], float]) -> TrialFigure:
    """The outputs at both ends of a question, each in the first and in the last place."""
    gaps = []
    for question, scores in usual.items():
        if len(question.shown) > 1:
            first, last = (other.get((question.source, question.shown[at])) for at in (0, -1))
            if first is not None and last is not None:
                gaps += [float(scores[0]) - first, last - float(scores[-1])]
    return TrialFigure(float(np.mean(gaps)) if gaps else None, len(gaps) // 2)


def _length_bias(scores: Mapping[tuple[str, str], float]) -> TrialFigure:
    """Pearson's correlation over pairs of outputs of one sentence."""
    by_source: dict[str, list[tuple[int, float]]] = {}
    for (source, text), score in scores.items():
        by_source.setdefault(source, []).append((len(text.split()), score))
    gaps = [
        (one[0] - other[0], one[1] - other[1]) for each in by_source.values() for one, other in combinations(each, 2)
    ]
    lengths, values = np.array(gaps, float).reshape(-1, 2).T
    if not len(gaps) or not np.any(lengths) or not np.any(values):
        return TrialFigure(None, len(gaps))
    # The sign of a difference is arbitrary, so means are taken to be 0.
    return TrialFigure(float(lengths @ values / np.sqrt((lengths @ lengths) * (values @ values))), len(gaps))


def _beside_people(corpus: Corpus, scores: Mapping[tuple[str, str], float]) -> tuple[Portion, Portion, TrialFigure]:
    """Pairs that the judge orders as people do, pairs that only people order, and people's raw agreement."""
    nobody = Portion(0, 0), Portion(0, 0), TrialFigure(None, 0)
    if corpus.judgments is None:
        return nobody
    pairs = unexpanded(corpus.judgments.among(corpus.systems))
    if not len(pairs):
        return nobody
    table = {
        system: [
            scores.get((each.source, text), float(LOWEST)) for each, text in zip(corpus.sentences, texts, strict=True)
        ]
        for system, texts in corpus.systems.items()
    }
    preferred = preferences(pairs, table)
    decided, every = compare(pairs, preferred, "Decided"), compare(pairs, preferred, "NoTies")
    ordered = Portion(decided.agree, decided.pairs)
    among = judge_agreement(pairs).inter
    return ordered, Portion(every.pairs - decided.pairs, every.pairs), TrialFigure(among.raw, among.comparisons)
