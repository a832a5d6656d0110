"""ERRANT (Bryant et al. 2017) and SentERRANT, the mean of its sentence scores.

The edits of an output are extracted from an alignment that takes lemmas and parts of speech into account
(gec_core.align.errant_edits), independently of the gold edits; an edit is correct if an annotator has it as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import cleandoc
from typing import Literal

from gec_core.metrics import register
from gec_core.metrics.errant.family import EditMetric, EditOptions, MeanEditMetric
from gec_core.metrics.errant.rows import Mode, counts
from gec_core.metrics.options import option
from gec_core.types import Array


@register
class Errant(EditMetric):
    id = "errant"
    name = "ERRANT"
    order = 15
    summary = "Precision and recall of typed edits, extracted from a linguistic alignment."
    citation = "Bryant et al. 2017, Automatic Annotation and Evaluation of Error Types for GEC, ACL"
    card = cleandoc(r"""
        ### Formula
        $$
        P = \frac{TP}{TP + FP}, \quad R = \frac{TP}{TP + FN}, \quad F_{0.5} = \frac{1.25\,PR}{0.25\,P + R}
        $$

        Edits of the output are extracted and classified by ERRANT: a linguistically informed alignment, merging rules,
        55 error types. An edit is correct if an annotator has the same span and correction; each sentence takes the
        annotator that makes the score so far highest. `references=gold` compares with the edits as annotated, `auto`
        with edits extracted from the references.

        ### Strengths
        It is the most widely used metric today, and says which types of errors a system corrects
        (`python -m gec_core types`).

        ### Known failures
        Those of M²: partial corrections count nothing, all edits count the same, and doing nothing scores 0.
        """)

    @dataclass(frozen=True)
    class Options(EditOptions):
        mode: Literal["span", "detection", "token"] = option(
            "span", "what must agree: span and correction of an edit, its span alone, or single changed tokens"
        )

    options: Options

    @property
    def mode(self) -> Mode:
        return self.options.mode

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """For each sentence and annotator: true positives, false positives, false negatives."""
        return {system: counts(rows, self.mode).reshape(len(rows), -1) for system, rows in statistics.items()}


@register
class SentErrant(MeanEditMetric, Errant):
    id = "senterrant"
    name = "SentERRANT"
    order = 16
    summary = "The mean of ERRANT computed for each sentence on its own."
    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
    card = cleandoc(r"""
        ### Formula
        $$
        \text{SentERRANT} = \frac{1}{n} \sum_{i=1}^{n} \max_a F_{0.5}(E_i, G_i^a)
        $$

        The mean over sentences of ERRANT's $F_{0.5}$, each sentence with the annotator that is best for it.

        ### Strengths
        It correlates better with people than ERRANT over the whole corpus (Gong et al. 2022: r .870 instead of .642
        against Expected Wins).

        ### Known failures
        It rewards leaving sentences unchanged, because a sentence without gold edits that is left unchanged scores 1.
        """)
