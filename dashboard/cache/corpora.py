"""Corpora and human rankings, loaded once and shared by all visitors.

Results are cached by the content of a corpus (`by_content`). Whatever holds words of a text is cached for one session
only, because the text may be a visitor's own.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

import streamlit as st

from gec_core import corpora
from gec_core.corpora.selection import JUDGED, positions
from gec_core.corpora.suspicions import with_mismatches_noted
from gec_core.errors import GecLensError
from gec_core.human import Pairs, Ranking, rank, sources
from gec_core.human.agreement import JudgeAgreement, Together, rating_agreement
from gec_core.human.agreement import judge_agreement as agree
from gec_core.human.sources import PairSet
from gec_core.scoring.precomputed import ScoresOnly, open_corpus
from gec_core.shipped import all_precomputed
from gec_core.types import Corpus

by_content: dict[str | type[Any], Callable[[Any], Any]] = dict.fromkeys(
    (Corpus, ScoresOnly), lambda corpus: corpus.fingerprint
)
"""`hash_funcs` of Streamlit's caches: a corpus is the same if its content is. They do not hold for subclasses."""
SAMPLES = {"ew": 1000, "ts": 60}
"""Bootstrap samples behind the rank ranges of a human ranking; TrueSkill needs a run of its own for each."""


Value = TypeVar("Value")


class Briefly(Generic[Value]):
    """Values that may change outside of this server: a page asks for them dozens of times, and they are looked up once
    a second for all visitors. Streamlit's own caches take longer to answer than a page can spend dozens of times.

    One thread looks a value up, and the others go on with the last one. If each did it, looking up would take fifty
    visitors longer than a second, so that no page would ever find a value that still holds.
    """

    SECONDS, STALE, MOST = 1.0, 10.0, 64
    """For how long a value holds, for how long it is used while another thread looks it up, and how many are kept."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[float, Value]] = {}
        self._looking: dict[Hashable, Lock] = {}

    def get(self, key: Hashable, look_up: Callable[[], Value]) -> Value:
        """Return the value of a key, as it was about a second ago."""
        known = self._not_older(key, self.SECONDS) or self._looked_up(key, look_up)
        return known[1]

    def _not_older(self, key: Hashable, seconds: float) -> tuple[float, Value] | None:
        known = self._known.get(key)
        return known if known and time.monotonic() - known[0] <= seconds else None

    def _looked_up(self, key: Hashable, look_up: Callable[[], Value]) -> tuple[float, Value]:
        if len(self._looking) >= self.MOST:
            self._known.clear()
            self._looking.clear()
        looking = self._looking.setdefault(key, Lock())
        last = self._not_older(key, self.STALE)
        if not looking.acquire(blocking=last is None):
            assert last
            return last
        try:
            known = self._not_older(key, self.SECONDS)  # another thread may have looked it up meanwhile
            if known is None:
                value = look_up()
                known = self._known[key] = (time.monotonic(), value)
            return known
        finally:
            looking.release()


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=by_content)
def _shared(corpus: Corpus, key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def shared(corpus: Corpus, key: tuple[str, ...], make: Callable[[], Value]) -> Value:
    """Return `make()`, called once for all visitors.

    Args:
        corpus: The corpus that it is about.
        key: What it is, and everything else that it depends on.
        make: Makes a figure, a table or whatever else takes a while; without words of a text. Nobody may change it.
    """
    found: Value = _shared(corpus, key, make)
    return found


def digest(text: str) -> str:
    """Return a hash that stands for a text in keys, which all visitors share while the text may be one visitor's."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def corpus_names() -> list[str]:
    """Name the corpora that can be opened on this machine, with or without their texts."""
    return _names().get(os.environ.get("GEC_LENS_DATA", ""), _corpus_names)


@st.cache_resource
def _names() -> Briefly[list[str]]:
    return Briefly()


def _corpus_names() -> list[str]:
    return [entry.name for entry in corpora.catalogue_entries() if entry.path or entry.name in all_precomputed()]


def load_corpus(name: str) -> Corpus:
    """Return the corpus of that name, read again when one of its files has changed."""
    folders = os.environ.get("GEC_LENS_DATA", "")
    return _loaded().get((name, folders), lambda: _load_corpus(name, _stamp(name)))


@st.cache_resource
def _loaded() -> Briefly[Corpus]:
    return Briefly()


def is_public(corpus: Corpus) -> bool:
    """Whether every visitor of this server has this corpus, with nothing that one of them uploaded."""
    if corpus.name not in corpus_names():
        return False
    shared = load_corpus(corpus.name)
    if corpus.chosen_set in shared.judgment_sets:
        shared = judged(shared, corpus.chosen_set)
    if corpus.lines is not None and corpus.lines[-1] < len(shared):
        shared = _at(shared, corpus.lines)
    return shared.fingerprint == corpus.fingerprint


@st.cache_resource(show_spinner="Reading the corpus …", max_entries=8)
def _load_corpus(name: str, stamp: str) -> Corpus:
    corpus = open_corpus(name)
    return with_mismatches_noted(corpus) if corpus.has_texts else corpus


