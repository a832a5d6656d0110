"""Inter- and intra-judge agreement: raw agreement and Cohen's kappa.

Two judgments are compared when they are about the same two outputs of the same sentence, by two judges
(inter) or twice by one judge (intra). Raw agreement is the share of such comparisons with the same answer:
first better, tie, second better. Cohen's kappa is (raw - chance) / (1 - chance). As in the Workshops on
Machine Translation, chance comes from one distribution: the sum of the squared shares of
the three answers among the judgments compared, those of both judges pooled.

Use unexpanded pairs with their default representatives: ties of identical outputs are not opinions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from gec_core.human.pairs import Pairs
from gec_core.types import Integers


@dataclass(frozen=True, slots=True)
class AgreementCounts:
    """Counts of judgments of the same two outputs, with raw agreement and kappa."""

    judges: tuple[str, ...]
    comparisons: int
    agreeing: int
    answers: tuple[int, int, int]
    """Answers among the judgments compared: first better, tie, second better."""

    @property
    def raw(self) -> float | None:
        return self.agreeing / self.comparisons if self.comparisons else None

    @property
    def chance(self) -> float | None:
        total = sum(self.answers)
        return sum((count / total) ** 2 for count in self.answers) if total else None

    @property
    def kappa(self) -> float | None:
        """None where it is not defined; `reason` says why."""
        if self.raw is None or self.chance is None or self.chance == 1:
            return None
        return (self.raw - self.chance) / (1 - self.chance)

    @property
    def reason(self) -> str:
        """Why there is no kappa; empty if there is one."""
        if not self.comparisons:
            return "no two judgments of the same outputs"
        return "all answers are the same, so agreement is certain by chance" if self.chance == 1 else ""


@dataclass(frozen=True)
class JudgeAgreement:
    """Agreement overall and by pair of judges."""

    inter: AgreementCounts
    intra: AgreementCounts
    by_judges: tuple[AgreementCounts, ...]
    """Every pair of judges, and every judge with themselves, in the order of names."""


def judge_agreement(pairs: Pairs) -> JudgeAgreement:
    """Inter- and intra-judge agreement; `pairs` should be the unexpanded ones."""
    answers = _answers(pairs)
    rows = [
        _agreement(pairs.judges, answers, one, other)
        for one, other in combinations_with_replacement(range(len(pairs.judges)), 2)
    ]
    inter = [row for row in rows if row.judges[0] != row.judges[1]]
    intra = [row for row in rows if row.judges[0] == row.judges[1]]
    return JudgeAgreement(_pooled(pairs.judges, inter), _pooled(pairs.judges, intra), tuple(rows))


def _answers(pairs: Pairs) -> Integers:
    """The number of answers with the axes judge, pair of outputs, answer."""
    size = len(pairs.systems)
    outputs = (pairs.sentence * size + pairs.first) * size + pairs.second
    distinct, number = np.unique(outputs, return_inverse=True)
    shape = (len(pairs.judges), len(distinct), 3)
    cells = np.ravel_multi_index((pairs.judge, number, pairs.relation + 1), shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)


def _agreement(judges: tuple[str, ...], answers: Integers, one: int, other: int) -> AgreementCounts:
    first, second = answers[one], answers[other]
    if one == other:
        taking_part = first[first.sum(axis=1) > 1]
        totals = taking_part.sum(axis=1)
        comparisons, agreeing = totals * (totals - 1) // 2, taking_part * (taking_part - 1) // 2
    else:
        both = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
        taking_part = (first + second)[both]
        comparisons, agreeing = first.sum(axis=1) * second.sum(axis=1), first * second
    better, tied, worse = taking_part.sum(axis=0).tolist()
    return AgreementCounts(
        (judges[one], judges[other]), int(comparisons.sum()), int(agreeing.sum()), (better, tied, worse)
    )


def _pooled(judges: tuple[str, ...], rows: list[AgreementCounts]) -> AgreementCounts:
    better, tied, worse = (sum(row.answers[answer] for row in rows) for answer in range(3))
    return AgreementCounts(
        judges, sum(row.comparisons for row in rows), sum(row.agreeing for row in rows), (better, tied, worse)
    )
