"""Score a corpus: statistics per sentence, from the store or computed, aggregated into a table of scores.

Every distinct (sentence, output) pair is scored once, however many systems and metrics share it; pairs that the
store has are not scored at all. Missing pairs are computed in chunks, by this process or several, and every chunk is
stored when it is done.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace

from gec_core import shipped
from gec_core.environment import how_to_run
from gec_core.errors import GecLensError, MissingInput
from gec_core.metrics.base import Metric, stack
from gec_core.scoring.parallel import Keys, ScoringJob, Workers, computed
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
    """Score all systems of a corpus under all metrics.

    A metric that cannot run or fails (missing or unreadable weights, too little memory) does not stop the others:
    `ScoreTable.problems` says why it has no column.

    Args:
        corpus: The corpus with its system outputs.
        metrics: The metrics, with their options.
        store: Where statistics are looked up and kept; without one, everything is computed.
        on_progress: Called after every chunk; it may raise to cancel the run.
        workers: The number of processes, the address of a Dask scheduler, or None for as many as pay off.

    Raises:
        MissingInput: The corpus has no outputs.
        GecLensError: Every metric failed; the first error is raised.
    """
    if not corpus.systems:
        raise MissingInput(
            f"{corpus.name}: there are no system outputs to score. Add them to systems/, by --hyp, or by systems={{…}}."
        )
    work = {reads: _latest_pairs.of(corpus, reads) for reads in {metric.reads for metric in metrics}}
    jobs: dict[str, ScoringJob] = {}
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
        # Aggregate now, not when all jobs are done: worker processes continue with the others meanwhile.
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
    """The keys of each system's pairs, and the rows of a metric by key, as in the store."""
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
    """The rows of a metric by system, one per sentence, as in the store."""
    keys, rows = distinct_rows(corpus, metric, store=store, on_progress=on_progress, workers=workers)
    return _by_system(keys, rows)


def pair_keys(corpus: Corpus, reads: Reads) -> Keys:
    """The keys that the rows of each system have for metrics that read this."""
    return _latest_pairs.of(corpus, reads)[0]


def known_column(corpus: Corpus, metric: Metric, store: Store) -> MetricScores | None:
    """The scores of all systems under a metric if all rows are known; None if any must be computed."""
    job = _plan(corpus, metric, *_latest_pairs.of(corpus, metric.reads), store)
    return None if job.missing else _column(metric, job)


def missing(corpus: Corpus, metric: Metric, store: Store | None) -> int:
    """The number of pairs that scoring would have to compute."""
    return len(missing_pairs(corpus, metric, store))


def missing_pairs(corpus: Corpus, metric: Metric, store: Store | None) -> list[Pair]:
    """The pairs that scoring would have to compute."""
    return list(_plan(corpus, metric, *_latest_pairs.of(corpus, metric.reads), store).missing.values())


def _obstacle(corpus: Corpus, job: ScoringJob) -> MissingInput | None:
    """Why the missing pairs cannot be scored; None if they can, or if none is missing."""
    metric = job.metric
    if not job.missing:
        return None
    if not corpus.has_texts:
        return MissingInput(
            f"{corpus.name}: {metric.name} is not among the scores that come with the project. Get the texts with: "
            f"{how_to_run(f'corpora fetch {corpus.name}')}"
        )
    if problem := metric.obstacle(corpus.sentences[0]):
        return MissingInput(f"{corpus.name}: {problem}")
    if problem := metric.unsuited(corpus.language):
        return MissingInput(f"{corpus.name}: {problem}")
    return None


class _LatestPairs:
    """A cache of the pairs of one corpus: pages ask for the same corpus under one metric after another.

    It does not keep the corpus alive.
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
    """The pairs of a corpus by key, with all outputs of a sentence adjacent: they have much in common."""
    if not corpus.has_texts:
        stored = shipped.all_precomputed()[corpus.name].keys(reads)
        kept = range(len(corpus)) if corpus.lines is None else corpus.lines
        keys = {system: [stored[system][line] for line in kept] for system in corpus.systems}
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


def _plan(corpus: Corpus, metric: Metric, keys: Keys, pairs: dict[bytes, Pair], store: Store | None) -> ScoringJob:
    """Find the rows in the store, then among the scores that come with the project; neither without a store.

    A corpus without its texts has most of its rows among the latter: these come first, and are not copied to the store.
    """
    signature = metric.statistics_signature
    if not corpus.has_texts:
        rows = shipped.lookup(signature, pairs, corpus.name)
        if store and len(rows) < len(pairs):
            rows |= store.get(signature, pairs.keys() - rows.keys())
    else:
        rows = store.get(signature, pairs) if store else {}
        if store and len(rows) < len(pairs):
            ours = shipped.lookup(signature, pairs.keys() - rows.keys(), corpus.name)
            if ours:
                store.put(signature, ours)  # reading them from the store is several times faster
            rows |= ours
        for key in metric.outdated(rows):
            del rows[key]
    missing = {key: pair for key, pair in pairs.items() if key not in rows}
    return ScoringJob(metric, keys, rows, missing)


def _column(metric: Metric, job: ScoringJob) -> MetricScores:
    digested, signature = metric.digest(_by_system(job.keys, job.rows)), metric.signature
    scores = {system: replace(metric.aggregate(rows), signature=signature) for system, rows in digested.items()}
    return MetricScores(metric, {system: Scored(score, digested[system]) for system, score in scores.items()})


def _by_system(keys: Keys, rows: dict[bytes, Array]) -> dict[str, Array]:
    return {system: stack([rows[key] for key in column]) for system, column in keys.items()}
