"""Computing each distinct text once: numbers that a model gave are kept in the process and in the store.

Rows are one-dimensional, as those of the store are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from gec_core.metrics.base import Array
from gec_core.store import MemoryStore, Store

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
