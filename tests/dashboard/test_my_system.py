"""The analysis on the page My system, without a browser: the sections of the report, and what can be chosen."""

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from errant_cases import needs_errant
from opening import shown
from report_reader import Reader
from scripted_endpoint import scores, scripted
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from dashboard import cache
from dashboard.cache import scoring
from dashboard.cache.scoring import ScoresSoFar
from dashboard.components.comparison import ChosenScores
from dashboard.components.exports import csv_text
from dashboard.navigation import PAGES
from dashboard.views import my_system
from dashboard.views.my_system import command_arguments
from dashboard.views.my_system.sections import csv_frame, shown_frame
from gec_core import corpora
from gec_core.analysis.analysis import SOURCE, Analysis
from gec_core.analysis.document import Section, SectionTable, TableColumn
from gec_core.analysis.sections import SECTIONS, summary
from gec_core.cli import main
from gec_core.formatting import join_names, parse_names
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.table import ScoreTable
from gec_core.store import Store
from gec_core.types import Corpus, Sentence

PAGE = "70_my_system.py"
METRICS = ["m2", "imeasure", "gleu"]


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)


def opened(app: AppTest, **query: Any) -> AppTest:
    for name, value in ({"corpus": "demo", "metrics": METRICS} | query).items():
        app.query_params[name] = value
    app.switch_page(str(PAGES / PAGE)).run()
    assert not app.exception, app.exception[0].stack_trace
    assert not app.error
    return app


def texts(app: AppTest) -> str:
    kinds = (app.markdown, app.info, app.caption)
    return "\n".join(str(each.value) for kind in kinds for each in kind).replace("\\", "")


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Reader]:
    """The HTML file that the command line writes."""
    out = tmp_path_factory.mktemp("report") / "r.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEC_LENS_CACHE", str(out.parent))
        asked = ["--corpus", "demo", "--system", "EAGER", "--against", "CAREFUL", "--metric", ",".join(METRICS)]
        assert main(["report", *asked, "--out", str(out)]) == 0
    html = out.read_text(encoding="utf-8")
    return html, Reader(html)


@pytest.mark.parametrize("view", SECTIONS)
def test_the_page_shows_what_the_report_says(app: AppTest, reported: tuple[str, Reader], view: str) -> None:
    """Title, every paragraph, every cell of every table, and every sentence of the HTML file."""
    html, read = reported
    if view not in read.titles:
        pytest.skip("the report has no such section here")
    said, cells = "", []
    for metric in [create(id).name for id in METRICS] if view in ("standing", "costly") else [""]:
        opened(app, view=view, analyse="EAGER", rival="CAREFUL", under=metric)
        said += shown(app).replace("\\", "").replace("**", "").replace("`", "")
        cells += [row for table in app.dataframe for row in displayed(table)]
    assert read.titles[view] in app.segmented_control(key="view").options
    for paragraph in (*read.paragraphs["summary"], *read.paragraphs[view]):
        assert paragraph in said
    articles = re.findall(r"<article.*?</article>", html) if view == "sentences" else []
    assert all(article in said for article in articles)
    for row in [] if articles else read.sections[view]:
        plain = [re.sub(r" \(\d+ of \d+\)$", "", cell) for cell in row]
        wanted = {part for cell in plain for part in re.split(r"(?<=\d) to (?=\S+$)", cell)}  # intervals
        assert any(wanted <= other for other in cells), row


def displayed(table: Dataframe) -> Iterator[set[str]]:
    """The heads and the rows of a table as the page writes them; intervals have a cell for each end."""
    values = convert_arrow_bytes_to_pandas_df(table.proto.arrow_data.styler.display_values)
    intervals = {f"{name.removesuffix(' from')}, 95% interval" for name in values if name.endswith(" from")}
    yield {*values, *intervals}
    yield from (set(map(str, row)) for row in values.itertuples(index=False))


