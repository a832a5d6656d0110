"""Correlation.

How far each metric's scores of whole systems go with people's.
"""

from typing import get_args

import streamlit as st

from dashboard import session, url_state
from dashboard.comparison import comparison, tell_peers, tell_unjudged, with_people
from dashboard.components import correlations
from dashboard.components.published import published
from gec_core.meta import Coefficient

VIEWS = {
    "scatter": "Scatter plots",
    "leave-one-out": "One system less",
    "top": "Best and neighbours",
    "williams": "Is it significant?",
    "matrix": "Metric by metric",
    "published": "Published",
}

st.title("Correlation")
st.write(
    "Whether metrics put systems in the order that people do, how sure that is, and what hangs on a single system."
)
found = comparison()
human = with_people(found)

view = st.segmented_control(
    "View",
    list(VIEWS),
    format_func=VIEWS.__getitem__,
    key=url_state.choice("view", list(VIEWS), "scatter"),
    label_visibility="collapsed",
    required=True,
)
if view not in ("matrix", "published"):
    tell_unjudged(found, human.scores)
if view != "published":
    tell_peers(found)
if view == "scatter":
    st.write(
        "Each point is a system: people's score upwards, the metric's to the right. The closer the points lie to a "
        "rising line, the better the metric replaces people. Click a point to leave that system out everywhere."
    )
    correlations.scatter_grid(found, human)
elif view == "published":
    published(session.corpus_without_uploads())
else:
    kinds = list(get_args(Coefficient))
    kind = st.radio(
        "Coefficient",
        kinds,
        format_func=correlations.TITLES.__getitem__,
        horizontal=True,
        key=url_state.choice("coefficient", kinds, "pearson"),
    )
    if view == "leave-one-out":
        correlations.leave_one_out(found, human, kind)
    elif view == "top":
        correlations.top_and_windows(found, human, kind)
    elif view == "williams":
        correlations.significance(found, human, kind)
    else:
        correlations.metric_by_metric(found, kind)
