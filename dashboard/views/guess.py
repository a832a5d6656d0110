"""The page *Guess first*: rank the outputs of a sentence before metrics and judges do."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.comparison import comparison, tell_unjudged, with_sentences
from dashboard.components.controls import step_button
from dashboard.components.edits import marked
from dashboard.components.guess_board import corpus_question, guess_board
from dashboard.components.messages import end_page
from dashboard.navigation import page
from gec_core.meta.guess import judged_sentences


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
    st.page_link(
        page("sentence"),
        label="See this sentence edit by edit",
        icon=":material/arrow_forward:",
        query_params={"corpus": corpus.name, "sentence": str(index)},
    )
