"""How fast metrics are on this machine: measured whenever one is scored, and kept, so that estimates are honest.

A metric declares a pace (`Metric.pace`), which is that of the machine it was written on. What was measured here counts
more. The file is small, shared by all processes, and may be deleted at any time.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from threading import Lock

from gec_core.environment import cache_folder
from gec_core.metrics.base import Metric

FEWEST_PAIRS, SHORTEST = 16, 0.2
"""Pairs and seconds below which a measurement is mostly start-up."""
_NEWEST = 0.5
"""The weight of the newest measurement: machines are busy at times, and models take long to load once."""
_writing = Lock()


def pace(metric: Metric) -> float:
    """Seconds per new pair: as measured on this machine, or else as the metric declares."""
    found = _read().get(metric.statistics_signature)
    return found if found is not None else metric.pace


def estimate(metric: Metric, pairs: int) -> float:
    """Seconds that scoring so many new pairs will take."""
    return pairs * pace(metric)


def in_words(seconds: float) -> str:
    """A time as people say it.

    >>> [in_words(seconds) for seconds in (0.4, 42, 200, 5000)]
    ['a moment', 'about 40 s', 'about 3 min', 'about 1.4 h']
    """
    if seconds < 2:
        return "a moment"
    if seconds < 90:
        return f"about {max(round(seconds, -1 if seconds >= 10 else 0), 2):.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 3600 else f"about {seconds / 3600:.1f} h"


def measured(metric: Metric, pairs: int, seconds: float) -> None:
    """Keep how long it took to score so many new pairs."""
    if pairs < FEWEST_PAIRS or seconds < SHORTEST:
        return
    path = cache_folder() / "pace.json"
    with _writing, suppress(OSError):
        known = _read()
        before = known.get(metric.statistics_signature, seconds / pairs)
        known[metric.statistics_signature] = (1 - _NEWEST) * before + _NEWEST * seconds / pairs
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_name(f"pace.{os.getpid()}.tmp")
        written.write_text(json.dumps(known, indent=0), encoding="utf-8")
        os.replace(written, path)


def _read() -> dict[str, float]:
    """What is kept; nothing if the file is damaged."""
    try:
        found = json.loads((cache_folder() / "pace.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, float) and 0 < value < 3600}
