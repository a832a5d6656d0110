"""SOME (Yoshimura et al. 2020): regressors trained on people's scores for grammaticality, fluency and meaning.

There are three BERT models. The first two read the output alone, the third reads source and output. Their scores from 1
to 4 are mapped to 0 to 1 and averaged with weights. The authors' code has weight .55 for grammaticality and .43 for
fluency, one description of it the reverse, so the weights are options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from inspect import cleandoc
from pathlib import Path
from typing import Any

import numpy as np

from gec_core.environment import expanded
from gec_core.errors import MissingInput
from gec_core.metrics import options, register
from gec_core.metrics.base import Score
from gec_core.metrics.model import ModelMetric
from gec_core.metrics.options import option
from gec_core.models.places import Place, locate, models_folder
from gec_core.store import Store
from gec_core.types import Array, Pair

PARTS = {"grammar": ("grammer", "grammar"), "fluency": ("fluency",), "meaning": ("meaning",)}
"""The three models, and the possible names of their folders; the first is the authors' spelling."""
FOLDER = "gfm-models"
LONGEST = 128
WORST, BEST = 1, 4


@register
class Some(ModelMetric):
    id = "some"
    name = "SOME"
    order = 150
    summary = "Grammaticality, fluency and meaning preservation, estimated by three regressors trained on human scores."
    citation = "Yoshimura et al. 2020, SOME: Reference-less Sub-Metrics Optimized for Manual Evaluations of GEC, COLING"
    reads = "source"
    averages = True
    kind = "regressor"
    pace = 0.2
    card = cleandoc(r"""
        ### Formula
        $$
        0.55\,G + 0.43\,F + 0.02\,M
        $$

        with three BERT regressors trained on human scores: grammaticality $G$ and fluency $F$ of the output, and
        meaning preservation $M$ from source to output.

        ### Strengths
        It needs no references, and has the best correlation with people of all (Islam and Magnani 2021: r .975 against
        TrueSkill).

        ### Known failures
        It needs the authors' three models, which no package registry carries.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        model: str = option("auto", "folder with the three models")
        grammar: float = option(0.55, "weight of grammaticality", least=0, most=100)
        fluency: float = option(0.43, "weight of fluency", least=0, most=100)
        meaning: float = option(0.02, "weight of meaning preservation", least=0, most=100)

    options: Options  # type: ignore[assignment]  # these models cannot be downloaded automatically

    @cached_property
    def place(self) -> Place:
        """The folder of the three models."""
        name = "+".join(place.revision for place in self.parts.values())
        folder = next(iter(self.parts.values())).path.parent
        return Place(self.kind, folder.name, blake2b(name.encode(), digest_size=4).hexdigest(), "folder", folder)

    @cached_property
    def parts(self) -> Mapping[str, Place]:
        """The three models by what they estimate."""
        folder = models_folder() / FOLDER if self.options.model == "auto" else expanded(self.options.model)
        found = {part: self._part(folder, names) for part, names in PARTS.items()}
        if missing := [part for part, place in found.items() if place is None]:
            raise MissingInput(
                f"The models of SOME are not on this machine ({', '.join(missing)} not in {folder}). Download "
                f"gfm-models.zip (the README of github.com/kokeman/SOME has the link), unpack it to "
                f"{models_folder() / FOLDER}, or give its folder as the model."
            )
        return {part: place for part, place in found.items() if place is not None}

    def _part(self, folder: Path, names: Sequence[str]) -> Place | None:
        for name in names:
            try:
                return locate(self.kind, str(folder / name))
            except MissingInput:
                continue
        return None

    @property
    def statistics_signature(self) -> str:
        return f"some-parts|v{self.version}|model:{self.model_signature}"

    def gather(self, pairs: Sequence[Pair], store: Store | None) -> list[Array]:
        from gec_core.models.encoder import estimates

        read = {
            part: [(sentence.source, output) if part == "meaning" else (output,) for sentence, output in pairs]
            for part in PARTS
        }
        found = {part: estimates(self.parts[part], texts, store, longest=LONGEST) for part, texts in read.items()}
        rows = []
        for line in range(len(pairs)):
            estimated = [found[part][read[part][line]] for part in PARTS]
            marks = [(each.value - WORST) / (BEST - WORST) for each in estimated]
            rows.append(np.array([*marks, any(each.cut for each in estimated)]))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        means = dict(zip(PARTS, statistics[:, :-1].mean(axis=0).tolist(), strict=True))
        return Score(
            float(self.sentence_scores(statistics).mean()), means | {"truncated": int(statistics[:, -1].sum())}
        )

    def sentence_scores(self, statistics: Array) -> Array:
        return statistics[:, :-1] @ np.array([getattr(self.options, part) for part in PARTS])

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {
                **dict(zip(PARTS, marks, strict=True)),
                **({"note": f"truncated to {LONGEST} word pieces"} if cut else {}),
            }
            for *marks, cut in statistics.tolist()
        ]
