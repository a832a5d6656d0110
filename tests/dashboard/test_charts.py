"""Figures from data, and labels that keep out of each other's way."""

from dashboard import charts
from dashboard.components.messages import plain
from dashboard.labels import _SPOTS, _box, _in_pixels, _overlap, place_labels


def test_a_bump_chart_has_a_line_a_system_through_all_rankings():
    chart = charts.bump_chart({"people": {"A": 1, "B": 2}, "M²": {"A": 2, "B": 1}})
    assert [line.name for line in chart.data] == ["A", "B"]
    assert list(chart.data[0].y) == [1, 2]


def test_the_highlighted_system_stands_out():
    chart = charts.bump_chart({"people": {"A": 1, "B": 2}, "M²": {"A": 2, "B": 1}}, "B")
    assert chart.data[1].line.width > chart.data[0].line.width
    assert chart.data[0].line.color == charts.GREY


def test_left_out_systems_are_hollow_and_not_in_the_line():
    scores, human = {"A": 1.0, "B": 2.0, "C": 3.0, "D": 99.0}, {"A": 1.0, "B": 2.0, "C": 3.0, "D": 0.0}
    chart = charts.scatter(scores, human, x="metric", y="people", left_out=["D"])
    assert list(chart.data[0].marker.symbol) == ["circle", "circle", "circle", "circle-open"]
    assert list(chart.data[1].x) == [1.0, 3.0]
    assert list(chart.data[1].y) == [1.0, 3.0]


def test_names_are_not_read_as_tags():
    chart = charts.bump_chart({"<b>": {"<i>A</i>": 1}, "M²": {"<i>A</i>": 1}})
    assert chart.layout.annotations[0].text == "&lt;i&gt;A&lt;/i&gt;"


def test_lines_differ_in_more_than_colour():
    styles = {(charts.colour(index), charts.symbol(index), charts.dash(index)) for index in range(26)}
    assert len(styles) == 26


def test_labels_of_points_apart_do_not_overlap():
    points = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.5, 0.5)]
    names = ["INPUT", "FLUENT", "CAREFUL", "NOISY"]
    spots = place_labels(points, names)
    where = _in_pixels(points, 300, 250)
    boxes = [_box(x, y, len(name), *_SPOTS[spot]) for (x, y), name, spot in zip(where, names, spots, strict=True)]
    for index, one in enumerate(boxes):
        assert all(_overlap(one, other) == 0 for other in boxes[index + 1 :])


def test_labels_of_two_points_at_one_place_go_to_different_sides():
    assert len(set(place_labels([(0.0, 0.0), (0.0, 0.0), (1.0, 1.0)], ["A", "B", "C"])[:2])) == 2


def test_marks_of_markdown_are_taken_literally():
    assert plain("*a* $x$ :smile: <b>") == r"\*a\* \$x\$ \:smile\: \<b\>"
