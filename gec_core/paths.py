"""Where GEC Lens keeps things of its own on this machine.

`GEC_LENS_CACHE` moves all of it under one folder, so that tests, containers and shared machines need
to set one variable only.
"""

from __future__ import annotations

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
