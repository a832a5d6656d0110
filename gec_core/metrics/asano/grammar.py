"""The grammar part of Asano et al. 2017: 1 − errors that a grammar checker finds / tokens.

Their checker was LanguageTool 3.5, which is used if an address or a jar is given; otherwise Harper replaces it.
Checkers are made for ordinary text, so the output is detokenised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc
from typing import Any

import numpy as np

from gec_core.errors import MissingInput
from gec_core.metrics import options, register
from gec_core.metrics.asano.checkers import Checker, checker, error_counts
from gec_core.metrics.base import Availability, Metric, Score
from gec_core.metrics.options import option
from gec_core.models.causal_lm import detokenise
from gec_core.store import Store
from gec_core.types import Array, Pair


@register
class AsanoGrammar(Metric):
    id = "asano-grammar"
    name = "Asano: grammar"
    family = "model"
    order = 141
    summary = "The share of tokens in which a grammar checker finds no error."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    averages = True
    own_process = True
    pace = 0.01
    chunk = 128
    card = cleandoc(r"""
        ### Formula
        $$
        1 - \frac{\text{errors found}}{\text{tokens}}
        $$

        The paper's checker was LanguageTool; Harper replaces it unless a LanguageTool server or jar is given.

        ### Known failures
        A checker finds only errors for which it has rules.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        languagetool: str = option(
            "", "address of a LanguageTool server, or path of languagetool-server.jar; empty: Harper"
        )

    options: Options

    @cached_property
    def checker(self) -> Checker:
        return checker(self.options.languagetool)

    @property
    def signature(self) -> str:
        return f"{self.id}|v{self.version}|checker:{self.checker.signature}"

    @property
    def label(self) -> str:
        return f"{self.name} · {self.checker.name}"

    def availability(self) -> Availability:
        try:
            self.checker.check()
        except MissingInput as problem:
            return Availability(ready=False, how=str(problem))
        return Availability(ready=True)

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        written = [detokenise(pair.output) for pair in pairs]
        errors = error_counts(self.checker, written, store)
        return [
            np.array([errors[text], len(pair.output.split())], np.float64)
            for pair, text in zip(pairs, written, strict=True)
        ]

    def aggregate(self, statistics: Array) -> Score:
        errors, tokens = statistics.sum(axis=0).astype(int).tolist()
        return Score(float(self.sentence_scores(statistics).mean()), {"errors": errors, "tokens": tokens})

    def sentence_scores(self, statistics: Array) -> Array:
        """Compute the score of every row; it is 0 for an empty output."""
        errors, tokens = statistics.T
        scores: Array = np.where(tokens > 0, np.maximum(0, 1 - errors / np.maximum(tokens, 1)), 0.0)
        return scores

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [{"errors": errors, "tokens": tokens} for errors, tokens in statistics.astype(int).tolist()]
