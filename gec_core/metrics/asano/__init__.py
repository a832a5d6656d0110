"""Asano et al. 2017: grammar, fluency and meaning in one score, without references; each part is a metric of its own.

The weights are illegible in the copy of the paper that was available (a scan, in which one line may say that the weight
of meaning is 0.1), but they follow from its Table 2: the source keeps all of its meaning, so .986 a + .820 b + c = .864
with a + b + c = 1 gives .75 as the weight of fluency. The scores of the experts' rewrites, with the meaning scores that
they get here, leave almost nothing for grammar, whose checker finds almost no errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.errors import OptionError
from gec_core.metrics import register
from gec_core.metrics.asano.fluency import AsanoFluency
from gec_core.metrics.asano.grammar import AsanoGrammar
from gec_core.metrics.asano.meaning import AsanoMeaning
from gec_core.metrics.base import Availability, Case, Score
from gec_core.metrics.blocks import Block, Explanation, Facts
from gec_core.metrics.model import ModelMetric
from gec_core.metrics.options import option
from gec_core.store import Store
from gec_core.types import Array, Pair

PARTS = ("grammar", "fluency", "meaning")
WIDTHS = (2, 4, 3)
"""The number of columns of a row that belong to each part."""


@register
class Asano(ModelMetric):
    id = "asano"
    languages = ("en",)
    elsewhere = "Its checker, stemmer and unigrams are English."
    name = "Asano et al."
    order = 140
    summary = "The weighted mean of grammar (a checker), fluency (a language model) and meaning (content words kept)."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    averages = True
    kind = "causal-lm"
    pace = 0.06
    card = cleandoc(r"""
        ### Formula
        $$
        a \cdot \text{grammar} + b \cdot \text{fluency} + c \cdot \text{meaning}, \quad a + b + c = 1
        $$

        See the three parts. The weights are options; the defaults were fitted to the paper's Table 2.

        ### Strengths
        It needs no references, and says in which of the three a system is weak.

        ### Known failures
        The weights have to be tuned, and a tuned score is biased towards the corpus that it was tuned on.
        """)

    @dataclass(frozen=True)
    class Options(AsanoFluency.Options):
        grammar: float = option(0.01, "weight of the grammar part; the three weights must sum to 1", least=0, most=1)
        fluency: float = option(0.75, "weight of the fluency part", least=0, most=1)
        meaning: float = option(0.24, "weight of the meaning part", least=0, most=1)
        languagetool: str = option(
            "", "address of a LanguageTool server, or path of languagetool-server.jar; empty: Harper"
        )
        t: float = option(0.85, "weight of recall in the meaning part", least=0, most=100)
        wordnet: str = option(
            "auto", "folder of the WordNet database; auto: one in a usual location, otherwise no synonyms"
        )

    options: Options

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        if not np.isclose(sum(self.weights), 1):
            raise OptionError(f"asano: grammar + fluency + meaning must be 1, but is {sum(self.weights):g}.")

    @property
    def weights(self) -> tuple[float, float, float]:
        return self.options.grammar, self.options.fluency, self.options.meaning

    @cached_property
    def parts(self) -> tuple[AsanoGrammar, AsanoFluency, AsanoMeaning]:
        """The metrics of the three parts."""
        given = self.options
        fluency = AsanoFluency.Options(given.model, given.allow_download, given.detokenise, given.base)
        return (
            AsanoGrammar(AsanoGrammar.Options(given.languagetool)),
            AsanoFluency(fluency),
            AsanoMeaning(AsanoMeaning.Options(given.t, given.wordnet)),
        )

    @property
    def signature(self) -> str:
        weights = (f"{name}:{weight:g}" for name, weight in zip(PARTS, self.weights, strict=True))
        return "|".join([self.id, f"v{self.version}", *weights, *self._part_signatures("signature")])

    @property
    def statistics_signature(self) -> str:
        return "|".join([f"{self.id}-parts", f"v{self.version}", *self._part_signatures("statistics_signature")])

    def _part_signatures(self, which: str) -> list[str]:
        """The signatures of the parts without their ids and versions; `words` is in two of them."""
        said = (piece for part in self.parts for piece in getattr(part, which).split("|")[2:])
        return list(dict.fromkeys(said))

    @property
    def label(self) -> str:
        return f"{super().label}, {self.parts[0].checker.name}" if self.availability().ready else self.name

    def availability(self) -> Availability:
        found = [part.availability() for part in self.parts]
        return next((each for each in found if not each.ready), found[0])

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        return [np.concatenate(rows) for rows in zip(*(part.gather(pairs, store) for part in self.parts), strict=True)]

    def aggregate(self, statistics: Array) -> Score:
        by_part = self._by_part(statistics)
        means = dict(zip(PARTS, by_part.mean(axis=0).tolist(), strict=True))
        return Score(float((by_part @ self.weights).mean()), means)

    def sentence_scores(self, statistics: Array) -> Array:
        return self._by_part(statistics) @ np.array(self.weights)

    def _by_part(self, statistics: Array) -> Array:
        """Sentences × parts."""
        blocks = np.split(statistics, np.cumsum(WIDTHS)[:-1], axis=1)
        return np.stack([part.sentence_scores(block) for part, block in zip(self.parts, blocks, strict=True)], axis=1)

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [dict(zip(PARTS, row, strict=True)) for row in self._by_part(statistics).tolist()]

    def explanation(self, case: Case) -> Explanation:
        weights = dict(zip(PARTS, self.weights, strict=True))
        facts = {name: f"{case.details[name]:.4f} × {weights[name]:g}" for name in PARTS}
        blocks: list[Block] = [Facts("Three parts and their weights", facts)]
        for name, part in zip(PARTS, self.parts, strict=True):
            found = part.explain(case.sentence, case.output, store=case.store)
            blocks += [replace(block, title=f"{name.capitalize()}: {block.title}") for block in found.blocks]
        return case.explanation(*blocks)
