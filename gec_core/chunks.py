"""Filling in the rows of statistics that are not known yet: chunk by chunk, in this process and in others.

Every chunk is stored as it comes back, so that little is lost when a run ends early. Where several processes work,
this one is one of them: it takes from the other end of what the others have not begun.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from queue import SimpleQueue

from gec_core.errors import GecLensError, ScoreError
from gec_core.metrics.base import Array, Metric, Pair
from gec_core.progress import Progress
from gec_core.store import Store
from gec_core.workers import Rows, Workers, executor, lost_workers, submit, unpacked

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
