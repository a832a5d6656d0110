"""The metrics: `REGISTRY` knows them by id, `create` makes one with options.

Every module of this package that defines a metric registers it; they are imported on first use, and
import nothing heavy themselves.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from gec_core.errors import UnknownMetric
from gec_core.formatting import similar
from gec_core.metrics.base import Metric

_PLUMBING = {"base", "options"}
M = TypeVar("M", bound=type[Metric])
_classes: dict[str, type[Metric]] = {}


def register(cls: M) -> M:
    """Class decorator: make a metric known by its id."""
    _classes[cls.id] = cls
    return cls


@cache
def registry() -> Mapping[str, type[Metric]]:
    """All metrics by id, in the order in which lists show them."""
    for module in pkgutil.iter_modules(__path__):
        if module.name not in _PLUMBING and not module.name.startswith("_"):
            importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_classes.items(), key=lambda item: (item[1].order, item[0])))


def create(id: str, options: Mapping[str, str] | None = None) -> Metric:
    """The metric of this id, with options given as text."""
    known = registry()
    if id not in known:
        raise UnknownMetric(f"No metric {id!r}. There are: {', '.join(known)}.{similar(id, known)}")
    cls = known[id]
    return cls(cls.Options.parse(options or {}, owner=id))
