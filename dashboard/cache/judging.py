"""Sessions of the page Judge: their results, and finished ones as sets of judgments of their corpora."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.cache.corpora import Briefly, by_content
from gec_core.errors import JudgingError
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.results import SessionResults, joined, results
from gec_core.judging.session import Session
from gec_core.types import Corpus


def with_sessions(corpus: Corpus, owned: Mapping[str, str] | None = None) -> Corpus:
    """Return the corpus with the judgments of finished sessions: those shared on this server, and the visitor's own.

    Args:
        corpus: The corpus.
        owned: The visitor's own sessions: owners' secrets by id.
    """
    if not corpus.has_texts:
        return corpus
    key = tuple(sorted((owned or {}).items()))
    found = _known().get((corpus.fingerprint, key), lambda: _about(corpus, key))
    return _joined(corpus, found) if found else corpus


@st.cache_resource
def _known() -> Briefly[tuple[tuple[str, int], ...]]:
    """The finished sessions about corpora; who does not have the owners' secrets does not find theirs."""
    return Briefly()


def _about(corpus: Corpus, owned: tuple[tuple[str, str], ...]) -> tuple[tuple[str, int], ...]:
    """The finished sessions about this corpus."""
    try:
        database = JudgingDatabase()
    except JudgingError:
        return ()
    found = {one.id: one for one in database.sessions(shared=True)}
    for id, secret in owned:
        try:
            one = database.owned(id, secret)
        except JudgingError:  # it was deleted
            continue
        if one.closed is not None:
            found[id] = one
    return tuple((one.id, one.serial) for one in found.values() if not one.texts.misfit(corpus))


def forget_sessions() -> None:
    """Look the finished sessions up again: this visitor has just closed, shared or deleted one."""
    _known.clear()


@st.cache_resource(show_spinner=False, max_entries=32, hash_funcs=by_content, scope="session")
def _joined(corpus: Corpus, sessions: tuple[tuple[str, int], ...]) -> Corpus:
    database, wanted = JudgingDatabase(), {id for id, _ in sessions}
    return joined(corpus, [(one, database.answers(one)) for one in database.sessions() if one.id in wanted])


@st.cache_resource(show_spinner=False, max_entries=16)
def live_results(id: str, serial: int, samples: int, _session: Session) -> SessionResults:
    """Return the results of a session, computed again only when an answer has changed."""
    return results(_session, JudgingDatabase().answers(_session), samples=samples)
