"""The small figures of the first page: what stands where, and that names are only ever text."""

from xml.etree import ElementTree

import pytest

from gec_core.charts import pictures

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[tuple[str, float, float]]:
    """The text of a picture with where it stands."""
    return [
        (text.text or "", float(text.get("x", "")), float(text.get("y", "")))
        for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
    ]


def test_systems_stand_where_both_rankings_put_them() -> None:
    svg = pictures.slopes({"people": {"A": 1, "B": 2, "C": 3}, "GLEU": {"A": 3, "B": 1, "C": 2}}, "A").svg
    heads, left, right = words(svg)[:2], words(svg)[2:5], words(svg)[5:]
    assert [head for head, _, _ in heads] == ["people", "GLEU"]
    assert [name for name, _, _ in left] == ["A", "B", "C"]
    assert [name for name, _, _ in right] == ["B", "C", "A"]
    assert [y for _, _, y in left] == [y for _, _, y in right]
    lines = list(ElementTree.fromstring(svg).iter(f"{SVG}line"))
    assert [line.get("stroke-width") for line in lines] == ["4", "2", "2"]
    assert float(lines[0].get("y2", "")) - float(lines[0].get("y1", "")) == 2 * pictures.ROW


def test_the_words_for_it_count_the_crossings() -> None:
    placed = {"people": {"A": 1, "B": 2, "C": 3}, "GLEU": {"A": 3, "B": 1, "C": 2}}
    assert pictures.slopes(placed).alt == "Ranks of 3 systems by people and by GLEU; 2 pairs of lines cross."


def test_equal_ranks_share_a_row() -> None:
    svg = pictures.slopes({"one": {"A": 1, "B": 1, "C": 3}, "other": {"A": 1, "B": 2, "C": 3}}).svg
    assert [name for name, _, _ in words(svg)[2:]] == ["A, B", "C", "A", "B", "C"]


def test_a_system_left_out_is_hollow_and_the_line_goes_without_it() -> None:
    scores = {"A": 0.0, "B": 1.0, "C": 2.0, "D": 1.0}
    human = {"A": 0.0, "B": 1.0, "C": 2.0, "D": 9.0}
    drawn = ElementTree.fromstring(pictures.points(scores, human, x="GLEU", y="people", left_out=["D"]).svg)
    fills = [circle.get("fill") for circle in drawn.iter(f"{SVG}circle")]
    assert fills.count("none") == 1
    assert fills[3] == "none"
    (line,) = drawn.iter(f"{SVG}line")
    first, _, last = list(drawn.iter(f"{SVG}circle"))[:3]
    ends = [line.get("x1"), line.get("y1"), line.get("x2"), line.get("y2")]
    assert ends == [first.get("cx"), first.get("cy"), last.get("cx"), last.get("cy")]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\"&'", "x" * 80])
def test_names_are_text(name: str) -> None:
    svg = pictures.slopes({name: {name: 1, "B": 2}, "other": {name: 2, "B": 1}}).svg
    assert all(len(text) <= pictures.MOST_LETTERS for text, _, _ in words(svg))
    assert not list(ElementTree.fromstring(svg).iter(f"{SVG}script"))
    drawn = ElementTree.fromstring(pictures.points({name: 1.0, "B": 2.0}, {name: 1.0, "B": 1.0}, x=name, y=name).svg)
    assert name[:14] in [(text.text or "")[:14] for text in drawn.iter(f"{SVG}text")]
    assert all(len(text.text or "") <= 45 for text in drawn.iter(f"{SVG}text"))


def test_only_in_the_page_words_follow_the_theme() -> None:
    drawn = pictures.slopes({"one": {"A": 1}, "other": {"A": 1}})
    assert "dark" not in drawn.svg
    assert "prefers-color-scheme: dark" in drawn.in_the_page
