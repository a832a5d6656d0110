# mypy: disable-error-code="attr-defined, union-attr"
"""Chunks shared out among this process and others: each is done once, by whoever is free."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children, parent_process
from typing import Any

import numpy as np
import pytest
from conftest import sentence

from gec_core.errors import ModelError, ScoreError
from gec_core.metrics import create
from gec_core.metrics.base import Metric
from gec_core.scoring.parallel import LEAST_CHUNK, PARTS, ScoringJob, _chunks, _shared_out, executor
from gec_core.types import Array, Pair

BOTH_AT_WORK = threading.Event()
"""Set as soon as this process has taken a chunk: the pool waits for it, so that neither does all the work."""


class Slow(Metric):
    """Remembers who scored which output."""

    id, name, family, summary, reads, chunk = "slow", "Slow", "test", "Slow.", "source", 1
    aggregate = sentence_scores = None  # type: ignore[assignment]
    __abstractmethods__: frozenset[str] = frozenset()

    def __init__(self) -> None:
        super().__init__()
        self.by: dict[str, str] = {}

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        here = threading.current_thread() is threading.main_thread()
        if here:
            BOTH_AT_WORK.set()
        assert BOTH_AT_WORK.wait(300)
        self.by |= {pair.output: threading.current_thread().name for pair in pairs}
        return [np.array([float(pair.output), 7.0][: 1 + int(pair.output) % 2]) for pair in pairs]


def job_of(metric: Any, count: int = 40) -> ScoringJob:
    pairs = {bytes([index]): Pair(sentence("s", "s"), str(index)) for index in range(count)}
    return ScoringJob(metric, {}, {}, pairs)


def test_this_process_takes_from_the_other_end() -> None:
    job = job_of(Slow())
    with ThreadPoolExecutor(1, thread_name_prefix="other") as pool:
        chunks = list(_shared_out(pool, [job], None, 1))
    assert sorted(key for _, keys, _ in chunks for key in keys) == sorted(job.missing)
    assert {row[0] for _, _, rows in chunks for row in rows} == set(range(40))
    assert job.metric.by["0"].startswith("other")
    assert job.metric.by["39"] == "MainThread"


def test_every_process_gets_several_chunks() -> None:
    """However few seconds all of it takes: or one process waits for the other's last chunk."""
    job = ScoringJob(create("m2"), {}, {}, {bytes([index]): Pair(sentence("a", "a"), "a") for index in range(200)})
    assert [len(keys) for keys in _chunks(job)] == [200]
    assert {len(keys) for keys in _chunks(job, 2 * PARTS)} == {LEAST_CHUNK, 200 % LEAST_CHUNK}


def test_what_others_did_comes_back_as_it_would_from_here() -> None:
    """Really in another process, with rows of different lengths and edits that have to travel."""
    metric = create("m2")
    pairs = [Pair(sentence("a b", *["a c", "b"][: 1 + index % 2]), f"a {index}") for index in range(9)]
    job = ScoringJob(metric, {}, {}, {bytes([index]): pair for index, pair in enumerate(pairs)})
    with executor(1, [metric]) as pool:
        ((_, keys, rows),) = _shared_out(pool, [job], None)
    assert [pairs[key[0]] for key in keys] == pairs
    assert [row.tolist() for row in rows] == [row.tolist() for row in metric.statistics(pairs)]


class Deadly(Slow):
    """Ends the process that scores it, unless that is the first one."""

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        if parent_process():
            os._exit(9)
        return super().statistics(pairs)


def test_a_worker_that_dies_is_told_and_leaves_nobody_behind() -> None:
    job = job_of(Deadly())
    with executor(2, [job.metric]) as pool:
        chunks = list(_shared_out(pool, [job], None, 2))
    problems = [rows for _, _, rows in chunks if isinstance(rows, ScoreError)]
    assert sorted(key for _, keys, _ in chunks for key in keys) == sorted(job.missing)
    assert len(problems) >= 6
    assert "A worker process was killed" in str(problems[0])
    assert not active_children()


@pytest.mark.parametrize("others", [1, None])
def test_what_fails_is_told_chunk_by_chunk(others: int | None) -> None:
    class Broken(Slow):
        def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
            raise ModelError("cut short")

    with ThreadPoolExecutor(1) as pool:
        chunks = list(_shared_out(pool, [job_of(Broken(), 5)], None, others))
    assert [str(problem) for _, _, problem in chunks] == ["cut short"] * 5
