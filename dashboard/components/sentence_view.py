"""One sentence: what it says, what the systems made of it, and what everybody thought of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import streamlit as st

from dashboard import cache
from dashboard.comparison import Comparison
from dashboard.components.messages import plain
from dashboard.components.tokens import alignment_table, marked
from gec_core.formatting import minus
from gec_core.human.ranking import from_scores
from gec_core.metrics.base import Metric
from gec_core.metrics.imeasure import IMeasure
from gec_core.types import Array, Corpus

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
    for number, reference in enumerate(sentence.references, 1):
        edits = cache.output_edits(sentence.source, reference)
        rows.append((f"reference {number}", marked(sentence.source, edits)))
    _texts(rows)


def _texts(rows: Sequence[tuple[str, str]]) -> None:
    """Texts in HTML, each with its name before it."""
    body = "".join(f"<tr><th scope=row>{escape(name)}</th><td class=wrap>{text}</td></tr>" for name, text in rows)
    st.html(f"<div class=lens-scroll><table class='lens-table lens-texts'><tbody>{body}</tbody></table></div>")


def outputs_table(found: Comparison, index: int, shaded_by: Metric | None) -> None:
    """Every distinct output with its edits, and its score and rank by every metric."""
    source = found.corpus.sentences[index].source
    columns = {
        column.metric.name: cache.sentence_arrays(found.corpus, column.metric.signature, column)
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
        text = marked(source, cache.output_edits(source, output), weights)
        body += f"<tr><th scope=row class=wrap>{escape(', '.join(systems))}</th><td class=wrap>{text}</td>{cells}</tr>"
    st.html(
        "<div class='lens-scroll lens-tall' tabindex=0><table class='lens-table lens-outputs lens-pinned'><thead><tr>"
        f"<th scope=col>systems</th><th scope=col>output</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
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
    """Each edit's credit as a share of the largest of this output; nothing if a model has not been asked about it."""
    worth = cache.worth(found.corpus, metric, index, output)
    edits = worth.credit.edits if worth else ()
    most = max((abs(edit.credit) for edit in edits), default=0) or 1
    return {edit.key: edit.credit / most for edit in edits}


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
            places.setdefault(ranked.rank, []).append(", ".join(ranked.systems))
        order = "  >  ".join("  =  ".join(names) for _, names in sorted(places.items()))
        st.markdown(f"{plain(item.judge)}: {plain(order)}")


def chosen_outputs(found: Comparison, index: int, outputs: Mapping[str, str]) -> None:
    """The outputs that are looked at, by the names of their systems, with their edits."""
    source = found.corpus.sentences[index].source
    rows = [(name, marked(source, cache.output_edits(source, output))) for name, output in outputs.items()]
    _texts(rows)


def alignments(found: Comparison, index: int, outputs: Mapping[str, str]) -> None:
    """The three-way alignment of the I-measure for each output, with a legend."""
    for name, output in outputs.items():
        if len(outputs) > 1:
            st.markdown(f"**{plain(name)}**")
        st.html(alignment_table(IMeasure().alignment(found.corpus.sentences[index], output)))
    st.caption(" · ".join(f"**{name}** {meaning}" for name, meaning in LEGEND.items()))


def _number(value: float, metric: Metric) -> str:
    return minus(f"{value:.2f}" if metric.percent else f"{value:.3f}")
