"""GEC Lens: metrics of grammatical error correction, and why they disagree.

    import gec_core as gec

    gec.metric("m2").corpus_score(sources, hypotheses, references=[refs0, refs1])
    gec.metric("gleu", sampling="exact").sentence_scores(sources, hypotheses, references)
    corpus = gec.corpus("demo")
    table = gec.score(corpus, ["m2", "gleu"])
    gec.correlate(table, human="ts")
    gec.disagreements(table, "m2", "judges")
    gec.compare(corpus, "FLUENT", "CAREFUL", ["m2", "gleu"])
    gec.explain("m2", source, hypothesis, references)
    gec.analyse(table, "FLUENT")

These names are the public interface; what the modules below hold besides may change. Importing the package takes no
time: a function is imported when it is first used, and a metric imports what it needs (numba, torch, spaCy) when it
first runs.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gec_core.api.comparison import compare
    from gec_core.api.corpus import corpus
    from gec_core.api.evaluation import analyse, correlate, disagreements
    from gec_core.api.metric import explain, metric, metrics
    from gec_core.api.results import score
    from gec_core.errors import GecLensError
    from gec_core.types import Corpus, Edit

__version__ = "2.0.0"
__all__ = [
    "Corpus",
    "Edit",
    "GecLensError",
    "analyse",
    "compare",
    "corpus",
    "correlate",
    "disagreements",
    "explain",
    "metric",
    "metrics",
    "score",
]

_MODULES = {
    "Corpus": "types",
    "Edit": "types",
    "GecLensError": "errors",
    "analyse": "api.evaluation",
    "compare": "api.comparison",
    "corpus": "api.corpus",
    "correlate": "api.evaluation",
    "disagreements": "api.evaluation",
    "metric": "api.metric",
    "score": "api.results",
}
"""Where each public name is defined."""
_CALLABLE = ("explain", "metrics")
"""Subpackages that share their name with a public function: calling the package calls the function."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        found = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = found
        return found
    if name in _CALLABLE:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name, value in globals().items() if _shown(name, value))})


def _shown(name: str, value: Any) -> bool:
    """Whether completion offers a name besides the public ones: special names, and subpackages once imported."""
    own = isinstance(value, ModuleType) and value.__name__.startswith(f"{__name__}.")
    return own or name.startswith("__")


class _CallablePackage(ModuleType):
    """A subpackage that can be called: `gec_core.metrics()`, `gec_core.explain(…)`."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        functions = importlib.import_module("gec_core.api.metric")
        return getattr(functions, self.__name__.rpartition(".")[2])(*arguments, **named)


class _Door(ModuleType):
    """This package. Whoever imports one of its subpackages, in whichever way, binds it here."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _CALLABLE and type(value) is ModuleType:
            value.__class__ = _CallablePackage
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Door