def test_the_csv_of_a_table_counts_sentences_from_0() -> None:
    table = SectionTable(
        "x", (TableColumn("sentence", "sentence"), TableColumn("cost", "signed")), ((0, 0.5), (4, -1.0))
    )
    assert csv_text(csv_frame(table)) == "sentence (from 0),cost\n0,0.5\n4,-1.0\n"
    style, _ = shown_frame(table)
    assert list(style.data["sentence"]) == [1, 5]


def test_names_like_columns_make_no_trouble() -> None:
    columns = (
        TableColumn("type"),
        TableColumn("correct, difference", "count"),
        TableColumn("correct, difference", "signed"),
    )
    table = SectionTable("x", columns, (("DET", 1, 2),))
    assert list(csv_frame(table)) == list(shown_frame(table)[0].data)
    assert list(csv_frame(table)) == ["type", "correct, difference", "correct, difference (2)"]


def test_scores_and_ranks_are_those_of_the_ranking(app: AppTest) -> None:
    opened(app, view="standing", analyse="EAGER")
    frame = next(each.value for each in app.dataframe if "rank from" in each.value)
    columns = score(corpora.load("demo"), [create(id) for id in METRICS], store=Store()).columns
    for column, (_, row) in zip(columns, frame.iterrows(), strict=True):
        assert row["metric"] == column.metric.name
        assert row["score"] == column.values["EAGER"]
        assert row["rank"] == 1 + sum(value > column.values["EAGER"] for value in column.values.values())
        assert row["rank from"] <= row["rank"] <= row["rank to"]


def test_to_begin_with_the_rival_is_the_best_of_the_others(app: AppTest) -> None:
    opened(app, analyse="EAGER")
    assert app.selectbox(key="rival").value == "NOARTICLE"


