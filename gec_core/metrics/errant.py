"""ERRANT (Bryant et al. 2017), and the mean of its sentence scores.

The edits of an output are read off an alignment that knows about lemmas and parts of speech
(gec_core.align.errant_edits), whatever the gold edits are; those that an annotator has, too, are right.
`_errant_family` says how the annotator is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gec_core.metrics import _errant_rows, register
from gec_core.metrics._errant_family import EditMetric, EditOptions, MeanEditMetric
from gec_core.metrics.options import option
from gec_core.types import Array


@register
class Errant(EditMetric):
    id = "errant"
    name = "ERRANT"
    order = 15
    summary = "Precision and recall of typed edits, read off a linguistic alignment."
    citation = "Bryant et al. 2017, Automatic Annotation and Evaluation of Error Types for GEC, ACL"

    @dataclass(frozen=True)
    class Options(EditOptions):
        mode: Literal["span", "detection", "token"] = option(
            "span", "what must agree: span and correction of an edit, its span alone, or single tokens that are wrong"
        )

    options: Options

    def digest(self, statistics: Mapping[str, Array]) -> dict[str, Array]:
        """For each sentence and annotator: true positives, false positives, false negatives."""
        return {
            system: _errant_rows.counts(rows, self.options.mode).reshape(len(rows), -1)
            for system, rows in statistics.items()
        }


@register
class SentErrant(MeanEditMetric, Errant):
    id = "senterrant"
    name = "SentERRANT"
    order = 16
    summary = "The mean of ERRANT computed for each sentence on its own."
    citation = "Gong et al. 2022, Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP"
