"""Metrics.

What each metric is, how it is computed, and where it is known to fail.
"""

import streamlit as st

from dashboard import services
from dashboard.components.metric_card import FAMILIES, metric_card

st.title("Metrics")
st.write(
    "What each metric measures, its formula and options, and examples on which it is known to fail. The line in "
    "grey is its signature: give it beside a number, and others can get the same."
)
metrics = services.all_metrics()
for family, title in FAMILIES.items():
    members = [metric for metric in metrics.values() if metric.family == family]
    if members:
        st.header(title)
        for metric in members:
            metric_card(metric)
