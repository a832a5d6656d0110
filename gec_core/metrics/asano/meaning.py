"""The meaning part of Asano et al. 2017: content words of source and output that match.

As in METEOR, words match if they are equal, have the same stem, or are synonyms in WordNet; words that make up a
thousandth or more of English text are function words. WordNet is used where its database files are on this machine
(as installed by NLTK or the system). Only its index and exception files are read: two words are synonyms if base forms
of them share a synset.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from inspect import cleandoc
from pathlib import Path
from typing import Any

import numpy as np

from gec_core.environment import installed
from gec_core.errors import GecLensError, MissingInput
from gec_core.metrics import options, register
from gec_core.metrics.asano import fluency
from gec_core.metrics.base import Availability, Case, Metric, Score
from gec_core.metrics.blocks import Explanation, Facts
from gec_core.metrics.options import option
from gec_core.types import Array, Pair

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


MATCHED, OUTPUT, SOURCE = range(3)


@register
class AsanoMeaning(Metric):
    id = "asano-meaning"
    languages = ("en",)
    elsewhere = "Its stemmer and its lists of words are English."
    name = "Asano: meaning"
    family = "model"
    order = 143
    summary = "Content words of the source that the output keeps, by word, stem or synonym."
    citation = "Asano et al. 2017, Reference-based Metrics Can Be Replaced with Reference-less Metrics in GEC, IJCNLP"
    reads = "source"
    averages = True
    card = cleandoc(r"""
        ### Formula
        Content words of output and source are matched (same word, same stem, or synonyms where WordNet is found):

        $$
        \frac{P \cdot R}{0.85\,P + 0.15\,R}
        $$

        ### Known failures
        Doing nothing is perfect.
        """)

    @dataclass(frozen=True)
    class Options(options.Options):
        t: float = option(
            0.85,
            "weight of recall: content words that are lost count more than those that are added",
            least=0,
            most=100,
        )
        wordnet: str = option(
            "auto", "folder of the WordNet database; auto: one in a usual location, otherwise no synonyms"
        )

    options: Options

    @cached_property
    def wordnet(self) -> Path | None:
        return find_wordnet(self.options.wordnet)

    @property
    def synonyms(self) -> str:
        """The source of the synonyms, for signatures."""
        try:
            return wordnet_id(self.wordnet) if self.wordnet else "none"
        except GecLensError:
            return "missing"

    @property
    def signature(self) -> str:
        return "|".join([self.id, f"v{self.version}", *self._sources, f"t:{self.options.t}"])

    @property
    def statistics_signature(self) -> str:
        return "|".join([f"{self.id}-counts", f"v{self.version}", *self._sources])

    @property
    def _sources(self) -> tuple[str, str]:
        return f"words:{fluency.source()}", f"synonyms:{self.synonyms}"

    @property
    def label(self) -> str:
        return self.name if self.synonyms == "none" else f"{self.name} · with WordNet"

    def availability(self) -> Availability:
        if missing := [name for name in ("snowballstemmer", "wordfreq") if not installed(name)]:
            return Availability(ready=False, how=f"It needs other packages: pip install {' '.join(missing)}.")
        try:
            return Availability(ready=self.wordnet is None or bool(self.wordnet))
        except GecLensError as problem:
            return Availability(ready=False, how=str(problem))

    def statistics(self, pairs: Sequence[Pair]) -> list[Array]:
        wordnet = load_wordnet(self.wordnet) if self.wordnet else None
        rows = []
        for sentence, output in pairs:
            words, others = content_words(output.split()), content_words(sentence.tokens)
            rows.append(np.array([matched(words, others, wordnet), len(words), len(others)], np.float64))
        return rows

    def aggregate(self, statistics: Array) -> Score:
        matched, output, source = statistics.sum(axis=0).astype(int).tolist()
        counts = {"matched": matched, "output_words": output, "source_words": source}
        return Score(float(self.sentence_scores(statistics).mean()), counts)

    def sentence_scores(self, statistics: Array) -> Array:
        matched, output, source = statistics.T
        precision = _share(matched, output, otherwise=source == 0)
        recall = _share(matched, source, otherwise=output == 0)
        bottom = self.options.t * precision + (1 - self.options.t) * recall
        return _share(precision * recall, bottom, otherwise=np.zeros(len(bottom), bool))

    def sentence_details(self, statistics: Array) -> list[dict[str, Any]]:
        return [
            {"matched": matched, "output_words": output, "source_words": source}
            for matched, output, source in statistics.astype(int).tolist()
        ]

    def explanation(self, case: Case) -> Explanation:
        facts = {
            "content words of the source": ", ".join(content_words(case.sentence.tokens)) or "none",
            "content words of the output": ", ".join(content_words(case.output.split())) or "none",
            "matched content words": case.details["matched"],
        }
        return case.explanation(Facts("Content words", facts))


def _share(top: Array, bottom: Array, *, otherwise: Array | np.ndarray[Any, np.dtype[np.bool_]]) -> Array:
    """Compute top / bottom, or `otherwise` where the bottom is 0."""
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), otherwise)


def content_words(tokens: Sequence[str]) -> list[str]:
    """The content words among the tokens, in lower case."""
    return [token.lower() for token in tokens if fluency.is_content(token)]


def matched(words: Sequence[str], others: Sequence[str], wordnet: WordNet | None) -> int:
    """The largest number of words that can be matched one to one with the others; equal words have equal stems."""
    left, right = Counter(map(stem, words)), Counter(map(stem, others))
    pairs = (left & right).total()
    if wordnet is None:
        return pairs
    return pairs + _synonyms(_unpaired(words, left & right), _unpaired(others, left & right), wordnet)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a word, by the stemmer that METEOR uses (Snowball English)."""
    return _stemmer().stemWord(word)


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def _unpaired(words: Sequence[str], paired: Counter[str]) -> list[str]:
    """The words that remain when the matched stems are removed."""
    left, rest = paired.copy(), []
    for word in words:
        if left[stem(word)] > 0:
            left[stem(word)] -= 1
        else:
            rest.append(word)
    return rest


def _synonyms(words: Sequence[str], others: Sequence[str], wordnet: WordNet) -> int:
    """The size of a largest matching between words that share a synset."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not words or not others:
        return 0
    meanings = [wordnet.synsets(other) for other in others]
    shared = [[bool(wordnet.synsets(word) & meaning) for meaning in meanings] for word in words]
    return int((maximum_bipartite_matching(csr_array(shared)) >= 0).sum())
