"""PT-M² (Gong et al. 2022): M² with each edit weighted by its effect according to a pretrained model.

Edits are extracted as in M²; `family` defines their weights. The reference is the source with all edits of the
annotator applied, as in the published code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics.base import Case
from gec_core.metrics.blocks import Step
from gec_core.metrics.m2 import M2, path_step
from gec_core.metrics.options import option
from gec_core.metrics.pt.explained import ExplainedWeights
from gec_core.metrics.pt.family import Read, WeightedOptions
from gec_core.metrics.readings import Reading, lattice_caveat, lattice_notes, lattice_readings, outdated_lattices
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair


@register
class PTM2(ExplainedWeights):
    id = "ptm2"
    name = "PT-M²"
    order = 160
    summary = "M² with each edit weighted by how far it moves the sentence towards the reference, or away from it."
    reads = "gold"
    pace = 0.005
    card = cleandoc(r"""
        ### Formula
        M² with weights. For each edit $u$ of output or gold, $S'$ is the source with only $u$ applied, and

        $$
        w_u = \left| \text{BERTScore}(S', R) - \text{BERTScore}(S, R) \right|
        $$

        Precision and recall sum weights instead of counting edits; `level=sentence` is the mean of the sentence scores,
        each with the best annotator.

        ### Strengths
        It has the best correlation with people of the reference-based metrics here (published: r .949 against Expected
        Wins). The controls `weights=identity` and `weights=permuted` show how much of that is due to the model.

        ### Known failures
        It inherits M²'s edits: what M² does not match has no weight as correct, however good it is.
        """)

    @dataclass(frozen=True)
    class Options(WeightedOptions):
        max_unchanged: int = option(2, "number of unchanged words that one edit may cover", least=0, most=100)

    options: Options

    @property
    def edit_parts(self) -> tuple[str, ...]:
        return (f"max_unchanged:{self.options.max_unchanged}",)

    def outdated(self, rows: Mapping[bytes, Array]) -> set[bytes]:
        return outdated_lattices(rows)

    def caveat(self, details: Mapping[str, Any]) -> str:
        return lattice_caveat(details)

    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        return [Read(*lattice_readings(pair, self.options.max_unchanged)) for pair in pairs]

    @property
    def unweighted(self) -> M2:
        return M2(M2.Options(beta=self.options.beta))

    def unweighted_rows(self, blocks: Array) -> Array:
        return np.hstack([np.ones((len(blocks), 1)), blocks.reshape(len(blocks), -1)])

    def extraction_step(self, case: Case) -> Step:
        return path_step(self.chosen_reading(case), self.options.max_unchanged)

    def edit_types(self, case: Case, reading: Reading) -> Mapping[Edit, str]:
        return reading.annotated_types(case.sentence.annotations[case.details["annotator"]])

    def _notes(self, statistics: Array) -> dict[str, Any]:
        """Notes on truncated sentences, and on lattices that were too large."""
        return super()._notes(statistics) | lattice_notes(statistics)
