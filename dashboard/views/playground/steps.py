"""A score computed step by step, in letters large enough for a projector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache, session, url_state
from dashboard.components.controls import step_button
from dashboard.components.edits import alignment_table, marked
from dashboard.components.explanation import block_html
from dashboard.components.messages import in_markdown, plain, problem_text
from gec_core.metrics.base import Metric
from gec_core.metrics.blocks import Block, Columns, Step
from gec_core.types import Corpus

LOOK_AGAIN = 1.0
"""Seconds between checks whether a model is done."""
MOST_STEPS = 20
METRIC, PART = "metric", "part"
_MOVED = "steps-moved"


def in_address(ids: Sequence[str]) -> None:
    """Put the metric and the step into the address; called when the whole page is drawn."""
    url_state.choice(METRIC, ids, ids[0])
    url_state.number(PART, MOST_STEPS, first=1)


def step_view(corpus: Corpus, metrics: Mapping[str, Metric]) -> None:
    """Draw one step of the computation of the chosen metric for the chosen output."""
    if session.kept(_MOVED, False):  # a fragment does not write the address, so the page has to run
        session.keep(_MOVED, False)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Output", list(corpus.systems), key="steps-output", width=190)
        id = st.selectbox(
            "Metric",
            list(metrics),
            format_func=lambda id: metrics[id].title,
            key=url_state.fragment_choice(METRIC, list(metrics)),
            on_change=_go,
            args=(1,),
            width=190,
        )
        controls = st.container(horizontal=True, vertical_alignment="center", width="content")
    metric, output, source = metrics[id], corpus.systems[name][0], corpus.sentences[0].source
    st.html(f"<p class=lens-text>{marked(source, cache.output_edits(source, output))}</p>")
    if cache.quick(metric):
        _steps(cache.quick_steps(corpus, metric.signature, metric, output), metric, controls)
        return
    asked = corpus, metric.signature, metric, output
    found = cache.model_steps(*asked)
    if not found.done():
        _wait(found, metric)
    elif problem := found.exception():
        st.error(f"{plain(metric.title)}: {plain(problem_text(problem))}", icon=":material/error:")
        st.button("Try again", on_click=partial(cache.model_steps.clear, *asked))
    else:
        _steps(found.result(), metric, controls)


@st.fragment(run_every=LOOK_AGAIN)
def _wait(task: Future[tuple[Step, ...]], metric: Metric) -> None:
    st.info(
        f"Computing {plain(metric.title)} … The first time, its model has to be loaded. The steps appear when they are "
        "ready."
    )
    if task.done():
        st.rerun()


def _steps(steps: Sequence[Step], metric: Metric, controls: DeltaGenerator) -> None:
    at = min(url_state.value(PART), len(steps))
    with controls:
        step_button("Previous", _go, at - 1, enabled=at > 1)
        st.markdown(f"Step {at} of {len(steps)}", width="content")
        step_button("Next", _go, at + 1, enabled=at < len(steps))
    step = steps[at - 1]
    with st.container(key="lens-projector"):
        st.subheader(step.title, anchor=False)
        st.markdown(in_markdown(step.text))
        for block in step.blocks:
            st.html(f"<div class=lens-scroll>{_html(block)}</div>")
        if step.formulas:
            lines = "".join(f"<p>{escape(line)}</p>" for line in step.formulas)
            st.html(f"<div class='lens-formulas lens-scroll'>{lines}</div>")
        if at == len(steps):
            st.caption(f"`{metric.signature}`")


def _go(to: int) -> None:
    """Callback: go to another step, or to the first one of another metric."""
    url_state.set_choice(PART, to)
    session.keep(_MOVED, True)


def _html(block: Block) -> str:
    return alignment_table(block) if isinstance(block, Columns) else block_html(block)
