"""A folder that is there as a whole, or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gec_core.errors import CorpusError


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which becomes `target` when all went well and vanishes when not.

    It lies beside the target, so that renaming it is one step for anybody who looks.
    """
    if target.exists():
        raise CorpusError(f"{target} is already there. Choose another name, or remove it first.")
    staging: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        yield staging
        staging.chmod(0o755)
        staging.rename(target)
    except OSError as problem:
        raise CorpusError(f"{target}: cannot be written ({problem.strerror}). Nothing was left behind.") from problem
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
