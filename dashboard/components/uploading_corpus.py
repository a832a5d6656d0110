"""A corpus of the visitor's own, from loose files or from the zip file of a corpus folder."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, session
from dashboard.components import dropping
from dashboard.components.messages import plain
from gec_core.corpora import checking, summarise
from gec_core.corpora.text import counted
from gec_core.corpora.uploads import ROLES, Role, Upload, guess_role, read_corpus, with_systems
from gec_core.types import Corpus

ACROSS = 3


def own_corpus() -> None:
    """Drop files, say what each is, name the corpus, open it."""
    uploads, ids = dropping.dropped_files(
        "corpus",
        "Drop the files of a corpus here: sources, references or gold edits, outputs; or the zip of a corpus folder",
        "Sources and references as text (one sentence a line), as TSV (source, tab, reference), or as M2; outputs as "
        "text, a file a system. Every file may be gzipped.",
    )
    if not uploads:
        st.caption("The README says what a corpus folder looks like. Only you see it, until you leave or reload.")
        return
    roles = _roles(uploads, ids)
    if not {"source", "pairs", "gold", "corpus"} & set(roles):
        st.info("Which file has the sources? Say so under its name, or add one with sources or gold edits (M2).")
        return
    taken = (*cache.corpus_names(), *session.uploads().corpora)
    name = st.text_input(
        "Call the corpus",
        checking.suggest_name(uploads[0].name if roles[0] == "corpus" else "my corpus", taken),
        max_chars=checking.LONGEST,
        key=f"_corpus-{ids[0]}",
    ).strip()
    problem = checking.name_problem(name, taken)
    if problem:
        st.error(plain(problem), icon=":material/block:")
    read = session.memo("corpus", (ids, roles, name), lambda: read_corpus(uploads, roles, name))
    dropping.tell(read.findings)
    if read.corpus is None:
        return
    _facts(read.corpus)
    systems = dropping.name_systems(read.outputs, read.corpus, "-".join(ids)[:200])
    ready = not problem and (systems is not None or all(one.lines is None for one in read.outputs))
    st.button(
        "Open this corpus",
        type="primary",
        disabled=not ready,
        on_click=_open,
        args=(with_systems(read.corpus, systems or {}) if ready else None,),
        icon=":material/folder_open:",
    )


def _roles(uploads: list[Upload], ids: tuple[str, ...]) -> tuple[Role, ...]:
    """What each file is: guessed from its name, and for the visitor to say."""
    roles: list[Role] = []
    known: list[Role] = list(ROLES)
    places = [place for _ in range(0, len(uploads), ACROSS) for place in st.columns(ACROSS)]
    for place, upload, id in zip(places, uploads, ids, strict=False):
        roles.append(
            place.selectbox(
                plain(upload.name),
                known,
                known.index(guess_role(upload.name)),
                format_func=ROLES.__getitem__,
                key=f"_role-{id}",
            )
        )
    return tuple(roles)


def _facts(corpus: Corpus) -> None:
    counts = summarise(corpus)
    told = [
        (counts.sentences, "sentence"),
        (counts.tokens, "token"),
        (counts.references, "reference"),
        (counts.edits, "gold edit"),
        (counts.systems, "system"),
        (counts.judgments, "judgment"),
    ]
    st.markdown(" · ".join(counted(number, noun) for number, noun in told if number))


def _open(corpus: Corpus) -> None:
    def add() -> None:
        session.uploads().add_corpus(corpus)
        session.choose_corpus(corpus.name)

    session.apply_upload(add)


def _remove(name: str) -> None:
    session.uploads().remove_corpus(name)
    session.choose_corpus(None)


def list_own() -> None:
    """The corpora that the visitor brought."""
    items = [
        (name, f"corpus, {len(corpus):,} sentences, {len(corpus.systems)} systems")
        for name, corpus in session.uploads().corpora.items()
    ]
    dropping.listed(items, "corpus", _remove)
