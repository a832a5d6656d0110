"""GEC Lens: why metrics of grammatical error correction disagree.

The entrypoint: streamlit run dashboard/app.py
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)  # in place of dashboard/, which `streamlit run` puts there

import streamlit as st  # noqa: E402

from dashboard import navigation, state  # noqa: E402
from dashboard.components.messages import problems_shown  # noqa: E402

st.set_page_config(page_title="GEC Lens", page_icon=str(ROOT / "assets" / "icon.svg"), layout="wide")
st.logo(str(ROOT / "assets" / "logo.svg"), icon_image=str(ROOT / "assets" / "icon.svg"), size="large")
st.html(ROOT / "assets" / "style.css")

page = navigation.menu()
with problems_shown():
    state.sidebar()
    page.run()
