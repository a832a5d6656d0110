"""The playground below its title: texts to type, and what the view makes of them. Drawn again as one types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from dashboard import cache, session, url_state
from dashboard.components.controls import choose_view
from dashboard.components.guess_board import guess_board, typed_question
from dashboard.components.messages import end_page, plain, problems_shown
from dashboard.views.playground.boxes import boxes
from dashboard.views.playground.scores import edit_switches, score_board, usable
from dashboard.views.playground.steps import in_address, step_view
from dashboard.views.playground.texts import (
    OWN,
    PlaygroundTexts,
    current,
    first_preset,
    metrics_shown,
    prepare,
    restart,
)
from gec_core.corpora.suspicions import mismatch
from gec_core.errors import CorpusError
from gec_core.metrics.base import Metric
from gec_core.papers.examples import CASES
from gec_core.types import Corpus

VIEWS = {"scores": "Scores", "edits": "Edits on and off", "steps": "Step by step", "guess": "Guess first"}


def show() -> None:
    """Draw the page."""
    st.title("Playground")
    if not session.metrics():
        st.info("Choose at least one metric in the sidebar.")
        end_page()

    view = choose_view(VIEWS, "scores")
    if view == "scores":
        st.write(
            "Type a source, outputs and references, with spaces between all tokens; scores follow as you type. "
            "Or start from an example that a paper argues with."
        )
    presets = [*CASES, OWN]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        preset = st.selectbox(
            "Start from",
            presets,
            format_func=lambda id: CASES[id].title if id in CASES else "Empty boxes",
            key=url_state.choice("preset", presets, first_preset()),
        )
        st.button("Start again", on_click=restart, args=(preset,), icon=":material/restart_alt:")
    ids = metrics_shown(preset, session.metrics())
    if preset in CASES and view in ("scores", "edits"):
        st.markdown(f"{plain(CASES[preset].point)} ({plain(CASES[preset].citation)})")
        if added := [cache.all_metrics()[id].name for id in ids if id not in session.metrics()]:
            st.caption(f"Shown for this example, besides the metrics you chose: {plain(', '.join(added))}.")
    prepare(preset)
    if view == "steps":
        in_address(ids)
    board(view, ids)


@st.fragment
def board(view: str, ids: Sequence[str]) -> None:
    """Everything that depends on the texts; only this runs while one types."""
    with problems_shown():
        texts = current()
        if view == "scores":
            left, right = st.columns([5, 7], gap="medium")
            with left:
                texts = boxes(texts)
            with right:
                _body(view, texts, ids)
        else:
            above = st.container()
            with st.expander("Texts", expanded=view == "edits"):
                texts = boxes(texts)
            with st.container() if view == "edits" else above:
                _body(view, texts, ids)


def _body(view: str, texts: PlaygroundTexts, ids: Sequence[str]) -> None:
    try:
        corpus = texts.corpus
    except CorpusError as problem:
        st.info(plain(str(problem)))
        return
    if not corpus.systems:
        st.info("There is no output yet: type the sentence as a system might correct it.")
        return
    metrics = usable(corpus, ids)
    if not metrics:
        st.info("Choose a metric that needs no reference in the sidebar, such as Scribendi Score.")
        return
    if view == "scores":
        models = st.toggle(
            "Models, too",
            value=True,
            help="Metrics with a model follow when you pause. They run beside the page and hold nothing up.",
        )
        score_board(corpus, metrics, models=models)
        _remarks(corpus)
    elif view == "edits":
        edit_switches(corpus, metrics)
    elif view == "guess":
        _guess(corpus, metrics)
    else:
        step_view(corpus, metrics)


def _guess(corpus: Corpus, metrics: Mapping[str, Metric]) -> None:
    if len({text for (text,) in corpus.systems.values()}) < 2:
        st.info("Type at least two different outputs to rank.")
        return
    st.html(f"<p class=lens-text><b>Source</b>&ensp;{escape(corpus.sentences[0].source)}</p>")
    guess_board(typed_question(corpus, metrics))


def _remarks(corpus: Corpus) -> None:
    """What a score alone does not say: outputs that change nothing, equal a reference, or are cut otherwise."""
    sentence = corpus.sentences[0]
    for name, (output,) in corpus.systems.items():
        if output == sentence.source:
            st.caption(f"{plain(name)} leaves the source as it is.")
        elif output in sentence.references:
            st.caption(f"{plain(name)} is reference {sentence.references.index(output) + 1}, word for word.")
        elif found := mismatch(sentence.source, output):
            theirs, ours = (plain(text) for text in found)
            st.caption(f"{plain(name)} writes “{theirs}” where the source has “{ours}”: metrics compare tokens.")
