"""Compute missing rows of statistics chunk by chunk: in this process, in several, or on a Dask cluster.

Every chunk is stored as it comes back, so that little is lost when a run ends early. Where several processes work,
this one is one of them: it takes from the other end of what the others have not begun.
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
from gec_core.environment import packages
from gec_core.errors import GecLensError, MissingInput, ScoreError
from gec_core.metrics.base import Metric
from gec_core.store import Store
from gec_core.types import Array, Pair, Progress

if TYPE_CHECKING:
    from distributed import Client

    from gec_core.metrics.options import Options
    from gec_core.store import Store
    from gec_core.types import Sentence


WORTH_WORKERS = 10.0
"""Seconds of work from which on several processes are started unasked; starting them takes a second or two."""

AHEAD = 3
"""Chunks that each other process has before it: enough to go on while this one is busy with its own."""

Keys = dict[str, list[bytes]]
"""For each system the keys of its outputs, one a sentence."""


@dataclass(frozen=True, eq=False)
class Job:
    """The pairs that metrics with one statistics signature need, and the rows known so far."""

    metric: Metric
    keys: Keys
    rows: dict[bytes, Array]
    missing: dict[bytes, Pair]

    @property
    def signature(self) -> str:
        return self.metric.statistics_signature


def computed(
    jobs: Sequence[Job], store: Store | None, on_progress: Callable[[Progress], None], workers: Workers
) -> Iterator[tuple[Job, GecLensError | None]]:
    """The jobs, each as soon as its missing rows are filled in, or with what went wrong."""
    left = {job: len(job.missing) for job in jobs}
    total, done, started = sum(left.values()), 0, time.monotonic()
    yield from ((job, None) for job in jobs if not job.missing)
    if workers is None:
        work = sum(len(job.missing) * job.metric.pace for job in jobs if not job.metric.own_process)
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
                yield job, None


Chunk = tuple[Job, list[bytes], list[Array] | GecLensError]


def _finished_chunks(jobs: Sequence[Job], store: Store | None, workers: int | str) -> Iterator[Chunk]:
    """Chunks as they are done: those that several processes share first, then those that want this one for themselves.

    The workers of a cluster, which may be other machines with other stores, do all of it and are given none.
    """
    away = isinstance(workers, str)
    shared = [job for job in jobs if away or (workers != 1 and not job.metric.own_process)]
    if isinstance(workers, str):
        with executor(workers, [job.metric for job in shared]) as pool:
            yield from _shared_out(pool, shared, None)
    elif shared:
        others = workers - 1  # this process is one of the workers
        with executor(others, [job.metric for job in shared]) as pool:
            yield from _shared_out(pool, shared, store, ahead=AHEAD * others)
    for job in jobs:
        for keys in _chunks(job) if job not in shared else ():
            yield (chunk := _scored_here(job, keys, store))
            if isinstance(chunk[-1], GecLensError):
                break


def _shared_out(
    pool: Executor, jobs: Sequence[Job], store: Store | None, *, ahead: int | None = None
) -> Iterator[Chunk]:
    """Chunks of these jobs as they are done.

    The pool is given so many `ahead`, and this process takes from the other end; or the pool is given all of them.
    """
    untaken = deque((job, keys) for job in jobs for keys in _chunks(job))
    waiting: dict[Future[Rows], tuple[Job, list[bytes]]] = {}
    finished: SimpleQueue[Future[Rows]] = SimpleQueue()

    def hand_out() -> None:
        while untaken and (ahead is None or len(waiting) < ahead):
            job, keys = untaken.popleft()
            future = submit(pool, job.metric, [job.missing[key] for key in keys], store)
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
            yield *chunk, _result(lambda future=future: unpacked(future.result()))


def _scored_here(job: Job, keys: list[bytes], store: Store | None) -> Chunk:
    return job, keys, _result(job.metric.gather, [job.missing[key] for key in keys], store)


def _result(work: Callable[..., list[Array]], *arguments: object) -> list[Array] | GecLensError:
    try:
        return work(*arguments)
    except GecLensError as error:
        return error
    except lost_workers() as error:
        return ScoreError(f"A worker was lost on the way ({error}). What was scored is kept; run it again.")
    except (MemoryError, BrokenProcessPool):
        return ScoreError("There was too little memory. Close other programs, or use fewer workers (--workers 1).")


def _chunks(job: Job) -> Iterator[list[bytes]]:
    keys = list(job.missing)
    return (keys[start : start + job.metric.chunk] for start in range(0, len(keys), job.metric.chunk))


Workers = int | str | None
"""How many processes; or the address of a Dask scheduler (`tcp://host:8786`); or None: as many as pay off."""

Rows = tuple[Array, list[int]]
"""Rows on their way back: all their numbers in one piece, and the length of each."""

PATIENCE = 10
"""Seconds until a scheduler that does not answer is given up."""


@contextmanager
def executor(workers: int | str, metrics: Sequence[Metric]) -> Iterator[Executor]:
    """Something to submit the work of these metrics to; when the run ends early, what has not begun is dropped."""
    if isinstance(workers, str):
        with _cluster(workers, metrics) as pool:
            yield pool
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_with_parent() -> None:
    """A worker whose parent was killed would wait for work forever."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def submit(pool: Executor, metric: Metric, pairs: Sequence[Pair], store: Store | None) -> Future[Rows]:
    """Have the rows of these pairs gathered by a worker; both ways in few pieces, which are quick to pack."""
    sentences, outputs = zip(*pairs, strict=True)
    try:
        return pool.submit(_gather, metric, sentences, outputs, store)
    except BrokenExecutor as error:
        failed: Future[Rows] = Future()
        failed.set_exception(error)
        return failed


