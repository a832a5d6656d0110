"""Where models run, and the memory of what they have computed.

Rows are one-dimensional, as those of the store are.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from gec_core.store import MemoryStore, Store
from gec_core.types import Array

if TYPE_CHECKING:
    import torch


# Threads that wait for each other must not spin: beside another busy process (a browser is enough) that makes
# a model up to five times slower. OpenMP reads this when torch is imported, which is always later than this module.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


@cache
def device() -> torch.device:
    """The best device of this machine (cuda, mps or cpu); the first call also sets torch's threads."""
    import torch

    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(cores())
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def cores() -> int:
    """Physical cores that this process may use: matrix products gain nothing from a core's second thread."""
    import psutil

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, psutil.cpu_count(logical=False) or allowed))


T = TypeVar("T")
MOST_BYTES = 256 << 20


_recent = MemoryStore(MOST_BYTES)


def remembered(
    store: Store | None, signature: str, payloads: Mapping[bytes, T], compute: Callable[[list[T]], list[Array]]
) -> dict[bytes, Array]:
    """A row for every payload: from this process, from the store, or computed now, all missing ones in one call.

    The signature must name everything that the rows depend on besides the payloads, the model above all.
    """
    rows = _recent.get(signature, payloads)
    if store is not None and len(rows) < len(payloads):
        stored = store.get(signature, [key for key in payloads if key not in rows])
        _recent.put(signature, stored)
        rows.update(stored)
    missing = [key for key in payloads if key not in rows]
    if missing:
        fresh = dict(zip(missing, compute([payloads[key] for key in missing]), strict=True))
        if store is not None:
            store.put(signature, fresh)
        _recent.put(signature, fresh)
        rows.update(fresh)
    return rows


def text_key(*texts: str) -> bytes:
    """The key of one text, or of several in this order."""
    return hashlib.blake2b(repr(texts).encode(), digest_size=16).digest()
