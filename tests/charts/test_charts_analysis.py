"""Figures of the analysis of one system: what they mark, and how it shows without colour."""

from gec_core.analysis.document import BarPlot, IntervalPlot, PlotPoint, StackedPlot, Tone
from gec_core.charts import analysis as charts

BARS = (("DET", 3), ("PUNCT", -2))


def test_more_wrong_edits_are_hatched_as_fewer_correct_ones_are() -> None:
    correct = charts.draw(BarPlot("correct", "Correct edits", "more", BARS))
    wrong = charts.draw(BarPlot("wrong", "Wrong edits", "more", BARS, more_is_better=False))
    assert list(correct.data[0].marker.pattern.shape) == ["", "/"]
    assert list(wrong.data[0].marker.pattern.shape) == ["/", ""]
    assert list(correct.data[0].text) == ["+3", "−2"]


def test_the_system_and_its_rival_have_marks_of_their_own() -> None:
    points = (
        PlotPoint("A", 0.5, 0.4, 0.6),
        PlotPoint("B", 0.5, 0.4, 0.6, "system"),
        PlotPoint("C", 0.5, 0.4, 0.6, "rival"),
    )
    chart = charts.draw(IntervalPlot("scores", "Scores", "M²", points))
    assert [point.marker.symbol for point in chart.data] == ["circle", "square", "diamond"]


def test_parts_of_a_bar_differ_in_pattern() -> None:
    parts: tuple[tuple[str, Tone], ...] = (("correct", "good"), ("wrong", "bad"), ("missed", "neutral"))
    chart = charts.draw(StackedPlot("edits", "Edits", "edits", parts, (("A<b>", "system", (3, 2, 1)),)))
    assert [part.marker.pattern.shape for part in chart.data] == ["", "/", "."]
    assert [list(part.x) for part in chart.data] == [[3], [2], [1]]
    assert list(chart.data[0].y) == ["<b>A&lt;b&gt;</b>"]
