"""What the answers of a session say: judgments, rankings of systems, agreement of judges, disputed items.

Every answer counts, repetitions too, as in the published judgments: a file of them and the live page give one ranking.
A finished session is a set of judgments of its corpus (`joined`).

How certain the order of two systems is comes from a bootstrap over judgments: the difference of their Expected Wins,
divided by its standard deviation, is taken for a t value with as many judgments as the system of the two that was seen
less. Few judgments may agree by chance, so one win and one loss against every opponent are added to the difference, and
the standard deviation is at least the one that these counts have if all comparisons are independent.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from statistics import NormalDist

import numpy as np

from gec_core.corpora.judgment_sets import USUAL
from gec_core.errors import JudgingError
from gec_core.human import pairs, trueskill
from gec_core.human.agreement import AgreementCounts, judge_agreement
from gec_core.human.pairs import Pairs
from gec_core.human.ranking import (
    Interval,
    Ranking,
    few_comparisons,
    interval,
    item_weights,
    places,
    rank,
    resampled_wins,
    wins_intervals,
)
from gec_core.judging.next_item import Tally
from gec_core.judging.session import Answer, Session
from gec_core.types import Array, Corpus, EditVerdict, Judgment, Judgments, JudgmentSet, Ranked, Ratings

SAMPLES, TRUESKILL_SAMPLES = 200, 40
"""Bootstrap samples of a live ranking: enough for its intervals, and quick."""
CERTAINTY = 0.95
MOST_TIMES = 100
"""More judgments than so many times those so far are not estimated."""
PREFIX = "session-"
"""What the id of a session as a set of judgments begins with."""


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
class OrderedPair:
    """Two systems in the order of the ranking so far, and how certain this order is."""

    better: str
    worse: str
    z: float
    """The difference of their Expected Wins in standard deviations."""
    compared: int
    """How often the two were compared."""
    judgments: int
    """All judgments so far."""

    @property
    def certainty(self) -> float:
        """The probability of this order, from .5."""
        return NormalDist().cdf(self.z)

    def needed(self, certainty: float = CERTAINTY) -> int | None:
        """An estimate of how many more judgments settle the pair; None where far more than there are so far.

        The standard deviation shrinks with the square root of the number of judgments; the difference stays as it is.
        """
        goal = NormalDist().inv_cdf(certainty)
        if self.z >= goal:
            return 0
        times = (goal / self.z) ** 2 if self.z > 0 else math.inf
        return math.ceil(self.judgments * (times - 1)) if times < MOST_TIMES else None


@dataclass(frozen=True)
class SessionResults:
    """The state of a session."""

    answers: tuple[Answer, ...]
    expected_wins: Ranking | None
    trueskill: Ranking | None
    between: AgreementCounts | None
    """Agreement of different judges."""
    within: AgreementCounts | None
    """Agreement of judges with themselves."""
    disputed: tuple[DisputedItem, ...]
    pairs: tuple[OrderedPair, ...]
    """All pairs of ranked systems, in the order of Expected Wins."""
    means: dict[str, float]
    """Mean rating (rating), or share of accepted edits (edits), by system."""
    intervals: dict[str, dict[str, Interval]]
    """By method (`ew`, `ts`, `mean`) and system; no `ts` while there are too few comparisons for a bootstrap."""

    @property
    def neighbours(self) -> list[OrderedPair]:
        """The pairs of systems that are next to each other in the ranking."""
        systems = self.expected_wins.systems if self.expected_wins else ()
        wanted = set(pairwise(systems))
        return [pair for pair in self.pairs if (pair.better, pair.worse) in wanted]

    def needed(self, certainty: float = CERTAINTY) -> int | None:
        """About how many more judgments settle all neighbours; None where far more than there are so far."""
        each = [pair.needed(certainty) for pair in self.neighbours]
        known = [count for count in each if count is not None]
        return max(known, default=0) if len(known) == len(each) else None


def results(session: Session, answers: Sequence[Answer], *, samples: int = SAMPLES, seed: int = 0) -> SessionResults:
    """Compute rankings, agreement and disputed items from the answers so far."""
    values = _values(session, answers)
    means = {system: float(np.mean(given)) for system, given in sorted(values.items())}
    scale = 100.0 if session.plan.kind == "rating" else 1.0
    spans = {"mean": {name: _mean_interval(given, scale, samples, seed) for name, given in values.items()}}
    spans = spans if samples else {}
    nothing = SessionResults(tuple(answers), None, None, None, None, (), (), means, spans)
    if session.plan.kind == "edits" or not answers:
        return nothing
    judged = judgments(session, answers)
    compared = pairs.expanded(judged)
    if not len(compared):
        return nothing
    found = judge_agreement(pairs.unexpanded(judged))
    ranked = rank(compared, "ew", samples=samples, seed=seed)
    drawn = resampled_wins(compared, item_weights(compared.items, samples, seed)) if samples else np.empty((0, 0))
    return SessionResults(
        tuple(answers),
        ranked,
        rank(compared, "ts", samples=0, seed=seed),
        found.inter,
        found.intra,
        tuple(disputed(session, answers)),
        tuple(_ordered(session, answers, ranked, compared, drawn)) if samples else (),
        means,
        spans | _intervals(compared, samples, seed) if samples else spans,
    )


def _intervals(compared: Pairs, samples: int, seed: int) -> dict[str, dict[str, Interval]]:
    """The intervals of both methods; TrueSkill has none while there are too few comparisons for a bootstrap."""
    found = {"ew": wins_intervals(compared, samples, seed)}
    if not few_comparisons(compared):
        weights = item_weights(compared.items, min(samples, TRUESKILL_SAMPLES), seed)
        drawn = trueskill.resampled(compared, weights, seed=seed)
        found["ts"] = {name: interval(column) for name, column in zip(compared.systems, drawn.T, strict=True)}
    return found


def _ordered(
    session: Session, answers: Sequence[Answer], ranked: Ranking, compared: Pairs, drawn: Array
) -> Iterable[OrderedPair]:
    tally = Tally.of(session.plan.systems, answers, higher_is_better=session.plan.kind == "rating")
    means, variances = tally.strengths()
    at = {name: number for number, name in enumerate(tally.systems)}
    column = {name: number for number, name in enumerate(compared.systems)}
    seen = Counter(name for answer in answers for place in answer.item.places for name in place)
    for better, worse in combinations(ranked.systems, 2):
        first, second = at[better], at[worse]
        differences = drawn[:, column[better]] - drawn[:, column[worse]]
        defined = differences[~np.isnan(differences)]
        least = math.sqrt(variances[first] + variances[second])
        deviation = max(float(defined.std()) if len(defined) else least, least)
        t = max(float(means[first] - means[second]), 0.0) / deviation
        z = _normal_score(t, min(seen[better], seen[worse]))
        yield OrderedPair(better, worse, z, int(tally.met[first, second]), len(answers))


def _normal_score(t: float, judgments: int) -> float:
    """The normal score as likely as this t value of few judgments, whose own deviation is uncertain (Wallace 1959)."""
    freedom = judgments - 1
    if freedom < 1:
        return 0.0
    t *= math.sqrt(freedom / judgments)  # a bootstrap divides by n, not by n - 1
    return (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))


def judgment_set(session: Session, answers: Sequence[Answer], sentences: int) -> JudgmentSet:
    """The rankings or ratings of a session as a set of judgments of a corpus with so many sentences."""
    ranked = judgments(session, answers)
    title = f"{session.plan.title} ({len(ranked.judges)} judges)" if len(ranked.judges) > 1 else session.plan.title
    id, evidence = (
        f"{PREFIX}{session.id}",
        f"collected on the page Judge, {len(answers)} answers (change {session.serial})",
    )
    if session.plan.kind == "ranking":
        return JudgmentSet(id, title, "rankings", ranked, evidence=evidence)
    systems = session.plan.systems
    given: dict[tuple[int, int], list[float]] = defaultdict(list)
    for answer in answers:
        for place, value in zip(answer.item.places, answer.values, strict=True):
            for name in place:
                given[systems.index(name), answer.item.sentence].append(value)
    each = np.full((len(systems), sentences, max(map(len, given.values()), default=1)), np.nan)
    for (system, sentence), values in given.items():
        each[system, sentence, : len(values)] = values
    means = np.full(each.shape[:2], np.nan)
    for (system, sentence), values in given.items():
        means[system, sentence] = np.mean(values)
    return JudgmentSet(id, title, "ratings", ranked, Ratings(systems, means, 0.0, 100.0, each), evidence=evidence)


def joined(corpus: Corpus, sessions: Iterable[tuple[Session, Sequence[Answer]]]) -> Corpus:
    """The corpus with sessions as further sets of judgments; sessions about other texts and empty ones are left out.

    Verdicts on edits join the verdicts of the corpus. A corpus without judgments is judged by the first session.
    """
    known = dict(corpus.judgment_sets)
    if corpus.judgments is not None and not known:
        known[USUAL] = JudgmentSet(USUAL, "", "rankings", corpus.judgments)
    sets, verdicts = {}, list(corpus.verdicts)
    for session, answers in sessions:
        if not answers or session.texts.misfit(corpus):
            continue
        if session.plan.kind == "edits":
            verdicts += edit_verdicts(session, answers)
        else:
            found = judgment_set(session, answers, len(corpus))
            sets[found.id] = found
    if not sets and len(verdicts) == len(corpus.verdicts):
        return corpus
    chosen = corpus.chosen_set or next(iter({**known, **sets}), "")
    return replace(
        corpus,
        judgment_sets={**known, **sets},
        chosen_set=chosen,
        judgments=corpus.judgments or (sets[chosen].judgments if chosen in sets else None),
        verdicts=tuple(verdicts),
    )


def own_corpus(session: Session, answers: Sequence[Answer], name: str) -> Corpus:
    """The judged part of a session's corpus with its judgments, from what the session keeps.

    Raises:
        JudgingError: There is no answer yet.
    """
    if not answers:
        raise JudgingError("Nobody has answered yet, so there are no judgments.")
    place = {line: number for number, line in enumerate(session.texts.sentences)}
    whole = 1 + max(place)
    part = session.texts.corpus(name)
    if session.plan.kind == "edits":
        return replace(
            part,
            verdicts=tuple(replace(one, sentence=place[one.sentence]) for one in edit_verdicts(session, answers)),
        )
    found = judgment_set(session, answers, whole).at(place)
    return replace(part, judgment_sets={found.id: found}, chosen_set=found.id, judgments=found.judgments)


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


def edit_verdicts(session: Session, answers: Sequence[Answer]) -> list[EditVerdict]:
    """All verdicts on single edits, in the order of the answers."""
    found = []
    for answer in answers:
        values = iter(answer.values)
        for place in answer.item.places:
            found += [
                EditVerdict(answer.item.sentence, answer.judge, place, edit, bool(next(values)))
                for edit in session.texts.edits(answer.item.sentence, place)
            ]
    return found


def edit_votes(session: Session, answers: Sequence[Answer]) -> list[EditVote]:
    """Every edit that was judged, with the votes on it."""
    votes: dict[tuple[int, tuple[str, ...], int, int, str], list[int]] = defaultdict(lambda: [0, 0])
    for one in edit_verdicts(session, answers):
        votes[one.sentence, one.systems, one.edit.start, one.edit.end, one.edit.correction][one.accepted] += 1
    return [EditVote(*key, accepted=yes, rejected=no) for key, (no, yes) in sorted(votes.items())]


def _ranked(session: Session, answer: Answer) -> tuple[Ranked, ...]:
    values = np.array(answer.values)
    ranks = places(values) if session.plan.kind == "rating" else values.astype(np.int64)
    return tuple(Ranked(place, int(at)) for place, at in zip(answer.item.places, ranks, strict=True))


def _mean_interval(given: Sequence[float], scale: float, samples: int, seed: int) -> Interval:
    """The interval of a mean on a scale from 0, from a Bayesian bootstrap.

    Both ends of the scale are added once, so that few equal values do not look certain. For verdicts this is the
    distribution Beta(accepted + 1, rejected + 1).
    """
    values = np.array([0.0, scale, *given])
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(values)), size=samples)
    return interval(shares @ values)


def _values(session: Session, answers: Sequence[Answer]) -> dict[str, list[float]]:
    """The verdicts on edits (1: accepted) of each system, or its mean rating for each sentence.

    Sentences weigh the same however often they were judged, as in every set of ratings (`types.Ratings`).
    """
    rated: dict[tuple[str, int], list[float]] = defaultdict(list)
    found: dict[str, list[float]] = defaultdict(list)
    for answer in answers if session.plan.kind != "ranking" else ():
        if session.plan.kind == "rating":
            for place, value in zip(answer.item.places, answer.values, strict=True):
                for system in place:
                    rated[system, answer.item.sentence].append(value)
        else:
            for place in answer.item.places:
                for system in place:
                    found[system].extend(answer.values)
    for (system, _), values in rated.items():
        found[system].append(float(np.mean(values)))
    return found
