"""What a metric makes of an output: what its edits are worth, and the metric's own explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_core.explain.blocks import Explanation
from gec_core.explain.credit import SECONDS, Credit, credit
from gec_core.metrics.base import Metric
from gec_core.progress import Progress, ignore
from gec_core.types import Sentence

if TYPE_CHECKING:
    from gec_core.store import Store


@dataclass(frozen=True, slots=True)
class Worth:
    """An output under one metric, edit by edit and in the metric's own terms."""

    credit: Credit
    explanation: Explanation


def worth(
    metric: Metric,
    sentence: Sentence,
    output: str,
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Worth:
    """What the metric makes of the output; see `credit`."""
    found = credit(
        metric, sentence, output, peers=peers, store=store, on_progress=on_progress, seed=seed, seconds=seconds
    )
    return Worth(found, metric.explain(sentence, output, store=store, peers=peers))
