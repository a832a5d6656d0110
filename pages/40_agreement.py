"""Sentence agreement.

Whether metrics prefer the outputs that judges prefer, sentence by sentence.
"""

import streamlit as st

from dashboard import url_state
from dashboard.comparison import comparison, tell_unjudged, with_sentences
from dashboard.components import agreement
from dashboard.components.messages import end_page
from dashboard.components.progress import need_types

VIEWS = {
    "tau": "Kendall's tau",
    "length": "By sentence length",
    "edits": "By number of edits",
    "type": "By error type",
    "judge": "By judge",
    "ties": "Where ties come from",
}

st.title("Sentence agreement")
st.write(
    "A judge ranked some outputs of a sentence; each two of them make a pair. Tau counts how often a metric "
    "prefers the same one (1: always, 0: as often as not, −1: never)."
)
found = comparison()
if not found.corpus.has_texts:
    st.info(
        "What judges said of single outputs comes with the texts of this corpus, and these are not on this machine: "
        f"`python -m gec_core corpora fetch {found.corpus.name}` gets them."
    )
    end_page()
if not found.corpus.judgments:
    st.info(
        "Nobody judged single outputs of this corpus. Add `judgments.xml` or `judgments.csv` to its folder "
        "to see how far metrics and judges agree sentence by sentence."
    )
    end_page()
judged = found.corpus.judgments.systems
found = with_sentences(found, [name for name in found.kept if name in judged])

view = st.segmented_control(
    "View",
    list(VIEWS),
    format_func=VIEWS.__getitem__,
    key=url_state.choice("view", list(VIEWS), "tau"),
    label_visibility="collapsed",
    required=True,
)
tell_unjudged(found, judged)
if view == "tau":
    agreement.tau_table(found)
elif view == "ties":
    st.write(
        "Systems with the same output tie for everybody. The rest shows how often judges and metrics cannot "
        "decide between outputs that do differ: a metric with many such ties sees little."
    )
    agreement.ties(found)
else:
    st.write("NoTies tau on unexpanded pairs, in parts of the judgments. A metric may do well on one part only.")
    if view == "type":
        st.write(
            "A column has the sentences in which an annotator found such an error, so a sentence may be in several."
        )
        need_types(found.corpus)
    agreement.slices(found, view)
