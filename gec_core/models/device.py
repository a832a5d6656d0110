"""Where models run, and with how many threads."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

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
