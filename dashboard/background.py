"""Work outside the page's thread, shared by all visitors of this server.

`Jobs` are long: they have a title, an estimate and progress, are followed and cancelled from any page, and run one at a
time, the quickest first. What a scoring job has done is in the store at once, so a cancelled one can be resumed. Jobs
that an open page waits for run in a thread of their own, the latest first, and quick ones in another; meanwhile longer
jobs pause at their next report of progress: error types do not wait behind an hour of perplexities.

`Tasks` are short, a second or so for a model: a page asks for one by key, draws what it has, and looks again
later. Either is done once, however many visitors ask.

Work that is over forgets its input, which may be a visitor's own corpus, and a scoring job its result as well, unless
the store could not keep that. Work whose result holds words of a text is private: once it is over, only those who hold
on to it keep it.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Literal
from weakref import WeakValueDictionary

from gec_core.errors import GecLensError
from gec_core.metrics.base import Metric
from gec_core.scoring import missing, score
from gec_core.scoring.pace import estimate
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Progress

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Urgency = Literal["now", "soon", "later"]
"""An open page waits for it; an open page will probably need it next; a batch."""
Work = Callable[[Callable[[Progress], None]], Any]
"""What a job does: it reports its progress now and then, and may be stopped when it does."""
QUICK = 30.0
"""Seconds: jobs with a shorter estimate do not wait behind longer ones that have begun."""
REMEMBERED = 100
"""Jobs that are over and still known, so that pages that wait for them learn how they went."""
MOST_TASKS = 500
"""Tasks that are known, the most recent ones."""
_log = logging.getLogger(__name__)


class _Cancelled(Exception):
    pass


@dataclass
class BackgroundJob:
    """A long piece of work: the worker writes it, pages read it."""

    key: Hashable
    title: str
    work: Work | None
    """None once it is over, so that its input can be forgotten."""
    status: Status = "waiting"
    progress: Progress | None = None
    problem: str = ""
    result: Any = None
    seconds: float | None = None
    """How long it will take, by the measured pace of this machine; None if nobody knows."""
    began: float | None = None
    """When it began, by the monotonic clock."""
    give_way: Callable[[BackgroundJob], None] | None = None
    """Called at every report of progress; returns when the job may go on."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _changing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def active(self) -> bool:
        """Whether it is still to be done."""
        return self.status in ("waiting", "running")

    def cancel(self) -> None:
        """Be over at once for all who look; the thread stops at its next report, and what it did stays in the store."""
        self._stop.set()
        with self._changing:
            if self.active:
                self.status, self.work = "cancelled", None
        self._over.set()

    @property
    def stopping(self) -> bool:
        """Whether it has been cancelled."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is over, but no longer than this; return whether it is."""
        return self._over.wait(seconds)

    def run(self) -> None:
        """Do the work, unless it was cancelled."""
        with self._changing:
            work, self.work = self.work, None
            if self._stop.is_set() or work is None:
                return
            self.status, self.began = "running", time.monotonic()
        try:
            result = work(self._follow)
            self._end("done", result=result)
        except _Cancelled:
            self._end("cancelled")
        except GecLensError as error:
            self._end("failed", str(error))
        except Exception as error:  # a bug must not end the worker thread, on which everybody waits
            self._end("failed", f"{type(error).__name__}: {error}")
            raise
        finally:
            self._over.set()

    def _end(self, status: Status, problem: str = "", result: Any = None) -> None:
        """Say how it went, unless it was cancelled meanwhile."""
        with self._changing:
            if self.active:
                self.problem, self.result, self.status = problem, result, status

    def _follow(self, progress: Progress) -> None:
        self.progress = progress
        if self.give_way:
            self.give_way(self)
        if self._stop.is_set():
            raise _Cancelled


def key_of(corpus: Corpus, metric: Metric) -> Hashable:
    """Return the key of a scoring job."""
    return corpus.fingerprint, metric.statistics_signature


