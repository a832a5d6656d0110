"""People's verdicts on single edits beside the credits of metrics: accuracy, AUC, and the most confident mistakes."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import cache, navigation, url_state
from dashboard.components.comparison import ChosenScores
from dashboard.components.exports import csv_button, figure, table
from dashboard.components.messages import plain
from dashboard.components.progress import Offer, work_lines
from gec_core import charts
from gec_core.align.errant_types import meaning
from gec_core.errors import GecLensError
from gec_core.formatting import minus
from gec_core.meta.edit_level import EditAgreement, JudgedEdit
from gec_core.scoring.imported import Imported

SHOWN = 15
"""Mistakes that are listed."""
HEADS = {
    "accuracy": "accuracy",
    "balanced": "balanced accuracy",
    "auc": "AUC",
    "neutral": "credit 0",
}
HELPS = {
    "accuracy": "The share of verdicts whose sign the credit has; a credit of 0 counts as wrong.",
    "balanced": "The mean of the accuracies on accepted and on refused edits; 0.5 is chance.",
    "auc": "The probability that an accepted edit has a higher credit than a refused one; 0.5 is chance.",
    "neutral": "Verdicts on edits that do not change the metric's score.",
}


def verdicts(found: ChosenScores) -> None:
    """Draw how far the credits of metrics have the signs that people gave the edits."""
    corpus = found.corpus
    if not corpus.verdicts:
        st.info("People judged single edits in SEEDA only. Choose the corpus seeda in the sidebar.")
        return
    st.write(
        "Judges accepted or refused single edits. A metric agrees with them where its credit, what the edit does to "
        "the score of its sentence, has the same sign."
    )
    results, waiting, problems = [], [], {}
    for title, metric in found.metrics.items():
        if isinstance(metric, Imported):
            problems[title] = "imported scores are known for whole outputs only"
            continue
        try:
            known = cache.edit_agreement(corpus, metric)
        except GecLensError as problem:
            problems[title] = str(problem)
            continue
        if isinstance(known, cache.Pending):
            known.start_if_short()
            waiting.append(Offer(known.key, known.title, known.start, "Compute"))
        else:
            results.append((title, known))
    if waiting:
        st.fragment(work_lines, run_every=1.0)(tuple(waiting))
    for title, reason in problems.items():
        st.caption(f"Not shown: {plain(title)}. {plain(reason)}")
    if results:
        _overall(corpus.name, results)
        _by_type(corpus.name, results)
        _mistakes(found, results)


def _overall(name: str, results: list[tuple[str, EditAgreement]]) -> None:
    rows = []
    for title, each in results:
        one = each.overall
        rows.append((title, one.accuracy, one.balanced, one.auc, one.verdicts, one.neutral))
    frame = pd.DataFrame(rows, columns=["metric", "accuracy", "balanced", "auc", "verdicts", "neutral"])
    table(frame.sort_values("auc", ascending=False), heads=HEADS, helps=HELPS)
    csv_button(frame, f"{name}-verdicts", "How the credits of edits agree with people's verdicts")
    judged = results[0][1].judged
    one = results[0][1].overall
    always = one.accepted / one.verdicts
    st.caption(
        f"{one.accepted:,} acceptances and {one.refused:,} refusals of {len(judged.edits):,} edits. Accepting every "
        f"edit would have an accuracy of {always:.3f}, and 0.5 of the other two. {judged.unmatched} verdicts are left "
        "out: they are on edits that ERRANT cuts otherwise."
    )


def _by_type(name: str, results: list[tuple[str, EditAgreement]]) -> None:
    found = {title: {one.name: one for one in each.by_type()} for title, each in results}
    types = list(next(iter(found.values())))[:12]
    values = [[of[type].auc for type in types] for of in found.values()]
    texts = [["–" if value is None else f"{value:.2f}" for value in row] for row in values]
    first = next(iter(found.values()))
    notes = [f"{first[type].verdicts:,} verdicts" for type in types]
    st.subheader("AUC by error type")
    chart = charts.heatmap(
        values, texts, types, notes=notes, rows=list(found), low=0.0, high=1.0, colours=charts.DIVERGING, bar="AUC"
    )
    data = pd.DataFrame(
        [
            (title, type, of[type].verdicts, of[type].accuracy, of[type].auc)
            for title, of in found.items()
            for type in types
        ],
        columns=["metric", "type", "verdicts", "accuracy", "auc"],
    )
    what = "The area under the ROC curve of the credits of edits against people's verdicts, by error type"
    figure(chart, f"{name}-verdicts-by-type", what, data, wide=True)
    st.caption(" · ".join(f"**{plain(type)}** {meaning(type)}" for type in types))


def _mistakes(found: ChosenScores, results: list[tuple[str, EditAgreement]]) -> None:
    st.subheader("The most confident mistakes")
    titles = [title for title, _ in results]
    chosen = st.selectbox("Metric", titles, key=url_state.choice("mistaken", titles, titles[0]), format_func=plain)
    mistaken = dict(results)[chosen]
    rows = [_row(found, mistaken, *each) for each in mistaken.mistakes(SHOWN)]
    if not rows:
        st.write("None: no credit has the opposite sign.")
        return
    frame = pd.DataFrame(rows)
    st.dataframe(
        frame.style.format(lambda value: minus(f"{value:+.3f}"), subset=["credit"]),
        hide_index=True,
        column_config={"open": st.column_config.LinkColumn("", display_text="open")},
    )
    what = f"The edits on which the credits of {chosen} contradict people's verdicts most"
    csv_button(frame.drop(columns="open"), f"{found.corpus.name}-mistakes", what)


def _row(found: ChosenScores, mistaken: EditAgreement, judged: JudgedEdit, credit: float) -> dict[str, object]:
    edit, line = judged.edit, judged.place.line
    original = " ".join(found.corpus.sentences[line].tokens[edit.start : edit.end])
    asked = {"sentence": [str(line)], "system": [judged.place.system], "metrics": [mistaken.metric.id]}
    return {
        "open": navigation.address("sentence", url_state.link(asked)),
        "sentence": line + 1,
        "system": judged.place.system,
        "edit": f"{original or '∅'} → {edit.correction or '∅'}",
        "type": edit.type,
        "credit": credit,
        "people": f"{judged.accepted} accepted, {judged.refused} refused",
    }
