"""The device that models run on, and a cache of the rows that they compute."""

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


# Waiting threads must not spin: beside another busy process (a browser is enough) that makes a model up to five times
# slower. OpenMP reads this when torch is imported, which is always after this module.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

T = TypeVar("T")
MOST_BYTES = 256 << 20
"""Bytes of rows that this process keeps in memory."""
_recent = MemoryStore(MOST_BYTES)


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
    """The physical cores that this process may use: hyper-threads do not speed up matrix products."""
    import psutil

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, psutil.cpu_count(logical=False) or allowed))


def remembered(
    store: Store | None, signature: str, payloads: Mapping[bytes, T], compute: Callable[[list[T]], list[Array]]
) -> dict[bytes, Array]:
    """The row of every payload: from memory, from the store, or computed, all missing ones in one call.

    Args:
        store: Where rows are kept between processes, if anywhere.
        signature: Everything that the rows depend on besides the payloads, such as the model.
        payloads: The inputs of the model by their keys (see `text_key`).
        compute: The rows of some payloads, in their order; a row is one-dimensional.
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
    """The key of one text, or of several in order."""
    return hashlib.blake2b(repr(texts).encode(), digest_size=16).digest()
