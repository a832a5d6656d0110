"""Where chunks are scored besides this process: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING

from gec_core.errors import MissingInput, ScoreError

if TYPE_CHECKING:
    from distributed import Client

Workers = int | str | None
"""How many processes; or the address of a Dask scheduler (`tcp://host:8786`); or None: as many as pay off."""

PATIENCE = 10
"""Seconds until a scheduler that does not answer is given up."""


@contextmanager
def executor(workers: int | str) -> Iterator[Executor]:
    """Something to submit work to; when the run ends early, what has not begun is dropped."""
    if isinstance(workers, str):
        with _cluster(workers) as pool:
            yield pool
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def lost_workers() -> tuple[type[BaseException], ...]:
    """What tells that the workers of a cluster died or were taken away."""
    if "distributed" not in sys.modules:
        return ()
    from distributed import KilledWorker

    return KilledWorker, CancelledError


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingInput("--scheduler needs Dask: pip install -r requirements-cluster.txt.") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ScoreError(f"No Dask scheduler answers at {address}: {error}. Start one with `dask scheduler`.") from None
    with client:
        _check(client, address)
        pool = client.get_executor(pure=False)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False)


def _check(client: Client, address: str) -> None:
    """Refuse a cluster that could not score, or would not score as this machine does."""
    try:
        there = client.run(_versions)
    except ImportError as error:
        raise ScoreError(
            f"The workers of {address} cannot import gec_core ({error}). Start them in this project's folder, "
            f"with what requirements.txt names installed."
        ) from None
    if not there:
        raise ScoreError(f"The scheduler at {address} has no workers. Start some with `dask worker {address}`.")
    for worker, versions in there.items():
        if versions != _versions():
            raise ScoreError(
                f"Worker {worker} scores with other versions than this machine ({versions} instead of {_versions()}), "
                f"so its numbers could differ. Update it."
            )


def _versions() -> dict[str, int | str]:
    """What numbers depend on: the versions of the metrics, and of numpy."""
    import numpy

    from gec_core.metrics import registry

    return {"numpy": numpy.__version__} | {id: metric.version for id, metric in registry().items()}
