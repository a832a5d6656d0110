"""A metric on a card: what it measures, how, with which options and weights, and where it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from dashboard import cache, session
from dashboard.components.messages import plain
from dashboard.session import FAMILIES
from gec_core.metrics.base import Metric
from gec_core.scoring.imported import Imported

TEXTS = Path(__file__).resolve().parents[2] / "assets" / "metrics"
READS = {
    "source": "source and output alone",
    "references": "source, output and references",
    "gold": "source, output and gold edits",
}


def show() -> None:
    """Draw the page."""
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


def jump_list(metrics: Mapping[str, Sequence[Metric]]) -> None:
    """A line a family with links to its metrics; `metrics` are by family."""
    st.markdown(
        "  \n".join(
            f"**{FAMILIES[family]}:** " + " · ".join(f"[{plain(each.name)}](#{_anchor(each)})" for each in members)
            for family, members in metrics.items()
        )
    )


def _anchor(metric: Metric) -> str:
    """Where a card stands on the page. The ids of imported scores are made of what the visitor typed."""
    return f"imported-{metric.digest_of_file}" if isinstance(metric, Imported) else metric.id


def imported_card(metric: Imported) -> None:
    """What is known of scores that were computed elsewhere."""
    systems, sentences = len(metric.scores.systems), len(metric.scores.sentences)
    with st.container(border=True):
        st.subheader(plain(metric.name), anchor=_anchor(metric))
        st.markdown(f"Scores from {plain(metric.file)}, computed elsewhere. Only you see them, until you leave.")
        st.caption(f"{_counted(systems)}; sentence scores of {_counted(sentences) if sentences else 'none'}.")
        st.code(metric.signature, language=None, wrap_lines=True)


def _counted(systems: int) -> str:
    return f"{systems} system{'' if systems == 1 else 's'}"


def metric_card(metric: Metric) -> None:
    """Everything there is to know about one metric."""
    ready = metric.availability()
    with st.container(border=True):
        st.subheader(metric.label, anchor=_anchor(metric))
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
