"""Where chunks are scored besides this process: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from gec_core import __version__
from gec_core.errors import MissingInput, ScoreError
from gec_core.installed import packages
from gec_core.metrics.base import Array, Metric, Pair

if TYPE_CHECKING:
    from distributed import Client

    from gec_core.metrics.options import Options
    from gec_core.store import Store
    from gec_core.types import Sentence

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
