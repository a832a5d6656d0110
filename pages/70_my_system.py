"""My system.

Your own outputs beside those of the corpus, for you alone, and the error analysis of any system.
"""

import streamlit as st

from dashboard import session, url_state
from dashboard.analysing import Analysing, asked, first_rival, to_analyse
from dashboard.components import analysis_errors, analysis_sentences, analysis_standing, uploading
from dashboard.components.analysis_report import downloads
from dashboard.components.comparison import comparison
from dashboard.components.messages import plain

VIEWS = {
    "standing": ("Ranks", analysis_standing.standing),
    "significance": ("Is it chance?", analysis_standing.significance),
    "types": ("Error types", analysis_errors.error_types),
    "correction": ("Too much, too little", analysis_errors.correction),
    "costly": ("Costly sentences", analysis_sentences.costly),
    "splits": ("Metrics split", analysis_sentences.splits),
    "changes": ("What changed", analysis_sentences.what_changed),
}

st.title("My system")
st.write(
    "Bring what your system made of the sentences of a corpus. It then stands beside the other systems on every page: "
    "in rankings, among disagreements, sentence by sentence."
)
uploading.panel()

st.header("Analysis")
found = comparison()
corpus, table = to_analyse(found)
names = {metric.id: name for name, metric in found.metrics.items()}
for id, problem in table.problems.items():
    st.caption(f"{plain(names[id])} is left out here. {plain(problem)}")
mine = [name for name in session.uploaded_systems() if name in corpus.systems]
systems = [*mine, *(name for name in corpus.systems if name not in mine)]
left, right = st.columns(2)
system = left.selectbox("System", systems, key=url_state.choice("analyse", systems, systems[0]))
others = [name for name in systems if name != system]
rival = None
if others:
    usual = first_rival(corpus, table, system, others)
    rival = right.selectbox(
        "Compared with",
        others,
        key=url_state.choice("rival", others, usual),
        help="Another system, or an earlier version of yours. To begin with, the best of the others by mean rank over "
        "the metrics that need no model.",
    )
waiting = tuple(metric.name for metric in found.waiting)
chosen = Analysing(corpus, table, system, rival, asked(found, system, session.uploaded_systems()), waiting)
downloads(chosen)
view = st.segmented_control(
    "View",
    list(VIEWS),
    format_func=lambda name: VIEWS[name][0],
    key=url_state.choice("view", list(VIEWS), "standing"),
    label_visibility="collapsed",
    required=True,
)
VIEWS[view][1](chosen)
