"""PT-M2 (Gong et al. 2022): M2 in which an edit counts as much as it matters to a pretrained scorer.

Edits are read off the output as M2 does it; `_pt_family` says what they weigh. The reference is the source with
all edits of the annotator, as in the published code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gec_core.metrics import register
from gec_core.metrics._pt_edits import readings
from gec_core.metrics._pt_family import Read, WeighedMetric, WeighedOptions
from gec_core.metrics.m2 import M2
from gec_core.metrics.options import option
from gec_core.store import Store
from gec_core.types import Array, Pair


@register
class PTM2(WeighedMetric):
    id = "ptm2"
    name = "PT-M²"
    order = 160
    summary = (
        "M² in which each edit counts as much as it brings the sentence closer to the reference, or takes it away."
    )
    reads = "gold"
    pace = 0.005

    @dataclass(frozen=True)
    class Options(WeighedOptions):
        max_unchanged: int = option(2, "unchanged words that one edit may cover", least=0, most=100)

    options: Options

    @property
    def edit_parts(self) -> tuple[str, ...]:
        return (f"max_unchanged:{self.options.max_unchanged}",)

    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        return [Read(*readings(pair, self.options.max_unchanged)) for pair in pairs]

    @property
    def unweighted(self) -> M2:
        return M2(M2.Options(beta=self.options.beta))

    def unweighted_rows(self, blocks: Array) -> Array:
        return np.hstack([np.ones((len(blocks), 1)), blocks.reshape(len(blocks), -1)])

    def _notes(self, statistics: Array) -> dict[str, Any]:
        """Also lattices too large to join."""
        return super()._notes(statistics) | {"linear_lattices": int(np.sum(statistics[:, 0] == 0))}