def _stamp(name: str) -> str:
    """Hash the names, times and sizes of the files of a corpus, which change when the corpus does."""
    found = next((entry.path for entry in corpora.catalogue_entries() if entry.name == name), None)
    files = sorted(path for path in found.rglob("*") if path.is_file()) if found else []
    known = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    return hashlib.blake2b(repr(known).encode(), digest_size=16).hexdigest()


def human_rankings(corpus: Corpus) -> dict[str, str]:
    """Return the titles of the human rankings of a corpus, by name."""
    return sources.available(corpus)


@st.cache_data(show_spinner="Ranking by human judgments …", max_entries=64, hash_funcs=by_content)
def human_ranking(corpus: Corpus, name: str, *, ranges: bool = False) -> Ranking:
    """Return a human ranking; `ranges` adds bootstrap ranges of ranks to one computed from judgments."""
    if name not in sources.MODELS:
        return sources.ranking_for(corpus, name)
    return rank(judged_pairs(corpus, "expanded"), sources.MODELS[name], samples=SAMPLES[name] if ranges else 0)


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=by_content)
def judged_pairs(corpus: Corpus, which: PairSet) -> Pairs:
    """Return all pairs of outputs that judges compared."""
    return sources.judged_pairs(corpus, which)


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=by_content)
def judge_agreement(corpus: Corpus) -> JudgeAgreement | Together | None:
    """Return how far judges agree, or raters; None if only one judge, or only means, are known."""
    if corpus.ratings is not None:
        return rating_agreement(corpus.ratings, corpus.systems)
    if not corpus.judgments or len(corpus.judgments.judges) < 2:
        return None
    return agree(judged_pairs(corpus, "unexpanded"))


@st.cache_resource(show_spinner=False, max_entries=400, hash_funcs=by_content)
def pairs_among(corpus: Corpus, which: PairSet, systems: tuple[str, ...]) -> Pairs:
    """Return the judged pairs of these systems."""
    return sources.judged_pairs(corpus, which, systems=systems)


@st.cache_data(show_spinner=False, max_entries=32, hash_funcs=by_content)
def facts(corpus: Corpus) -> list[tuple[str, str, str]]:
    """Describe the corpus in numbers: label, value, explanation."""
    if not corpus.has_texts:
        systems = ", ".join(corpus.systems)
        return [
            ("Sentences", f"{len(corpus):,}", "without their texts"),
            ("Systems", f"{len(corpus.systems)}", systems),
        ]
    summary = corpora.summarise(corpus)
    rows = [
        ("Sentences", f"{summary.sentences:,}", f"{summary.tokens:,} tokens"),
        ("Systems", f"{summary.systems}", ", ".join(corpus.systems)),
        ("References", f"{summary.references}", f"per sentence; {summary.edits:,} gold edits in all"),
    ]
    if corpus.judgments:
        pairs = judged_pairs(corpus, "expanded")
        ties = pairs.ties / len(pairs) if len(pairs) else 0
        rows += [
            ("Judges", f"{summary.judges}", f"{summary.judgments:,} rankings of outputs"),
            ("Judged pairs", f"{len(pairs):,}", "pairs of outputs, including those of systems with the same output"),
            ("Ties", f"{ties:.0%}", "of the judged pairs; most are between equal outputs"),
        ]
    return rows


def judged(corpus: Corpus, judgments: str) -> Corpus:
    """Return the corpus with this set of judgments; cached because its fingerprint is needed often."""
    chosen = corpus.judgment_sets.get(judgments)
    return _judged(corpus, judgments, chosen.evidence if chosen else "")


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=by_content, scope="session")
def _judged(corpus: Corpus, judgments: str, evidence: str) -> Corpus:
    """A session of judging may be opened again, and then its evidence tells the number of its last answer."""
    return corpus.judged_by(judgments)


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=by_content, scope="session")
def only(corpus: Corpus, systems: tuple[str, ...]) -> Corpus:
    """Return the corpus with these systems alone; cached because its fingerprint is needed often."""
    return corpus.only(systems)


def part(corpus: Corpus, what: str) -> Corpus:
    """Return the part of the corpus with these sentences (`judged`, or ranges); all of it if they cannot be read."""
    return _part(corpus, what, corpus.chosen_set)


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=by_content, scope="session")
def _part(corpus: Corpus, what: str, judgments: str) -> Corpus:
    try:
        return _at(corpus, tuple(positions(corpus, what)))
    except GecLensError:
        return corpus


@st.cache_resource(show_spinner=False, max_entries=16, hash_funcs=by_content, scope="session")
def _at(corpus: Corpus, lines: tuple[int, ...]) -> Corpus:
    return corpus.at(lines)


@st.cache_data(show_spinner=False, max_entries=16, hash_funcs=by_content)
def judged_sentences(corpus: Corpus) -> list[int]:
    """Return the positions of the sentences that people judged, in whichever set; none if there are no judgments."""
    try:
        return positions(corpus, JUDGED)
    except GecLensError:
        return []
