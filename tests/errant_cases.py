"""What the tests of the ERRANT family share."""

import sys

import pytest

from gec_core.align import errant_pipeline

needs_errant = pytest.mark.skipif(
    errant_pipeline.find() is None, reason=f"ERRANT is not installed. {errant_pipeline.missing()}"
)

EMBEDDED = "errant:2.3.3|spacy:2.3.9|en_core_web_sm:2.2.5"
needs_embedded = pytest.mark.skipif(
    errant_pipeline.label() != EMBEDDED, reason=f"the golden counts come from {EMBEDDED}, here is another pipeline"
)


@pytest.fixture
def no_pipeline(monkeypatch):
    """A machine without spaCy, as far as the library can see."""
    monkeypatch.setitem(sys.modules, "spacy", None)
    errant_pipeline.find.cache_clear()
    yield
    monkeypatch.undo()
    errant_pipeline.find.cache_clear()
