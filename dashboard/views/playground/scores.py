"""Scores of typed text, at once or, for metrics with a model, when the visitor pauses; and edits that switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

import pandas as pd
import streamlit as st

from dashboard import cache, glossary, session
from dashboard.background import failed
from dashboard.components.edits import credit_table, marked
from dashboard.components.exports import csv_button
from dashboard.components.messages import plain, problem_text
from gec_core.align.edits import apply_edits
from gec_core.corpora.assemble import typed_corpus
from gec_core.explain.credit import edits_read_by
from gec_core.formatting import joined, minus
from gec_core.human.ranking import from_scores
from gec_core.languages import ENGLISH, name
from gec_core.metrics.base import Metric
from gec_core.scoring import score
from gec_core.scoring.imported import Imported
from gec_core.scoring.table import MetricScores
from gec_core.store import Store
from gec_core.types import Corpus, Edit

PAUSE = 0.7
"""Seconds without typing after which the models are asked."""
_SEEN, _ASKED = "board-seen", "board-asked"

Values = dict[str, float]
Key = tuple[str, str, str]
"""The key of a task: its kind, the corpus, the metric."""
NOTHING = "∅"
NO_EDIT = "no edits"


def usable(corpus: Corpus, ids: Sequence[str]) -> dict[str, Metric]:
    """Return the chosen metrics that can score this text, and say why others cannot."""
    known = cache.metrics_for(corpus)
    lacking = [metric.title for id, metric in cache.all_metrics().items() if id in ids and id not in known]
    if lacking and not corpus.sentences[0].references:
        st.info(f"{plain(', '.join(lacking))} cannot score these texts without a reference.")
    elif lacking and corpus.language not in ("", ENGLISH):
        st.info(
            f"These texts seem to be {name(corpus.language)}. Not shown, since made for English: "
            f"{plain(', '.join(lacking))}."
        )
    if imported := [
        metric.name for id, metric in session.known_metrics().items() if isinstance(metric, Imported) and id in ids
    ]:
        st.caption(f"Not shown here: {plain(', '.join(imported))}. Imported scores do not cover typed text.")
    return {id: known[id] for id in ids if id in known}


def score_board(
    corpus: Corpus, metrics: Mapping[str, Metric], *, models: bool = True, beside: str | None = None
) -> None:
    """Draw the score and rank of every output of a corpus of one sentence, by metric.

    Args:
        corpus: The sentence with its outputs.
        metrics: The metrics by id.
        models: Whether to ask metrics that need a model.
        beside: An output to compare scores with; the differences replace the ranks.
    """
    quick = [metric for metric in metrics.values() if cache.quick(metric)]
    slow = [metric for metric in metrics.values() if not cache.quick(metric)]
    rows: list[tuple[Metric, Values | str]] = []
    if quick:
        table = cache.typed_scores(corpus, tuple(metric.signature for metric in quick), quick)
        rows = [(column.metric, _values(column)) for column in table.columns]
        _draw(corpus, rows, beside)
    if slow and models:
        waiting = not _all_done(corpus, slow)
        st.fragment(_model_rows, run_every=PAUSE if waiting else None)(corpus, slow, waiting, beside)
        rows += [(metric, _outcome(corpus, metric)) for metric in slow]
    scored = [(metric, values) for metric, values in rows if isinstance(values, dict)]
    if scored:
        _export(scored, without=[metric for metric, values in rows if not isinstance(values, dict)])


def _model_rows(corpus: Corpus, metrics: Sequence[Metric], waiting: bool, beside: str | None) -> None:
    """Draw the rows of metrics with models, again and again until all are there."""
    if waiting and session.kept(_SEEN, "") == corpus.fingerprint:
        _ask(corpus, metrics)
    session.keep(_SEEN, corpus.fingerprint)
    rows = [(metric, _outcome(corpus, metric)) for metric in metrics]
    _draw(corpus, rows, beside)
    if waiting and _all_done(corpus, metrics):
        st.rerun()


def _all_done(corpus: Corpus, metrics: Sequence[Metric]) -> bool:
    """Whether there is nothing to wait for; what failed for another visitor is tried again."""
    asked = session.kept(_ASKED, ())
    found = {key: cache.tasks().find(key) for key in (_key(corpus, metric) for metric in metrics)}
    return all(each is not None and each.done() and (key in asked or not failed(each)) for key, each in found.items())


def _ask(corpus: Corpus, metrics: Sequence[Metric]) -> None:
    """Ask for the scores in the background instead of those asked for before; what failed is not tried again."""
    keys = {_key(corpus, metric): metric for metric in metrics}
    before: tuple[Key, ...] = session.kept(_ASKED, ())
    cache.tasks().drop(key for key in before if key not in keys)
    for key, metric in keys.items():
        if key not in before or cache.tasks().find(key) is None:
            cache.tasks().ask(key, partial(_scored, corpus, metric))
    session.keep(_ASKED, tuple(keys))


def _scored(corpus: Corpus, metric: Metric) -> MetricScores:
    return score(corpus, [metric], store=Store(), workers=1).columns[0]


def _key(corpus: Corpus, metric: Metric) -> Key:
    return "scores", corpus.fingerprint, metric.signature


def _outcome(corpus: Corpus, metric: Metric) -> Values | str:
    """The scores, or why there are none yet."""
    found = cache.tasks().find(_key(corpus, metric))
    if found is None:
        return "when you pause"
    if not found.done():
        return "computing …"
    problem = found.exception()
    if problem is None:
        return _values(found.result())
    return problem_text(problem)


def _values(column: MetricScores) -> Values:
    return {system: float(column.sentence_scores(system)[0]) for system in column.systems}


def _draw(corpus: Corpus, rows: Sequence[tuple[Metric, Values | str]], beside: str | None) -> None:
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in corpus.systems)
    body = ""
    for metric, values in rows:
        name = f'<th scope=row title="{escape(metric.signature, quote=True)}">{escape(metric.title)}</th>'
        if isinstance(values, str):
            body += f"<tr>{name}<td class=wrap colspan={len(corpus.systems)}><i>{escape(values)}</i></td></tr>"
        else:
            body += f"<tr>{name}{_cells(metric, values, beside)}</tr>"
    width = f"min-width: {8 + 6.3 * len(corpus.systems):g}rem"
    st.html(
        f"<div class=lens-scroll><table class='lens-table lens-board' style='{width}'><thead><tr>"
        f"<th scope=col>metric</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(metric: Metric, values: Values, beside: str | None) -> str:
    """The score of each output, with its rank or its difference from `beside`; the best in bold."""
    ranks = {standing.system: standing.rank for standing in from_scores(values, metric.name).standings}
    digits = 2 if metric.percent else 3
    cells = ""
    for system, value in values.items():
        number = minus(f"{value:.{digits}f}")
        note = f"rank {ranks[system]}" if len(values) > 1 else ""
        if beside is not None:
            note = minus(f"{value - values[beside]:+.{digits}f}") if system != beside else ""
        best = not beside and ranks[system] == 1 and max(ranks.values()) > 1
        cells += f"<td>{f'<b>{number}</b>' if best else number} <span class=score>{note}</span></td>"
    return cells


def _export(rows: Sequence[tuple[Metric, Values]], without: Sequence[Metric]) -> None:
    frame = pd.DataFrame([{"metric": metric.id, "signature": metric.signature, **values} for metric, values in rows])
    what = "Scores of the outputs of one sentence in the playground"
    if without:
        what += f", without {joined([metric.title for metric in without])}, which had none yet"
    csv_button(frame, "playground-scores", what, shows=[metric for metric, _ in rows], of_choice=False)


def edit_switches(corpus: Corpus, metrics: Mapping[str, Metric]) -> None:
    """Draw a switch for each edit, and the scores with the chosen edits, with all edits and with none."""
    sentence = corpus.sentences[0]
    names = list(corpus.systems)
    name = st.selectbox("Output", names) if len(names) > 1 else names[0]
    output = corpus.systems[name][0]
    edits = cache.output_edits(sentence.source, output)
    if not edits:
        st.info(f"{plain(name)} leaves the source unchanged, so there is no edit to switch.")
        return
    on = st.pills(
        "Edits",
        range(len(edits)),
        format_func=lambda place: plain(_label(edits[place], sentence.tokens)),
        selection_mode="multi",
        default=range(len(edits)),
        key=f"edits-{corpus.fingerprint}-{name}",
        help=f"Click an edit to switch it off or on. Edits are extracted by {edits_read_by()}.",
    )
    chosen = [edits[place] for place in sorted(on)]
    st.html(f"<p class='lens-text'>{marked(sentence.source, chosen)}</p>")
    versions = {NO_EDIT: sentence.source, "chosen edits": apply_edits(sentence.source, chosen), "all edits": output}
    score_board(typed_corpus(sentence, versions), metrics, beside=NO_EDIT)
    quick = {metric.title: metric for metric in metrics.values() if cache.quick(metric)}
    st.markdown("**Credit of each edit of the output**", help=glossary.help("Credit"))
    explained = {
        name: cache.quick_explanation(corpus, metric.signature, metric, 0, output) for name, metric in quick.items()
    }
    credit_table(sentence.source, {name: each.credits for name, each in explained.items()})


def _label(edit: Edit, tokens: list[str]) -> str:
    type_ = f" ({edit.type})" if edit.type else ""
    return f"{' '.join(tokens[edit.start : edit.end]) or NOTHING} → {edit.correction or NOTHING}{type_}"
