"""Disagreements.

The outputs that two metrics, or a metric and the judges, order in opposite ways.
"""

import streamlit as st

from dashboard import cache
from dashboard.comparison import comparison
from dashboard.components import disagreement_list
from dashboard.components.disagreement_filters import choose_dispute, filters_told, sides_of
from dashboard.components.messages import end_page, plain

st.title("Disagreements")
st.write("Pairs of outputs of one sentence that two sides order in opposite ways, the strongest first.")
found = comparison()
corpus = found.corpus
names = {column.metric.id: column.metric.name for column in found.table.columns if column.scores_sentences}
if silent := [name for name, metric in found.metrics.items() if metric.id not in names]:
    st.caption(f"Left out here: {plain(', '.join(silent))}, of which there are scores of whole systems only.")
sides = sides_of(corpus, list(names))
if len(sides) < 2:
    st.info("Choose at least two metrics in the sidebar, or a corpus with judgments.")
    end_page()


def title(side: str) -> str:
    return names.get(side, "the judges")


kept = [system for system in corpus.systems if system not in found.left_out]
dispute = choose_dispute(corpus, sides, title, kept)
first, second = title(dispute.a), title(dispute.b)
compared = cache.disagreements(corpus, dispute.a, dispute.b, tuple(found.table.columns))
if unknown := [system for system in kept if system not in compared.systems]:
    st.caption(f"Without {plain(', '.join(unknown))}, of which one of the two has no scores.")
narrowed = dispute.narrow(compared, found.left_out)
filters_told(dispute)
disagreement_list.summary(narrowed, first, second)
disagreement_list.disagreement_table(corpus, narrowed, dispute, found.left_out, first, second)
disagreement_list.tallies(narrowed, first, second, f"{corpus.name}-{dispute.a}-{dispute.b}")
