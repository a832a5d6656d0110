"""Tour.

Eight steps through the demo corpus, for those who have never heard of these metrics.
"""

import streamlit as st

from dashboard import url_state
from dashboard.components.tour import STEPS, load_story

st.title("Tour")
titles = list(STEPS)
key = url_state.number("step", len(titles), first=1)
at = url_state.value(key)
with st.container(horizontal=True, vertical_alignment="center"):
    st.button(
        "Previous",
        on_click=url_state.set_choice,
        args=(key, at - 1),
        disabled=at == 1,
        shortcut="left",
        icon=":material/chevron_left:",
    )
    st.markdown(f"Step {at} of {len(titles)}", width="content")
    st.button(
        "Next",
        on_click=url_state.set_choice,
        args=(key, at + 1),
        disabled=at == len(titles),
        shortcut="right",
        icon=":material/chevron_right:",
    )
st.header(titles[at - 1], anchor=False)
STEPS[titles[at - 1]](load_story())
