"""Rankings.

The systems of the corpus as people and each metric rank them.
"""

import pandas as pd
import streamlit as st

from dashboard import cache, charts, url_state
from dashboard.comparison import comparison, tell_peers
from dashboard.components.exports import csv_button, figure
from dashboard.components.messages import plain
from dashboard.components.ranking_table import ranking_frame, ranking_table, ranks

st.title("Rankings")
st.write(
    "The same outputs, ranked by people and by metrics. An arrow says how many ranks higher (↑) or lower (↓) "
    "a metric puts a system than people do; where lines cross in the chart, two rankings disagree."
)
found = comparison()
corpus, human = found.corpus, found.human
everything = ({human.title: human.scores} if human else {}) | found.values
kept = found.kept

left, right = st.columns(2)
rankings = list(everything)
sort_by = left.selectbox("Sort by", rankings, key=url_state.choice("sort", rankings, rankings[0]))
marked = right.selectbox("Highlight", ["–", *kept], key=url_state.choice("highlight", ["–", *kept], "–"))
ranking_table(
    found.values,
    (human.title, human.scores) if human else None,
    found.metrics,
    sort_by=sort_by,
    marked=marked,
    order_only=bool(human and human.order_only),
)
if found.unjudged:
    one = len(found.unjudged) == 1
    st.caption(
        f"Nobody judged {plain(', '.join(found.unjudged))}: in brackets stands the rank that {'it' if one else 'each'} "
        "would take among the judged systems. All other ranks, the arrows, the sums and the chart are without "
        f"{'it' if one else 'them'}."
    )
tell_peers(found)
judged = human.scores if human else None
csv_button(ranking_frame(everything, judged), f"{corpus.name}-rankings", index=True, label="Table as CSV")

if len(everything) > 1:
    st.subheader("Where the rankings cross")
    placed = ranks(everything, judged)
    figure(
        charts.bump_chart(placed, marked if marked in kept else None),
        f"{corpus.name}-bump-chart",
        pd.DataFrame(placed).rename_axis("system"),
        index=True,
        wide=True,
    )

ranked = cache.human_ranking(corpus, human.name, ranges=True) if human else None
if human and ranked and ranked.samples:
    st.subheader("Which neighbours cannot be told apart")
    st.write(
        f"Ranks by {human.title} in 95% of {ranked.samples:,} bootstrap samples of the judged items. "
        "Where two bars overlap, other sentences might have swapped the two systems."
    )
    rows = [(s.system, s.rank, s.rank_low, s.rank_high) for s in ranked.standings if s.system in kept]
    data = pd.DataFrame(rows, columns=["system", "rank", "lowest", "highest"])
    figure(charts.intervals(rows, x="rank"), f"{corpus.name}-rank-ranges", data)
