"""Rankings side by side, as in Table 6 of Gong et al. (2022): ranks, scores, and how far each is from people's."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pandas as pd
import streamlit as st

from gec_core.human.ranking import from_scores
from gec_core.meta import rank_differences
from gec_core.metrics.base import Metric

Values = Mapping[str, float]


def ranks(values: Mapping[str, Values]) -> dict[str, dict[str, int]]:
    """The rank of each system in each ranking, 1 for the best; equal scores share the better rank."""
    return {
        name: {standing.system: standing.rank for standing in from_scores(scores, name).standings}
        for name, scores in values.items()
    }


def ranking_frame(values: Mapping[str, Values]) -> pd.DataFrame:
    """Scores as a table for download: systems down, rankings across."""
    frame = pd.DataFrame(values)
    frame.index.name = "system"
    return frame


def ranking_table(
    values: Mapping[str, Values],
    human: tuple[str, Values] | None,
    metrics: Mapping[str, Metric],
    *,
    sort_by: str,
    marked: str | None,
) -> None:
    """Draw the table. `human` is the title and the scores of the human ranking, `metrics` are by name."""
    everything = ({human[0]: human[1]} if human else {}) | dict(values)
    ranked = ranks(everything)
    compared = {name: rank_differences(scores, human[1]).rows for name, scores in values.items()} if human else {}
    shown = {  # an arrow is between ranks among the judged systems, so these stand beside it
        name: places | {row.system: row.metric_rank for row in compared.get(name, ())}
        for name, places in ranked.items()
    }
    every = {system for scores in everything.values() for system in scores}
    systems = sorted(every, key=lambda system: (ranked[sort_by].get(system, len(every) + 1), system))
    arrows = {name: {row.system: (row.arrow, row.raised) for row in rows} for name, rows in compared.items()}
    head = "".join(_heading(name, metrics.get(name), name == sort_by) for name in everything)
    body = "".join(
        f"<tr{' class=marked' if system == marked else ''}><th scope=row>{escape(system)}</th>"
        + "".join(
            _cell(shown[name].get(system), scores.get(system), arrows.get(name, {}).get(system), metrics.get(name))
            for name, scores in everything.items()
        )
        + "</tr>"
        for system in systems
    )
    foot = _footer(values, human) if human else ""
    st.html(
        f"<div class=lens-scroll><table class=lens-table><thead><tr><th scope=col>system</th>{head}</tr></thead>"
        f"<tbody>{body}</tbody>{foot}</table></div>"
    )


def _heading(name: str, metric: Metric | None, is_sorted: bool) -> str:
    told = f"{metric.summary} Signature: {metric.signature}" if metric else "As people rank the systems."
    mark = " class=sorted aria-sort=ascending" if is_sorted else ""
    return f'<th scope=col{mark} title="{escape(told, quote=True)}">{escape(name)}</th>'


def _cell(rank: int | None, score: float | None, arrow: tuple[str, int] | None, metric: Metric | None) -> str:
    if rank is None or score is None:
        return "<td>–</td>"
    shown = f"{score:.2f}" if metric and metric.percent else f"{score:.3f}"
    sign = ""
    if arrow:
        kind = "up" if arrow[1] > 0 else "down" if arrow[1] < 0 else "same"
        sign = f"<span class='arrow {kind}'>{arrow[0]}</span>"
    return f"<td>{rank}{sign}<span class=score>{shown}</span></td>"


def _footer(values: Mapping[str, Values], human: tuple[str, Values]) -> str:
    sums = "".join(f"<td>{rank_differences(scores, human[1]).total}</td>" for scores in values.values())
    return f"<tfoot><tr><td>sum of distances</td><td></td>{sums}</tr></tfoot>"
