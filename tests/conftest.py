"""Where the tests find the real corpus, which is never part of the project, and what they share."""

import csv
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from gec_core import corpora
from gec_core.align.edits import diff_edits
from gec_core.metrics.base import Metric, Score
from gec_core.scoring import score
from gec_core.types import Annotation, Corpus, Edit, Sentence

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
CONLL14 = SHARED / "data" / "conll14"
SEEDA = SHARED / "data" / "seeda"
GOLDEN = CONLL14 / "golden"
PUBLISHED = SHARED / "published"

# Without a deadline, for a first example may compile and machines are shared; and with the same examples every time, so
# that a rare one stops nobody's work. `HYPOTHESIS_PROFILE=exploring` looks for new ones.
settings.register_profile("exploring", deadline=None)
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

needs_conll14 = pytest.mark.skipif(
    not CONLL14.is_dir(), reason="the CoNLL-2014 corpus is not here (looked for ../shared/data/conll14)"
)
needs_seeda = pytest.mark.skipif(
    not SEEDA.is_dir(), reason="the SEEDA corpus is not here (looked for ../shared/data/seeda)"
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own store, nor sees the user's corpora."""
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path_factory.getbasetemp() / "gec-lens-cache"))
    monkeypatch.delenv("GEC_LENS_DATA", raising=False)


@pytest.fixture(autouse=True)
def _own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back the main module that an AppTest replaces by its script: a worker process imports its parent's main."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="session")
def conll14() -> Corpus:
    """The real corpus; use together with `needs_conll14`."""
    return corpora.load(CONLL14)


@pytest.fixture
def app() -> "AppTest":
    """The dashboard without a browser."""
    from streamlit.testing.v1 import AppTest

    return AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the running dashboard."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of corpora of the running dashboard: hostile text, a long sentence, and conll14 where it is here."""
    from hostile_corpora import write_corpora

    folder = tmp_path_factory.mktemp("data")
    write_corpora(folder)
    if CONLL14.is_dir():
        (folder / "conll14").symlink_to(CONLL14)
    return folder


@pytest.fixture(scope="session")
def address(cache: Path, data: Path) -> Iterator[str]:
    """A running dashboard, one for all tests of a process: visitors are strangers to each other."""
    from tools.browser import dashboard

    with dashboard({"GEC_LENS_CACHE": str(cache), "GEC_LENS_DATA": str(data)}) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    from tools.browser import browser

    with browser() as running:
        yield running


@pytest.fixture
def page(chromium: "Browser") -> Iterator["Page"]:
    """A visitor's window, without cookies or anything that others left."""
    from tools.browser import new_page

    opened = new_page(chromium, viewport={"width": 1280, "height": 900}, accept_downloads=True)
    yield opened
    opened.close()


def wait_for(condition: Callable[[], object], seconds: float = 300) -> None:
    """Wait until something is so that other threads or processes bring about; long, since machines may be busy."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def golden(name: str, folder: Path = GOLDEN) -> list[dict[str, str]]:
    """A table of figures that the original authors' scorers gave."""
    with open(folder / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def sentence(source: str, *references: str, gold: Sequence[Sequence[Edit]] = ()) -> Sentence:
    """A sentence with these references, and their differences from the source as gold edits if none are given."""
    edits = gold or [diff_edits(source, reference) for reference in references]
    annotations = tuple(Annotation(number, tuple(each)) for number, each in enumerate(edits))
    return Sentence(source, references, annotations)


def score_one(metric: Metric, given: Sentence, output: str) -> Score:
    """The score of a corpus of one sentence."""
    corpus = Corpus("one", (given,), {"system": (" ".join(output.split()),)})
    return score(corpus, [metric]).columns[0].systems["system"].score
