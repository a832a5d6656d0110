"""One sentence: what it says, what the systems made of it, and what everybody thought of that."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from dashboard import services
from dashboard.comparison import Comparison
from dashboard.components.messages import plain
from dashboard.components.tokens import alignment_table, marked, shade
from gec_core.explain.credit import Credit, Difference
from gec_core.human.ranking import from_scores
from gec_core.metrics.base import Array, Metric
from gec_core.metrics.imeasure import IMeasure
from gec_core.types import Corpus

NO_QUICK_METRIC = "Choose a metric without a language model in the sidebar to see credits here."
LEGEND = {
    "TP": "rightly changed",
    "TN": "rightly kept",
    "FP": "wrongly changed",
    "FN": "should have been changed",
    "FPN": "changed, but not to the reference: FP and FN at once",
}


def groups(found: Comparison, index: int) -> dict[str, list[str]]:
    """The distinct outputs of a sentence, each with the systems that gave it."""
    same: dict[str, list[str]] = {}
    for system, outputs in found.corpus.systems.items():
        if system not in found.left_out:
            same.setdefault(outputs[index], []).append(system)
    return same


def source_and_references(corpus: Corpus, index: int) -> None:
    sentence = corpus.sentences[index]
    rows = [("source", escape(sentence.source))]
    for number, reference in enumerate(sentence.references):
        edits = services.output_edits(sentence.source, reference)
        rows.append((f"reference {number}", marked(sentence.source, edits)))
    body = "".join(f"<tr><th scope=row>{name}</th><td class=wrap>{text}</td></tr>" for name, text in rows)
    st.html(f"<div class=lens-scroll><table class='lens-table lens-lines'><tbody>{body}</tbody></table></div>")


def outputs_table(found: Comparison, index: int, shaded_by: Metric | None) -> None:
    """Every distinct output with its edits, and its score and rank by every metric."""
    source = found.corpus.sentences[index].source
    columns = {
        column.metric.name: services.sentence_arrays(found.corpus, column.metric.signature, column)
        for column in found.table.columns
        if column.scores_sentences
    }
    ranked = {
        name: {
            s.system: s.rank
            for s in from_scores({s: float(scores[s][index]) for s in found.kept if s in scores}, name).standings
        }
        for name, scores in columns.items()
    }
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in columns)
    body = ""
    for output, systems in sorted(groups(found, index).items(), key=lambda item: _mean_rank(ranked, item[1])):
        weights = _weights(found, index, output, shaded_by) if shaded_by else None
        cells = "".join(
            _score_cell(ranked[name], scores, systems, index, found.metrics[name]) for name, scores in columns.items()
        )
        text = marked(source, services.output_edits(source, output), weights)
        body += f"<tr><th scope=row class=wrap>{escape(', '.join(systems))}</th><td class=wrap>{text}</td>{cells}</tr>"
    st.html(
        "<div class=lens-scroll><table class='lens-table lens-outputs'><thead><tr><th scope=col>systems</th>"
        f"<th scope=col>output</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _score_cell(ranks: dict[str, int], scores: dict[str, Array], systems: list[str], index: int, metric: Metric) -> str:
    """Rank and score of the output of these systems, if the metric scored one of them."""
    one = next((system for system in systems if system in scores), None)
    if one is None:
        return "<td>–</td>"
    return f"<td>{ranks[one]}<span class=score>{_number(scores[one][index], metric)}</span></td>"


def _mean_rank(ranked: dict[str, dict[str, int]], systems: list[str]) -> float:
    """Of an output over the metrics, as far as they rank one of its systems."""
    places = [by_system[system] for by_system in ranked.values() for system in systems[:1] if system in by_system]
    return float(np.mean(places)) if places else 0.0


def _weights(found: Comparison, index: int, output: str, metric: Metric) -> dict[tuple[int, int, str], float]:
    """Each edit's credit as a share of the largest of this output."""
    credit = services.credit(found.corpus, metric.signature, metric, index, output)
    most = max((abs(edit.credit) for edit in credit.edits), default=0) or 1
    return {(edit.start, edit.end, edit.correction): edit.credit / most for edit in credit.edits}


