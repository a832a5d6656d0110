"""A metric on a card: what it measures, how, with which options and weights, and where it fails."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from gec_core.metrics.base import Metric

TEXTS = Path(__file__).resolve().parents[2] / "assets" / "metrics"
FAMILIES = {
    "edits": "Edits",
    "overlap": "Overlap of tokens and n-grams",
    "model": "With pretrained models",
    "sanity": "Sanity checks",
    "imported": "Imported scores",
}
READS = {
    "source": "source and output alone",
    "references": "source, output and references",
    "gold": "source, output and gold edits",
}


def metric_card(metric: Metric) -> None:
    """Everything there is to know about one metric."""
    ready = metric.availability()
    with st.container(border=True):
        st.subheader(metric.label, anchor=metric.id)
        st.markdown(metric.summary)
        if not ready.ready:
            st.warning(f"Cannot run here. {ready.how}", icon=":material/download:")
        st.caption(f"Looks at {READS[metric.reads]}. {'Scores are in percent.' if metric.percent else ''}")
        text = TEXTS / f"{metric.id}.md"
        if text.is_file():
            with st.expander("Formula, strengths, known failures"):
                st.markdown(text.read_text(encoding="utf-8"))
        if specs := metric.Options.specs():
            with st.expander("Options"):
                rows = [
                    (
                        spec.name,
                        str(spec.default),
                        " | ".join(spec.kind) if isinstance(spec.kind, tuple) else spec.kind.__name__,
                        spec.help,
                    )
                    for spec in specs
                ]
                st.table(
                    pd.DataFrame(rows, columns=["option", "default", "values", "what it does"]).set_index("option")
                )
        st.code(metric.signature, language=None, wrap_lines=True)
        if metric.citation:
            st.caption(metric.citation)
