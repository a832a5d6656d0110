"""Finding the English pipeline, and what is said where there is none."""

import json
import subprocess
import sys

import pytest
from conftest import ROOT, score_one, sentence
from errant_cases import needs_errant, no_pipeline  # noqa: F401

from gec_core.align import errant_pipeline
from gec_core.errors import MissingInput
from gec_core.metrics import create, registry

FAMILY = ("errant", "senterrant", "gotoscorer", "pterrant")


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Says which packages are installed, and lets tests lay down pipelines of their own."""
    errant_pipeline.find.cache_clear()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(errant_pipeline, "NAMES", ("pipeline_one", "pipeline_two"))

    def lay(name, meta):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('nothing is imported to find a pipeline')")
        if meta is not None:
            (tmp_path / name / "meta.json").write_text(meta)

    def versions(**given):
        monkeypatch.setattr(errant_pipeline, "_version", lambda package: given.get(package, ""))

    yield lay, versions
    errant_pipeline.find.cache_clear()


def meta(version, spacy):
    return json.dumps({"version": version, "spacy_version": spacy})


def test_the_first_pipeline_for_this_spacy_is_taken(installed):
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("2.2.5", ">=2.2.2"))
    lay("pipeline_two", meta("3.8.0", ">=3.8.0,<3.9.0"))
    assert errant_pipeline.find() == errant_pipeline.Pipeline("pipeline_two", "3.8.0", spacy="3.8.2", errant="3.0.2")
    assert errant_pipeline.label() == "errant:3.0.2|spacy:3.8.2|pipeline_two:3.8.0"
    assert errant_pipeline.missing() == ""


@pytest.mark.parametrize("broken", [None, "{", "[]", '{"version": "1"}'])
def test_something_else_of_that_name_is_no_pipeline(installed, broken):
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", broken)
    assert errant_pipeline.find() is None
    assert errant_pipeline.label() == "pipeline:none"
    assert errant_pipeline.missing().startswith("Missing: an English spaCy pipeline.")


def test_a_pipeline_of_another_spacy_is_said(installed):
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("2.2.5", ">=2.2.2"))
    assert errant_pipeline.missing().startswith("The English pipeline here was made for another spaCy than 3.8.2.")


def test_what_is_missing_is_named(installed):
    _, versions = installed
    versions(spacy="2.3.9")
    assert errant_pipeline.missing().startswith("Missing: errant, an English spaCy pipeline. Install: pip install ")


def test_what_to_install_depends_on_the_python(installed):
    """There is no spaCy 2.3 for Python 3.12."""
    _, versions = installed
    versions()
    wanted = "spacy==2.3.9 errant==2.3.3" if sys.version_info < (3, 12) else "spacy download en_core_web_sm"
    assert wanted in errant_pipeline.missing()


def test_a_pipeline_that_does_not_load_is_said(installed):
    lay, versions = installed
    versions(spacy="3.8.2", errant="3.0.2")
    lay("pipeline_one", meta("3.2.0", ">=3.2.0"))
    with pytest.raises(MissingInput, match=r"pipeline_one 3\.2\.0 does not load with spaCy 3\.8\.2: nothing is"):
        errant_pipeline.load.__wrapped__()


@pytest.mark.usefixtures("no_pipeline")
@pytest.mark.parametrize("id", FAMILY)
def test_without_a_pipeline_the_metrics_say_what_to_install(id):
    ready = create(id).availability()
    assert not ready.ready
    assert "Missing: spacy" in ready.how
    assert "|pipeline:none" in create(id).signature
    with pytest.raises(MissingInput, match=r"cannot run here\. Missing: spacy.* Install: pip install"):
        score_one(create(id), sentence("a b", "a c"), "a c")


@pytest.mark.usefixtures("no_pipeline")
def test_without_a_pipeline_the_others_score():
    assert score_one(create("m2"), sentence("a b", "a c"), "a c").value == 1.0


def test_listing_metrics_loads_no_pipeline():
    code = (
        "import sys; from gec_core.metrics import registry\n"
        "for cls in registry().values(): cls().availability(); cls().signature\n"
        "print([name for name in ('spacy', 'errant') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"


def test_the_family_is_in_the_registry():
    assert set(FAMILY) <= set(registry())


@needs_errant
def test_a_pipeline_that_was_found_loads_without_a_warning(recwarn):
    errant_pipeline.load.cache_clear()
    assert errant_pipeline.load().nlp.lang == "en"
    assert [str(each.message) for each in recwarn if "[W" in str(each.message)] == []
