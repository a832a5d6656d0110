"""Data to figures: pure functions that know nothing of pages or widgets."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31")
"""Okabe and Ito's colours, which people with colour-blindness can tell apart (yellow replaced by a brown)."""
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")


def bump_chart(ranks: Mapping[str, Mapping[str, float]]) -> go.Figure:
    """One line a system through its ranks under each metric: crossings are disagreements.

    `ranks` gives, for each metric in the order to be drawn, the rank of each system.
    """
    metrics = list(ranks)
    systems = sorted(ranks[metrics[0]], key=lambda system: ranks[metrics[0]][system])
    figure = go.Figure()
    for index, system in enumerate(systems):
        figure.add_scatter(
            x=metrics,
            y=[ranks[metric][system] for metric in metrics],
            name=system,
            mode="lines+markers",
            line={"color": PALETTE[index % len(PALETTE)], "width": 2.5},
            marker={"symbol": SYMBOLS[index % len(SYMBOLS)], "size": 11},
            hovertemplate=f"{system}: rank %{{y}} under %{{x}}<extra></extra>",
        )
        figure.add_annotation(
            x=metrics[-1],
            y=ranks[metrics[-1]][system],
            text=system,
            xanchor="left",
            xshift=12,
            showarrow=False,
        )
    figure.update_yaxes(autorange="reversed", title="rank", dtick=1, zeroline=False)
    figure.update_xaxes(title=None, side="top", range=[-0.3, len(metrics) - 0.2])
    figure.update_layout(
        showlegend=False,
        margin={"l": 50, "r": 90, "t": 40, "b": 10},
        height=110 + 44 * len(systems),
        hovermode="closest",
    )
    return figure
