"""Computing each distinct text once: numbers that a model gave are kept in the process and in the store.

Rows are one-dimensional, as those of the store are.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import TypeVar

from gec_core.metrics.base import Array
from gec_core.store import Store

T = TypeVar("T")
MOST_BYTES = 256 << 20


class _Recent:
    """The rows used last, up to a number of bytes; safe for several threads."""

    def __init__(self, most_bytes: int) -> None:
        self._rows: OrderedDict[tuple[str, bytes], Array] = OrderedDict()
        self._bytes, self._most, self._lock = 0, most_bytes, Lock()

    def get(self, signature: str, keys: Iterable[bytes]) -> dict[bytes, Array]:
        found = {}
        with self._lock:
            for key in keys:
                row = self._rows.get((signature, key))
                if row is not None:
                    self._rows.move_to_end((signature, key))
                    found[key] = row
        return found

    def put(self, signature: str, rows: Mapping[bytes, Array]) -> None:
        with self._lock:
            for key, row in rows.items():
                old = self._rows.pop((signature, key), None)
                self._bytes += row.nbytes - (old.nbytes if old is not None else 0)
                self._rows[signature, key] = row
            while self._bytes > self._most:
                _, row = self._rows.popitem(last=False)
                self._bytes -= row.nbytes


_recent = _Recent(MOST_BYTES)


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
