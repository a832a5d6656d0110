"""The page *Guess first*: rank the outputs of a sentence before metrics and judges do."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, judging, session, url_state
from dashboard.components.comparison import comparison, tell_unjudged, with_sentences
from dashboard.components.controls import step_button
from dashboard.components.edits import marked
from dashboard.components.guess_board import GUESSES, corpus_question, guess_board
from dashboard.components.messages import end_page, plain
from dashboard.navigation import page
from gec_core.formatting import counted
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.files import from_rankings
from gec_core.meta.guess import judged_sentences
from gec_core.types import Corpus, Judgment, Judgments

_KEPT = "guesses-kept"


def show() -> None:
    """Draw the page."""
    st.title("Guess first")
    st.write("Which correction is the best? Rank the outputs yourself, then see how judges and metrics rank them.")
    found = comparison()
    corpus = found.corpus
    sentences = judged_sentences(corpus) if corpus.has_texts else []
    if not sentences:
        st.info(
            "This page needs a corpus with texts and with judges who ranked outputs. Choose another one in the sidebar."
        )
        end_page()
    found = with_sentences(found, list(session.corpus_without_uploads().systems))

    key = url_state.sentence()
    asked = url_state.value(key)
    index = next((number for number in sentences if number >= asked), sentences[0])
    url_state.set_choice(key, index)  # so that the address names the sentence that is shown: not all of them are judged
    at = sentences.index(index)
    with st.container(horizontal=True, vertical_alignment="center"):
        step_button("Previous", url_state.set_choice, key, sentences[at - 1], shortcut=False)
        st.markdown(f"Sentence {index + 1}", width="content")
        step_button("Next", url_state.set_choice, key, sentences[(at + 1) % len(sentences)], shortcut=False)

    sentence = corpus.sentences[index]
    if corpus.judgments:
        tell_unjudged(found, corpus.judgments.systems)
    st.html(f"<p class=lens-text><b>Source</b>&ensp;{marked(sentence.source, ())}</p>")
    with st.expander("Show the references"):
        for reference in sentence.references:
            edits = cache.output_edits(sentence.source, reference)
            st.html(f"<p class=lens-text>{marked(sentence.source, edits)}</p>")
    guess_board(corpus_question(found, index))
    _keep_guesses(found.corpus)
    st.page_link(
        page("sentence"),
        label="See this sentence edit by edit",
        icon=":material/arrow_forward:",
        query_params={"corpus": corpus.name, "sentence": str(index)},
    )


def _keep_guesses(corpus: Corpus) -> None:
    """Offer to keep the visitor's rankings as a session of judging, and to do the same with a class."""
    guesses: dict[str, Judgment] = session.kept(GUESSES, {})
    made = [guess for key, guess in guesses.items() if key.startswith(f"{corpus.fingerprint}-")]
    if not judging.enabled():
        return
    kept = bool(made) and session.kept(_KEPT, tuple[Judgment, ...]()) == tuple(made)
    with st.container(horizontal=True, vertical_alignment="center"):
        if made and not kept:
            st.button(
                f"Keep my {counted(len(made), 'ranking')}",
                on_click=session.apply_upload,
                args=(lambda: _as_session(corpus, Judgments(tuple(made))),),
                icon=":material/save:",
                help="Makes a finished session of them, which the page Judge opens. They are then a set of judgments "
                "of this corpus, on all pages.",
            )
        label = "Open my rankings on the page Judge" if kept else "Judge with a class"
        st.page_link(page("judge"), label=label, icon=":material/groups:")
    if problem := session.upload_problem():
        st.error(plain(problem), icon=":material/error:")
    if kept:
        st.success("Your rankings are kept. The page Judge has their files and the link that opens them again.")


def _as_session(corpus: Corpus, rankings: Judgments) -> None:
    """Callback: keep rankings as a session that is closed."""
    owned = from_rankings(JudgingDatabase(), corpus, rankings, "My guesses")
    session.own_session(owned.session.id, owned.secret)
    session.keep("judging", (owned.session.id, owned.secret))
    session.keep(_KEPT, rankings.items)