def test_what_is_not_scored_yet_is_told_and_does_not_change_the_rival(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, late = cache.scores, {"imeasure"}

    def some(corpus: Corpus, ids: Any, imported: Any = None) -> ScoresSoFar:
        found = scores(corpus, [id for id in ids if id not in late], imported)
        return replace(found, waiting=tuple(create(id) for id in ids if id in late))

    monkeypatch.setattr(cache, "scores", some)
    monkeypatch.setattr("dashboard.components.comparison.waiting_metrics", lambda corpus, waiting: None)
    opened(app, analyse="EAGER")
    assert "I-measure is left out: not scored yet." in texts(app)
    first = app.selectbox(key="rival").value
    late.clear()
    monkeypatch.setattr("dashboard.views.my_system.usual_rival", lambda table, system: "INPUT")
    app.switch_page(str(PAGES / "20_rankings.py")).run()
    app.query_params.pop("rival", None)
    opened(app, analyse="EAGER")
    assert "not scored yet" not in texts(app)
    assert app.selectbox(key="rival").value == first != "INPUT"


def test_systems_left_out_take_no_part(app: AppTest) -> None:
    opened(app, view="significance", analyse="EAGER", without=["FLUENT", "INPUT"])
    assert "FLUENT" not in app.selectbox(key="analyse").options
    against = app.dataframe[-1].value
    assert sorted(against["system"]) == ["CAREFUL", "NOARTICLE", "NOISY", "REPEAT"]


@needs_errant
def test_a_metric_that_weighs_by_the_systems_weighs_by_those_not_left_out(app: AppTest, tmp_path: Path) -> None:
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
def test_what_names_the_systems_on_the_command_line(
    left_out: tuple[str, ...], own: tuple[str, ...], words: list[str]
) -> None:
    corpus = Corpus("made", (Sentence("a"),), dict.fromkeys(("A", 'B"2', "C,1"), ("a",)))
    found = ChosenScores(corpus, ScoreTable("made", corpus.fingerprint, ()), None, left_out)
    assert list(command_arguments(found, "A", own)) == words
    assert parse_names(join_names(corpus.systems)) == list(corpus.systems)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
@pytest.mark.parametrize("view", SECTIONS)
def test_a_system_alone_is_compared_with_the_unchanged_source(app: AppTest, view: str) -> None:
    opened(app, corpus="alone", view=view, metrics=["m2", "gleu"])
    shown = texts(app)
    assert "There is no other system to compare with." not in shown
    assert "ranks **" not in shown
    assert app.selectbox(key="analyse").options == ["A"]
    assert app.selectbox(key="rival").options == ["the unchanged source"]
    if view == "verdict":
        assert "unchanged source" in shown
        assert "Edits that earn most" in [each.value for each in app.subheader]


@pytest.mark.usefixtures("alone")
def test_the_unchanged_source_is_not_scored_unasked_where_that_takes_long(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alone" / "source.txt").write_text("a long\nc e\n")
    score(corpora.load("alone"), [create("m2"), create("gleu")], store=Store())
    score(replace(corpora.load("alone"), systems={"S": ("a long", "c e")}), [create("gleu")], store=Store())
    monkeypatch.setattr(scoring, "estimate", lambda metric, pairs: 1000.0 * pairs)
    opened(app, corpus="alone", metrics=["m2", "gleu"])
    assert any(each.label == "Score" for each in app.button)
    assert "M² is left out: not scored yet." in texts(app)
    assert "better** than the unchanged source" in texts(app) or "from the unchanged source" in texts(app)
    assert not cache.jobs().find(replace(corpora.load("alone"), systems={SOURCE: ("a long", "c e")}), create("m2"))
    opened(app, corpus="alone", metrics=["m2"])
    assert any(each.label == "Score" for each in app.button)
    assert "There is no other system" in texts(app)


@pytest.mark.usefixtures("alone")
def test_opening_the_page_sends_no_paid_request_for_the_unchanged_source(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alone" / "source.txt").write_text("a paid\nc f\n")
    with scripted(lambda request: scores(request, lambda source, text: 1 + len(text) % 5)) as server:
        monkeypatch.setenv("GEC_LENS_LLM_URL", server.url)
        monkeypatch.setenv("GEC_LENS_LLM_MODEL", "script")
        for cached in (cache.all_metrics, scoring.available_metrics):
            cached.clear()  # type: ignore[attr-defined]
        score(corpora.load("alone"), [create("llm-sentence")], store=Store())
        sent = len(server.requests)
        assert sent
        opened(app, corpus="alone", metrics=["m2", "llm-sentence"])
        assert len(server.requests) == sent
        assert any(each.label == "Score" for each in app.button)
    for cached in (cache.all_metrics, scoring.available_metrics):
        cached.clear()  # type: ignore[attr-defined]


def test_a_corpus_without_texts(app: AppTest) -> None:
    opened(app, corpus="conll14", view="correction", analyse="AMU", metrics=["m2", "gleu"])
    assert "the texts of the corpus" in texts(app)
    opened(app, corpus="conll14", view="costly", analyse="AMU", metrics=["m2", "gleu"])
    assert len(app.dataframe) == 1


def test_an_uploaded_system_is_analysed_at_once(app: AppTest) -> None:
    opened(app, analyse="EAGER")
    demo = corpora.load("demo")
    lines = "".join(f"{each.source.replace(' a ', ' the ')}\n" for each in demo.sentences)
    app.file_uploader[0].set_value([("mine.txt", lines.encode(), "text/plain")]).run()
    next(button for button in app.button if button.label == "Add this system").click().run()
    assert not app.exception
    assert app.selectbox(key="analyse").value == "mine"
    assert app.selectbox(key="analyse").options[0] == "mine"


def test_the_purpose_is_chosen_beside_the_verdict_and_kept_in_other_sections(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Analysis] = []

    def spied(found: Analysis, *, edits: bool) -> Section:
        asked.append(found)
        return summary(found, edits=edits)

    monkeypatch.setattr(my_system, "summary", spied)
    opened(app, view="trust", purpose="fluency", models="with")
    assert "For fluency, with references, language models among the systems" in shown(app)
    app.segmented_control(key="view").set_value("standing").run()
    assert app.query_params["purpose"] == "fluency"
    assert (asked[-1].edits, asked[-1].language_models) == ("fluency", True)
    app.segmented_control(key="view").set_value("verdict").run()
    assert "Language models among the systems: yes, as chosen." in texts(app)
    app.segmented_control(key="models").set_value("without").run()
    assert "Language models among the systems: no, as chosen." in texts(app)
