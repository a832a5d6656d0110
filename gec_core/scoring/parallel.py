"""Compute missing rows of statistics chunk by chunk: in this process, in several, or on a Dask cluster.

Every chunk is stored when it is done, so that little is lost when a run ends early. With several processes, this one
works, too: it takes chunks from the end of the queue while the others take them from the front.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from gec_core import __version__
from gec_core.environment import how_to_install, packages
from gec_core.errors import GecLensError, MissingInput, ScoreError
from gec_core.metrics.base import Metric
from gec_core.scoring.pace import estimate, measured, pace
from gec_core.store import Store
from gec_core.types import Array, Pair, Progress

if TYPE_CHECKING:
    from distributed import Client

    from gec_core.metrics.options import Options
    from gec_core.types import Sentence


WORTH_WORKERS = 10.0
"""Seconds of work above which several processes are started by default; starting them takes a second or two."""

AHEAD = 3
"""Chunks queued for each other process: enough to keep it busy while this process computes its own."""

PARTS = 12
"""Chunks for each process, at least: so that none waits long for the last one of another."""

SECONDS_A_CHUNK, LEAST_CHUNK = 3.0, 16
"""How long a chunk may take by the pace of its metric, and the fewest pairs that are worth a batch of a model."""

Keys = dict[str, list[bytes]]
"""The keys of each system's outputs, one per sentence."""

Workers = int | str | None
"""The number of processes; the address of a Dask scheduler (`tcp://host:8786`); or None for as many as pay off."""

Rows = tuple[Array, list[int]]
"""Rows as a worker returns them: all their numbers in one array, and the length of each."""

PATIENCE = 10
"""Seconds to wait for a scheduler."""


@dataclass(frozen=True, eq=False)
class ScoringJob:
    """The pairs that metrics with one statistics signature need, and the rows known so far."""

    metric: Metric
    keys: Keys
    rows: dict[bytes, Array]
    missing: dict[bytes, Pair]

    @property
    def signature(self) -> str:
        return self.metric.statistics_signature


Chunk = tuple[ScoringJob, list[bytes], list[Array] | GecLensError]
"""A job, the keys of some of its pairs, and their rows or what went wrong."""


def computed(
    jobs: Sequence[ScoringJob], store: Store | None, on_progress: Callable[[Progress], None], workers: Workers
) -> Iterator[tuple[ScoringJob, GecLensError | None]]:
    """Compute the missing rows of jobs; yields each job when it is complete, or with its error."""
    left = {job: len(job.missing) for job in jobs}
    total, done, started = sum(left.values()), 0, time.monotonic()
    yield from ((job, None) for job in jobs if not job.missing)
    if workers is None:
        work = sum(estimate(job.metric, len(job.missing)) for job in jobs if not job.metric.own_process)
        workers = os.cpu_count() or 1 if work >= WORTH_WORKERS else 1
    for job, keys, rows in _finished_chunks(jobs, store, workers) if total else ():
        if isinstance(rows, GecLensError):
            if left.pop(job, 0):
                yield job, rows
            continue
        fresh = dict(zip(keys, rows, strict=True))
        job.rows.update(fresh)
        if store:
            store.put(job.signature, fresh)
        done += len(keys)
        on_progress(Progress(job.metric.name, done, total, time.monotonic() - started))
        if job in left:
            left[job] -= len(keys)
            if not left[job]:
                if len(jobs) == 1 and not isinstance(workers, str):
                    measured(job.metric, total, time.monotonic() - started)
                yield job, None


@contextmanager
def executor(workers: int | str, metrics: Sequence[Metric]) -> Iterator[Executor]:
    """A pool that computes rows of these metrics; chunks that have not begun are dropped when the run ends early."""
    if isinstance(workers, str):
        with _cluster(workers, metrics) as pool:
            yield pool
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _finished_chunks(jobs: Sequence[ScoringJob], store: Store | None, workers: int | str) -> Iterator[Chunk]:
    """Chunks as they are done: first those shared with other processes, then those of metrics that need this process.

    The workers of a cluster, which may be other machines, compute everything and have no store.
    """
    away = isinstance(workers, str)
    shared = [job for job in jobs if away or (workers != 1 and not job.metric.own_process)]
    if isinstance(workers, str):
        with executor(workers, [job.metric for job in shared]) as pool:
            yield from _shared_out(pool, shared, None)
    elif shared:
        others = workers - 1  # this process is one of the workers
        with executor(others, [job.metric for job in shared]) as pool:
            yield from _shared_out(pool, shared, store, others)
    for job in jobs:
        for keys in _chunks(job) if job not in shared else ():
            yield (chunk := _scored_here(job, keys, store))
            if isinstance(chunk[-1], GecLensError):
                break


