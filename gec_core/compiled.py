"""Compilation of inner loops with numba, and where the machine code is kept.

numba keeps machine code beside the module, or in the user's cache folder. Three cases need care:

* After an upgrade, an old file may name modules that no longer exist; numba would stop with an AttributeError.
* Machine code contains that of the functions it calls; numba would not notice that one in another module has changed.
* An installation that cannot be written, run by a user without a home folder (a container), has no place for it; numba
  would refuse to compile.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import config, njit
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

from gec_core.environment import cache_folder

_NumbaCache: Any = FunctionCache  # numba has no types

P = ParamSpec("P")
R = TypeVar("R")

_UNREADABLE = (
    AttributeError,
    ImportError,
    pickle.UnpicklingError,
    EOFError,
    TypeError,
    ValueError,
    LookupError,
    OSError,
)
"""What reading a file of another version or a damaged one may raise."""


class _Cache(_NumbaCache):  # type: ignore[misc]
    """Machine code on disk; what cannot be read is compiled again, what cannot be written is not kept."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        called: list[Any] = [each for each in function.__globals__.values() if isinstance(each, Dispatcher)]
        elsewhere = {each.py_func.__module__: each for each in called if each.py_func.__module__ != function.__module__}
        stamps = [getattr(each._cache, "stamp", None) for _, each in sorted(elsewhere.items())]
        self.stamp = self._cache_file._source_stamp = (self._cache_file._source_stamp, *stamps)

    def load_overload(self, sig: object, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except _UNREADABLE:
            return None

    def save_overload(self, sig: object, data: object) -> None:
        try:
            super().save_overload(sig, data)
        except _UNREADABLE:
            self._start_anew(sig, data)

    def _start_anew(self, sig: object, data: object) -> None:
        try:
            self.flush()
            super().save_overload(sig, data)
        except _UNREADABLE:
            self.disable()


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on its first call, without the global interpreter lock, and keep the machine code on disk."""
    dispatcher: Any = njit(nogil=True)(function)
    cache = _writable_cache(function)
    if cache is not None:
        dispatcher._cache = cache
    return dispatcher


def _writable_cache(function: Callable[..., object]) -> _Cache | None:
    """Beside the module or in numba's own folder for the user; else in the cache folder of GEC Lens; else nowhere."""
    try:
        return _Cache(function)
    except (RuntimeError, OSError):
        pass
    settings: Any = config
    before = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = str(cache_folder() / "compiled")
        return _Cache(function)
    except (RuntimeError, OSError):
        return None
    finally:
        settings.CACHE_DIR = before
