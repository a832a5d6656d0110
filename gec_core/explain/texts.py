"""Scoring any texts as outputs for one sentence: what credits and explanations start from."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gec_core.metrics.base import Metric, stack
from gec_core.scoring import distinct_rows
from gec_core.types import Array, Corpus, Progress, Sentence, ignore

if TYPE_CHECKING:
    from gec_core.store import Store


BETWEEN_NEWS = 1.0
"""Seconds after which there should be news of progress."""


def score_texts(
    metric: Metric,
    sentence: Sentence,
    texts: Sequence[str],
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> Array:
    """The sentence score of each text, as if it alone were the corpus.

    So a score that depends on the sentences before (`sentence=chosen` of M² and ERRANT) is that of the annotator
    who suits this text best.
    """
    rows = digested_rows(metric, sentence, texts, peers=peers, store=store, on_progress=on_progress)
    return np.concatenate([metric.sentence_scores(rows[line : line + 1]) for line in range(len(rows))])


def digested_rows(
    metric: Metric,
    sentence: Sentence,
    texts: Sequence[str],
    *,
    peers: Sequence[str] = (),
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> Array:
    """The statistics of each text, ready for the metric's scores.

    `peers` are outputs of other systems: a metric that weighs by what the others did (GoToScorer) sees each text
    as the output of one more system beside them.
    """
    rows = stored_rows(metric, sentence, [*texts, *peers], store=store, on_progress=on_progress)
    systems = {f"peer {number}": stack([rows[peer]] * len(texts)) for number, peer in enumerate(peers)}
    return metric.digest({"": stack([rows[text] for text in texts]), **systems})[""]


def stored_rows(
    metric: Metric,
    sentence: Sentence,
    texts: Sequence[str],
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
) -> dict[str, Array]:
    """The rows of the distinct texts as the store keeps them; slow metrics get a few at a time, and tell progress."""
    distinct = list(dict.fromkeys(texts))
    at_once = max(int(BETWEEN_NEWS / metric.pace), 1)
    found: dict[str, Array] = {}
    started = time.monotonic()
    for start in range(0, len(distinct), at_once):
        corpus = Corpus("This sentence", (sentence,), {text: (text,) for text in distinct[start : start + at_once]})
        keys, rows = distinct_rows(corpus, metric, store=store, workers=1)
        found |= {text: rows[key] for text, (key,) in keys.items()}
        on_progress(Progress(metric.name, len(found), len(distinct), time.monotonic() - started))
    return found
