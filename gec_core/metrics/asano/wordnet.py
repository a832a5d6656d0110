"""Synonyms from WordNet, if its database files are on this machine (as installed by NLTK or the system).

Only the index and exception files are read: two words are synonyms if base forms of them share a synset.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from gec_core.errors import MissingInput

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
"""The endings that WordNet's own lookup removes from a word, and what it appends, to find the base form."""
Synset = tuple[str, str]


class WordNet:
    """The synsets of words, read from a folder or from a zip file as downloaded by NLTK."""

    def __init__(self, path: Path) -> None:
        self._synsets: dict[str, dict[str, tuple[str, ...]]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        for part in PARTS_OF_SPEECH:
            self._synsets[part] = dict(map(_entry, _lines(path, f"index.{part}")))
            exceptions = (line.split() for line in _lines(path, f"{part}.exc"))
            self._exceptions[part] = {word: bases for word, *bases in exceptions}

    def synsets(self, word: str) -> frozenset[Synset]:
        """All synsets of a word, in any form and part of speech."""
        return frozenset(
            (part, synset)
            for part in PARTS_OF_SPEECH
            for base in self._bases(word.lower(), part)
            for synset in self._synsets[part].get(base, ())
        )

    def _bases(self, word: str, part: str) -> Iterator[str]:
        yield word
        yield from self._exceptions[part].get(word, ())
        for ending, instead in ENDINGS[part]:
            if word.endswith(ending):
                yield word.removesuffix(ending) + instead


def find_wordnet(name: str = "auto") -> Path | None:
    """Find WordNet: the given folder or zip file, or one in a usual location; None if `auto` finds none."""
    if name == "auto":
        return next((path for path in _usual_locations() if _is_wordnet(path)), None)
    if not _is_wordnet(Path(name).expanduser()):
        raise MissingInput(
            f"{name}: no WordNet found. Give the folder that contains index.noun and the other database files."
        )
    return Path(name).expanduser()


@lru_cache(maxsize=1)
def load_wordnet(path: Path) -> WordNet:
    """Load WordNet from a folder or zip file."""
    return WordNet(path)


@lru_cache(maxsize=8)
def wordnet_id(path: Path) -> str:
    """An identifier of the version of WordNet, for signatures."""
    return "wordnet-" + blake2b("".join(_lines(path, "index.adv")).encode(), digest_size=3).hexdigest()


def _usual_locations() -> Iterator[Path]:
    if "WNSEARCHDIR" in os.environ:
        yield Path(os.environ["WNSEARCHDIR"])
    given = [Path(each) for each in os.environ.get("NLTK_DATA", "").split(os.pathsep) if each]
    roots = [Path.home(), Path(sys.prefix), Path(sys.prefix, "share"), Path("/usr/share"), Path("/usr/local/share")]
    for folder in (*given, *(root / "nltk_data" for root in roots)):
        yield folder / "corpora" / "wordnet"
        yield folder / "corpora" / "wordnet.zip"
    yield Path("/usr/share/wordnet")


def _is_wordnet(path: Path) -> bool:
    return (path / "index.noun").is_file() or (path.suffix == ".zip" and zipfile.is_zipfile(path))


def _lines(path: Path, name: str) -> list[str]:
    """The lines of a database file without its licence, which is indented; none if the file does not exist."""
    try:
        if path.is_dir():
            text = (path / name).read_text(encoding="utf-8")
        else:
            with zipfile.ZipFile(path) as archive:
                text = archive.read(f"wordnet/{name}").decode("utf-8")
    except (OSError, KeyError):
        return []
    return [line for line in text.splitlines() if line.strip() and not line.startswith("  ")]


def _entry(line: str) -> tuple[str, tuple[str, ...]]:
    """Parse a word and its synsets from `lemma pos synset_count … offset offset …`."""
    lemma, _, count, *rest = line.split()
    return lemma, tuple(rest[-int(count) :])
