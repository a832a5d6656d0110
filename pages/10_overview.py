"""Overview.

The corpus at a glance, and what is worth knowing about it.
"""

import streamlit as st

from dashboard import cache
from dashboard.comparison import comparison
from dashboard.components.findings import findings
from dashboard.components.messages import plain
from dashboard.navigation import page

st.title("Overview")
found = comparison()
corpus = found.corpus
st.write(
    f"**{plain(corpus.info.title or corpus.name)}**: who disagrees about what. "
    "Every finding below is computed from the corpus and from the choices in the sidebar."
)

st.page_link(page("tour"), label="New to these metrics? Take the tour", icon=":material/tour:")
with st.container(horizontal=True, gap="medium"):
    for label, value, told in cache.facts(corpus):
        st.metric(label, value, help=plain(told), width="content")

st.subheader("What stands out")
findings(found)
