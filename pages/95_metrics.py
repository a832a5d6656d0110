"""Metrics.

What each metric is, how it is computed, and where it is known to fail.
"""

import streamlit as st

from dashboard import cache, session
from dashboard.components.metric_card import FAMILIES, imported_card, jump_list, metric_card
from gec_core.metrics.base import Metric
from gec_core.scoring.imported import Imported

st.title("Metrics")
st.write(
    "What each metric measures, its formula and options, and examples on which it is known to fail. The line in "
    "grey is its signature: give it beside a number, and others can get the same."
)
metrics: list[Metric] = [*cache.all_metrics().values(), *session.uploads().imported.values()]
by_family = {family: [metric for metric in metrics if metric.family == family] for family in FAMILIES}
by_family = {family: members for family, members in by_family.items() if members}
jump_list(by_family)
for family, members in by_family.items():
    st.header(FAMILIES[family])
    for metric in members:
        if isinstance(metric, Imported):
            imported_card(metric)
        else:
            metric_card(metric)
