"""Figures as SVG: marks beside colour, round numbers on axes, nothing outside the frame."""

import re

import pytest

from gec_core.analysis import svg
from gec_core.analysis.document import BarPlot, IntervalPlot, PlotPoint


def scores(*points: PlotPoint) -> str:
    return svg.draw(IntervalPlot("scores", "Scores", "M²", points))


def test_figures_mark_the_system_in_more_than_colour() -> None:
    drawn = scores(
        PlotPoint("A", 0.5, 0.4, 0.6, "system"), PlotPoint("B", 0.3, 0.3, 0.3, "rival"), PlotPoint("C", 0, 0, 0)
    )
    assert all(mark in drawn for mark in ("<rect class=dot", "<path class=dot", "<circle class=dot"))
    assert "A: 0.5000 (0.4000 to 0.6000)" in drawn


def test_the_best_rank_is_on_the_left() -> None:
    points = (PlotPoint("M²", 1, 1, 2, "system"), PlotPoint("GLEU", 3, 2, 3, "system"))
    drawn = svg.draw(IntervalPlot("ranks", "Ranks", "rank", points, digits=0, ranks=3))
    first, second = re.findall(r"<rect class=dot x=([\d.]+)", drawn)
    assert float(first) < float(second)
    assert "M²: 1 (1 to 2)" in drawn


@pytest.mark.parametrize("value", [1e15, -1e15, 1e17, 1e300, 123456789.125, 0.0])
@pytest.mark.parametrize("spread", [0.0, 5e-324, 1e-12, 0.125])
def test_large_and_equal_scores_are_drawn(value: float, spread: float) -> None:
    drawn = scores(PlotPoint("A", value, value, value + spread), PlotPoint("B", value, value, value))
    places = [float(x) for x in re.findall(r" (?:x|x1|x2|cx)=([-\d.]+)", drawn)]
    assert all(0 <= x <= svg.WIDTH for x in places)
    assert 1 <= drawn.count("class=tick") <= 10


def test_more_wrong_edits_are_no_gain() -> None:
    correct, wrong = (
        svg.draw(BarPlot("bars", "Edits", "more", (("DET", 3),), more_is_better=better)) for better in (True, False)
    )
    assert ('class="gain"' in correct, 'class="loss"' in wrong) == (True, True)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-7.9, 1.3, ["−6", "−4", "−2", "0"]),
        (1, 14, ["2", "4", "6", "8", "10", "12", "14"]),
    ],
)
def test_axes_have_round_numbers(low: float, high: float, ticks: list[str]) -> None:
    drawn = svg.Axis(low, high, 50).drawn(100)
    assert re.findall(r"middle>([^<]+)<", drawn) == ticks
