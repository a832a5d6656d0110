"""The metrics: `registry` lists them by id, `create` makes one with options.

Every module or package in here that defines a metric registers it. They are imported on first use, and import nothing
heavy themselves. Metrics of other packages join through entry points of the group `gec_lens.metrics`, each of which
names a subclass of `Metric`:

    [project.entry-points."gec_lens.metrics"]
    my-metric = "my_package.metric:MyMetric"
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from typing import TypeVar, get_args

from gec_core.errors import PluginWarning, UnknownMetric
from gec_core.formatting import similar
from gec_core.metrics.base import Metric
from gec_core.types import Reads

GROUP = "gec_lens.metrics"
"""The entry points through which other packages add metrics."""
FAMILIES = ("edits", "overlap", "model", "sanity")
M = TypeVar("M", bound=type[Metric])
_classes: dict[str, type[Metric]] = {}


def register(cls: M) -> M:
    """Class decorator: register a metric under its id."""
    _classes[cls.id] = cls
    return cls


@cache
def registry() -> Mapping[str, type[Metric]]:
    """Return all metrics by id, in the order in which lists show them."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    known = dict(_classes)
    for cls in _plugins(known):
        known[cls.id] = cls
    return dict(sorted(known.items(), key=lambda item: (item[1].order, item[0])))


def create(id: str, options: Mapping[str, str] | None = None) -> Metric:
    """Create the metric of this id, with options given as text.

    Raises:
        UnknownMetric: There is no metric of this id.
        OptionError: The metric does not have an option, or its value is not allowed.
    """
    known = registry()
    if id not in known:
        raise UnknownMetric(f"No metric {id!r}. There are: {', '.join(known)}.{similar(id, known)}")
    cls = known[id]
    return cls(cls.Options.parse(options or {}, owner=id))


def _plugins(known: Mapping[str, type[Metric]]) -> Iterator[type[Metric]]:
    """Yield the metrics of other packages. One that does not load gives a warning, and the others go on."""
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        try:
            cls = point.load()
            problem = _unfit(cls, known)
        except Exception as error:  # code of others may fail in any way
            problem = f"{type(error).__name__}: {error}"
        if not problem:
            yield cls
            continue
        owner = f"{point.dist.name} {point.dist.version}" if point.dist else "an unnamed package"
        warnings.warn(
            f"The metric {point.name!r} of {owner} ({point.value}) is left out. {problem}", PluginWarning, stacklevel=2
        )


def _unfit(cls: object, known: Mapping[str, type[Metric]]) -> str:
    """Say why this cannot be a metric here; empty if it can."""
    if not (isinstance(cls, type) and issubclass(cls, Metric)):
        return "The entry point must name a subclass of gec_core.metrics.base.Metric."
    lacking = [name for name in ("id", "name", "family", "summary", "reads") if not getattr(cls, name, "")]
    if lacking:
        return f"The class does not set: {', '.join(lacking)}."
    if cls.id in known:
        return f"There is a metric {cls.id!r} already."
    if cls.family not in FAMILIES or cls.reads not in get_args(Reads):
        return f"Its family must be one of {', '.join(FAMILIES)}, and reads one of {', '.join(get_args(Reads))}."
    cls()
    return ""
