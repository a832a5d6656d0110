"""Where the tests find the real corpus, which is never part of the project."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
CONLL14 = SHARED / "data" / "conll14"
GOLDEN = CONLL14 / "golden"
PUBLISHED = SHARED / "published"

needs_conll14 = pytest.mark.skipif(
    not CONLL14.is_dir(), reason="the CoNLL-2014 corpus is not here (looked for ../shared/data/conll14)"
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own store, nor sees the user's corpora."""
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path_factory.getbasetemp() / "gec-lens-cache"))
    monkeypatch.delenv("GEC_LENS_DATA", raising=False)
