"""The edits of one output, to be switched on and off, and what every metric makes of it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard import cache
from dashboard.components.credit_tables import credit_table
from dashboard.components.messages import plain
from dashboard.components.score_board import score_board
from dashboard.components.tokens import marked
from gec_core.align.edits import apply_edits
from gec_core.corpora.assemble import typed_corpus
from gec_core.explain.edits import edits_read_by
from gec_core.metrics.base import Metric
from gec_core.types import Corpus, Edit

NOTHING = "∅"
NO_EDIT = "no edit"


def edit_switches(corpus: Corpus, metrics: Mapping[str, Metric]) -> None:
    """One pill an edit; below, the scores with the edits that are on, beside those of all edits and of none."""
    sentence = corpus.sentences[0]
    names = list(corpus.systems)
    name = st.selectbox("Output", names) if len(names) > 1 else names[0]
    output = corpus.systems[name][0]
    edits = cache.output_edits(sentence.source, output)
    if not edits:
        st.info(f"{plain(name)} leaves the source as it is: there is no edit to switch.")
        return
    on = st.pills(
        "Edits that are made",
        range(len(edits)),
        format_func=lambda place: plain(_label(edits[place], sentence.tokens)),
        selection_mode="multi",
        default=range(len(edits)),
        key=f"edits-{corpus.fingerprint}-{name}",
        help=f"Edits are read by {edits_read_by()}. Click one to switch it off or on.",
    )
    chosen = [edits[place] for place in sorted(on)]
    st.html(f"<p class='lens-text'>{marked(sentence.source, chosen)}</p>")
    versions = {NO_EDIT: sentence.source, "edits on": apply_edits(sentence.source, chosen), "all edits": output}
    score_board(typed_corpus(sentence, versions), metrics, beside=NO_EDIT)
    quick = {metric.name: metric for metric in metrics.values() if cache.quick(metric)}
    st.markdown("**What each edit of the output is worth**")
    st.caption("An edit's credit is what it adds to the score, averaged over all orders in which edits could be made.")
    worths = {name: cache.quick_worth(corpus, metric.signature, metric, 0, output) for name, metric in quick.items()}
    credit_table(sentence.source, {name: worth.credit for name, worth in worths.items()})


def _label(edit: Edit, tokens: list[str]) -> str:
    told = f" ({edit.type})" if edit.type else ""
    return f"{' '.join(tokens[edit.start : edit.end]) or NOTHING} → {edit.correction or NOTHING}{told}"
