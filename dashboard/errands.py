"""Small pieces of work beside the page: asked for by a key, done one after the other, remembered for a while.

For what takes a model a second or so: a page asks, draws what it has, and looks again later. Long runs with
progress are `jobs`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

MOST = 500


class Errands:
    """The errands of this server, shared by all visitors, and the thread that runs them."""

    def __init__(self, most: int = MOST) -> None:
        self._known: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._lock = Lock()
        self._most = most
        # A daemon, unlike the threads of an executor: the server does not wait for a model when it is stopped.
        Thread(target=self._work, name="gec-lens-errands", daemon=True).start()

    def ask(self, key: Hashable, work: Callable[[], Any]) -> Future[Any]:
        """The errand of that key: the one known already, or a new one."""
        with self._lock:
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = Future()
                self._queue.put((found, work))
                while len(self._known) > self._most:
                    self._known.popitem(last=False)[1].cancel()
            self._known.move_to_end(key)
            return found

    def find(self, key: Hashable) -> Future[Any] | None:
        with self._lock:
            return self._known.get(key)

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
                    errand.set_exception(problem)
