"""Ranks beside people's: only systems that people judged are ranked, in the table, in the chart and in the file."""

import pytest
from opening import opened, shown
from streamlit.testing.v1 import AppTest

from dashboard.components.comparison import ranks
from dashboard.components.exports import csv_text
from dashboard.views.rankings import ranking_frame
from gec_core import charts

PEOPLE = {"A": 0.9, "B": 0.5, "C": 0.1}
METRIC = {"A": 0.2, "B": 0.4, "C": -0.1, "NEW": 0.3}


def test_who_was_not_judged_takes_nobodys_rank() -> None:
    assert ranks({"people": PEOPLE, "M²": METRIC}, PEOPLE)["M²"] == {"B": 1, "A": 2, "C": 3}
    assert ranks({"M²": METRIC})["M²"] == {"B": 1, "NEW": 2, "A": 3, "C": 4}


def test_the_file_has_scores_and_ranks_and_says_who_was_judged() -> None:
    written = csv_text(ranking_frame({"people": PEOPLE, "M²": METRIC}, PEOPLE), index=True)
    assert written.splitlines() == [
        "system,people,people rank,M²,M² rank,judged",
        "A,0.9,1,0.2,2,yes",
        "B,0.5,2,0.4,1,yes",
        "C,0.1,3,-0.1,3,yes",
        "NEW,,,0.3,,no",
    ]


def test_systems_that_tie_at_the_end_share_a_label() -> None:
    chart = charts.bump_chart({"people": {"A": 1, "B": 2, "C": 3, "D": 4}, "length": {"A": 1, "B": 1, "C": 1, "D": 4}})
    right = [label.text for label in chart.layout.annotations if label.xanchor == "left"]
    assert right == ["A, B + 1", "D"]


def test_an_order_has_no_scores_and_numbers_below_zero_have_a_minus_sign(app: AppTest) -> None:
    opened(app, "20_rankings.py", corpus="conll14", human="napoles2015", metrics=["imeasure"])
    assert ">CAMB</button></th><td data-pick=" in shown(app)
    assert "<span class=score>−5.40</span>" in shown(app)


@pytest.mark.parametrize("page", ["20_rankings.py", "30_correlation.py"])
@pytest.mark.parametrize("without", [["NOISY"], []])
def test_a_metric_that_weighs_by_all_systems_says_so_where_some_are_left_out(
    app: AppTest, page: str, without: list[str]
) -> None:
    opened(app, page, corpus="demo", metrics=["gotoscorer", "m2"], without=without)
    told = "The weights come from all 7 systems, including NOISY."
    assert (told in shown(app).replace("\\", "")) == bool(without)
