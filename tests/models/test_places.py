import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from gec_core.errors import MissingInput
from gec_core.models import places
from gec_core.models.places import Place, embedded, locate

needs_packages = pytest.mark.skipif(
    embedded("causal-lm") is None or embedded("encoder") is None,
    reason="the embedded models are not installed (requirements-weights.txt)",
)


@pytest.fixture(autouse=True)
def _empty_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub-home"))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)


def model_folder(folder: Path, weights: bytes = b"weights", config: Any = None) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config or {"model_type": "gpt2"}))
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def in_hub(tmp_path: Path, name: str, commit: str = "0123456789abcdef") -> Path:
    repository = tmp_path / "hub-home" / "hub" / f"models--{name.replace('/', '--')}"
    folder = model_folder(repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    return folder


@needs_packages
def test_the_embedded_model_is_named_after_its_package_version() -> None:
    place = locate("causal-lm")
    assert (place.name, place.origin, place.path.suffix) == ("SmolLM2-135M", "embedded", ".gguf")
    assert place.label == "SmolLM2-135M, embedded"
    assert place.signature == f"SmolLM2-135M@{place.revision}"


def test_the_published_model_comes_before_the_embedded_one(tmp_path: Path) -> None:
    folder = in_hub(tmp_path, "openai-community/gpt2")
    assert locate("causal-lm") == Place("causal-lm", "openai-community/gpt2", "01234567", "hub cache", folder)
    assert locate("causal-lm").label == "openai-community/gpt2"


@needs_packages
def test_an_unfinished_download_is_not_a_model(tmp_path: Path) -> None:
    (in_hub(tmp_path, "gpt2") / "model.safetensors").unlink()
    assert locate("causal-lm").origin == "embedded"


def test_a_folder_is_a_model_and_its_content_is_its_revision(tmp_path: Path) -> None:
    first = locate("causal-lm", str(model_folder(tmp_path / "my | lm")))
    assert (first.name, first.origin, first.label) == ("my | lm", "folder", "my | lm")
    assert first.signature == f"my-lm@{first.revision}"
    other = locate("causal-lm", str(model_folder(tmp_path / "b" / "my | lm", weights=b"weighty")))
    assert other.revision != first.revision
    again = locate("causal-lm", str(model_folder(tmp_path / "c" / "my | lm")))
    assert again.revision == first.revision


def test_a_model_put_into_the_models_folder_is_found_by_name() -> None:
    folder = model_folder(places.models_folder() / "facebook" / "bart-base")
    try:
        assert locate("seq2seq").path == folder.resolve()
    finally:
        (folder / "config.json").unlink()


def test_what_is_missing_says_how_to_get_it() -> None:
    with pytest.raises(MissingInput, match=r"facebook/bart-base is not on this machine.*allow_download.*models"):
        locate("seq2seq")
    with pytest.raises(MissingInput, match="no/such-model"):
        locate("causal-lm", "no/such-model")
    with pytest.raises(MissingInput, match="not on this machine"):
        locate("regressor")


@needs_packages
def test_nothing_is_downloaded_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    def download(kind: Any, name: Any) -> None:
        raise AssertionError(f"{name} was downloaded")

    monkeypatch.setattr(places, "_downloaded", download)
    assert locate("encoder").origin == "embedded"
    with pytest.raises(AssertionError, match="bert-base-uncased was downloaded"):
        locate("encoder", allow_download=True)


def test_without_the_packages_nothing_is_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert embedded("causal-lm") is None
    with pytest.raises(MissingInput, match="install-weights"):
        locate("causal-lm")


def test_finding_a_model_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gec_core.metrics import registry\n"
        "for cls in registry().values(): metric = cls(); metric.signature, metric.label, metric.availability()\n"
        "print([name for name in ('torch', 'transformers', 'huggingface_hub', 'spacy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"
