"""The page Across corpora."""

import pytest
from opening import as_displayed, opened, shown
from streamlit.testing.v1 import AppTest

from gec_core.cli import main
from gec_core.formatting import minus


def test_every_view_draws_and_links_to_what_it_shows(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    app.run()
    app.switch_page("../pages/35_across.py")
    app.run()
    assert not app.exception
    frame = app.dataframe[-1].value
    corpora = {"CoNLL-2014", "SEEDA", "GMEG, learners' essays", "GMEG, Wikipedia", "TMU-GFM"}
    assert corpora <= {view.partition(" · ")[0] for view in frame["view"]}
    assert not any("kobayashi2024" in view for view in frame["view"])
    seeda = frame["view"] == "SEEDA · edit-based, TrueSkill · base"
    row = frame[seeda & (frame["metric"] == "SentM²")].iloc[0]
    assert "correlation?corpus=seeda&human=kobayashi2024-edit-ts&metrics=sentm2&without=" in row["open"]
    assert main(["meta", "--corpus", "seeda", "--metric", "sentm2", "--human", "kobayashi2024-edit-ts",
                 "--system-set", "base", "--format", "tsv"]) == 0  # fmt: skip
    header, line = capsys.readouterr().out.splitlines()[:2]
    by_meta = dict(zip(header.split("\t"), line.split("\t"), strict=True))
    assert row["pearson"] == pytest.approx(float(by_meta["pearson"]))
    assert row["low"] == pytest.approx(float(by_meta["pearson_low"]))
    written = as_displayed(app.dataframe[-1])
    below = frame["low"] < 0
    assert below.any()
    assert list(written["low"][below]) == [minus(f"{low:.3f}") for low in frame["low"][below]]
    for view, same, column in (("metric", "metric", "view"), ("corpus", "view", "metric")):
        app.query_params["view"] = view
        app.session_state["view"] = view
        app.run()
        assert not app.exception
        rows = app.dataframe[-1].value
        assert same not in rows  # every row would say the same
        assert rows[column].nunique() == len(rows) > 10


def test_one_metric_says_where_it_is_lowest_and_whom_it_misplaces(app: AppTest) -> None:
    app.run()
    opened(app, "35_across.py", view="metric", **{"across-metric": "gleu"})
    said = shown(app).replace("\\", "")
    assert "It is lowest on SEEDA · sentence-based, TrueSkill · +fluency." in said
    assert "Of its 14 systems, REF-F is 1st by people and 14th by GLEU; GPT-3.5 is 2nd by people" in said


def test_advice_names_a_metric_and_its_caveat(app: AppTest) -> None:
    app.run()
    opened(app, "35_across.py", view="trust", edits="fluency", outputs="with")
    text = shown(app)
    assert "agrees best with people" in text
    assert "a view compares" in text
    assert "is the only language model that was judged" in text
    assert "reads the output alone, neither source nor references" in text
    assert "mean r" in app.dataframe[0].value.columns


def test_scores_of_systems_made_as_people_are_ranked(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    app.run()
    opened(app, "20_rankings.py", corpus="demo", human="ew", metrics=["sentm2", "gleu"], aggregate="ew")
    assert app.selectbox(key="aggregate").value == "ew"
    assert "Expected Wins of their sentence scores" in shown(app)
    assert app.query_params["aggregate"] == "ew"
    assert main(["rank", "--corpus", "demo", "--metric", "gleu", "--aggregate", "ew", "--format", "tsv"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()[1:]]
    for row in rows[:3]:
        assert f"{float(row[5]):.3f}".lstrip("0") in shown(app).replace("0.", ".")
