"""BLEU (Papineni et al. 2002) as in sacrebleu (smoothing `exp`), on the tokens as they are, with all references.

N-grams are counted by a compiled kernel and many rows are scored at once: the same numbers as sacrebleu's, many times
faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from inspect import cleandoc
from math import exp, prod
from operator import or_
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics.base import Case, Metric, Score
from gec_core.metrics.blocks import Explanation, Facts, NGramOrder, NGrams, Step, shown
from gec_core.metrics.ngrams import ORDERS, for_all_references, listed, ngrams
from gec_core.metrics.sums import Sums
from gec_core.types import Array, Pair

WIDTH = len(ORDERS)


@register
class Bleu(Metric):
    id = "bleu"
    name = "BLEU"
    family = "overlap"
    order = 40
    summary = "N-grams of the output that occur in any reference; the source is ignored."
    citation = (
        "Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation, ACL; "
        "Post 2018, A Call for Clarity in Reporting BLEU Scores, WMT"
    )
    reads = "references"
    card = cleandoc(r"""
        ### Formula
        $$
        \text{BLEU} = e^{\min(0,\, 1 - |R|/|H|)} \cdot \Big(\prod_{n=1}^{4} p_n\Big)^{1/4}
        $$

        where $p_n$ is the share of the output's n-grams that occur in a reference and $|R|$ the length of the reference
        whose length is closest to that of the output; defined as in sacrebleu, on the tokens as they are.

        ### Strengths
        It is well known, and a baseline for the others.

        ### Known failures
        It ignores the source, so the less a system changes, the better: on CoNLL-2014 it ranks doing nothing second of
        13 systems, and correlates negatively with people.
        """)

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        """For each pair: lengths of output and closest reference, then matches and totals for n = 1 to 4."""
        from gec_core.align.ngrams import bleu_statistics

        return for_all_references(pairs, bleu_statistics)

    def aggregate(self, statistics: Array) -> Score:
        (details,) = _details(statistics.sum(axis=0, keepdims=True), effective_order=False)
        return Score(details["bleu"], details)

    def resampled(self, statistics: Array, counts: Array) -> Array:
        return _scores(counts @ statistics, effective_order=False)

    def sums(self, systems: Sequence[Array]) -> Sums:
        """BLEU of summed counts; its kink is where the brevity penalty begins."""
        return Sums(
            count=lambda _, rows: rows,
            score=lambda sums: _scores(sums, effective_order=False),
            kinks=lambda sums: (sums[..., 0] - sums[..., 1])[..., None],
        )

    def sentence_scores(self, statistics: Array) -> Array:
        return _scores(statistics, effective_order=True)

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return _details(statistics, effective_order=True)

    def explanation(self, case: Case) -> Explanation:
        orders, details = _orders(case), case.details
        facts = {
            "brevity penalty": details["brevity_penalty"],
            "tokens of the output": details["output_tokens"],
            "tokens of the closest reference": details["reference_tokens"],
            **{f"precision of {order}-grams": details["precisions"][order - 1] for order in ORDERS},
        }
        if any(each.bottom and not each.top for each in orders):
            facts["note"] = "An order without a match counts half a match, the next one a quarter, and so on."
        return case.explanation(
            Facts("What the score is made of", facts), NGrams("Compared with all references", orders)
        )

    def computation(self, case: Case) -> Iterator[Step]:
        yield Step(
            "N-grams that occur in a reference",
            "Each n-gram of the output counts at most as often as it occurs in one reference. The source is ignored.",
            (NGrams("Compared with all references", _orders(case)),),
        )
        orders = [order for order in _orders(case) if order.bottom]
        found, halvings, lines = [], 0, []
        for order in orders:
            halvings += not order.top
            found.append((order.top or 2.0**-halvings) / order.bottom)
            smoothed = "" if order.top else f" → {shown(2.0**-halvings)} / {order.bottom}"
            lines.append(f"p{order.order} = {order.top} / {order.bottom}{smoothed} = {shown(found[-1])}")
        yield Step(
            "Precisions",
            "The share of the output's n-grams that occur in a reference. The first order without a match counts half "
            "a match, the next one a quarter, and so on.",
            formulas=tuple(lines),
        )
        words, length = case.details["output_tokens"], case.details["reference_tokens"]
        penalty = exp(min(0.0, 1 - length / words)) if words else 0.0
        yield Step(
            "Brevity penalty",
            "Omitting words raises precision, so an output that is shorter than the closest reference is penalised.",
            formulas=(f"BP = exp(min(0, 1 − {length} / {words})) = {shown(penalty)}",),
            value=penalty,
        )
        matched = any(order.top for order in orders)
        value = penalty * prod(found) ** (1 / len(found)) if matched else 0.0
        product = " · ".join(map(shown, found))
        formula = f"BLEU = {shown(penalty)} · ({product})^(1/{len(found)})" if matched else "BLEU, without any match,"
        text = "The geometric mean of the precisions, multiplied by the penalty."
        yield Step("BLEU", text, formulas=(f"{formula} = {shown(value)}",), value=value)


def _orders(case: Case) -> tuple[NGramOrder, ...]:
    return tuple(_order(case.output, case.sentence.references, order) for order in ORDERS)


def _order(output: str, references: Iterable[str], order: int) -> NGramOrder:
    """Reward each n-gram of the output at most as often as it occurs in one reference."""
    new = ngrams(output, order)
    gold = reduce(or_, (ngrams(reference, order) for reference in references))
    matched = new & gold
    return NGramOrder(order, listed(matched), (), listed(new - gold, "in no reference"), matched.total(), new.total())


def _scores(rows: Array, *, effective_order: bool) -> Array:
    """Compute the score of every row; with `effective_order`, only the orders that a sentence has count."""
    correct, total = rows[:, 2 : 2 + WIDTH], rows[:, 2 + WIDTH :]
    there = total > 0
    scored = np.asarray(correct.any(axis=1)) & (there.all(axis=1) | effective_order)
    logs = np.log(np.where(there & scored[:, None], _precisions(rows), 1)).sum(axis=1)
    orders = np.maximum(there.sum(axis=1), 1) if effective_order else WIDTH
    scores: Array = np.where(scored, _brevity(rows) * np.exp(logs / orders), 0.0)
    return scores


def _precisions(rows: Array) -> Array:
    """Compute the precision of every order, smoothed: half a match for the first order without one, then a quarter."""
    correct, total = rows[:, 2 : 2 + WIDTH], rows[:, 2 + WIDTH :]
    missed = (total > 0) & (correct == 0) & correct.any(axis=1, keepdims=True)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=1), correct)
    return smoothed / np.where(total > 0, total, 1)


def _brevity(rows: Array) -> Array:
    output, reference = rows[:, 0], rows[:, 1]
    penalty = np.minimum(1, np.exp(1 - reference / np.maximum(output, 1)))
    return np.where((output == 0) & (reference > 0), 0.0, penalty)


def _details(rows: Array, *, effective_order: bool) -> list[dict[str, Any]]:
    """Scores with the numbers behind them."""
    columns = {
        "bleu": _scores(rows, effective_order=effective_order),
        "precisions": _precisions(rows),
        "brevity_penalty": _brevity(rows),
        "output_tokens": rows[:, 0].astype(int),
        "reference_tokens": rows[:, 1].astype(int),
    }
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in values]
