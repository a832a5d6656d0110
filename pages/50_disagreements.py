"""Disagreements.

The outputs that two metrics, or a metric and the judges, order in opposite ways.
"""

import streamlit as st

from dashboard import services, state
from dashboard.comparison import comparison
from dashboard.components import disagreement_list
from dashboard.components.messages import end_page, plain

JUDGES = "judges"

st.title("Disagreements")
st.write(
    "Pairs of outputs of one sentence that two sides order in opposite ways, the strongest first. "
    "Open one to see, edit by edit, what each side paid for."
)
found = comparison()
corpus = found.corpus
names = {column.metric.id: column.metric.name for column in found.table.columns if column.scores_sentences}
if silent := [name for name, metric in found.metrics.items() if metric.id not in names]:
    st.caption(f"Left out here: {plain(', '.join(silent))}, of which there are scores of whole systems only.")
sides = list(names) + ([JUDGES] if corpus.judgments else [])
if len(sides) < 2:
    st.info("Choose at least two metrics in the sidebar, or a corpus with judgments.")
    end_page()


def title(side: str) -> str:
    return names.get(side, "the judges")


left, right = st.columns(2)
a = left.selectbox("Who", sides, format_func=title, key=state.of_page("a", sides, sides[0]))
others = [side for side in sides if side != a]
b = right.selectbox("disagrees with whom", others, format_func=title, key=state.of_page("b", others, others[-1]))
compared = services.disagreements(corpus, a, b, tuple(found.table.columns))
kept = [system for system in found.kept if system in compared.systems]
if unknown := [system for system in found.kept if system not in compared.systems]:
    st.caption(f"Without {plain(', '.join(unknown))}, of which one of the two has no scores.")
with st.expander("Filters"):
    longest = max(len(sentence.tokens) for sentence in corpus.sentences)
    low, high = st.slider("Tokens of the source", 0, longest, (0, longest)) if longest else (0, 0)
    unanimous = st.checkbox("Only where all judges of the two outputs agree", disabled=JUDGES not in (a, b))
narrowed = compared.where(
    systems=kept,
    shortest=low if low else None,
    longest=high if high < longest else None,
    unanimous=unanimous,
)
disagreement_list.summary(narrowed)
name = f"{corpus.name}-{a}-{b}"
disagreement_list.disagreement_table(narrowed, title(a), title(b), name)
disagreement_list.tallies(narrowed, name)
