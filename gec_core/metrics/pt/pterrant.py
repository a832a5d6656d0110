"""PT-ERRANT (Gong et al. 2022): ERRANT with each edit weighted by its effect according to a pretrained model.

Edits of the output and gold edits are ERRANT's; `family` defines their weights. With all weights 1 it is SentERRANT, or
ERRANT at corpus level. The paper extracted gold edits from the references: `references=auto`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Literal

import numpy as np

from gec_core.align.edits import apply_edits
from gec_core.align.errant_pipeline import label
from gec_core.align.errant_types import UNKNOWN
from gec_core.metrics import register
from gec_core.metrics.base import Case
from gec_core.metrics.blocks import Step
from gec_core.metrics.errant.family import extraction_step
from gec_core.metrics.errant.metric import Errant
from gec_core.metrics.errant.rows import edits_beside_gold
from gec_core.metrics.options import option
from gec_core.metrics.pt.explained import ExplainedWeights
from gec_core.metrics.pt.family import Read, WeightedOptions
from gec_core.metrics.readings import Reading, as_met
from gec_core.store import Store
from gec_core.types import Array, Edit, Pair, Reads, Sentence


@register
class PTErrant(ExplainedWeights):
    id = "pterrant"
    name = "PT-ERRANT"
    order = 161
    summary = "ERRANT with each edit weighted by how far it moves the sentence towards the reference, or away from it."
    reads: Reads = "gold"
    pace = 0.007
    card = cleandoc(r"""
        ### Formula
        ERRANT with the weights of PT-M²: for each edit $u$ of output or gold, $S'$ is the source with only $u$ applied,
        and

        $$
        w_u = \left| \text{BERTScore}(S', R) - \text{BERTScore}(S, R) \right|
        $$

        Precision and recall sum weights instead of counting edits; `level=sentence` is the mean of the sentence scores,
        each with the best annotator. With `weights=one` it is SentERRANT, or ERRANT with `level=corpus`.

        ### Strengths
        It has edits with error types and is close to people's rankings (published with BERT: r .941 against Expected
        Wins, where SentERRANT has .870). The paper extracted the gold edits from the references, which is
        `references=auto`.

        ### Known failures
        It inherits ERRANT's edits: a correction is wrong if the annotator chose another span for it, and its weight is
        the larger the more it changes.
        """)

    @dataclass(frozen=True)
    class Options(WeightedOptions):
        references: Literal["gold", "auto"] = option(
            "gold", "gold edits as annotated, or extracted from the references by ERRANT"
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
        """The annotator's correction of the source; edits extracted from a reference give that reference."""
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

    def extraction_step(self, case: Case) -> Step:
        return extraction_step(self.explanation(case))

    def edit_types(self, case: Case, reading: Reading) -> Mapping[Edit, str]:
        ((made, golds),) = edits_beside_gold([case.pair], self.options.references, case.store)
        return {
            Edit(edit.start, edit.end, correction): edit.type
            for edit in [*golds[case.details["annotator"]], *made]
            for correction in edit.corrections
        }

    def annotator(self, case: Case) -> int | None:
        return None if self.options.references == "auto" else super().annotator(case)


def reading(source: str, reference: str, made: Sequence[Edit], gold: Sequence[Edit]) -> Reading:
    """Compare the edits of an output with gold edits as `errant_compare` counts them.

    Errors that were marked but not corrected are left out; an edit that equals two gold edits counts twice.
    """
    made, gold = ([edit for edit in edits if edit.type != UNKNOWN] for edits in (made, gold))
    plain = [Edit(edit.start, edit.end, edit.correction) for edit in made]
    wanted = tuple(as_met(edit, set(plain)) for edit in gold)
    times = Counter(wanted)
    proposed = tuple(edit for each in plain for edit in [each] * max(1, times[each]))
    return Reading(source, reference, proposed, tuple(int(edit in times) for edit in proposed), wanted)
