"""Long work outside the page's thread: shared by all visitors, followed and cancelled from any page.

One piece of work at a time, in the order in which they were asked for; what is asked for twice is done once. What
a scoring run has done is in the store as soon as it is done, so a cancelled one can be taken up again.

Work that is over forgets what it was about, which may be a visitor's own corpus, and a scoring run what came out
of it, too, unless the store could not keep that. Where words come out, the work is private: once it is over it is
gone with the last visitor who holds on to it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal
from weakref import WeakValueDictionary

from gec_core.errors import GecLensError
from gec_core.metrics.base import Metric
from gec_core.scoring import missing, score
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Progress

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Work = Callable[[Callable[[Progress], None]], Any]
"""What is to be done: it tells its progress now and then, and may be stopped there."""
REMEMBERED = 100
"""Pieces of work that are over and still known, so that pages that wait for them learn how they went."""


class _Cancelled(Exception):
    pass


@dataclass
class Job:
    """A piece of work. Written by the worker, read by pages."""

    key: Hashable
    title: str
    work: Work | None
    """None once it is over, so that what it was about can be forgotten."""
    status: Status = "waiting"
    progress: Progress | None = None
    problem: str = ""
    result: Any = None
    """What came out."""
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        return self.status in ("waiting", "running")

    def cancel(self) -> None:
        """Stop at the next sign of progress; what was done until then stays in the store."""
        self._stop.set()
        if self.status == "waiting":
            self.status, self.work = "cancelled", None

    def run(self) -> None:
        work, self.work = self.work, None
        if self._stop.is_set() or work is None:
            return
        self.status = "running"
        try:
            self.result = work(self._follow)
            self.status = "done"
        except _Cancelled:
            self.status = "cancelled"
        except GecLensError as error:
            self.problem, self.status = str(error), "failed"
        except Exception as error:  # a bug of ours must not end the worker, on which everybody waits
            self.problem, self.status = f"{type(error).__name__}: {error}", "failed"
            raise

    def _follow(self, progress: Progress) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise _Cancelled


def key_of(corpus: Corpus, metric: Metric) -> Hashable:
    """What makes two scoring runs the same."""
    return corpus.fingerprint, metric.statistics_signature


class Jobs:
    """The work of this server, and the thread that does it."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, Job] = {}
        self._private: WeakValueDictionary[Hashable, Job] = WeakValueDictionary()
        self._queue: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._start_worker()

    def start(self, key: Hashable, title: str, work: Work, *, private: bool = False) -> Job:
        """The work that goes by this key: what is under way already, or this.

        A private job is for whoever asked to keep: when it is over, nothing here does.
        """
        with self._lock:
            job = self.known(key)
            if job is None or not job.active:
                job = Job(key, title, work)
                if private:
                    self._private[key] = job
                else:
                    self._forget_oldest()
                    self._jobs[key] = job
                self._queue.put(job)
            return job

    def known(self, key: Hashable) -> Job | None:
        """The work that was last started under this key."""
        return self._jobs.get(key) or self._private.get(key)

    def submit(self, corpus: Corpus, metric: Metric) -> Job:
        """A scoring run: its result is the metric's column of scores if the store could not keep them."""
        return self.start(key_of(corpus, metric), metric.name, partial(_score, corpus, metric))

    def find(self, corpus: Corpus, metric: Metric) -> Job | None:
        return self.known(key_of(corpus, metric))

    def _forget_oldest(self) -> None:
        over = [key for key, job in self._jobs.items() if not job.active]
        for key in over[: max(0, len(over) - REMEMBERED + 1)]:
            del self._jobs[key]

    def _start_worker(self) -> None:
        threading.Thread(target=self._work, name="gec-lens-work", daemon=True).start()

    def _work(self) -> None:
        try:
            while True:
                self._queue.get().run()
        except Exception:
            self._start_worker()
            raise


def _score(corpus: Corpus, metric: Metric, follow: Callable[[Progress], None]) -> MetricScores | None:
    column = score(corpus, [metric], store=Store(), on_progress=follow).columns[0]
    return column if missing(corpus, metric, Store()) else None
