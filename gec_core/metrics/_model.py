"""What metrics with a pretrained model have in common: its name in signature and label, and whether it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from gec_core.errors import GecLensError, MissingInput
from gec_core.metrics import options
from gec_core.metrics.base import Array, Availability, Metric, Pair
from gec_core.metrics.options import option
from gec_core.models.places import Kind, Place, locate


@dataclass(frozen=True)
class ModelOptions(options.Options):
    model: str = option(
        "auto", "a folder, a name of the model hub, or auto: the published model if here, else embedded"
    )
    allow_download: bool = option(False, "fetch the model from the model hub if it is not on this machine")


class ModelMetric(Metric):
    """A metric on one pretrained model, which is found when first asked for and loaded when first needed."""

    family = "model"
    own_process = True
    kind: ClassVar[Kind]
    Options = ModelOptions
    options: ModelOptions

    @cached_property
    def place(self) -> Place:
        """The model that is really used; raises MissingInput with a way to get it."""
        return locate(self.kind, self.options.model, allow_download=self.options.allow_download)

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
        try:
            return Availability(ready=bool(self.place))
        except MissingInput as problem:
            return Availability(ready=False, how=str(problem))

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        return self.gather(pairs, None)
