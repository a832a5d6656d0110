"""Which versions of what scores are computed with are installed here."""

from __future__ import annotations

import importlib.metadata

PACKAGES = ("numpy", "numba", "spacy", "errant", "rapidfuzz", "torch", "transformers")


def packages() -> dict[str, str]:
    """The versions of these packages; without those that are not installed."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
