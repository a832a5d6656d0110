"""Figures as pure functions of their data."""

from gec_core.charts.heatmaps import DIVERGING, FADING, RISING, heatmap, type_heatmap
from gec_core.charts.lines import Point, bump_chart, clouds, curves, intervals, scatter, stacked, strips

__all__ = [
    "DIVERGING",
    "FADING",
    "RISING",
    "Point",
    "bump_chart",
    "clouds",
    "curves",
    "heatmap",
    "intervals",
    "scatter",
    "stacked",
    "strips",
    "type_heatmap",
]
