"""Rankings.

The systems of the corpus as each metric ranks them.
"""

import streamlit as st

from dashboard import charts, services, state
from dashboard.components.ranking_table import ranking_table, ranks, scores

corpus = state.corpus()
metrics = services.available_metrics()

st.title("Rankings")
st.write(
    "The same outputs, ranked by different metrics. Read a row to see how a system fares; where lines cross "
    "in the chart, two metrics disagree."
)

chosen = st.pills(
    "Metrics",
    list(metrics),
    default=[id for id, metric in metrics.items() if metric.family != "sanity"],
    format_func=lambda id: metrics[id].name,
    selection_mode="multi",
)
if not chosen:
    st.info("Choose at least one metric above to see a ranking.")
    st.stop()

table = services.scores(corpus, tuple(id for id in metrics if id in chosen))
shown = st.segmented_control("Show", ["Scores", "Ranks"], default="Scores", required=True)
ranking_table(table, as_ranks=shown == "Ranks")
st.download_button(
    "Download as CSV", scores(table).to_csv(), f"{corpus.name}-scores.csv", "text/csv", icon=":material/download:"
)

if len(chosen) > 1:
    st.subheader("Where the rankings cross")
    st.plotly_chart(charts.bump_chart(ranks(table).to_dict()), config={"displaylogo": False})
