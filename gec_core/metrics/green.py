"""GREEN (Koyama et al. 2024): what happened to the n-grams of the source, and what should have happened.

Comparing the n-gram multisets of source, hypothesis and reference, an n-gram is correctly kept, deleted or inserted
(true positive), wrongly deleted or inserted (false positive), or wrongly kept or not inserted (false negative).
Precision and recall are geometric means over n = 1 to 4; the score is F2 with the reference that is best for the
sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_core.metrics import options, register
from gec_core.metrics.base import Case, Metric, Score
from gec_core.metrics.blocks import Explanation, Facts, NGramOrder, NGrams, Step, Table, shown
from gec_core.metrics.fscore import RATES, f_step
from gec_core.metrics.ngrams import ORDERS, for_each_reference, listed, ngrams
from gec_core.metrics.options import option
from gec_core.metrics.sums import Sums
from gec_core.types import Array, Pair


@register
class Green(Metric):
    id = "green"
    name = "GREEN"
    family = "overlap"
    order = 50
    summary = "N-grams correctly kept, deleted and inserted, against those that were overcorrected or missed."
    citation = "Koyama et al. 2024, n-gram F-score for Evaluating Grammatical Error Correction, INLG"
    reads = "references"
    card = cleandoc(r"""
        ### Formula
        The n-grams of source, output and reference are compared as multisets. Correctly kept, deleted and inserted
        n-grams are true positives, wrong deletions and insertions false positives, missed ones false negatives.

        $$
        P = \Big(\prod_{n=1}^{4} P_n\Big)^{1/4}, \quad R = \Big(\prod_{n=1}^{4} R_n\Big)^{1/4}, \quad
        F_2 = \frac{5\,PR}{4\,P + R}
        $$

        with the reference that is best for each sentence.

        ### Strengths
        It counts what should have been done, like edit-based metrics, without needing edits.

        ### Known failures
        Kept n-grams are by far the most frequent, so scores lie close together: .77 to .80 for all 13 systems of
        CoNLL-2014.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        beta: float = option(2.0, "weight of recall; above 1, recall counts more", least=0.01, most=100)

    options: Options

    @property
    def statistics_signature(self) -> str:
        return f"green-counts|v{self.version}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        from gec_core.align.ngrams import green_statistics

        return for_each_reference(pairs, green_statistics)

    def aggregate(self, statistics: Array) -> Score:
        totals = self._best(statistics)[0].sum(axis=0)
        details = self._details(totals)
        return Score(details["f"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        best = self._best(statistics)[0]
        totals = counts @ best.reshape(len(best), -1)
        return self._f(totals.reshape(len(counts), len(ORDERS), 3))[2]

    def sums(self, systems: Sequence[Array]) -> Sums:
        """F of the counts on each sentence's best reference."""
        return Sums(
            count=lambda _, rows: self._best(rows)[0].reshape(len(rows), -1),
            score=lambda sums: self._f(sums.reshape(*sums.shape[:-1], len(ORDERS), 3))[2],
        )

    def sentence_scores(self, statistics: Array) -> Array:
        return self._f(self._best(statistics)[0])[2]

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        counts, chosen = self._best(statistics)
        return [self._details(row) | {"reference": int(index)} for row, index in zip(counts, chosen, strict=True)]

    def explanation(self, case: Case) -> Explanation:
        number = case.details["reference"]
        reference = case.sentence.references[number]
        facts = {label: case.details[name] for name, label in RATES.items()}
        counts = zip(ORDERS, *(case.details[name] for name in ("tp", "fp", "fn")), strict=True)
        facts |= {f"{order}-grams": f"{tp} correct, {fp} wrong, {fn} missed" for order, tp, fp, fn in counts}
        return case.explanation(
            Facts("Geometric means over all orders", facts),
            NGrams(f"Reference {number + 1}", _orders(case, reference)),
            reference=reference,
        )

    def computation(self, case: Case) -> Iterator[Step]:
        yield Step(
            "Compare the n-grams of source, output and reference",
            "Rewarded: correctly kept, deleted or inserted. Penalised: wrongly deleted or inserted. Others: missed "
            "deletions and insertions. The reference is the one that is best for the output.",
            tuple(self.explanation(case).all(NGrams)),
        )
        correct, wrong, missed = (case.details[name] for name in ("tp", "fp", "fn"))
        rows = tuple((str(order), *map(str, each)) for order, *each in zip(ORDERS, correct, wrong, missed, strict=True))
        yield Step(
            "Counts",
            "TP: correct; FP: wrong; FN: missed.",
            (Table("Counts by order", ("n", "TP", "FP", "FN"), rows),),
        )
        p, r = _mean_ratio(correct, wrong), _mean_ratio(correct, missed)
        yield Step(
            "Precision and recall",
            "The geometric means over the four orders; 0/0 is defined as 1.",
            formulas=(
                f"P = ({_product(correct, wrong)})^(1/4) = {shown(p)}",
                f"R = ({_product(correct, missed)})^(1/4) = {shown(r)}",
            ),
        )
        yield f_step(p, r, self.options.beta)

    def _best(self, statistics: Array) -> tuple[Array, NDArray[np.intp]]:
        """The counts (sentences × orders × 3) with each sentence's best reference, and the number of that reference."""
        blocks = statistics.reshape(len(statistics), -1, len(ORDERS), 3)
        scores = np.where(np.isnan(blocks[:, :, 0, 0]), -1.0, self._f(np.nan_to_num(blocks))[2])
        chosen = np.argmax(scores, axis=1)
        return blocks[np.arange(len(blocks)), chosen], chosen

    def _f(self, counts: Array) -> tuple[Array, Array, Array]:
        """Compute precision, recall and F of counts whose last two axes are orders × (tp, fp, fn)."""
        true = counts[..., 0]
        precision = _geometric_mean(true, true + counts[..., 1])
        recall = _geometric_mean(true, true + counts[..., 2])
        weight = self.options.beta**2
        bottom = weight * precision + recall
        f: Array = np.divide((1 + weight) * precision * recall, bottom, out=np.zeros_like(bottom), where=bottom > 0)
        return precision, recall, f

    def _details(self, counts: Array) -> dict[str, Any]:
        precision, recall, f = (float(value) for value in self._f(counts))
        names = ("tp", "fp", "fn")
        return {name: counts[:, index].astype(int).tolist() for index, name in enumerate(names)} | {
            "p": precision,
            "r": recall,
            "f": f,
        }


def _geometric_mean(top: Array, bottom: Array) -> Array:
    """Compute the geometric mean over orders of top / bottom; 0/0 is defined as 1."""
    ratios = np.divide(top, bottom, out=np.ones_like(bottom), where=bottom > 0)
    mean: Array = np.prod(ratios, axis=-1) ** (1 / len(ORDERS))
    return mean


def _orders(case: Case, reference: str) -> tuple[NGramOrder, ...]:
    return tuple(_order(case.sentence.source, case.output, reference, order) for order in ORDERS)


def _order(source: str, output: str, reference: str, order: int) -> NGramOrder:
    """Reward what was correctly kept, deleted, inserted; penalise what was wrongly deleted or inserted."""
    old, new, gold = (ngrams(text, order) for text in (source, output, reference))
    rewarded = (
        *listed(old & new & gold, "kept"),
        *listed(old - (new | gold), "deleted"),
        *listed((new & gold) - old, "inserted"),
    )
    penalised = (*listed((old & gold) - new, "wrongly deleted"), *listed(new - (old | gold), "wrongly inserted"))
    missed = (*listed((old & new) - gold, "not deleted"), *listed(gold - (old | new), "not inserted"))
    top = sum(each.count for each in rewarded)
    return NGramOrder(order, rewarded, penalised, missed, top, top + sum(each.count for each in penalised))


def _mean_ratio(correct: Sequence[int], others: Sequence[int]) -> float:
    ratios = (good / (good + bad) if good + bad else 1.0 for good, bad in zip(correct, others, strict=True))
    return float(prod(ratios) ** (1 / len(correct)))


def _product(correct: Sequence[int], others: Sequence[int]) -> str:
    return " · ".join(f"{good}/{good + bad}" if good + bad else "1" for good, bad in zip(correct, others, strict=True))