def unpacked(rows: Rows) -> list[Array]:
    """One array a pair again."""
    numbers, lengths = rows
    ends = np.cumsum(lengths).tolist()
    return [numbers[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def _gather(metric: Metric, sentences: Sequence[Sentence], outputs: Sequence[str], store: Store | None) -> Rows:
    rows = metric.gather([Pair(*pair) for pair in zip(sentences, outputs, strict=True)], store)
    return np.concatenate(rows), [len(row) for row in rows]


def lost_workers() -> tuple[type[BaseException], ...]:
    """What tells that the workers of a cluster died or were taken away."""
    if "distributed" not in sys.modules:
        return ()
    from distributed import KilledWorker

    return KilledWorker, CancelledError


@contextmanager
def _cluster(address: str, metrics: Sequence[Metric]) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingInput("--scheduler needs Dask: pip install -r requirements-cluster.txt.") from None
    if not re.fullmatch(r"[a-z]+://.+:\d+", address):
        raise ScoreError(f"{address} is no address of a Dask scheduler. Write it as tcp://HOST:8786.")
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
    """Refuse a cluster that could not score, or would not score as this machine does."""
    # Made anew there: a metric that is sent as it is may bring along what it found here.
    asked = [(type(metric), metric.options) for metric in metrics]
    try:
        there = client.run(_versions, asked)
    except ImportError as error:
        raise ScoreError(
            f"The workers of {address} cannot import gec_core ({error}). Start them in this project's folder, "
            f"with what requirements.txt names installed."
        ) from None
    if not there:
        raise ScoreError(f"The scheduler at {address} has no workers. Start some with `dask worker {address}`.")
    here = _versions(asked)
    for worker, versions in there.items():
        if differing := [name for name in here | versions if versions.get(name) != here.get(name)]:
            told = "; ".join(f"{name}: {versions.get(name)} instead of {here.get(name)}" for name in differing)
            raise ScoreError(
                f"Worker {worker} scores with other versions than this machine ({told}), so its numbers could differ. "
                f"Update it."
            )


def _versions(asked: Sequence[tuple[type[Metric], Options]]) -> dict[str, str]:
    """What numbers depend on: this project, packages, and what the signatures of metrics name: options, models."""
    signatures = {metric.id: metric(options).statistics_signature for metric, options in asked}
    return {"gec_core": __version__} | packages() | signatures
