"""GLEU (Napoles et al. 2015, without tuning 2016): n-gram precision that penalises what should have been changed.

With several references the original draws one per sentence, 500 times over, and reports the mean. Draws need only
statistics, so they cost a matrix product. `sampling=exact` is the expectation over all choices of references instead,
and so are the scores of resampled corpora. The expectation is computed in one of three ways:

- where there are few choices, by enumerating them;
- where the summed statistics hardly depend on the choice, from their means and covariances (see `expected_score`): on
  CoNLL-2014 within 1e-5 of a million draws, twenty times closer than 500 draws; on slices of 13 to 100 sentences
  within a hundredth of the standard deviation of single draws;
- otherwise, that is for few sentences with few n-grams in common, by its own draws: 20,000 for `sampling=exact`, with
  an error of a 140th of that standard deviation, 500 for each of many resampled corpora (a 22nd).

`std` is then the standard deviation of a single draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from math import exp, log
from typing import Any, Literal

import numpy as np

from gec_core.metrics import options, register
from gec_core.metrics.base import Case, Metric, Score
from gec_core.metrics.blocks import Block, Explanation, Facts, NGramOrder, NGrams, Step, shown
from gec_core.metrics.gleu.expectation import (
    FEWER,
    MOST_CHOICES,
    draw_references,
    drawn,
    expectation,
    expected_score,
    expected_sums,
    gleu_scores,
    moments,
    parts,
    present,
    reference_blocks,
    steady,
)
from gec_core.metrics.ngrams import ORDERS, for_each_reference, listed, ngrams
from gec_core.metrics.options import option
from gec_core.metrics.sums import Sums
from gec_core.types import Array, Pair


@register
class Gleu(Metric):
    id = "gleu"
    name = "GLEU"
    family = "overlap"
    order = 30
    summary = "N-grams shared with a reference, minus those that should have been changed but were kept."
    citation = (
        "Napoles et al. 2015, Ground Truth for Grammatical Error Correction Metrics, ACL; 2016, GLEU Without Tuning"
    )
    reads = "references"
    card = cleandoc(r"""
        ### Formula
        For n = 1 to 4, with counts clipped to those of the other text:

        $$
        p_n = \frac{\sum \max\left(0,\; |H \cap R|_n - |H \cap (S \setminus R)|_n\right)}{\sum |H|_n}
        $$

        $$
        \text{GLEU} = e^{\min(0,\, 1 - |R|/|H|)} \cdot \Big(\prod_{n=1}^{4} p_n\Big)^{1/4}
        $$

        where $S \setminus R$ are the n-grams of the source that do not occur in the reference. With several references
        one is drawn for each sentence, 500 times over, and the mean is reported. `sampling=exact` is the expectation.

        ### Strengths
        It needs only corrected sentences, no edits, and rewards fluent rewrites that occur in a reference.

        ### Known failures
        * Doing nothing scores high, and a wrong change in the right place higher: in *The weekly quizzes in this course
          makes it challenging and fun .*, leaving *makes* gets .392, *making* .735 (Chollampatt and Ng 2018, Table 4).
        * An output equal to one of two references is not perfect, because the other one is drawn half of the time.
        * Draws differ: the same text can get different scores.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        sampling: Literal["original", "exact"] = option(
            "original", "draw references as the original does, or compute the expectation over all choices"
        )
        iterations: int = option(500, "number of draws", least=1, most=100_000)
        draw: Literal["python2", "python3"] = option(
            "python2", "the random generator of the draws: Python 2's, as in the original, or Python 3's"
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        return f"gleu-counts|v{self.version}"

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        from gec_core.align.ngrams import gleu_statistics

        return for_each_reference(pairs, gleu_statistics)

    def aggregate(self, statistics: Array) -> Score:
        blocks, sizes = reference_blocks(statistics)
        if self.options.sampling == "exact":
            mean, std = expectation(blocks, sizes)
        else:
            scores = drawn(blocks, draw_references(tuple(sizes.tolist()), self.options.iterations, self.options.draw))
            mean, std = float(scores.mean()), float(scores.std())
        return Score(mean, {"std": std, "references": int(blocks.shape[1])})

    def resampled(self, statistics: Array, counts: Array) -> Array:
        """Compute the expectation over all choices of references, whatever `sampling` says.

        The noise of draws must not be mistaken for a difference between samples of sentences.
        """
        blocks, sizes = reference_blocks(statistics)
        if (sizes == 1).all():
            return gleu_scores(counts @ blocks[:, 0])
        means, covariances = moments(blocks, sizes)
        sums, spreads = counts @ means, (counts @ covariances.reshape(len(blocks), -1)).reshape(-1, 5, 5)
        one_by_one = (counts @ np.log(sizes) <= np.log(MOST_CHOICES)) | ~steady(sums, spreads)
        scores = np.empty(len(counts))
        for sample in np.flatnonzero(one_by_one):
            lines = np.repeat(np.arange(len(blocks)), counts[sample].astype(np.intp))
            scores[sample] = expectation(blocks[lines], sizes[lines], rounds=1)[0]
        for part in parts(np.flatnonzero(~one_by_one)):
            scores[part] = expected_score(sums[part], spreads[part], 1, FEWER)
        return scores

    def sums(self, systems: Sequence[Array]) -> Sums:
        """The expectation over all choices of references, whatever `sampling` says."""
        return expected_sums(systems)

    def sentence_scores(self, statistics: Array) -> Array:
        blocks, sizes = reference_blocks(statistics)
        scores = gleu_scores(np.where(blocks == 0, 1, blocks))
        means: Array = np.where(present(blocks, sizes), scores, 0).sum(axis=1) / sizes
        return means

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        blocks, sizes = reference_blocks(statistics)
        scores = gleu_scores(np.where(blocks == 0, 1, blocks))
        return [
            {"by_reference": scores[line, :size].tolist(), "std": float(scores[line, :size].std())}
            for line, size in enumerate(sizes)
        ]

    def explanation(self, case: Case) -> Explanation:
        blocks: list[Block] = []
        for number, reference in enumerate(case.sentence.references):
            orders = _orders(case, reference)
            title = f"Reference {number + 1}"
            facts: dict[str, Any] = {
                "reference": reference,
                "GLEU": case.details["by_reference"][number],
                "brevity penalty": exp(min(0.0, 1 - len(reference.split()) / max(len(case.output.split()), 1))),
                **{f"{each.order}-grams": f"{each.top} of {each.bottom}" for each in orders},
            }
            if any(not each.top or not each.bottom for each in orders):
                facts["note"] = "In a single sentence every 0 counts as 1."
            blocks += [Facts(title, facts), NGrams(title, orders)]
        return case.explanation(Facts("All references", {"mean of the references": case.score}), *blocks)

    def computation(self, case: Case) -> Iterator[Step]:
        scores: list[float] = []
        for number, reference in enumerate(case.sentence.references, 1):
            orders = _orders(case, reference)
            yield Step(
                f"N-grams compared with reference {number}",
                "N-grams of the output that occur in the reference are rewarded. N-grams that were kept from the "
                "source although they do not occur in the reference are penalised.",
                (NGrams(f"Reference {number}", orders),),
            )
            found = [max(order.top, 1) / max(order.bottom, 1) for order in orders]
            length, words = len(reference.split()), len(case.output.split())
            penalty = exp(min(0.0, 1 - max(length, 1) / max(words, 1)))
            scores.append(penalty * exp(sum(map(log, found)) / len(found)))
            yield Step(
                f"GLEU with reference {number}",
                "The geometric mean of the four precisions, multiplied by a penalty if the output is shorter than the "
                "reference. In a single sentence every 0 counts as 1.",
                formulas=(
                    *map(_precision, orders),
                    f"penalty = exp(min(0, 1 − {length} / {words})) = {shown(penalty)}",
                    f"GLEU = {shown(penalty)} · ({' · '.join(map(shown, found))})^(1/4) = {shown(scores[-1])}",
                ),
                value=scores[-1],
            )
        mean = sum(scores) / len(scores)
        yield Step(
            "The mean over the references",
            "All references count the same.",
            formulas=(f"GLEU = ({' + '.join(map(shown, scores))}) / {len(scores)} = {shown(mean)}",),
            value=mean,
        )


def _orders(case: Case, reference: str) -> tuple[NGramOrder, ...]:
    return tuple(_order(case.sentence.source, case.output, reference, order) for order in ORDERS)


def _order(source: str, output: str, reference: str, order: int) -> NGramOrder:
    """Reward n-grams of the output that the reference has; penalise those of the source that it does not have."""
    old, new, gold = (ngrams(text, order) for text in (source, output, reference))
    rewarded = new & gold
    penalised = Counter({each: count for each, count in (new & old).items() if each not in gold})
    return NGramOrder(
        order,
        listed(rewarded, {each: "kept" if each in old else "new" for each in rewarded}),
        listed(penalised, "should have been changed"),
        listed(new - rewarded - penalised, "not in the reference"),
        max(rewarded.total() - penalised.total(), 0),
        new.total(),
    )


def _precision(order: NGramOrder) -> str:
    rewarded, penalised = (sum(gram.count for gram in part) for part in (order.rewarded, order.penalised))
    counted = f"({rewarded} rewarded − {penalised} penalised) / {order.bottom} in all"
    smoothed = f" → {max(order.top, 1)} / {max(order.bottom, 1)}" if not order.top or not order.bottom else ""
    return f"p{order.order} = {counted}{smoothed} = {shown(max(order.top, 1) / max(order.bottom, 1))}"
