"""The page *Playground*: type a sentence and its corrections, and see scores, edits, steps, or guess first."""

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

VIEWS = {"scores": "Scores", "edits": "Switch edits", "steps": "Step by step", "guess": "Guess first"}


def show() -> None:
    """Draw the page."""
    st.title("Playground")
    if not session.metrics():
        st.info("Choose at least one metric in the sidebar.")
        end_page()

    view = choose_view(VIEWS, "scores")
    if view == "scores":
        st.write(
            "Type a source, outputs and references, with a space between all tokens. Scores follow as you type. You "
            "can also start from an example in a paper."
        )
    presets = [*CASES, OWN]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        preset = st.selectbox(
            "Start from",
            presets,
            format_func=lambda id: CASES[id].title if id in CASES else "Empty boxes",
            key=url_state.choice("preset", presets, first_preset()),
        )
        st.button("Start over", on_click=restart, args=(preset,), icon=":material/restart_alt:")
    ids = metrics_shown(preset, session.metrics())
    prepare(preset)
    if view == "steps":
        in_address(ids)
    board(view, ids)


@st.fragment
def board(view: str, ids: Sequence[str]) -> None:
    """Draw everything that depends on the texts; only this fragment runs while one types."""
    with problems_shown():
        texts = current()
        about = st.container()
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
        if view in ("scores", "edits"):
            with about:
                _about(texts, ids)


def _about(texts: PlaygroundTexts, ids: Sequence[str]) -> None:
    """Say what an example shows, as long as the texts are those of the example."""
    if texts.preset not in CASES:
        return
    case = CASES[texts.preset]
    if texts.untouched:
        st.markdown(f"{plain(case.point)} ({plain(case.citation)})")
    else:
        st.caption(
            f"Changed from “{plain(case.title)}”: what the example says about its texts does not hold for these."
        )
    if added := [cache.all_metrics()[id].name for id in ids if id not in session.metrics()]:
        st.caption(f"Also shown for this example: {plain(', '.join(added))}.")


def _body(view: str, texts: PlaygroundTexts, ids: Sequence[str]) -> None:
    try:
        corpus = texts.corpus
    except CorpusError as problem:
        st.info(plain(str(problem)))
        return
    if not corpus.systems:
        st.info("There is no output yet. Type the sentence as a system might correct it.")
        return
    metrics = usable(corpus, ids)
    if not metrics:
        st.info("Choose a metric that needs no reference in the sidebar, such as Scribendi Score.")
        return
    if view == "scores":
        models = st.toggle(
            "Include models",
            value=True,
            help="Metrics that need a model are computed in the background when you pause.",
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
        st.info("Type at least two different outputs to rank them.")
        return
    st.html(f"<p class=lens-text><b>Source</b>&ensp;{escape(corpus.sentences[0].source)}</p>")
    guess_board(typed_question(corpus, metrics))


def _remarks(corpus: Corpus) -> None:
    """Draw remarks on outputs that change nothing, equal a reference, or are tokenised differently."""
    sentence = corpus.sentences[0]
    for name, (output,) in corpus.systems.items():
        if output == sentence.source:
            st.caption(f"{plain(name)} leaves the source unchanged.")
        elif output in sentence.references:
            st.caption(f"{plain(name)} is identical to reference {sentence.references.index(output) + 1}.")
        elif found := mismatch(sentence.source, output):
            theirs, ours = (plain(text) for text in found)
            st.caption(
                f"{plain(name)} has “{theirs}” where the source has “{ours}”. Metrics compare tokens, so this counts "
                "as an edit."
            )
