"""Where GEC Lens keeps its files on this machine, and which package versions compute its scores.

`GEC_LENS_CACHE` moves all of it under one folder, so that tests, containers and shared machines need
to set one variable only.
"""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

import platformdirs

_APP = "gec-lens"


def cache_folder() -> Path:
    """For what can be computed again: stored statistics, converted models."""
    base = os.environ.get("GEC_LENS_CACHE")
    return Path(base).expanduser() if base else platformdirs.user_cache_path(_APP)


def data_folder() -> Path:
    """For what the user asked for and wants to keep: downloaded corpora."""
    base = os.environ.get("GEC_LENS_CACHE")
    return Path(base).expanduser() / "data" if base else platformdirs.user_data_path(_APP)


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
