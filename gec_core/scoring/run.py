"""Scoring: from a corpus and metrics to a table of scores, through statistics per sentence.

Every distinct (sentence, output) pair is scored once, by whichever systems and metrics share it; what the
store has is not scored at all. Pairs go out in chunks, to this process or to several, and every chunk is
stored as it comes back.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace

from gec_core.errors import GecLensError, MissingInput
from gec_core.metrics.base import Metric, stack
from gec_core.scoring.parallel import Job, Keys, Workers, computed
from gec_core.scoring.precomputed import all_precomputed, lookup
from gec_core.scoring.table import MetricScores, Scored, ScoreTable
from gec_core.store import Store, context_key, pair_key
from gec_core.types import Array, Corpus, Pair, Progress, Reads, ignore

_Distinct = tuple[Keys, dict[bytes, Pair]]


def score(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> ScoreTable:
    """Scores of all systems of the corpus under all metrics.

    A metric that cannot run or fails on the way (weights that are missing or cannot be read, too little memory)
    does not stop the others: the table tells its problem. If none is left, the first error is raised.
    """
    if not corpus.systems:
        raise MissingInput(f"{corpus.name}: there are no system outputs to score.")
    work = {reads: _latest_pairs.of(corpus, reads) for reads in {metric.reads for metric in metrics}}
    jobs: dict[str, Job] = {}
    for metric in metrics:
        if metric.statistics_signature not in jobs:
            jobs[metric.statistics_signature] = _plan(corpus, metric, *work[metric.reads], store)
    failed: dict[str, GecLensError] = {
        signature: error for signature, job in jobs.items() if (error := _obstacle(corpus, job))
    }
    columns: dict[Metric, MetricScores] = {}
    for job, problem in computed(
        [job for name, job in jobs.items() if name not in failed], store, on_progress, workers
    ):
        if problem:
            failed[job.signature] = problem
            continue
        # At once, not when all are done: worker processes go on with the others meanwhile.
        served = (metric for metric in metrics if metric.statistics_signature == job.signature)
        columns |= {metric: _column(metric, job) for metric in served}
    if len(failed) == len(jobs):
        raise next(iter(failed.values()))
    return ScoreTable(
        corpus.name,
        corpus.fingerprint,
        tuple(columns[metric] for metric in metrics if metric in columns),
        {metric.id: str(failed[metric.statistics_signature]) for metric in metrics if metric not in columns},
    )


def distinct_rows(
    corpus: Corpus,
    metric: Metric,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> tuple[Keys, dict[bytes, Array]]:
    """The rows of a metric as the store keeps them, by key, and the keys of each system."""
    job = _plan(corpus, metric, *_latest_pairs.of(corpus, metric.reads), store)
    if obstacle := _obstacle(corpus, job):
        raise obstacle
    for _, problem in computed([job], store, on_progress, workers):
        if problem:
            raise problem
    return job.keys, job.rows


def stored_rows(
    corpus: Corpus,
    metric: Metric,
    *,
    store: Store | None = None,
    on_progress: Callable[[Progress], None] = ignore,
    workers: Workers = None,
) -> dict[str, Array]:
    """The same rows by system, one a sentence, for those who look at more than scores."""
    keys, rows = distinct_rows(corpus, metric, store=store, on_progress=on_progress, workers=workers)
    return _by_system(keys, rows)


def known_column(corpus: Corpus, metric: Metric, store: Store) -> MetricScores | None:
    """The scores of all systems under a metric if nothing has to be computed for them; None otherwise."""
    job = _plan(corpus, metric, *_latest_pairs.of(corpus, metric.reads), store)
    return None if job.missing else _column(metric, job)


def missing(corpus: Corpus, metric: Metric, store: Store | None) -> int:
    """How many pairs scoring would have to compute, because the store does not have them."""
    return len(_plan(corpus, metric, *_latest_pairs.of(corpus, metric.reads), store).missing)


def _obstacle(corpus: Corpus, job: Job) -> MissingInput | None:
    """Why what is missing cannot be scored; what is known already needs no means to score it."""
    metric = job.metric
    if not job.missing:
        return None
    if not corpus.has_texts:
        return MissingInput(f"{corpus.name}: {metric.name} is not among the scores that come with the project.")
    if not metric.availability().ready:
        return MissingInput(f"{metric.name} cannot run here. {metric.availability().how}")
    first = corpus.sentences[0]
    if metric.reads != "source" and not (first.annotations if metric.reads == "gold" else first.references):
        return MissingInput(
            f"{corpus.name}: {metric.name} needs references (references/*.txt, --ref, or references=…) or gold edits "
            f"(gold.m2, --m2, or gold=…), and there are none."
        )
    return None


class _LatestPairs:
    """The pairs of the corpus that was asked for last: pages ask for one corpus under one metric after the other.

    Forgotten together with the corpus.
    """

    def __init__(self) -> None:
        self._latest: tuple[weakref.ref[Corpus], dict[Reads, _Distinct]] | None = None

    def of(self, corpus: Corpus, reads: Reads) -> _Distinct:
        latest = self._latest
        if latest is None or latest[0]() is not corpus:
            latest = self._latest = (weakref.ref(corpus, self._forget), {})
        if reads not in latest[1]:
            latest[1][reads] = _distinct_pairs(corpus, reads)
        return latest[1][reads]

    def _forget(self, corpus: weakref.ref[Corpus]) -> None:
        if self._latest and self._latest[0] is corpus:
            self._latest = None


_latest_pairs = _LatestPairs()


def _distinct_pairs(corpus: Corpus, reads: Reads) -> _Distinct:
    """The pairs of a corpus by key, all outputs of a sentence side by side: they have much in common."""
    if not corpus.has_texts:
        stored = all_precomputed()[corpus.name].keys(reads)
        keys = {system: stored[system] for system in corpus.systems}
        return keys, {key: Pair(corpus.sentences[0], "") for column in keys.values() for key in column}
    contexts = [context_key(sentence, reads) for sentence in corpus.sentences]
    keys = {
        system: [pair_key(context, output) for context, output in zip(contexts, outputs, strict=True)]
        for system, outputs in corpus.systems.items()
    }
    lines = zip(
        corpus.sentences, zip(*keys.values(), strict=True), zip(*corpus.systems.values(), strict=True), strict=True
    )
    pairs = {
        key: Pair(sentence, output)
        for sentence, here, outputs in lines
        for key, output in zip(here, outputs, strict=True)
    }
    return keys, pairs


def _plan(corpus: Corpus, metric: Metric, keys: Keys, pairs: dict[bytes, Pair], store: Store | None) -> Job:
    """What the store has, then what came with the project; both are left out of account without a store."""
    signature = metric.statistics_signature
    rows = store.get(signature, pairs) if store else {}
    if len(rows) < len(pairs) and (store or not corpus.has_texts):
        shipped = lookup(signature, pairs.keys() - rows.keys())
        if store and shipped:
            store.put(signature, shipped)  # it is several times quicker to ask
        rows |= shipped
    missing = {key: pair for key, pair in pairs.items() if key not in rows}
    return Job(metric, keys, rows, missing)


def _column(metric: Metric, job: Job) -> MetricScores:
    digested, signature = metric.digest(_by_system(job.keys, job.rows)), metric.signature
    scores = {system: replace(metric.aggregate(rows), signature=signature) for system, rows in digested.items()}
    return MetricScores(metric, {system: Scored(score, digested[system]) for system, score in scores.items()})


def _by_system(keys: Keys, rows: dict[bytes, Array]) -> dict[str, Array]:
    return {system: stack([rows[key] for key in column]) for system, column in keys.items()}
