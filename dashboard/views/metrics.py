"""The page *Metrics*: a card for each metric, and the glossary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache, glossary, session
from dashboard.components.controls import folded
from dashboard.components.messages import plain
from gec_core.formatting import counted
from gec_core.metrics.base import Metric
from gec_core.scoring.imported import Imported

READS = {
    "source": "the source",
    "references": "the source and references",
    "gold": "the source and gold edits",
}


def show() -> None:
    """Draw the page."""
    st.title("Metrics")
    st.write(
        "What each metric measures, its formula and options, and known failures. The grey line is its signature: "
        "report it with a score so that others can compute the same number."
    )
    metrics: list[Metric] = [*cache.all_metrics().values(), *session.uploads().imported.values()]
    families = session.families(metrics)
    jump_list(families)
    folded("Glossary", _glossary, key="glossary")
    for family, members in families.items():
        st.header(session.family_title(family))
        for metric in members:
            if isinstance(metric, Imported):
                imported_card(metric)
            else:
                metric_card(metric)


def _glossary() -> None:
    st.markdown("\n".join(f"- **{plain(term)}**: {plain(text)}" for term, text in glossary.terms().items()))


def jump_list(metrics: Mapping[str, Sequence[Metric]]) -> None:
    """Draw links to the cards, one line per family."""
    st.markdown(
        "  \n".join(
            f"**{session.family_title(family)}:** "
            + " · ".join(f"[{plain(each.title)}](#{_anchor(each)})" for each in members)
            for family, members in metrics.items()
        )
    )


def _anchor(metric: Metric) -> str:
    """The anchor of a card; not the id of imported scores, which is made of what the visitor typed."""
    return f"imported-{metric.digest_of_file}" if isinstance(metric, Imported) else metric.id


def imported_card(metric: Imported) -> None:
    """Draw a card for imported scores."""
    systems, sentences = len(metric.scores.systems), len(metric.scores.sentences)
    with st.container(border=True):
        st.subheader(plain(metric.name), anchor=_anchor(metric))
        st.markdown(f"Scores from {plain(metric.file)}, computed elsewhere. Only you can see them.")
        with_sentences = counted(sentences, "system") if sentences else "none"
        st.caption(f"{counted(systems, 'system')}; sentence scores for {with_sentences}.")
        st.code(metric.signature, language=None, wrap_lines=True)


def metric_card(metric: Metric) -> None:
    """Draw a card for a metric."""
    ready = metric.availability()
    with st.container(border=True):
        st.subheader(metric.label, anchor=_anchor(metric))
        st.markdown(metric.summary)
        if not ready.ready:
            st.warning(f"Cannot run here. {ready.how}", icon=":material/download:")
        st.caption(f"Compares outputs with {READS[metric.reads]}. {'Scores are in percent.' if metric.percent else ''}")
        # Folded, and sent when opened: a browser takes most of a second to set the formulas of all cards.
        if metric.card:
            folded("Formula, strengths and known failures", partial(st.markdown, metric.card), key=f"card-{metric.id}")
        if metric.Options.specs():
            folded("Options", partial(_options, metric), key=f"options-{metric.id}")
        st.code(metric.signature, language=None, wrap_lines=True)
        if metric.citation:
            st.caption(metric.citation)


def _options(metric: Metric) -> None:
    rows = [
        (
            spec.name,
            str(spec.default),
            " | ".join(spec.kind) if isinstance(spec.kind, tuple) else spec.kind.__name__,
            spec.help,
        )
        for spec in metric.Options.specs()
    ]
    st.table(pd.DataFrame(rows, columns=["option", "default", "values", "description"]).set_index("option"))
