"""The upload panel: bring outputs for the chosen corpus, a corpus of your own, or scores of another metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboard import session, url_state
from dashboard.components import dropping, uploading_corpus, uploading_scores
from dashboard.components.exports import download
from dashboard.components.messages import plain
from gec_core.corpora.archive import zipped
from gec_core.corpora.uploads import read_outputs
from gec_core.types import Corpus

PRIVATE = "Only you see what you bring, on every page, until you leave or reload."


def panel() -> None:
    """Choose what to bring, drop files, see what was understood, add it; and what is there already."""
    corpus = session.corpus()
    ways = {
        "outputs": f"Outputs for {plain(corpus.name)}",
        "corpus": "A corpus of my own",
        "scores": "Scores of another metric",
    }
    way = st.segmented_control(
        "What do you bring?",
        list(ways),
        format_func=ways.__getitem__,
        key=url_state.choice("bring", list(ways), "outputs"),
        required=True,
    )
    if way == "outputs":
        _outputs(corpus)
    elif way == "corpus":
        uploading_corpus.own_corpus()
    else:
        uploading_scores.scores(corpus)
    _own(corpus)


def _outputs(corpus: Corpus) -> None:
    if not corpus.has_texts:
        st.info(
            f"Outputs cannot be added to {plain(corpus.name)} here: only our scores of it are on this machine, and "
            "outputs are compared with its sources and references. "
            f"`python -m gec_core corpora fetch {corpus.name}` gets the texts.",
            icon=":material/info:",
        )
        return
    uploads, ids = dropping.dropped_files(
        "outputs",
        f"Drop files of outputs here: one line for each of the {len(corpus):,} sentences, tokenised as the sources are",
        "A .txt or .txt.gz file for each system, or a zip file of these. UTF-8; at most 100,000 lines.",
    )
    if not uploads:
        st.caption(PRIVATE)
        return
    key = (corpus.name, session.uploaded_systems(), ids)
    read = session.memo("outputs", key, lambda: read_outputs(uploads, corpus))
    systems = dropping.name_systems(read, corpus, "-".join(ids)[:200])
    label = f"Add {len(systems)} systems" if systems and len(systems) > 1 else "Add this system"
    st.button(
        label,
        type="primary",
        disabled=systems is None,
        on_click=_add,
        args=(corpus.name, systems),
        icon=":material/add:",
    )


def _add(corpus: str, systems: dict[str, Sequence[str]]) -> None:
    """Callback: add the systems, and look at the first of them."""

    def add() -> None:
        session.uploads().add_systems(corpus, systems)
        url_state.set_choice("analyse", next(iter(systems)))

    session.apply_upload(add)


def _remove(corpus: str, system: str) -> None:
    session.uploads().remove_system(corpus, system)


def _own(corpus: Corpus) -> None:
    """What the visitor has here, and ways to keep it or to be rid of it."""
    if problem := session.upload_problem():
        st.error(plain(problem), icon=":material/block:")
    uploads, mine = session.uploads(), session.uploaded_systems()
    if not (mine or uploads.corpora or uploads.imported):
        return
    st.subheader("What you brought")
    dropping.listed([(name, f"system, for {corpus.name}") for name in mine], "system", partial(_remove, corpus.name))
    uploading_corpus.list_own()
    uploading_scores.list_own(corpus)
    if mine or corpus.name in uploads.corpora:
        download(
            "Save as a corpus folder",
            partial(zipped, corpus),
            f"{corpus.name}.zip",
            "application/zip",
            help=f"{corpus.name} with all its systems, yours included, as a zip file. Drop it here again as a corpus "
            "of your own, or name it after --corpus on the command line.",
        )
