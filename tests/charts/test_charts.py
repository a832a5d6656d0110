"""Figures from data, and labels that keep out of each other's way."""

import pytest

from dashboard.components.messages import plain
from gec_core import charts
from gec_core.charts import style
from gec_core.charts.style import _SPOTS, _box, _in_pixels, _overlap, place_labels


def test_a_bump_chart_has_a_line_a_system_through_all_rankings() -> None:
    chart = charts.bump_chart({"people": {"A": 1, "B": 2}, "M²": {"A": 2, "B": 1}})
    assert [line.name for line in chart.data] == ["A", "B"]
    assert list(chart.data[0].y) == [1, 2]


def test_the_highlighted_system_stands_out() -> None:
    chart = charts.bump_chart({"people": {"A": 1, "B": 2}, "M²": {"A": 2, "B": 1}}, "B")
    assert chart.data[1].line.width > chart.data[0].line.width
    assert chart.data[0].line.color == style.GREY


def test_left_out_systems_are_hollow_and_not_in_the_line() -> None:
    scores, human = {"A": 1.0, "B": 2.0, "C": 3.0, "D": 99.0}, {"A": 1.0, "B": 2.0, "C": 3.0, "D": 0.0}
    chart = charts.scatter(scores, human, x="metric", y="people", left_out=["D"])
    assert list(chart.data[0].marker.symbol) == ["circle", "circle", "circle", "circle-open"]
    assert list(chart.data[1].x) == [1.0, 3.0]
    assert list(chart.data[1].y) == [1.0, 3.0]


def test_names_are_not_read_as_tags() -> None:
    chart = charts.bump_chart({"<b>": {"<i>A</i>": 1}, "M²": {"<i>A</i>": 1}})
    assert chart.layout.annotations[0].text == "&lt;i&gt;A&lt;/i&gt;"


@pytest.mark.parametrize("columns", [3, 9])
def test_notes_of_slanted_heads_stand_at_the_foot(columns: int) -> None:
    names, notes = [f"T{number}" for number in range(columns)], ["12 pairs"] * columns
    cells = [[0.5] * columns]
    chart = charts.heatmap(
        cells,
        cells,  # type: ignore[arg-type]
        names,
        notes=notes,
        rows=["M²"],
        low=0,
        high=1,
        colours=charts.RISING,
        bar="tau",  # type: ignore[arg-type]
    )
    foot = [note.text for note in chart.layout.annotations]
    if columns == 3:
        assert chart.data[0].x == ("T0<br>12 pairs", "T1<br>12 pairs", "T2<br>12 pairs")
        assert foot == []
    else:
        assert list(chart.layout.xaxis.ticktext) == names
        assert foot == ["12<br>pairs"] * columns


def test_numbers_on_hover_are_written_by_their_axis() -> None:
    """A format in the template would give a number below 0 a hyphen in place of a minus sign."""
    made = (
        charts.scatter({"A": -1.0}, {"A": -1.0}, x="metric", y="people", left_out=[]),
        charts.curves({"M²": {3: -0.5}}, x="K", y="r"),
        charts.strips({"M²": {"A": -0.5}}, {"M²": -0.4}, x="r"),
    )
    templates = [trace.hovertemplate for chart in made for trace in chart.data if trace.hovertemplate]
    assert len(templates) == 4
    assert not [each for each in templates if ":." in each]
    assert made[1].layout.yaxis.hoverformat == made[2].layout.xaxis.hoverformat == ".3f"


def test_lines_differ_in_more_than_colour() -> None:
    styles = {(style.colour(index), style.symbol(index), style.dash(index)) for index in range(26)}
    assert len(styles) == 26


def test_labels_of_points_apart_do_not_overlap() -> None:
    points = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.5, 0.5)]
    names = ["INPUT", "FLUENT", "CAREFUL", "NOISY"]
    spots = place_labels(points, names)
    where = _in_pixels(points, 300, 250)
    boxes = [_box(x, y, len(name), *_SPOTS[spot]) for (x, y), name, spot in zip(where, names, spots, strict=True)]
    for index, one in enumerate(boxes):
        assert all(_overlap(one, other) == 0 for other in boxes[index + 1 :])


def test_labels_of_two_points_at_one_place_go_to_different_sides() -> None:
    assert len(set(place_labels([(0.0, 0.0), (0.0, 0.0), (1.0, 1.0)], ["A", "B", "C"])[:2])) == 2


def test_marks_of_markdown_are_taken_literally() -> None:
    assert plain("*a* $x$ :smile: <b>") == r"\*a\* \$x\$ \:smile\: \<b\>"


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("background", ["#FFFFFF", "#171614"])
def test_lines_and_points_stand_out_from_both_backgrounds(background: str) -> None:
    assert min(contrast(colour, background) for colour in style.PALETTE) >= 3


@pytest.mark.parametrize("scale", [charts.DIVERGING, charts.FADING, charts.RISING])
def test_numbers_can_be_read_in_every_cell(scale: list[tuple[float, str]]) -> None:
    assert min(contrast(style.INK, colour) for _, colour in scale) >= 4.5
