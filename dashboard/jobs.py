"""Long scoring runs, outside the page's thread: shared by all visitors, followed and cancelled from any page.

One run at a time, in the order in which they were asked for; a run that is asked for twice is one run. What a
run has scored is in the store as soon as it is scored, so a cancelled one can be taken up again.

A run that is over forgets its corpus, which may be a visitor's own, and what came out of it unless the store
could not keep that.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field
from typing import Literal

from gec_core.errors import GecLensError
from gec_core.metrics.base import Metric
from gec_core.scores import MetricScores
from gec_core.scoring import Progress, missing, score
from gec_core.store import Store
from gec_core.types import Corpus

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Key = tuple[str, str]
REMEMBERED = 100
"""Runs that are over and still known, so that pages that wait for them learn how they went."""


class _Cancelled(Exception):
    pass


@dataclass
class Job:
    """One metric on one corpus. Written by the worker, read by pages."""

    corpus: Corpus | None
    """None once the run is over."""
    metric: Metric
    key: Key
    status: Status = "waiting"
    progress: Progress | None = None
    problem: str = ""
    result: MetricScores | None = None
    """What came out, if the store could not keep it."""
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        return self.status in ("waiting", "running")

    def cancel(self) -> None:
        """Stop as soon as the chunk at hand is done; what was scored stays in the store."""
        self._stop.set()
        if self.status == "waiting":
            self.status, self.corpus = "cancelled", None

    def run(self) -> None:
        corpus = self.corpus
        if corpus is None:
            return
        self.status = "running"
        try:
            self._score(corpus)
            self.status = "done"
        except _Cancelled:
            self.status = "cancelled"
        except GecLensError as error:
            self.problem, self.status = str(error), "failed"
        except Exception as error:  # a bug of ours must not end the worker, on which everybody waits
            self.problem, self.status = f"{type(error).__name__}: {error}", "failed"
            raise
        finally:
            self.corpus = None

    def _score(self, corpus: Corpus) -> None:
        result = score(corpus, [self.metric], store=Store(), on_progress=self._follow).columns[0]
        if missing(corpus, self.metric, Store()):
            self.result = result

    def _follow(self, progress: Progress) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise _Cancelled


def key_of(corpus: Corpus, metric: Metric) -> Key:
    return corpus.fingerprint, metric.statistics_signature


class Jobs:
    """The runs of this server, and the thread that works them off."""

    def __init__(self) -> None:
        self._jobs: dict[Key, Job] = {}
        self._queue: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._start_worker()

    def submit(self, corpus: Corpus, metric: Metric) -> Job:
        """The run for this metric on this corpus: the one under way, or a new one."""
        with self._lock:
            key = key_of(corpus, metric)
            job = self._jobs.get(key)
            if job is None or not job.active:
                self._forget_oldest()
                job = self._jobs[key] = Job(corpus, metric, key)
                self._queue.put(job)
            return job

    def find(self, corpus: Corpus, metric: Metric) -> Job | None:
        return self._jobs.get(key_of(corpus, metric))

    def _forget_oldest(self) -> None:
        over = [key for key, job in self._jobs.items() if not job.active]
        for key in over[: max(0, len(over) - REMEMBERED + 1)]:
            del self._jobs[key]

    def _start_worker(self) -> None:
        threading.Thread(target=self._work, name="gec-lens-scoring", daemon=True).start()

    def _work(self) -> None:
        try:
            while True:
                self._queue.get().run()
        except Exception:
            self._start_worker()
            raise