def judges(found: Comparison, index: int) -> None:
    """What the judges said about this sentence."""
    items = [
        item
        for item in (found.corpus.judgments.items if found.corpus.judgments else ())
        if item.sentence == index and item.ranked
    ]
    if not items:
        st.caption("No judge looked at this sentence.")
        return
    for item in items:
        places: dict[int, list[str]] = {}
        for ranked in item.ranked:
            places.setdefault(ranked.rank, []).append(" ".join(ranked.systems))
        order = "  >  ".join("  =  ".join(names) for _, names in sorted(places.items()))
        st.markdown(f"{plain(item.judge)}: {plain(order)}")


def alignment(found: Comparison, index: int, output: str) -> None:
    """The three-way alignment of the I-measure, with a legend."""
    st.html(alignment_table(IMeasure().alignment(found.corpus.sentences[index], output)))
    st.caption(" · ".join(f"**{name}** {meaning}" for name, meaning in LEGEND.items()))


def credit_strips(credits: dict[str, Credit]) -> None:
    """One row a metric, one column an edit: what the edit added to the score, shaded on each metric's own scale."""
    edits = next(iter(credits.values())).edits if credits else ()
    if not edits:
        st.info("This output changes nothing." if credits else NO_QUICK_METRIC)
        return
    head = "".join(f"<th scope=col class=wrap>{_edit_label(e.start, e.end, e.correction, e.type)}</th>" for e in edits)
    body = ""
    for name, credit in credits.items():
        most = max(abs(edit.credit) for edit in credit.edits) or 1
        cells = "".join(f'<td style="{shade(edit.credit / most)}">{edit.credit:+.3f}</td>' for edit in credit.edits)
        about = "" if credit.exact else f" ± {credit.error:.3f}"
        total = f"{credit.score - credit.source_score:+.3f}{about}"
        ends = f"<td>{total}</td><td>{credit.source_score:.3f}</td><td>{credit.score:.3f}</td>"
        body += f"<tr><th scope=row>{escape(name)}</th>{cells}{ends}</tr>"
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>metric</th>{head}"
        "<th scope=col>sum</th><th scope=col>source</th><th scope=col>output</th></tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def difference_table(differences: dict[str, Difference], first: str, second: str) -> None:
    """One row a metric, one column an edit: what it contributes to the difference of two outputs' scores."""
    edits = next(iter(differences.values())).edits if differences else ()
    if not edits:
        st.info("The two outputs have the same edits." if differences else NO_QUICK_METRIC)
        return
    head = ""
    for e in edits:
        who = "both" if e.first is not None and e.second is not None else first if e.first is not None else second
        label = _edit_label(e.start, e.end, e.correction, e.type)
        head += f"<th scope=col class=wrap>{label}<br><span class=score>{escape(who)}</span></th>"
    body = ""
    for name, found in differences.items():
        most = max(abs(edit.credit) for edit in found.edits) or 1
        cells = "".join(f'<td style="{shade(edit.credit / most)}">{edit.credit:+.3f}</td>' for edit in found.edits)
        body += f"<tr><th scope=row>{escape(name)}</th>{cells}<td>{found.value:+.3f}</td></tr>"
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>metric</th>{head}"
        f"<th scope=col>{escape(first)} − {escape(second)}</th></tr></thead><tbody>{body}</tbody></table></div>"
    )


def _edit_label(start: int, end: int, correction: str, type: str) -> str:
    what = escape(correction) if correction else "∅"
    told = f"<br><span class=score>{escape(type)}</span>" if type else ""
    return f"{start}–{end} → {what}{told}"


def _number(value: float, metric: Metric) -> str:
    return f"{value:.2f}" if metric.percent else f"{value:.3f}"
