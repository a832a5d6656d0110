"""What the answers of a session say: judgments, rankings of systems, agreement of judges, disputed items.

Every answer counts, repetitions too, as in the published judgments: a file of them and the live page give one ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gec_core.human import pairs
from gec_core.human.agreement import AgreementCounts, judge_agreement
from gec_core.human.ranking import Ranking, places, rank
from gec_core.judging.database import Session
from gec_core.judging.plan import Answer
from gec_core.judging.planning import OpenPair, Tally, neighbours
from gec_core.types import Judgment, Judgments, Ranked

SAMPLES = 200
"""Bootstrap samples of a live ranking: enough for its intervals, and quick."""


@dataclass(frozen=True)
class DisputedItem:
    """A pair of outputs that judges order differently."""

    sentence: int
    first: tuple[str, ...]
    second: tuple[str, ...]
    votes: tuple[int, int, int]
    """Judges for the first output, for a tie, for the second."""

    @property
    def split(self) -> int:
        """How many votes the losing side has."""
        return min(self.votes[0], self.votes[2])


@dataclass(frozen=True)
class EditVote:
    """How judges decided about one edit."""

    sentence: int
    systems: tuple[str, ...]
    start: int
    end: int
    correction: str
    accepted: int
    rejected: int


@dataclass(frozen=True)
class Results:
    """The state of a session."""

    answers: tuple[Answer, ...]
    expected_wins: Ranking | None
    trueskill: Ranking | None
    between: AgreementCounts | None
    """Agreement of different judges."""
    within: AgreementCounts | None
    """Agreement of judges with themselves."""
    disputed: tuple[DisputedItem, ...]
    order: tuple[OpenPair, ...]
    """Neighbours in the ranking, with the certainty of their order."""
    means: dict[str, float]
    """Mean rating (rating), or share of accepted edits (edits), by system."""


def results(session: Session, answers: Sequence[Answer], *, samples: int = SAMPLES, seed: int = 0) -> Results:
    """Compute rankings, agreement and disputed items from the answers so far."""
    means = _means(session, answers)
    if session.plan.kind == "edits" or not answers:
        return Results(tuple(answers), None, None, None, None, (), (), means)
    judged = judgments(session, answers)
    compared = pairs.expanded(judged)
    if not len(compared):
        return Results(tuple(answers), None, None, None, None, (), (), means)
    found = judge_agreement(pairs.unexpanded(judged))
    tally = Tally.of(session.plan.systems, answers, higher_is_better=session.plan.kind == "rating")
    return Results(
        tuple(answers),
        rank(compared, "ew", samples=samples, seed=seed),
        rank(compared, "ts", samples=0, seed=seed),
        found.inter,
        found.intra,
        tuple(disputed(session, answers)),
        tuple(neighbours(tally, len(answers))),
        means,
    )


def judgments(session: Session, answers: Sequence[Answer]) -> Judgments:
    """Turn answers into rankings: higher ratings are better ranks, equal ones are ties."""
    return Judgments(tuple(Judgment(one.item.sentence, one.judge, _ranked(session, one)) for one in answers))


def disputed(session: Session, answers: Sequence[Answer]) -> list[DisputedItem]:
    """The pairs of outputs on which judges are opposed, most evenly split first."""
    votes: dict[tuple[int, tuple[str, ...], tuple[str, ...]], list[int]] = defaultdict(lambda: [0, 0, 0])
    for answer in answers:
        if answer.item.repeat_of is not None:
            continue
        ranked = sorted(_ranked(session, answer), key=lambda place: place.systems)
        for first, second in combinations(ranked, 2):
            side = 1 + int(np.sign(first.rank - second.rank))
            votes[answer.item.sentence, first.systems, second.systems][side] += 1
    found = [
        DisputedItem(sentence, first, second, (counts[0], counts[1], counts[2]))
        for (sentence, first, second), counts in votes.items()
    ]
    opposed = [item for item in found if item.split]
    return sorted(opposed, key=lambda item: (-item.split, -sum(item.votes), item.sentence, item.first))


def edit_votes(session: Session, answers: Sequence[Answer]) -> list[EditVote]:
    """Every edit that was judged, with the votes on it."""
    votes: dict[tuple[int, tuple[str, ...], int, int, str], list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        values = iter(answer.values)
        for place in answer.item.places:
            for edit in session.texts.edits(answer.item.sentence, place):
                key = (answer.item.sentence, place, edit.start, edit.end, edit.correction)
                votes[key][int(next(values))] += 1
    return [EditVote(*key, accepted=yes, rejected=no) for key, (no, yes) in sorted(votes.items())]


def _ranked(session: Session, answer: Answer) -> tuple[Ranked, ...]:
    values = np.array(answer.values)
    ranks = places(values) if session.plan.kind == "rating" else values.astype(np.int64)
    return tuple(Ranked(place, int(at)) for place, at in zip(answer.item.places, ranks, strict=True))


def _means(session: Session, answers: Sequence[Answer]) -> dict[str, float]:
    if session.plan.kind == "ranking":
        return {}
    found: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        if session.plan.kind == "rating":
            for place, value in zip(answer.item.places, answer.values, strict=True):
                for system in place:
                    found[system].append(value)
        else:
            for place in answer.item.places:
                for system in place:
                    found[system].extend(answer.values)
    return {system: float(np.mean(values)) for system, values in sorted(found.items())}
