"""A score computed one step at a time, in type that a projector shows to the last row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache, session, url_state
from dashboard.components.controls import step_button
from dashboard.components.edits import alignment_table, marked, shade
from dashboard.components.explanation import block_html, table_html
from dashboard.components.messages import in_markdown, plain, told
from gec_core.explain.blocks import Columns
from gec_core.explain.steps import Matrix, Picture, Step, Table
from gec_core.formatting import minus
from gec_core.metrics.base import Metric
from gec_core.types import Corpus

LOOK_AGAIN = 1.0
"""Seconds between looks at whether a model has done its steps."""
MOST_STEPS = 20
METRIC, PART = "metric", "part"
_MOVED = "steps-moved"


def in_address(ids: Sequence[str]) -> None:
    """Called by the page: which metric, and which of its steps, stands in the address."""
    url_state.choice(METRIC, ids, ids[0])
    url_state.number(PART, MOST_STEPS, first=1)


def step_view(corpus: Corpus, metrics: Mapping[str, Metric]) -> None:
    """Choose an output and a metric, and go through what the metric does."""
    if session.kept(_MOVED, False):  # a fragment does not write the address: the page has to run
        session.keep(_MOVED, False)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Output", list(corpus.systems), key="steps-output", width=190)
        id = st.selectbox(
            "Metric",
            list(metrics),
            format_func=lambda id: metrics[id].name,
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
        st.error(f"{plain(metric.name)}: {plain(told(problem))}", icon=":material/error:")
        st.button("Try again", on_click=partial(cache.model_steps.clear, *asked))
    else:
        _steps(found.result(), metric, controls)


@st.fragment(run_every=LOOK_AGAIN)
def _wait(errand: Future[tuple[Step, ...]], metric: Metric) -> None:
    st.info(
        f"{plain(metric.name)} is at work; the first time it has to load its model. Its steps show up by themselves."
    )
    if errand.done():
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
        for picture in step.pictures:
            st.html(f"<div class=lens-scroll>{_html(picture)}</div>")
        if step.formulas:
            lines = "".join(f"<p>{escape(line)}</p>" for line in step.formulas)
            st.html(f"<div class='lens-formulas lens-scroll'>{lines}</div>")
        if at == len(steps):
            st.caption(f"`{metric.signature}`")


def _go(to: int) -> None:
    """Callback: to another step, or to another metric's first one."""
    url_state.set_choice(PART, to)
    session.keep(_MOVED, True)


def _html(picture: Picture) -> str:
    if isinstance(picture, Table):
        return table_html(picture.heads, picture.rows)
    if isinstance(picture, Matrix):
        return _matrix(picture)
    return alignment_table(picture) if isinstance(picture, Columns) else block_html(picture)


def _matrix(matrix: Matrix) -> str:
    """Cosines, shaded; the best of a row is bold, that of a column underlined."""
    best_row = [max(row, default=0.0) for row in matrix.values]
    best_column = [max(column) for column in zip(*matrix.values, strict=True)]
    head = "".join(f"<th scope=col>{escape(piece)}</th>" for piece in matrix.columns)
    body = ""
    for piece, row, most in zip(matrix.rows, matrix.values, best_row, strict=True):
        cells = "".join(_cosine(value, most, top) for value, top in zip(row, best_column, strict=True))
        body += f"<tr><th scope=row>{escape(piece)}</th>{cells}</tr>"
    return (
        f"<table class='lens-table lens-align'><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
        "<p class=lens-note>Bold: the best partner in the reference. Underlined: the best partner in the output.</p>"
    )


def _cosine(value: float, best_of_row: float, best_of_column: float) -> str:
    text = minus(f"{value:.2f}")
    text = f"<b>{text}</b>" if value == best_of_row else text
    text = f"<u>{text}</u>" if value == best_of_column else text
    return f'<td style="{shade(max(value, 0.0))}">{text}</td>'
