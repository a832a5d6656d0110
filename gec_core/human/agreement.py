"""Inter- and intra-judge agreement: raw, Cohen's kappa, Scott's pi, Fleiss' kappa, Krippendorff's alpha.

Two judgments are compared when they are about the same two outputs of the same sentence, by two judges
(inter) or twice by one judge (intra). Raw agreement is the share of such comparisons with the same answer:
first better, tie, second better. Cohen's kappa and Scott's pi are both (raw - chance) / (1 - chance). They differ in
chance:

* Cohen's kappa (two judges): the sum over the three answers of the share of the one judge times that of the other.
  That of all judges is the mean over pairs of judges, weighted by their comparisons.
* Scott's pi: the sum of the squared shares of the answers among the judgments compared, those of both judges pooled.
  This is what the Workshops on Machine Translation report as kappa, and what is left where a judge is compared with
  themselves, who has one distribution.

Use unexpanded pairs with their default representatives: ties of identical outputs are not opinions.

Fleiss' kappa and Krippendorff's alpha are about all judges at once. Their units are pairs of outputs, with the first
answer of each judge, or rated outputs, with the ratings of all raters; units with fewer than two answers say nothing.
Fleiss' kappa is taken with a varying number of answers: the mean over units of the share of agreeing pairs of answers,
against the sum of the squared shares of all answers. Alpha is 1 - observed / expected disagreement; two different
answers about a pair disagree by 1 (nominal), two ratings by the square of their difference (interval).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from gec_core.formatting import joined
from gec_core.human.pairs import Pairs
from gec_core.types import Array, Integers, Ratings

ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class AgreementCounts:
    """Counts of judgments of the same two outputs, with the coefficients of two judges, or of one."""

    judges: tuple[str, ...]
    comparisons: int
    agreeing: int
    answers: tuple[int, int, int]
    """Answers among the judgments compared, those of both judges: first better, tie, second better."""
    kappa: float | None = None
    """Cohen's kappa; None where it is not defined, as for a judge compared with themselves."""

    @property
    def name(self) -> str:
        """Who is compared with whom, in words."""
        both = list(dict.fromkeys(self.judges))
        return f"{both[0]} with themselves" if len(both) == 1 else joined(both)

    @property
    def raw(self) -> float | None:
        return self.agreeing / self.comparisons if self.comparisons else None

    @property
    def chance(self) -> float | None:
        """The agreement by chance that Scott's pi takes off."""
        total = sum(self.answers)
        return sum((count / total) ** 2 for count in self.answers) if total else None

    @property
    def pi(self) -> float | None:
        """Scott's pi; None where it is not defined, and `reason` says why."""
        return _beyond_chance(self.raw, self.chance)

    @property
    def reason(self) -> str:
        """Why there is no pi; empty if there is one."""
        if not self.comparisons:
            return "no two judgments of the same outputs"
        return "all answers are the same, so agreement is certain by chance" if self.pi is None else ""


@dataclass(frozen=True, slots=True)
class Together:
    """The agreement of all judges at once; a coefficient is None where it is not defined."""

    units: int
    """Pairs of outputs, or rated outputs, with at least two answers."""
    answers: int
    raw: float | None
    """The mean over units of the share of agreeing pairs of answers."""
    fleiss: float | None
    alpha: float | None


@dataclass(frozen=True, slots=True)
class Contested:
    """A sentence about which judges disagree."""

    sentence: int
    """Counted from 0."""
    comparisons: int
    """Comparisons of two judges' answers about the same two outputs."""
    opposed: int
    """Comparisons in which each judge prefers the other output."""
    judges: tuple[str, ...]


@dataclass(frozen=True)
class JudgeAgreement:
    """Agreement overall and by pair of judges."""

    inter: AgreementCounts
    intra: AgreementCounts
    by_judges: tuple[AgreementCounts, ...]
    """Every pair of judges, and every judge with themselves, in the order of names."""
    together: Together
    contested: tuple[Contested, ...]
    """Sentences with opposed answers, the most opposed first."""


def judge_agreement(pairs: Pairs) -> JudgeAgreement:
    """Inter- and intra-judge agreement; `pairs` should be the unexpanded ones."""
    answers = _answers(pairs)
    rows = [
        _agreement(pairs.judges, answers, one, other)
        for one, other in combinations_with_replacement(range(len(pairs.judges)), 2)
    ]
    inter = [row for row in rows if row.judges[0] != row.judges[1]]
    intra = [row for row in rows if row.judges[0] == row.judges[1]]
    return JudgeAgreement(
        _pooled(pairs.judges, inter),
        _pooled(pairs.judges, intra),
        tuple(rows),
        together(_first_answers(pairs), np.ones((3, 3)) - np.eye(3)),
        _contested(pairs, answers),
    )


def rating_agreement(ratings: Ratings, outputs: Mapping[str, Sequence[str]]) -> Together | None:
    """The agreement of raters about distinct outputs; None if only their means are known."""
    if ratings.each is None:
        return None
    distinct = {
        (sentence, output): (system, sentence)
        for system, name in enumerate(ratings.systems)
        for sentence, output in enumerate(outputs.get(name, ()))
    }
    each = ratings.each[tuple(np.array(list(distinct.values()), dtype=np.intp).reshape(-1, 2).T)]
    given = ~np.isnan(each)
    values = np.unique(each[given])
    counts = np.stack([((each == value) & given).sum(axis=1) for value in values], axis=1)
    return together(counts, (values[:, None] - values[None, :]) ** 2)


