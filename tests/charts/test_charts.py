"""Figures from data, and labels that keep out of each other's way."""

import numpy as np
import pytest

from dashboard.components.messages import plain
from gec_core import charts
from gec_core.charts import style
from gec_core.charts.style import Box, _in_pixels, label_box, place_labels


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
    chart = charts.heatmap(
        [[0.5] * columns],
        [["0.5"] * columns],
        names,
        notes=notes,
        rows=["M²"],
        low=0,
        high=1,
        colours=charts.RISING,
        bar="tau",
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


def overlap(one: Box, other: Box) -> bool:
    return all(min(one[end + 2], other[end + 2]) > max(one[end], other[end]) for end in (0, 1))


def overlapping(points: list[tuple[float, float]], names: list[str], width: float, height: float) -> list[str]:
    """The names that cover another name or a point."""
    where = _in_pixels(points, width, height)
    labels = place_labels(points, names, width=width, height=height)
    boxes = [label_box(x, y, len(name), label) for (x, y), name, label in zip(where, names, labels, strict=True)]
    dots = [(x - 4, y - 4, x + 4, y + 4) for x, y in where]
    return [
        names[at]
        for at, one in enumerate(boxes)
        if any(overlap(one, other) for other in (*boxes[:at], *boxes[at + 1 :], *dots))
    ]


def test_labels_of_points_apart_stand_beside_them() -> None:
    points = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.5, 0.5)]
    names = ["INPUT", "FLUENT", "CAREFUL", "NOISY"]
    assert overlapping(points, names, 300, 250) == []
    assert not any(label.far for label in place_labels(points, names))


@pytest.mark.parametrize("seed", range(5))
def test_labels_of_fifteen_crowded_systems_do_not_collide(seed: int) -> None:
    random = np.random.default_rng(seed)
    metric = random.normal(size=15)
    people = 0.9 * metric + 0.3 * random.normal(size=15)
    points = [*zip(metric.tolist(), people.tolist(), strict=True)]
    names = [f"SYS{number:02}" for number in range(15)]
    assert overlapping(points, names, 310, 290) == []


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


@pytest.mark.parametrize("scale", [charts.DIVERGING, charts.P_VALUES, charts.RISING])
def test_numbers_can_be_read_in_every_cell(scale: list[tuple[float, str]]) -> None:
    assert min(contrast(style.INK, colour) for _, colour in scale) >= 4.5
