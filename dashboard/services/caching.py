"""What makes a cached result that of a corpus: its content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gec_core.types import Corpus

by_content: dict[str | type[Any], Callable[[Any], Any]] = {Corpus: lambda corpus: corpus.fingerprint}
