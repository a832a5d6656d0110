"""Figures as pure functions of their data."""

from gec_core.charts.correlation import ForestRow, forest, scatter, strips
from gec_core.charts.heatmaps import DIVERGING, P_VALUES, RISING, heatmap, type_heatmap, with_clicks
from gec_core.charts.lines import Point, bump_chart, clouds, curves, intervals, stacked

__all__ = [
    "DIVERGING",
    "P_VALUES",
    "RISING",
    "ForestRow",
    "Point",
    "bump_chart",
    "clouds",
    "curves",
    "forest",
    "heatmap",
    "intervals",
    "scatter",
    "stacked",
    "strips",
    "type_heatmap",
    "with_clicks",
]
