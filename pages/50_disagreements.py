"""Disagreements.

The outputs that two metrics, or a metric and the judges, order in opposite ways.
"""

import streamlit as st

from dashboard import services
from dashboard.comparison import comparison
from dashboard.components import disagreement_list
from dashboard.components.disagreement_filters import choose_dispute, sides_of
from dashboard.components.messages import end_page

st.title("Disagreements")
st.write(
    "Pairs of outputs of one sentence that two sides order in opposite ways, the strongest first. "
    "Open one to see, edit by edit, what each side paid for."
)
found = comparison()
corpus = found.corpus
names = {metric.id: name for name, metric in found.metrics.items()}
sides = sides_of(corpus, list(names))
if len(sides) < 2:
    st.info("Choose at least two metrics in the sidebar, or a corpus with judgments.")
    end_page()


def title(side: str) -> str:
    return names.get(side, "the judges")


kept = [system for system in corpus.systems if system not in found.left_out]
dispute = choose_dispute(corpus, sides, title, kept)
first, second = title(dispute.a), title(dispute.b)
compared = services.disagreements(corpus, dispute.a, dispute.b, tuple(found.table.columns))
narrowed = dispute.narrow(compared, found.left_out)
disagreement_list.summary(narrowed, first, second)
name = f"{corpus.name}-{dispute.a}-{dispute.b}"
disagreement_list.disagreement_table(narrowed, dispute, found.left_out, first, second, name)
disagreement_list.tallies(narrowed, first, second, name)