def _shared_out(
    pool: Executor, jobs: Sequence[ScoringJob], store: Store | None, others: int | None = None
) -> Iterator[Chunk]:
    """Chunks of these jobs as they are done.

    A pool of so many other processes has a few chunks at a time, and this process takes chunks from the end of the
    queue; a cluster gets all of them.
    """
    ahead, parts = (None, 1) if others is None else (AHEAD * others, PARTS * (others + 1))
    untaken = deque((job, keys) for job in jobs for keys in _chunks(job, parts))
    waiting: dict[Future[Rows], tuple[ScoringJob, list[bytes]]] = {}
    finished: SimpleQueue[Future[Rows]] = SimpleQueue()

    def hand_out() -> None:
        while untaken and (ahead is None or len(waiting) < ahead):
            job, keys = untaken.popleft()
            future = _submit(pool, job.metric, [job.missing[key] for key in keys], store)
            waiting[future] = job, keys
            future.add_done_callback(finished.put)

    hand_out()
    while waiting or untaken:
        if untaken and finished.empty():
            yield _scored_here(*untaken.pop(), store)
        else:
            future = finished.get()
            chunk = waiting.pop(future)
            hand_out()
            yield *chunk, _result(lambda future=future: _unpacked(future.result()))


def _scored_here(job: ScoringJob, keys: list[bytes], store: Store | None) -> Chunk:
    return job, keys, _result(job.metric.gather, [job.missing[key] for key in keys], store)


def _result(work: Callable[..., list[Array]], *arguments: object) -> list[Array] | GecLensError:
    try:
        return work(*arguments)
    except GecLensError as error:
        return error
    except _lost_workers() as error:
        return ScoreError(f"A worker was lost ({error}). Finished chunks are kept: run it again.")
    except BrokenProcessPool:
        return ScoreError(
            "A worker process was killed, by somebody or by the system, as it does when there is too little memory. "
            "Finished chunks are kept: run it again, with fewer workers (--workers 1) if memory is short."
        )
    except MemoryError:
        return ScoreError("There was too little memory. Close other programs, or use fewer workers (--workers 1).")


def _chunks(job: ScoringJob, parts: int = 1) -> Iterator[list[bytes]]:
    """The missing keys in at least so many parts that take a few seconds each: that much is lost in a kill."""
    most = min(SECONDS_A_CHUNK / pace(job.metric), len(job.missing) / parts)
    at_once = min(job.metric.chunk, max(int(most), LEAST_CHUNK))
    keys = list(job.missing)
    return (keys[start : start + at_once] for start in range(0, len(keys), at_once))


def _lost_workers() -> tuple[type[BaseException], ...]:
    """The exceptions that say that workers of a cluster died or were removed."""
    if "distributed" not in sys.modules:
        return ()
    from distributed import KilledWorker

    return KilledWorker, CancelledError


def _submit(pool: Executor, metric: Metric, pairs: Sequence[Pair], store: Store | None) -> Future[Rows]:
    """Have a worker compute the rows of these pairs, which are sent in few objects: they are faster to pickle."""
    sentences, outputs = zip(*pairs, strict=True)
    try:
        return pool.submit(_gather, metric, sentences, outputs, store)
    except BrokenExecutor as error:
        failed: Future[Rows] = Future()
        failed.set_exception(error)
        return failed


def _gather(metric: Metric, sentences: Sequence[Sentence], outputs: Sequence[str], store: Store | None) -> Rows:
    rows = metric.gather([Pair(*pair) for pair in zip(sentences, outputs, strict=True)], store)
    return np.concatenate(rows), [len(row) for row in rows]


def _unpacked(rows: Rows) -> list[Array]:
    """One array per pair."""
    numbers, lengths = rows
    ends = np.cumsum(lengths).tolist()
    return [numbers[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def _leave_with_parent() -> None:
    """End this worker when its parent is killed; it would wait for work forever."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _cluster(address: str, metrics: Sequence[Metric]) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingInput(f"--scheduler needs Dask: {how_to_install('cluster')}.") from None
    if not re.fullmatch(r"[a-z]+://.+:\d+", address):
        raise ScoreError(f"{address} is not the address of a Dask scheduler. Write it as tcp://HOST:8786.")
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ScoreError(f"No Dask scheduler answers at {address}: {error}. Start one with `dask scheduler`.") from None
    with client:
        _check(client, address, metrics)
        pool = client.get_executor(pure=False)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False)


def _check(client: Client, address: str, metrics: Sequence[Metric]) -> None:
    """Refuse a cluster that cannot score, or whose numbers could differ from this machine's."""
    # Metrics are created there: one that is sent may bring along what it found on this machine.
    asked = [(type(metric), metric.options) for metric in metrics]
    try:
        there = client.run(_versions, asked)
    except ImportError as error:
        raise ScoreError(
            f"The workers of {address} cannot import gec_core ({error}). Install the same version of GEC Lens there."
        ) from None
    if not there:
        raise ScoreError(f"The scheduler at {address} has no workers. Start some with `dask worker {address}`.")
    here = _versions(asked)
    for worker, versions in there.items():
        if differing := [name for name in here | versions if versions.get(name) != here.get(name)]:
            told = "; ".join(f"{name}: {versions.get(name)} instead of {here.get(name)}" for name in differing)
            raise ScoreError(
                f"Worker {worker} has other versions than this machine ({told}), so its numbers could differ. "
                "Update it."
            )


def _versions(asked: Sequence[tuple[type[Metric], Options]]) -> dict[str, str]:
    """Everything that numbers depend on: this project, packages, and the signatures of metrics (options, models)."""
    signatures = {metric.id: metric(options).statistics_signature for metric, options in asked}
    return {"gec_core": __version__} | packages() | signatures
