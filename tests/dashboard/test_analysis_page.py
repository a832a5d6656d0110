"""The analysis on the page My system, without a browser."""

import json
import zipfile
from dataclasses import replace

import pytest
from conftest import ROOT
from errant_cases import needs_errant
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.analysing import asked
from dashboard.components.comparison import Comparison
from dashboard.navigation import PAGES
from gec_core import corpora
from gec_core.cli import main
from gec_core.formatting import join_names, parse_names
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.table import ScoreTable
from gec_core.store import Store
from gec_core.types import Corpus, Sentence

PAGE = "70_my_system.py"
METRICS = ["m2", "imeasure", "gleu"]
VIEWS = ["standing", "significance", "types", "correction", "costly", "splits", "changes"]


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)


def opened(app, **query):
    for name, value in ({"corpus": "demo", "metrics": METRICS} | query).items():
        app.query_params[name] = value
    app.switch_page(str(PAGES / PAGE)).run()
    assert not app.exception, app.exception[0].stack_trace
    assert not app.error
    return app


def texts(app):
    return "\n".join(str(each.value) for kind in (app.markdown, app.info, app.caption) for each in kind)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view(app, view):
    opened(app, view=view, analyse="EAGER", rival="CAREFUL")
    assert app.selectbox(key="analyse").value == "EAGER"
    assert len(app.dataframe) >= 1
    assert len(app.get("download_button")) >= 3


def test_scores_and_ranks_are_those_of_the_ranking(app):
    opened(app, view="standing", analyse="EAGER")
    frame = next(each.value for each in app.dataframe if "rank from" in each.value)
    columns = score(corpora.load("demo"), [create(id) for id in METRICS], store=Store()).columns
    for column, (_, row) in zip(columns, frame.iterrows(), strict=True):
        assert row["metric"] == column.metric.name
        assert row["score"] == column.values["EAGER"]
        assert row["rank"] == 1 + sum(value > column.values["EAGER"] for value in column.values.values())
        assert row["rank from"] <= row["rank"] <= row["rank to"]


def test_to_begin_with_the_rival_is_the_best_of_the_others(app):
    opened(app, analyse="EAGER")
    assert app.selectbox(key="rival").value == "NOARTICLE"


def test_what_is_not_scored_yet_is_told_and_does_not_change_the_rival(app, monkeypatch):
    scores, late = cache.scores, {"imeasure"}

    def some(corpus, ids, imported=None):
        found = scores(corpus, [id for id in ids if id not in late], imported)
        return replace(found, waiting=tuple(create(id) for id in ids if id in late))

    monkeypatch.setattr(cache, "scores", some)
    monkeypatch.setattr("dashboard.components.comparison.waiting_metrics", lambda corpus, waiting: None)
    opened(app, analyse="EAGER")
    assert "The report is without I\\-measure for now: it is not scored yet." in texts(app)
    first = app.selectbox(key="rival").value
    late.clear()
    monkeypatch.setattr("dashboard.analysing.usual_rival", lambda table, system: "INPUT")
    app.switch_page(str(PAGES / "20_rankings.py")).run()
    app.query_params.pop("rival", None)
    opened(app, analyse="EAGER")
    assert "The report is without" not in texts(app)
    assert app.selectbox(key="rival").value == first != "INPUT"


def test_systems_left_out_take_no_part(app):
    opened(app, view="significance", analyse="EAGER", without=["FLUENT", "INPUT"])
    assert "FLUENT" not in app.selectbox(key="analyse").options
    against = app.dataframe[-1].value
    assert sorted(against.index) == ["CAREFUL", "NOARTICLE", "NOISY", "REPEAT"]


@needs_errant
def test_a_metric_that_weighs_by_the_systems_weighs_by_those_not_left_out(app, tmp_path):
    kept = ["CAREFUL", "EAGER", "REPEAT"]
    without = [name for name in corpora.load("demo").systems if name not in kept]
    opened(app, view="standing", analyse="EAGER", metrics=["gotoscorer"], without=without)
    frame = next(each.value for each in app.dataframe if "rank from" in each.value)
    out = tmp_path / "r.zip"
    asked = ["--corpus", "demo", "--systems", ",".join(kept), "--system", "EAGER", "--metric", "gotoscorer"]
    assert main(["report", *asked, "--out", str(out)]) == 0
    with zipfile.ZipFile(out) as archive:
        rows = json.loads(archive.read("numbers.json"))["standings"]
    expected = next(row for row in rows if row["system"] == "EAGER")
    shown = frame.to_dict("records")[0]
    assert [shown[name] for name in ("score", "score from", "score to", "rank")] == [
        expected[name] for name in ("score", "low", "high", "rank")
    ]
    assert (
        expected["score"]
        != score(corpora.load("demo"), [create("gotoscorer")], store=Store()).columns[0].values["EAGER"]
    )


@pytest.mark.parametrize(
    ("left_out", "own", "words"),
    [
        ((), (), ["--corpus", "made", "--system", "A"]),
        (("C,1",), (), ["--corpus", "made", "--systems", 'A,"B""2"', "--system", "A"]),
        (('B"2',), ("A",), ["--corpus", "made", "--systems", '"C,1"', "--system", "A=FILE"]),
        ((), ("C,1",), ["--corpus", "made", "--system", "A", "--system", "C,1=FILE"]),
        (("C,1",), ("C,1",), ["--corpus", "made", "--system", "A"]),
    ],
)
def test_what_names_the_systems_on_the_command_line(left_out, own, words):
    corpus = Corpus("made", (Sentence("a"),), dict.fromkeys(("A", 'B"2', "C,1"), ("a",)))
    found = Comparison(corpus, ScoreTable("made", corpus.fingerprint, ()), None, left_out)
    assert list(asked(found, "A", own)) == words
    assert parse_names(join_names(corpus.systems)) == list(corpus.systems)


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A corpus with one system."""
    monkeypatch.setenv("GEC_LENS_DATA", str(tmp_path))
    for name, text in {
        "source.txt": "a b\nc d\n",
        "references/r.txt": "a x\nc d\n",
        "systems/A.txt": "a x\nc d\n",
    }.items():
        path = tmp_path / "alone" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("view", VIEWS)
def test_a_system_alone(app, view):
    opened(app, corpus="alone", view=view, metrics=["m2", "gleu"])
    if view in ("significance", "splits", "changes"):
        assert "There is no other system to compare with." in texts(app)


def test_a_corpus_without_texts(app):
    opened(app, corpus="conll14", view="correction", analyse="AMU", metrics=["m2", "gleu"])
    assert "the texts of the corpus" in texts(app)
    opened(app, corpus="conll14", view="costly", analyse="AMU", metrics=["m2", "gleu"])
    assert len(app.dataframe) == 1


def test_an_uploaded_system_is_analysed_at_once(app):
    opened(app, analyse="EAGER")
    demo = corpora.load("demo")
    lines = "".join(f"{each.source.replace(' a ', ' the ')}\n" for each in demo.sentences)
    app.file_uploader[0].set_value([("mine.txt", lines.encode(), "text/plain")]).run()
    next(button for button in app.button if button.label == "Add this system").click().run()
    assert not app.exception
    assert app.selectbox(key="analyse").value == "mine"
    assert app.selectbox(key="analyse").options[0] == "mine"
