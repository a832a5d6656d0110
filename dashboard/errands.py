"""Small pieces of work beside the page: asked for by a key, done one after the other, remembered for a while.

For what takes a model a second or so: a page asks, draws what it has, and looks again later. Long runs with
progress are `jobs`. What failed is tried again when somebody asks again.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any
from weakref import WeakValueDictionary

from gec_core.errors import GecLensError

MOST = 500
_log = logging.getLogger(__name__)


class Errands:
    """The errands of this server, shared by all visitors, and the thread that runs them."""

    def __init__(self, most: int = MOST) -> None:
        self._known: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._private: WeakValueDictionary[Hashable, Future[Any]] = WeakValueDictionary()
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._lock = Lock()
        self._most = most
        # A daemon, unlike the threads of an executor: the server does not wait for a model when it is stopped.
        Thread(target=self._work, name="gec-lens-errands", daemon=True).start()

    def ask(self, key: Hashable, work: Callable[[], Any], *, private: bool = False) -> Future[Any]:
        """The errand of that key: the one known already, unless it failed, or a new one.

        A private errand is for whoever asked to keep: when it is done, nothing here does.
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
        with self._lock:
            return self._find(key)

    def _find(self, key: Hashable) -> Future[Any] | None:
        return self._known.get(key) or self._private.get(key)

    def drop(self, keys: Iterable[Hashable]) -> None:
        """Forget those that have not begun: nobody waits for them any more."""
        with self._lock:
            for key in keys:
                if (found := self._known.get(key)) and found.cancel():
                    del self._known[key]

    def _work(self) -> None:
        while True:
            errand, work = self._queue.get()
            if errand.set_running_or_notify_cancel():
                try:
                    errand.set_result(work())
                except Exception as problem:  # told to whoever asks for the result
                    if not isinstance(problem, GecLensError):
                        _log.exception("An errand failed")
                    errand.set_exception(_without_frames(problem))
            del errand, work  # while this thread waits for the next one, it keeps nothing of the last


def failed(errand: Future[Any]) -> bool:
    """Whether it is over and nothing came out."""
    return errand.done() and (errand.cancelled() or errand.exception() is not None)


def _without_frames(problem: Exception) -> Exception:
    """The error alone: the frames that it came through hold the text it was about."""
    problem.__traceback__ = problem.__context__ = problem.__cause__ = None
    return problem
