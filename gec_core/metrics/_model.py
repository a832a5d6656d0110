"""What metrics with a pretrained model have in common: its name in signature and label, and whether it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import ClassVar

from gec_core.errors import GecLensError
from gec_core.metrics import options
from gec_core.metrics.base import Availability, Metric
from gec_core.metrics.options import option
from gec_core.models.places import Kind, Place, locate
from gec_core.types import Array, Pair


@dataclass(frozen=True)
class ModelOptions(options.Options):
    model: str = option(
        "auto", "a folder, a name of the model hub, or auto: the published model if it is here, else the embedded one"
    )
    allow_download: bool = option(False, "fetch the model from the model hub if it is not on this machine")


class ModelMetric(Metric):
    """A metric on one pretrained model, which is found when first asked for and loaded when first needed."""

    family = "model"
    own_process = True
    chunk = 128
    kind: ClassVar[Kind]
    published: ClassVar[str] = "auto"
    """What `auto` means to a metric whose model nothing embedded can stand in for."""
    Options = ModelOptions
    options: ModelOptions

    @cached_property
    def place(self) -> Place:
        """The model that is really used; raises MissingInput with a way to get it."""
        name = self.published if self.options.model == "auto" else self.options.model
        return locate(self.kind, name, allow_download=self.options.allow_download)

    @property
    def model_signature(self) -> str:
        """`name@revision` of the model, for signatures; they must be there for metrics that cannot run, too."""
        try:
            return self.place.signature
        except GecLensError:
            return f"{self.options.model}@missing"

    @property
    def signature(self) -> str:
        shown = [part for part in self.options.parts() if not part.startswith(("model:", "allow_download:"))]
        return "|".join([self.id, f"v{self.version}", f"model:{self.model_signature}", *shown])

    @property
    def label(self) -> str:
        return f"{self.name} · {self.place.label}" if self.availability().ready else self.name

    def availability(self) -> Availability:
        if not (find_spec("torch") and find_spec("transformers")):
            return Availability(ready=False, how="It needs torch and transformers: pip install -r requirements.txt.")
        try:
            return Availability(ready=bool(self.place))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)


def note_on_length(metric: ModelMetric, tokens: float) -> dict[str, str]:
    """What details must say about how a language model read so many tokens; nothing where it read them together."""
    from gec_core.models.causal_lm import WINDOW, reach

    try:
        longest = reach(metric.place)
    except GecLensError:  # the numbers are here, the model that made them is not
        longest = WINDOW - 1
    return {"note": "longer than the model's window: read in overlapping parts"} if tokens > longest else {}