def together(counts: Integers, distances: Array) -> Together:
    """The agreement of all judges.

    Args:
        counts: How often each answer (column) was given about each unit (row).
        distances: How much two answers disagree, for alpha.
    """
    counts = counts[counts.sum(axis=1) > 1].astype(np.float64)
    if not len(counts):
        return Together(0, 0, None, None, None)
    sizes, totals = counts.sum(axis=1), counts.sum(axis=0)
    size = sizes.sum()
    raw = float(((counts * (counts - 1)).sum(axis=1) / (sizes * (sizes - 1))).mean())
    chance = float(((totals / size) ** 2).sum())
    observed = ((counts @ distances * counts).sum(axis=1) / (sizes - 1)).sum() / size
    expected = totals @ distances @ totals / (size * (size - 1))
    return Together(
        units=len(counts),
        answers=int(size),
        raw=raw,
        fleiss=(raw - chance) / (1 - chance) if chance < 1 else None,
        alpha=float(1 - observed / expected) if expected else None,
    )


def _outputs(pairs: Pairs) -> Integers:
    """A number for each sentence and pair of systems."""
    size = len(pairs.systems)
    return (pairs.sentence * size + pairs.first) * size + pairs.second


def _answers(pairs: Pairs) -> Integers:
    """The number of answers with the axes judge, pair of outputs, answer."""
    distinct, number = np.unique(_outputs(pairs), return_inverse=True)
    shape = (len(pairs.judges), len(distinct), 3)
    cells = np.ravel_multi_index((pairs.judge, number, pairs.relation + 1), shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)


def _first_answers(pairs: Pairs) -> Integers:
    """How often each answer was given about each pair of outputs, the first of every judge."""
    _, first = np.unique(_outputs(pairs) * len(pairs.judges) + pairs.judge, return_index=True)
    distinct, number = np.unique(_outputs(pairs)[first], return_inverse=True)
    cells = number * 3 + pairs.relation[first] + 1
    return np.bincount(cells, minlength=3 * len(distinct)).reshape(-1, 3)


def _contested(pairs: Pairs, answers: Integers) -> tuple[Contested, ...]:
    """The sentences with opposed answers; `answers` are those of `_answers`."""
    sentences = np.unique(_outputs(pairs)) // len(pairs.systems) ** 2
    given = answers.sum(axis=0)
    total = given.sum(axis=1)
    own = answers.sum(axis=2)
    compared = (total * (total - 1) - (own * (own - 1)).sum(axis=0)) // 2
    opposed = given[:, 0] * given[:, 2] - (answers[:, :, 0] * answers[:, :, 2]).sum(axis=0)
    found = []
    for sentence in np.unique(sentences[opposed > 0]).tolist():
        here = sentences == sentence
        judges = tuple(name for name, row in zip(pairs.judges, own, strict=True) if row[here].any())
        found.append(Contested(sentence, int(compared[here].sum()), int(opposed[here].sum()), judges))
    return tuple(sorted(found, key=lambda each: (-each.opposed, -each.opposed / each.comparisons, each.sentence)))


def _agreement(judges: tuple[str, ...], answers: Integers, one: int, other: int) -> AgreementCounts:
    first, second = answers[one], answers[other]
    if one == other:
        taking_part = first[first.sum(axis=1) > 1]
        totals = taking_part.sum(axis=1)
        comparisons, agreeing = totals * (totals - 1) // 2, taking_part * (taking_part - 1) // 2
        kappa = None
    else:
        both = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
        taking_part = (first + second)[both]
        comparisons, agreeing = first.sum(axis=1) * second.sum(axis=1), first * second
        kappa = cohen(first.T @ second)
    better, tied, worse = taking_part.sum(axis=0).tolist()
    return AgreementCounts(
        (judges[one], judges[other]), int(comparisons.sum()), int(agreeing.sum()), (better, tied, worse), kappa
    )


def cohen(table: Integers) -> float | None:
    """Cohen's kappa, given how often one judge gave an answer (row) where the other gave an answer (column)."""
    if not table.any():
        return None
    shares = table / table.sum()
    return _beyond_chance(float(np.trace(shares)), float(shares.sum(axis=1) @ shares.sum(axis=0)))


def _beyond_chance(raw: float | None, chance: float | None) -> float | None:
    """The part of the agreement that chance leaves open; None where agreement is certain, or nothing is compared."""
    if raw is None or chance is None or chance > 1 - ROUNDING:
        return None
    return (raw - chance) / (1 - chance)


def _pooled(judges: tuple[str, ...], rows: list[AgreementCounts]) -> AgreementCounts:
    better, tied, worse = (sum(row.answers[answer] for row in rows) for answer in range(3))
    known = [(row.kappa, row.comparisons) for row in rows if row.kappa is not None]
    weight = sum(comparisons for _, comparisons in known)
    return AgreementCounts(
        judges,
        sum(row.comparisons for row in rows),
        sum(row.agreeing for row in rows),
        (better, tied, worse),
        sum(kappa * comparisons for kappa, comparisons in known) / weight if weight else None,
    )
