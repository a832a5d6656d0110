"""Scribendi Score (Islam and Magnani 2021): a change is good if it lowers the perplexity and keeps the words similar.

Perplexity is that of a language model; similarity is the larger of two ratios, of sorted tokens and of characters. A
good change counts +1, any other change −1, no change 0; the score of a system is the sum.

The language model reads detokenised text: on CoNLL-2014 that raises the correlation with TrueSkill from r = .852,
rho = .868 (tokenised text) to .897, .890 with the embedded model. The ratios are those of the tokenised text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from math import exp
from typing import Any, Literal

import numpy as np

from gec_core.metrics import register
from gec_core.metrics.base import Case, Score
from gec_core.metrics.blocks import Explanation, Facts, Step, Tokens, shown
from gec_core.metrics.model import ModelMetric, ModelOptions, note_on_length, surprisal_block
from gec_core.metrics.options import option
from gec_core.metrics.sums import Sums, sum_of_sentences
from gec_core.models.causal_lm import detokenise
from gec_core.store import Store
from gec_core.types import Array, Pair

PPL_SOURCE, PPL_OUTPUT, TOKEN_SORT, LEVENSHTEIN, UNCHANGED, LONGEST = range(6)
"""The columns of a row; the last one is the length of the longer text in tokens of the model."""
VERDICTS = {1: "better", 0: "unchanged", -1: "not better"}


@register
class Scribendi(ModelMetric):
    id = "scribendi"
    name = "Scribendi Score"
    order = 110
    summary = (
        "The number of changed sentences with lower perplexity and similar words, minus all other changed sentences."
    )
    citation = (
        "Islam and Magnani 2021, Is this the end of the gold standard? A straightforward reference-less GEC metric"
    )
    reads = "source"
    kind = "causal-lm"
    pace = 0.05
    card = cleandoc(r"""
        ### Formula
        For each sentence, with the perplexity of a language model, the token sort ratio (TSR) and a Levenshtein ratio
        (LDR):

        $$
        \text{score} = \begin{cases}
        0 & \text{if } H = S \\
        +1 & \text{if } ppl(H) < ppl(S) \text{ and } \max(TSR, LDR) \ge 0.8 \\
        -1 & \text{otherwise}
        \end{cases}
        $$

        The score of a system is the sum. Text is detokenised first, as language models are trained on such text.

        ### Strengths
        It needs no references, and penalises degenerate output: *He He He He He He.* gets −1 although its perplexity is
        low.

        ### Known failures
        Three values per sentence are coarse, and a correct change that the language model finds less probable counts
        −1: with the embedded model, *cannot* for *can not* does (Islam and Magnani 2021, Table 1, print the opposite
        for GPT-2).
        """)

    @dataclass(frozen=True)
    class Options(ModelOptions):
        detokenise: bool = option(True, "detokenise text for the language model")
        threshold: float = option(
            0.8, "the least similarity of source and output (the larger of the two ratios)", least=0, most=1
        )

    options: Options

    @property
    def statistics_signature(self) -> str:
        detokenised = str(self.options.detokenise).lower()
        return f"scribendi-parts|v{self.version}|model:{self.model_signature}|detokenise:{detokenised}"

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.causal_lm import perplexity, token_nats

        read = {text: self._as_read(text) for pair in pairs for text in (pair.sentence.source, pair.output)}
        nats = token_nats(self.place, read.values(), store)
        rows = []
        for sentence, output in pairs:
            source = sentence.source
            surprise = nats[read[source]], nats[read[output]]
            ratios = token_sort_ratio(source, output), levenshtein_ratio(source, output)
            longest = max(len(each) for each in surprise)
            rows.append(np.array([*map(perplexity, surprise), *ratios, source == output, longest]))
        return rows

    def _as_read(self, text: str) -> str:
        return detokenise(text) if self.options.detokenise else text

    def aggregate(self, statistics: Array) -> Score:
        scores = self.sentence_scores(statistics)
        counts = {
            name: int(np.sum(scores == value)) for name, value in (("positive", 1), ("negative", -1), ("zero", 0))
        }
        return Score(float(scores.sum()), {**counts, "mean": float(scores.mean())})

    def resampled(self, statistics: Array, counts: Array) -> Array:
        sums: Array = counts @ self.sentence_scores(statistics)
        return sums

    def sums(self, systems: Sequence[Array]) -> Sums:
        return sum_of_sentences(self.sentence_scores)

    def sentence_scores(self, statistics: Array) -> Array:
        better = statistics[:, PPL_SOURCE] > statistics[:, PPL_OUTPUT]
        similar = np.maximum(statistics[:, TOKEN_SORT], statistics[:, LEVENSHTEIN]) >= self.options.threshold
        scores: Array = np.where(statistics[:, UNCHANGED] > 0, 0.0, np.where(better & similar, 1.0, -1.0))
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {
                "ppl_source": row[PPL_SOURCE],
                "ppl_output": row[PPL_OUTPUT],
                "tsr": row[TOKEN_SORT],
                "ldr": row[LEVENSHTEIN],
                "verdict": VERDICTS[int(score)],
                **note_on_length(self, row[LONGEST]),
            }
            for row, score in zip(statistics.tolist(), self.sentence_scores(statistics), strict=True)
        ]

    def explanation(self, case: Case) -> Explanation:
        details = case.details
        facts = {
            "perplexity of the source": details["ppl_source"],
            "perplexity of the output": details["ppl_output"],
            "token sort ratio": details["tsr"],
            "Levenshtein distance ratio": details["ldr"],
            "threshold of the ratios": self.options.threshold,
            "decision": _decision(case.score, details["ppl_source"] > details["ppl_output"]),
        }
        if "note" in details:
            facts["note"] = details["note"]
        return case.explanation(Facts("Decision", facts), *self._surprisals(case))

    def _surprisals(self, case: Case) -> list[Tokens]:
        """The surprisals of the source, and of the output where it differs."""
        texts: dict[Literal["source", "output"], str] = {"source": case.sentence.source}
        if case.output != case.sentence.source:
            texts["output"] = case.output
        return [
            surprisal_block(f"Surprisal of the {name}'s tokens", self._as_read(text), self.place, case.store, name)
            for name, text in texts.items()
        ]

    def computation(self, case: Case) -> Iterator[Step]:
        for block, name in zip(self._surprisals(case), ("source", "output"), strict=False):
            mean = sum(token.value for token in block.tokens) / max(len(block.tokens), 1)
            yield Step(
                f"Perplexity of the {name}",
                "The surprisal of a token is its negative log-probability given the tokens before it, in nats. "
                "Perplexity is e to the power of the mean surprisal: it is low for fluent text.",
                (block,),
                (f"perplexity = exp({shown(mean)}) = {shown(exp(mean))}",),
                exp(mean),
            )
        tsr, ldr, threshold = case.details["tsr"], case.details["ldr"], self.options.threshold
        yield Step(
            "Similarity of source and output",
            "Two ratios from 0 to 1: of the words in alphabetical order (token sort ratio), and of the characters "
            "(Levenshtein distance ratio). The larger one counts.",
            formulas=(
                f"TSR = {shown(tsr)}",
                f"LDR = {shown(ldr)}",
                f"max = {shown(max(tsr, ldr))}; threshold = {shown(threshold)}",
            ),
        )
        yield _decision_step(case, max(tsr, ldr), threshold)


def _decision(score: float, better: bool) -> str:
    """The rule that decides, in words."""
    if score == 0:
        return "The output equals the source: 0."
    if not better:
        return "The perplexity is not lower than that of the source: −1."
    if score < 0:
        return "The perplexity is lower, but both ratios are below the threshold: −1."
    return "The perplexity is lower, and one of the ratios reaches the threshold: +1."


def _decision_step(case: Case, similarity: float, threshold: float) -> Step:
    if case.output == case.sentence.source:
        text, value = "The output equals the source, so it scores 0.", 0.0
        formulas: tuple[str, ...] = ()
    else:
        source, output = case.details["ppl_source"], case.details["ppl_output"]
        better, similar = source > output, similarity >= threshold
        text = "The score is 1 if the perplexity is lower and the similarity reaches the threshold, otherwise −1."
        value = 1.0 if better and similar else -1.0
        formulas = (
            f"{shown(output)} < {shown(source)}: {'yes, more fluent' if better else 'no, not more fluent'}",
            f"{shown(similarity)} ≥ {shown(threshold)}: {'yes' if similar else 'no, too different'}",
        )
    return Step("The decision", text, (), (*formulas, f"Scribendi Score = {shown(value)}"), value)


def token_sort_ratio(source: str, output: str) -> float:
    """Compute the similarity of the sorted words, without case and punctuation, from 0 to 1."""
    from rapidfuzz import fuzz, utils

    return fuzz.token_sort_ratio(source, output, processor=utils.default_process) / 100


def levenshtein_ratio(source: str, output: str) -> float:
    """Compute 1 − LD / (|S| + |H|) in characters, where a substitution costs 2."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(source, output)
