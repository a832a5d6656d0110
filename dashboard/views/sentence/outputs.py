"""All outputs of a sentence, with their ranks and scores by every metric."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from dashboard import cache
from dashboard.components.comparison import ChosenScores
from dashboard.components.edits import marked
from gec_core.formatting import minus
from gec_core.human.ranking import from_scores
from gec_core.metrics.base import Metric
from gec_core.types import Array


def groups(found: ChosenScores, index: int) -> dict[str, list[str]]:
    """The different outputs of a sentence, each with its systems."""
    same: dict[str, list[str]] = {}
    for system, outputs in found.corpus.systems.items():
        if system not in found.left_out:
            same.setdefault(outputs[index], []).append(system)
    return same


def outputs_table(found: ChosenScores, index: int, shaded_by: Metric | None) -> None:
    """Draw every different output with its edits, and its rank and score by every metric."""
    source = found.corpus.sentences[index].source
    columns = {
        column.metric.title: cache.sentence_arrays(found.corpus, column.metric.signature, column)
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
    """The rank and score of the output of these systems, if the metric scored one of them."""
    one = next((system for system in systems if system in scores), None)
    if one is None:
        return "<td>–</td>"
    return f"<td>{ranks[one]}<span class=score>{_number(scores[one][index], metric)}</span></td>"


def _mean_rank(ranked: dict[str, dict[str, int]], systems: list[str]) -> float:
    """The mean rank of an output over the metrics that rank one of its systems."""
    places = [by_system[system] for by_system in ranked.values() for system in systems[:1] if system in by_system]
    return float(np.mean(places)) if places else 0.0


def _weights(found: ChosenScores, index: int, output: str, metric: Metric) -> dict[tuple[int, int, str], float]:
    """Each credit as a share of the largest one of this output; empty if a model has not been asked yet."""
    explained = cache.explain_output(found.corpus, metric, index, output)
    edits = explained.credits.edits if explained else ()
    most = max((abs(edit.value) for edit in edits), default=0) or 1
    return {edit.key: edit.value / most for edit in edits}


def _number(value: float, metric: Metric) -> str:
    return minus(f"{value:.2f}" if metric.percent else f"{value:.3f}")
