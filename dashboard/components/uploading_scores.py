"""Scores of a metric that is not built in, from files."""

from __future__ import annotations

import streamlit as st

from dashboard import session
from dashboard.components import dropping
from dashboard.components.messages import plain
from gec_core.corpora import Finding
from gec_core.scoring.imported import Imported, read_uploads
from gec_core.types import Corpus


def scores(corpus: Corpus) -> None:
    """Drop files of scores, see what is in them, add them as metrics."""
    uploads, ids = dropping.dropped_files(
        "scores",
        f"Drop files of scores of the systems of {plain(corpus.name)} here",
        "TSV or CSV with the columns system and score, and if you like sentence (counted from 0) and metric; or JSON. "
        "What `python -m gec_core score --format tsv` prints will do.",
    )
    if not uploads:
        st.caption(
            "A line a score, under the heading `system`, `score`, and for scores of sentences `sentence`, counted from "
            "0. Higher is better. docs/importing.md says more."
        )
        return
    taken = tuple(session.uploads().imported)
    metrics, findings = session.memo("scores", (ids, taken), lambda: read_uploads(uploads, taken))
    dropping.tell(findings)
    fitting = [metric for metric in metrics if not metric.misfit(corpus)]
    for metric in metrics:
        with st.container(border=True):
            st.text(metric.file)
            dropping.tell(_oddities(metric, corpus))
            if metric in fitting:
                st.markdown(f"**{plain(metric.name)}** · {plain(_told(metric, corpus))}")
                st.code(metric.signature, language=None)
    st.button(
        f"Add {len(fitting)} metrics" if len(fitting) > 1 else "Add this metric",
        type="primary",
        disabled=not fitting,
        on_click=_add,
        args=(fitting,),
        icon=":material/add:",
    )


def _oddities(metric: Imported, corpus: Corpus) -> list[Finding]:
    if problem := metric.misfit(corpus):
        return [Finding("error", problem)]
    told = []
    if unknown := metric.unknown(corpus):
        told.append(f"{metric.file}: scores of {', '.join(unknown)}, which {corpus.name} does not have, are left out.")
    if missing := [name for name in corpus.systems if name not in metric.scores.systems]:
        told.append(f"{metric.file}: no scores of {', '.join(missing)}.")
    return [Finding("warning", message) for message in told]


def _told(metric: Imported, corpus: Corpus) -> str:
    systems = [name for name in corpus.systems if name in metric.scores.systems]
    by_sentence = [name for name in systems if name in metric.scores.sentences]
    level = "scores of every sentence" if len(by_sentence) == len(systems) else "scores of whole systems only"
    if by_sentence and len(by_sentence) < len(systems):
        level = f"scores of every sentence for {', '.join(by_sentence)}"
    return f"{len(systems)} of {len(corpus.systems)} systems, {level}"


def _add(metrics: list[Imported]) -> None:
    def add() -> None:
        session.uploads().imported.update({metric.id: metric for metric in metrics})
        session.add_metrics([metric.id for metric in metrics])

    session.apply_upload(add)


def _remove(id: str) -> None:
    session.uploads().imported.pop(id, None)


def list_own(corpus: Corpus) -> None:
    """The metrics that the visitor brought."""
    items = [
        (id, f"metric {metric.name}" + (f", not of {corpus.name}" if metric.misfit(corpus) else ""))
        for id, metric in session.uploads().imported.items()
    ]
    dropping.listed(items, "scores", _remove)
