"""What the owner of a session of judging may do: close, reveal, use on other pages, take along, leave out, delete."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.exports import download
from dashboard.components.messages import plain
from dashboard.navigation import page
from dashboard.views.judge.create import MOST_ITEMS, MOST_PER_SENTENCE
from dashboard.views.judge.projector import reveal, server_address
from dashboard.views.judge.ranking import session_corpus
from gec_core.corpora.text import TextFile
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.files import archive, import_judgments
from gec_core.judging.results import PREFIX, own_corpus
from gec_core.judging.session import Session


def manage_view(database: JudgingDatabase, owned: Session, secret: str, leave: Callable[[], None]) -> None:
    """Draw the owner's link, and what the owner may do with the session."""
    query = urlencode({"corpus": owned.plan.corpus, "session": owned.id, "owner": secret})
    st.write("The owner's link, which opens the results, closes and deletes. Do not give it to judges:")
    st.code(f"{server_address()}/judge?{query}", language=None, wrap_lines=True)
    first, second, third = st.columns(3)
    is_closed = owned.closed is not None
    first.button(
        "Open the session again" if is_closed else "Close the session",
        on_click=_changed,
        args=(partial(database.close, owned, closed=not is_closed),),
        width="stretch",
    )
    second.button(
        "Hide the results from judges" if owned.revealed else "Reveal the results to judges",
        on_click=reveal,
        args=(database, owned),
        width="stretch",
    )
    third.button("Leave", on_click=leave, help="The owner's link opens the session again.", width="stretch")
    if not is_closed:
        _ask_for_more(database, owned)
    _on_all_pages(database, owned)
    _files(database, owned)
    _judges(database, owned)
    with st.expander("Delete the session"):
        st.write("Texts, names and answers are deleted from this server. This cannot be undone.")
        sure = st.checkbox("I have what I need.")
        st.button("Delete", on_click=_delete, args=(database, owned, leave), disabled=not sure, type="primary")


def _ask_for_more(database: JudgingDatabase, owned: Session) -> None:
    """Let the owner ask for more judgments, or fewer, than were planned."""
    st.subheader("How many judgments")
    left, right = st.columns(2)
    per_sentence = left.number_input("Judgments per sentence", 1, MOST_PER_SENTENCE, owned.plan.judgments_per_sentence)
    items = right.number_input("Items per judge, at most", 1, MOST_ITEMS, owned.plan.items_per_judge)
    if (per_sentence, items) != (owned.plan.judgments_per_sentence, owned.plan.items_per_judge):
        database.ask_for(owned, int(per_sentence), int(items))
        st.caption("Changed. Judges who were done get further items within seconds.")


def _on_all_pages(database: JudgingDatabase, owned: Session) -> None:
    """Say how the judgments are used on other pages, and open them there."""
    st.subheader("Use on other pages")
    if owned.closed is None:
        st.write(
            "Once the session is closed, its judgments are a set of judgments of the corpus: rankings, correlation, "
            "agreement and disagreements work with them."
        )
        return
    corpus = session_corpus(owned)
    if corpus is None and f"{PREFIX}{owned.id}" in session.whole_corpus().judgment_sets:
        st.write("The chosen corpus has the judged sentences and these judgments: all pages use them.")
        _page_links({})
        return
    if corpus is None:
        st.write(
            f"{plain(owned.texts.misfit(session.whole_corpus()))} The session has kept the sentences and outputs that "
            "were judged: open them as a corpus of yours, with the judgments."
        )
        st.button("Open the judged sentences as a corpus", on_click=_open_corpus, args=(database, owned))
        if problem := session.upload_problem():
            st.error(plain(problem), icon=":material/error:")
        return
    set_id = f"{PREFIX}{owned.id}"
    if owned.plan.kind == "edits":
        st.write("The verdicts count on the page Why, among those of the corpus.")
    elif set_id in corpus.judgment_sets:
        chosen = corpus.chosen_set == set_id
        st.write(
            "The sidebar has chosen these judgments: all pages use them."
            if chosen
            else "These judgments are in the list *Judgments* of the sidebar. All pages use what is chosen there."
        )
        if not chosen:
            st.button("Use these judgments", on_click=session.judge_by, args=(set_id,), type="primary")
        _page_links({"judgments": [set_id]} if len(corpus.judgment_sets) > 1 else {})
    st.button(
        "Keep them to yourself" if owned.shared else "Share them with everybody on this server",
        on_click=_changed,
        args=(partial(database.share, owned, shared=not owned.shared),),
        help="Shared judgments are in the sidebar of every visitor and in `--judgments` of the command line. Names of "
        "judges show on the page Sentence agreement.",
    )


def _page_links(choice: dict[str, list[str]]) -> None:
    with st.container(horizontal=True):
        for name in ("rankings", "correlation", "agreement", "disagreements", "across", "guess"):
            st.page_link(page(name), query_params=url_state.link(choice))


def _open_corpus(database: JudgingDatabase, owned: Session) -> None:
    """Callback: put the judged part of the corpus among the visitor's uploads and choose it."""

    def add() -> None:
        taken = {*cache.corpus_names(), *session.uploads().corpora}
        names = (f"{owned.plan.corpus} judged{number}" for number in ("", *(f" {at}" for at in range(2, 100))))
        name = next(name for name in names if name not in taken)
        session.uploads().add_corpus(own_corpus(owned, database.answers(owned), name))
        session.choose_corpus(name)

    session.apply_upload(add)


def _files(database: JudgingDatabase, owned: Session) -> None:
    st.subheader("Files")
    names = st.checkbox("With the names of the judges", value=True)
    download(
        "Download the judgments",
        partial(_archive, database, owned, names),
        f"{owned.plan.corpus}-judgments.zip",
        "application/zip",
        help="A zip file with judgments.xml and judgments.csv (rankings), ratings.csv or verdicts.csv, and "
        "session.json, which another server opens as a session.",
    )
    if owned.plan.kind == "ranking":
        given = st.file_uploader("Add judgments from a file", ["xml", "csv"], key=session.upload_key("judgments"))
        if given is not None:
            st.button("Add them", on_click=session.apply_upload, args=(lambda: _import(database, owned, given),))
        if problem := session.upload_problem():
            st.error(plain(problem), icon=":material/error:")


def _judges(database: JudgingDatabase, owned: Session) -> None:
    """Let the owner leave judges out, for example somebody who pressed buttons at random."""
    judges = database.judges(owned)
    if not judges:
        return
    st.subheader("Judges")
    chosen = st.multiselect(
        "Leave out",
        [judge.id for judge in judges],
        [judge.id for judge in judges if judge.excluded],
        format_func={judge.id: judge.name for judge in judges}.__getitem__,
        placeholder="no judge",
        help="Their answers are kept, but do not count in results, files and on other pages.",
    )
    for judge in judges:
        if judge.excluded != (judge.id in chosen):
            database.exclude(owned, judge, excluded=judge.id in chosen)


def _archive(database: JudgingDatabase, owned: Session, names: bool) -> bytes:
    return archive(owned, database.answers(owned), names=names)


def _import(database: JudgingDatabase, owned: Session, given: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("judgments.csv" if given.name.lower().endswith(".csv") else "judgments.xml")
        path.write_bytes(given.getvalue())
        import_judgments(database, owned, TextFile(path, given.name))


def _changed(act: Callable[[], None]) -> None:
    """Callback: change the session, and what other pages know of it."""
    act()
    cache.forget_sessions()


def _delete(database: JudgingDatabase, owned: Session, leave: Callable[[], None]) -> None:
    _changed(partial(database.delete, owned))
    leave()
