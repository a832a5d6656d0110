"""PT-ERRANT (Gong et al. 2022): ERRANT in which an edit counts as much as it matters to a pretrained scorer.

Edits of the output and gold edits are ERRANT's (`_errant_family`); `_pt_family` says what they weigh. With all
weights 1 it is SentERRANT, or ERRANT at corpus level. The paper had no annotator's edits to go by, but read them
off the references: `references=auto`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gec_core.align.edits import apply_edits
from gec_core.align.errant_pipeline import label
from gec_core.align.errant_types import UNKNOWN
from gec_core.metrics import register
from gec_core.metrics._errant_family import edits_beside_gold
from gec_core.metrics._pt_edits import Reading, as_met
from gec_core.metrics._pt_family import Read, WeighedMetric, WeighedOptions
from gec_core.metrics.errant import Errant
from gec_core.metrics.options import option
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair, Reads, Sentence


@register
class PTErrant(WeighedMetric):
    id = "pterrant"
    name = "PT-ERRANT"
    order = 161
    summary = (
        "ERRANT in which each edit counts as much as it brings the sentence closer to the reference, or takes it away."
    )
    reads: Reads = "gold"
    pace = 0.007

    @dataclass(frozen=True)
    class Options(WeighedOptions):
        references: Literal["gold", "auto"] = option(
            "gold", "gold edits as annotated, or read off the references as those of the output are"
        )

    options: Options

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self.reads = self.unweighted.reads

    @property
    def edit_parts(self) -> tuple[str, ...]:
        return f"references:{self.options.references}", label()

    def readings(self, pairs: Sequence[Pair], store: Store | None) -> list[Read]:
        found = edits_beside_gold(pairs, self.options.references, store)
        return [
            Read(
                [
                    reading(pair.sentence.source, self._reference(pair.sentence, annotator), made, gold)
                    for annotator, gold in enumerate(golds)
                ]
            )
            for pair, (made, golds) in zip(pairs, found, strict=True)
        ]

    def _reference(self, sentence: Sentence, annotator: int) -> str:
        """What the annotator made of the source; edits read off a reference give that reference."""
        if self.options.references == "auto":
            return sentence.references[annotator]
        return apply_edits(sentence.source, sentence.annotations[annotator].edits)

    @property
    def unweighted(self) -> Errant:
        return Errant(Errant.Options(beta=self.options.beta, references=self.options.references))

    def unweighted_rows(self, blocks: Array) -> Array:
        correct, proposed, gold = np.moveaxis(blocks, -1, 0)
        counts = np.stack([correct, proposed - correct, gold - correct], axis=-1)
        return counts.reshape(len(blocks), -1)


def reading(source: str, reference: str, made: Sequence[Edit], gold: Sequence[Edit]) -> Reading:
    """An output's edits held against gold edits as `errant_compare` counts them.

    Errors that were found but not corrected are left out; an edit that two gold edits ask for counts twice.
    """
    made, gold = ([edit for edit in edits if edit.type != UNKNOWN] for edits in (made, gold))
    plain = [Edit(edit.start, edit.end, edit.correction) for edit in made]
    wanted = tuple(as_met(edit, set(plain)) for edit in gold)
    times = Counter(wanted)
    proposed = tuple(edit for each in plain for edit in [each] * max(1, times[each]))
    return Reading(source, reference, proposed, tuple(int(edit in times) for edit in proposed), wanted)
