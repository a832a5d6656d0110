"""Figures of the analysis of one system: what they mark, and how it shows without colour."""

from dashboard.charts import analysis as charts_analysis
from gec_core.analysis.standing import Standing


def test_more_wrong_edits_are_hatched_as_fewer_found_errors_are():
    found = charts_analysis.gains([("DET", 3), ("PUNCT", -2)], x="found")
    overdone = charts_analysis.gains([("DET", 3), ("PUNCT", -2)], x="overdone", more_is_better=False)
    assert list(found.data[0].marker.pattern.shape) == ["", "/"]
    assert list(overdone.data[0].marker.pattern.shape) == ["/", ""]
    assert list(found.data[0].text) == ["+3", "−2"]


def test_the_system_and_its_rival_have_marks_of_their_own():
    rows = [Standing(name, 0.5, 0.4, 0.6, place, 1, 3, 3) for place, name in enumerate("ABC", 1)]
    chart = charts_analysis.scores(rows, "B", "C", x="M²")
    assert [point.marker.symbol for point in chart.data] == ["circle", "square", "diamond"]
