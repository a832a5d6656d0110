"""The base of metrics with a pretrained model: finding it, and naming it in signature and label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from gec_core.environment import how_to_get_weights, how_to_install, installed
from gec_core.errors import GecLensError
from gec_core.languages import ENGLISH
from gec_core.languages import name as language_name
from gec_core.metrics import options
from gec_core.metrics.base import Availability, Metric
from gec_core.metrics.blocks import Token, Tokens
from gec_core.metrics.options import option
from gec_core.models.places import EMBEDDED, Kind, Place, locate
from gec_core.store import Store
from gec_core.types import Array, Pair


@dataclass(frozen=True)
class ModelOptions(options.Options):
    """The options of every metric with a model."""

    model: str = option(
        "auto",
        "a folder, a name on the model hub, or auto: the published model if it is on this machine, otherwise the "
        "embedded one",
    )
    allow_download: bool = option(False, "download the model from the model hub if it is not on this machine")


class ModelMetric(Metric):
    """A metric with one pretrained model, which is located on first use and loaded when first needed."""

    family = "model"
    own_process = True
    chunk = 128
    kind: ClassVar[Kind]
    published: ClassVar[str] = "auto"
    """The model that `auto` names, where no embedded model can replace it."""
    Options = ModelOptions
    options: ModelOptions

    @cached_property
    def place(self) -> Place:
        """The model that is used.

        Raises:
            MissingInput: The model is not on this machine; the message says how to get it.
        """
        name = self.published if self.options.model == "auto" else self.options.model
        return locate(self.kind, name, allow_download=self.options.allow_download)

    @property
    def model_signature(self) -> str:
        """`name@revision` of the model; a metric that cannot run has a signature as well."""
        try:
            return self.place.signature
        except GecLensError:
            return f"{self.options.model}@missing"

    @property
    def signature(self) -> str:
        shown = [part for part in self.options.parts() if not part.startswith(("model:", "allow_download:"))]
        return "|".join([self.id, f"v{self.version}", f"model:{self.model_signature}", *shown])

    @property
    def title(self) -> str:
        if not self.availability().ready or self.place.origin != "embedded":
            return self.name
        return f"{self.name} ({EMBEDDED[self.place.kind].short})"

    @property
    def label(self) -> str:
        return f"{self.name} · {self.place.label}" if self.availability().ready else self.name

    def availability(self) -> Availability:
        if not (installed("torch") and installed("transformers")):
            weights = f" && {how_to_get_weights('models')}" if self.kind in EMBEDDED else ""
            return Availability(
                ready=False, how=f"It needs torch and transformers: {how_to_install('models')}{weights}"
            )
        try:
            return Availability(ready=bool(self.place))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    def unsuited(self, language: str) -> str:
        """A model of English is for English; whoever names a model vouches for it."""
        if not language or language == ENGLISH or self.options.model != "auto":
            return super().unsuited(language)
        return (
            f"{self.name} uses a model of English here, and the texts are {language_name(language)}. Name a model of "
            f"that language or a multilingual one: --option {self.id}.model=NAME."
        )

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)


def note_on_length(metric: ModelMetric, tokens: float) -> dict[str, str]:
    """A note for the details of a text of so many tokens, if it exceeds the language model's window."""
    from gec_core.models.causal_lm import WINDOW, reach

    try:
        longest = reach(metric.place)
    except GecLensError:  # stored numbers of a model that is not on this machine
        longest = WINDOW - 1
    return {"note": "longer than the model's window: scored in overlapping parts"} if tokens > longest else {}


def surprisal_block(
    title: str, text: str, place: Place, store: Store | None, of: Literal["source", "output"] = "output"
) -> Tokens:
    """The surprisal of each token of a text under a language model."""
    from gec_core.models.causal_lm import surprisals

    tokens = tuple(Token(*each) for each in surprisals(place, text, store))
    return Tokens(title, "surprisal (nats)", tokens, of, adds=True)
