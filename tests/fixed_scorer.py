"""A scorer that needs no model, for metrics that weigh edits."""

from hashlib import blake2b
from typing import Any

from gec_core.metrics.pt.weights import Measured


class Fixed:
    """A scorer that looks values up; those it does not know come from a hash of the pair, in tenths."""

    parts = ("fixed",)

    def __init__(self, values: dict[str, float] | None = None, tenths: int = 10) -> None:
        self.values, self.tenths = values or {}, tenths
        self.asked: list[Any] = []

    def measure(self, pairs: Any, store: Any) -> Any:
        wanted = list(pairs)
        self.asked += wanted
        return {pair: Measured(self.values.get(pair[0], self._hashed(pair))) for pair in wanted}

    def _hashed(self, pair: Any) -> float:
        return blake2b(repr(pair).encode()).digest()[0] % self.tenths / 10


def edit_weights(metric: Any, pair: Any) -> list[Any]:
    """The edits of a pair with their weights, for each annotator."""
    (found, _) = metric.readings([pair], None)[0]
    measured = metric.measure(found, None)
    return [metric.rule.weigh(reading, measured) for reading in found]


def edit_gains(metric: Any, pair: Any) -> list[list[Any]]:
    """How much closer to the reference each edit brings the source, for each annotator."""
    (found, _) = metric.readings([pair], None)[0]
    measured = metric.measure(found, None)
    return [[metric.rule.gain(reading, measured, edit) for edit in reading.edits] for reading in found]
