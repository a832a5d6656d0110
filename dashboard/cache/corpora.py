"""Corpora and human rankings, loaded once and shared by all visitors.

Results are cached by the content of a corpus (`by_content`). Whatever holds words of a text is cached for one session
only, because the text may be a visitor's own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import Any

import streamlit as st

from gec_core import corpora
from gec_core.human import Pairs, Ranking, rank, sources
from gec_core.human.agreement import JudgeAgreement, Together, rating_agreement
from gec_core.human.agreement import judge_agreement as agree
from gec_core.human.sources import PairSet
from gec_core.scoring.precomputed import ScoresOnly, all_precomputed, open_corpus
from gec_core.types import Corpus

by_content: dict[str | type[Any], Callable[[Any], Any]] = dict.fromkeys(
    (Corpus, ScoresOnly), lambda corpus: corpus.fingerprint
)
"""`hash_funcs` of Streamlit's caches: a corpus is the same if its content is. They do not hold for subclasses."""
SAMPLES = {"ew": 1000, "ts": 60}
"""Bootstrap samples behind the rank ranges of a human ranking; TrueSkill needs a run of its own for each."""


def digest(text: str) -> str:
    """Return a hash that stands for a text in keys, which all visitors share while the text may be one visitor's."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def corpus_names() -> list[str]:
    """Name the corpora that can be opened on this machine, with or without their texts."""
    return [entry.name for entry in corpora.catalogue_entries() if entry.path or entry.name in all_precomputed()]


def load_corpus(name: str) -> Corpus:
    """Return the corpus of that name, read again when one of its files has changed."""
    return _load_corpus(name, _stamp(name, os.environ.get("GEC_LENS_DATA", "")))


def is_public(corpus: Corpus) -> bool:
    """Whether every visitor of this server has this corpus, with nothing that one of them uploaded."""
    if corpus.name not in corpus_names():
        return False
    shared = load_corpus(corpus.name)
    if corpus.chosen_set in shared.judgment_sets:
        shared = judged(shared, corpus.chosen_set)
    return shared.fingerprint == corpus.fingerprint


@st.cache_resource(show_spinner="Reading the corpus …", max_entries=8)
def _load_corpus(name: str, stamp: str) -> Corpus:
    return open_corpus(name)


@st.cache_data(show_spinner=False, ttl=1, max_entries=64)
def _stamp(name: str, folders: str) -> str:
    """Hash the names, times and sizes of the files of a corpus, which change when the corpus does.

    At most once a second, because a page asks for its corpus dozens of times.
    """
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
    return judged_pairs(corpus, which).among(systems)


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