class Jobs:
    """The jobs of this server, and the threads that run them: for what pages wait for, for quick jobs, for batches."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, BackgroundJob] = {}
        self._private: WeakValueDictionary[Hashable, BackgroundJob] = WeakValueDictionary()
        self._answers, self._quick, self._batches = _Line(), _Line(), _Line()
        self._number = count()
        self._lock = threading.Lock()
        for line in (self._answers, self._quick, self._batches):
            self._start_worker(line)

    def start(
        self,
        key: Hashable,
        title: str,
        work: Work,
        *,
        private: bool = False,
        urgency: Urgency = "later",
        seconds: float | None = None,
        turn: int | None = None,
    ) -> BackgroundJob:
        """Return the active job with this key, or start one; one that waits moves up if it has become more urgent.

        Args:
            key: What makes two jobs the same.
            title: The name under which pages show it.
            work: What to do.
            private: Whether only the callers keep the job once it is over.
            urgency: Who waits for it.
            seconds: How long it will take, if that is known; quick jobs go ahead of others.
            turn: A number of `next_turn`. Urgent jobs of one turn run in the order in which they were asked for, those
                of a later turn before them.
        """
        with self._lock:
            job = self.known(key)
            if job is None or not job.active:
                job = BackgroundJob(key, title, work, seconds=seconds)
                if private:
                    self._private[key] = job
                else:
                    self._forget_oldest()
                    self._jobs[key] = job
                self._put(job, urgency, turn)
            elif job.status == "waiting" and urgency == "now":
                self._put(job, urgency, turn)  # a second time; whoever takes it out second finds it done
            return job

    def next_turn(self) -> int:
        """Return a number for the questions of one page."""
        return next(self._number)

    def _put(self, job: BackgroundJob, urgency: Urgency, turn: int | None) -> None:
        number = next(self._number)
        if urgency != "later":
            job.give_way = None
            self._answers.waiting.put(
                _Queued((int(urgency == "soon"), -(number if turn is None else turn), number), job)
            )
            return
        quick = job.seconds is not None and job.seconds <= QUICK
        above = (self._answers,) if quick else (self._answers, self._quick)
        job.give_way = partial(_pause, above)
        if quick:
            self._quick.waiting.put(_Queued((number,), job))
        else:
            self._batches.waiting.put(_Queued((job.seconds if job.seconds is not None else QUICK, number), job))

    def known(self, key: Hashable) -> BackgroundJob | None:
        """Return the job that was last started with this key."""
        return self._jobs.get(key) or self._private.get(key)

    def submit(self, corpus: Corpus, metric: Metric) -> BackgroundJob:
        """Start a scoring job; its result is the scores where the store could not keep them, else None."""
        work, seconds = partial(_score, corpus, metric), estimate(metric, missing(corpus, metric, Store()))
        return self.start(key_of(corpus, metric), metric.title, work, seconds=seconds)

    def cancel_all(self, keys: Iterable[Hashable]) -> None:
        """Cancel those of these jobs that are still to be done."""
        for key in keys:
            if (job := self.known(key)) and job.active:
                job.cancel()

    def find(self, corpus: Corpus, metric: Metric) -> BackgroundJob | None:
        """Return the scoring job that was last started for this corpus and metric."""
        return self.known(key_of(corpus, metric))

    def _forget_oldest(self) -> None:
        over = [key for key, job in self._jobs.items() if not job.active]
        for key in over[: max(0, len(over) - REMEMBERED + 1)]:
            del self._jobs[key]

    def _start_worker(self, line: _Line) -> None:
        threading.Thread(target=self._work, args=(line,), name="gec-lens-work", daemon=True).start()

    def _work(self, line: _Line) -> None:
        try:
            while True:
                job = line.waiting.get().job
                line.idle.clear()
                try:
                    if job.status == "waiting":
                        job.run()
                finally:
                    if line.waiting.empty():
                        line.idle.set()
                del job  # so that nothing of it is kept while the thread waits for the next one
        except Exception:
            self._start_worker(line)
            raise


class _Line:
    """Jobs that one thread runs, one after another."""

    def __init__(self) -> None:
        self.waiting: queue.PriorityQueue[_Queued] = queue.PriorityQueue()
        self.idle = threading.Event()
        """Set while there is nothing to do."""
        self.idle.set()


def _pause(lines: Iterable[_Line], job: BackgroundJob) -> None:
    """Hold a job while there is something more urgent to do."""
    for line in lines:
        while not job.stopping and not line.idle.wait(0.2):
            pass


@dataclass(frozen=True, order=True)
class _Queued:
    """A job with its place in the queue; smaller ones are taken first."""

    place: tuple[float, ...]
    job: BackgroundJob = field(compare=False)


def _score(corpus: Corpus, metric: Metric, follow: Callable[[Progress], None]) -> MetricScores | None:
    column = score(corpus, [metric], store=Store(), on_progress=follow).columns[0]
    return column if missing(corpus, metric, Store()) else None


class Tasks:
    """The tasks of this server, and the thread that runs them."""

    def __init__(self, most: int = MOST_TASKS) -> None:
        self._known: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._private: WeakValueDictionary[Hashable, Future[Any]] = WeakValueDictionary()
        self._queue: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._most = most
        # A daemon, unlike the threads of an executor: the server does not wait for a model when it is stopped.
        threading.Thread(target=self._work, name="gec-lens-tasks", daemon=True).start()

    def ask(self, key: Hashable, work: Callable[[], Any], *, private: bool = False) -> Future[Any]:
        """Return the task with that key, or start one if there is none or it failed.

        Args:
            key: What makes two tasks the same.
            work: What to do.
            private: Whether only the callers keep the task once it is over.
        """
        with self._lock:
            found = self._find(key)
            if found is None or failed(found):
                found = Future()
                self._queue.put((found, work))
                if private:
                    self._private[key] = found
                else:
                    self._known[key] = found
            if key in self._known:
                self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)[1].cancel()
            return found

    def find(self, key: Hashable) -> Future[Any] | None:
        """Return the task with that key."""
        with self._lock:
            return self._find(key)

    def _find(self, key: Hashable) -> Future[Any] | None:
        return self._known.get(key) or self._private.get(key)

    def drop(self, keys: Iterable[Hashable]) -> None:
        """Cancel and forget those that have not begun, because nobody waits for them any more."""
        with self._lock:
            for key in keys:
                if (found := self._known.get(key)) and found.cancel():
                    del self._known[key]

    def _work(self) -> None:
        while True:
            task, work = self._queue.get()
            if task.set_running_or_notify_cancel():
                try:
                    task.set_result(work())
                except Exception as problem:  # raised where the result is asked for
                    if not isinstance(problem, GecLensError):
                        _log.exception("A task failed")
                    task.set_exception(_without_frames(problem))
            del task, work  # so that nothing of it is kept while the thread waits for the next one


def failed(task: Future[Any]) -> bool:
    """Whether a task is over without a result."""
    return task.done() and (task.cancelled() or task.exception() is not None)


def _without_frames(problem: Exception) -> Exception:
    """The error without its traceback, whose frames hold the text it was about."""
    problem.__traceback__ = problem.__context__ = problem.__cause__ = None
    return problem
