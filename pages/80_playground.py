"""Playground.

Type a sentence and its corrections, and watch every metric; switch edits on and off; compute step by step.
"""

import streamlit as st

from dashboard import cache, playground, session, url_state
from dashboard.components.messages import end_page, plain
from dashboard.components.playground_board import board
from dashboard.components.step_view import in_address
from gec_core.papers.examples import CASES

VIEWS = {"scores": "Scores", "edits": "Edits on and off", "steps": "Step by step", "guess": "Guess first"}

st.title("Playground")
if not session.metrics():
    st.info("Choose at least one metric in the sidebar.")
    end_page()

view = st.segmented_control(
    "View",
    list(VIEWS),
    format_func=VIEWS.__getitem__,
    key=url_state.choice("view", list(VIEWS), "scores"),
    label_visibility="collapsed",
    required=True,
)
if view == "scores":
    st.write(
        "Type a source, outputs and references, with spaces between all tokens; scores follow as you type. "
        "Or start from an example that a paper argues with."
    )
presets = [*CASES, playground.OWN]
with st.container(horizontal=True, vertical_alignment="bottom"):
    preset = st.selectbox(
        "Start from",
        presets,
        format_func=lambda id: CASES[id].title if id in CASES else "Empty boxes",
        key=url_state.choice("preset", presets, playground.first_preset()),
    )
    st.button("Start again", on_click=playground.restart, args=(preset,), icon=":material/restart_alt:")
ids = playground.metrics_shown(preset, session.metrics())
if preset in CASES and view in ("scores", "edits"):
    st.markdown(f"{plain(CASES[preset].point)} ({plain(CASES[preset].citation)})")
    if added := [cache.all_metrics()[id].name for id in ids if id not in session.metrics()]:
        st.caption(f"Shown for this example, besides the metrics you chose: {plain(', '.join(added))}.")
playground.prepare(preset)
if view == "steps":
    in_address(ids)
board(str(view), ids)
