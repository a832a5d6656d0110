"""My system.

Your own outputs beside those of the corpus, for you alone.
"""

import streamlit as st

from dashboard.components import uploading

st.title("My system")
st.write(
    "Bring what your system made of the sentences of a corpus. It then stands beside the other systems on every page: "
    "in rankings, among disagreements, sentence by sentence."
)
uploading.panel()
