"""Every page, on the demo corpus and in its empty and error states, without a browser."""

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import CONLL14, ROOT, needs_conll14
from opening import NAMES, chosen_metrics, opened, shown, unfold
from streamlit.testing.v1 import AppTest

from dashboard import cache


@pytest.mark.parametrize("page", NAMES)
def test_every_page_shows_the_demo_corpus(app: AppTest, page: str) -> None:
    opened(app, page)
    assert len(app.title) == 1
    assert "made up for demonstration" in shown(app)


NEEDS_NO_METRIC = {"tour", "types", "my_system", "metrics", "across", "judge"}


@pytest.mark.parametrize("page", [name for name in NAMES if Path(name).stem.split("_", 1)[1] not in NEEDS_NO_METRIC])
def test_without_metrics_every_page_says_what_to_do(app: AppTest, page: str) -> None:
    opened(app, page, corpus="demo", metrics="none")
    assert "Choose at least one metric" in shown(app)


def test_the_ranking_table_has_the_numbers_of_the_command_line(app: AppTest) -> None:
    opened(app, "20_rankings.py")
    assert ">1<span class='arrow up'>↑1</span><span class=score>84.93</span></td>" in shown(app)
    assert "sum of distances" in shown(app)


def test_the_table_can_be_sorted_by_any_ranking(app: AppTest) -> None:
    opened(app, "20_rankings.py")
    by_people = _first_system(app)
    app.selectbox(key="sort").set_value("I-measure").run()
    assert (by_people, _first_system(app)) == ("FLUENT", "NOARTICLE")


def _first_system(app: AppTest) -> str:
    row = shown(app).split("<tbody>")[1].split("<th scope=row>")[1].split("</th>")[0]
    return row.split(">")[1].split("<")[0]  # the name is a button


def test_a_system_left_out_is_gone_from_rankings_and_correlations(app: AppTest) -> None:
    opened(app, "20_rankings.py", corpus="demo", without="FLUENT")
    assert ">FLUENT</button>" not in shown(app)
    assert _first_system(app) == "NOARTICLE"
    whole = _correlation(AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120))
    assert _correlation(app) > whole


def _correlation(app: AppTest) -> float:
    """Pearson's r of M² on the correlation page."""
    opened(app, "30_correlation.py")
    return float(app.dataframe[0].value.set_index("metric").loc["M²", "pearson"])


@pytest.mark.parametrize("view", ["scatter", "leave-one-out", "top", "williams", "matrix"])
def test_every_view_of_the_correlation_page(app: AppTest, view: str) -> None:
    opened(app, "30_correlation.py", view=view)
    assert len(app.get("plotly_chart")) >= 1


@pytest.mark.parametrize("view", ["tau", "length", "edits", "type", "judge", "ties"])
def test_every_view_of_the_agreement_page(app: AppTest, view: str) -> None:
    opened(app, "40_agreement.py", view=view)
    assert len(app.get("plotly_chart")) == 1


def test_an_address_reopens_a_view(app: AppTest) -> None:
    opened(
        app, "30_correlation.py", corpus="demo", human="ts", metrics=["m2", "bleu"], without=["NOISY"], view="williams"
    )
    assert app.selectbox(key="human").value == "ts"
    assert chosen_metrics(app) == {"m2", "bleu"}
    assert app.multiselect(key="without").value == ["NOISY"]
    assert app.radio[0].value == "pearson"


def test_metrics_are_chosen_by_family(app: AppTest) -> None:
    opened(app, "20_rankings.py", corpus="demo", metrics=["m2", "bleu"])
    app.pills(key="metrics-edits").set_value(["m2", "sentm2"]).run()
    assert chosen_metrics(app) == {"m2", "sentm2", "bleu"}
    app.pills(key="metrics-overlap").set_value([]).run()
    assert (chosen_metrics(app), app.query_params["metrics"]) == ({"m2", "sentm2"}, ["m2", "sentm2"])
    app.button(key="metrics: None").click().run()
    assert (chosen_metrics(app), app.query_params["metrics"]) == (set(), "none")
    app.button(key="metrics: Default").click().run()
    assert {"m2", "bleu"} < chosen_metrics(app)
    assert "metrics" not in app.query_params


def test_the_list_of_metrics_leads_to_every_card(app: AppTest) -> None:
    opened(app, "95_metrics.py")
    links = next(each.value for each in app.markdown if "](#m2)" in each.value)
    assert re.findall(r"\]\(#([^)]+)\)", links) == [card.anchor for card in app.subheader]
    assert [each.value for each in app.header] == re.findall(r"\*\*(.+?):\*\*", links)


def test_names_of_human_rankings_fit_the_sidebar(app: AppTest) -> None:
    """About 28 letters do; where a ranking comes from is told in the help."""
    opened(app, "20_rankings.py", corpus="conll14")
    chosen = app.selectbox(key="human")
    assert max(map(len, chosen.options)) <= 28
    assert "Expected Wins, as released: Chollampatt and Ng 2018" in chosen.help.replace("\\", "")


def test_an_address_with_nonsense_is_not_the_end(app: AppTest) -> None:
    opened(app, "20_rankings.py", corpus="nowhere", human="nobody", metrics=["m3"], without=["NOONE"], sort="x")
    assert "There is no corpus nowhere" in shown(app)


WITHOUT_TEXTS = {
    "10_overview.py": "Its text is not on this machine",
    "20_rankings.py": "Ranks compared",
    "30_correlation.py": "All coefficients",
    "40_agreement.py": "come with the texts of this corpus",
    "45_types.py": "Reading the errors themselves",
    "50_disagreements.py": "in opposite ways and",
    "60_sentence.py": "corpora fetch conll14",
    "70_my_system.py": "Outputs cannot be added to conll14",
    "80_playground.py": "Type a source",
    "90_tour.py": "A sentence to correct",
    "92_guess.py": "corpus with texts",
    "95_metrics.py": "Precision and recall",
}


@pytest.mark.parametrize("page", WITHOUT_TEXTS)
def test_every_page_shows_conll14_without_its_texts(app: AppTest, page: str) -> None:
    opened(app, page, corpus="conll14")
    assert "The texts of this corpus are not on this machine" in shown(app).replace("\\", "")
    assert WITHOUT_TEXTS[page] in shown(app)


@pytest.mark.parametrize(
    ("page", "query"), [("50_disagreements.py", {}), ("70_my_system.py", {"view": "costly", "analyse": "AMU"})]
)
def test_sentences_without_texts_are_not_to_be_opened(app: AppTest, page: str, query: dict[str, str]) -> None:
    opened(app, page, corpus="conll14", metrics=["m2", "gleu"], **query)
    assert "Get them with `python -m gec_core corpora fetch conll14`" in shown(app)
    assert "to open its sentence" not in shown(app)
    table = app.dataframe[0]
    assert not table.proto.selection_mode
    assert "source" not in table.value.columns
    assert "<div class=lens-dispute>" not in shown(app)
    opened(app, page, corpus="demo", metrics=["m2", "gleu"], **(query | {"analyse": "EAGER"}))
    assert "Choose a row to open its sentence" in shown(app) or "<div class=lens-dispute>" in shown(app)


def test_references_are_counted_from_1(app: AppTest) -> None:
    opened(app, "60_sentence.py", corpus="demo", metrics=["m2"], sentence="5")
    assert "<bdi>reference 1</bdi>" in shown(app)
    assert "reference 0" not in shown(app)


def test_chosen_systems_stay_chosen_where_they_share_an_output(app: AppTest) -> None:
    """In the demo, CAREFUL and NOARTICLE have the same output of sentences 2 and 3, FLUENT of 3, too."""

    def chosen() -> tuple[Any, Any]:
        return app.selectbox(key="system").value, app.selectbox(key="against").value

    opened(app, "60_sentence.py", corpus="demo", metrics=["m2"], sentence="0", system="NOARTICLE", against="CAREFUL")
    for number, same in enumerate((False, True, True, False), 1):
        assert app.number_input[0].value == number
        assert chosen() == ("NOARTICLE", "CAREFUL")
        assert bool(re.search("NOARTICLE(</bdi>)?( and|,) .*CAREFUL.* have the same output here", shown(app))) is same
        next(button for button in app.button if button.label == "Next").click().run()
        assert not app.exception
        assert "CAREFUL" in app.query_params["against"]
    app.selectbox(key="system").set_value("EAGER").run()
    app.selectbox(key="against").set_value("FLUENT").run()
    app.number_input[0].set_value(3).run()
    assert chosen() == ("EAGER", "FLUENT")
    app.selectbox(key="system").set_value("FLUENT").run()
    assert chosen() == ("FLUENT", "–")


def test_an_address_without_a_corpus_still_chooses(app: AppTest) -> None:
    opened(app, "20_rankings.py", metrics=["gleu"], without="EAGER")
    assert chosen_metrics(app) == {"gleu"}
    assert app.multiselect(key="without").value == ["EAGER"]
    first = app.selectbox(key="corpus").value
    app.query_params.clear()
    opened(app, "20_rankings.py", metrics=["m2"])
    assert chosen_metrics(app) == {"m2"}
    assert app.multiselect(key="without").value == ["EAGER"]
    assert app.selectbox(key="corpus").value == first


def test_a_metric_of_the_address_that_cannot_run_is_told(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    known = cache.metrics_for
    monkeypatch.setattr(cache, "metrics_for", lambda of: {id: each for id, each in known(of).items() if id != "gleu"})
    opened(app, "20_rankings.py", corpus="demo", metrics=["m2", "gleu"])
    assert chosen_metrics(app) == {"m2"}
    assert "This address asks for GLEU, which is not available here" in app.info[0].value
    opened(app, "20_rankings.py", corpus="demo", metrics=["m2"])
    assert not any("asks for" in each.value for each in app.info)


def test_what_systems_are_sorted_by_is_shown(app: AppTest) -> None:
    unfold(opened(app, "50_disagreements.py", corpus="demo", metrics=["m2", "gleu"]), "tallies")
    table = next(each.value for each in app.dataframe if "at least" in each.value)
    assert table["at least"].is_monotonic_decreasing
    assert (table["at least"] < table["share"]).all()


REFERENCES = {"references/r.txt": "a x\nc d\n"}
SYSTEMS = {"systems/A.txt": "a x\nc d\n", "systems/B.txt": "a b\nc d\n"}


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a corpus `mine` of these files."""
    monkeypatch.setenv("GEC_LENS_DATA", str(tmp_path))

    def make(files: Any) -> None:
        for name, text in {"source.txt": "a b\nc d\n", **files}.items():
            path = tmp_path / "mine" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return make


def test_a_corpus_that_nobody_judged(app: AppTest, mine: Any) -> None:
    mine(REFERENCES | SYSTEMS)
    opened(app, "30_correlation.py", corpus="mine", metrics=["m2", "gleu"])
    assert "no human judgments to compare the metrics with" in shown(app)
    opened(app, "40_agreement.py", corpus="mine", metrics=["m2", "gleu"])
    assert "no judgments of single outputs" in shown(app)
    opened(app, "20_rankings.py", corpus="mine", metrics=["m2", "gleu"])
    assert ">A</button></th>" in shown(app)
    opened(app, "10_overview.py", corpus="mine", metrics=["m2", "gleu"])
    assert "Findings" in shown(app)


def test_systems_that_are_tokenised_unlike_their_sources_are_marked(app: AppTest, mine: Any) -> None:
    texts = {"source.txt": "a b .\nc d .\n", "references/r.txt": "a x .\nc d .\n"}
    mine(texts | {"systems/A.txt": "a b.\nc d.\n", "systems/B.txt": "a x .\nc d .\n"})
    text = shown(opened(app, "20_rankings.py", corpus="mine", metrics=["m2", "gleu"]))
    assert "**A †** 2 of 2 outputs are tokenised unlike their sources" in text
    assert ">A †<" in text
    assert ">B<" in text


def test_a_corpus_without_outputs(app: AppTest, mine: Any) -> None:
    mine(REFERENCES)
    opened(app, "20_rankings.py", corpus="mine", metrics=["m2", "gleu"])
    assert "no system outputs" in shown(app)


def test_a_broken_corpus_is_told_in_the_words_of_the_library(app: AppTest, mine: Any) -> None:
    mine(REFERENCES | {"systems/A.txt": "only one line\n"})
    opened(app, "20_rankings.py", corpus="mine", metrics=["m2", "gleu"])
    assert "A.txt: 1 line, but source.txt has 2" in shown(app).replace("\\", "")


@pytest.mark.parametrize("texts", [pytest.param(True, marks=needs_conll14), False])
def test_conll14_shows_the_figures_of_the_papers(app: AppTest, monkeypatch: pytest.MonkeyPatch, texts: bool) -> None:
    """Chollampatt and Ng (2018), Table 2, whose human scores are the published ones, rounded to three digits."""
    if texts:
        monkeypatch.setenv("GEC_LENS_DATA", str(CONLL14.parent))
    query: dict[str, Any]
    query = {
        "corpus": "conll14",
        "human": "chollampatt2018-ew",
        "metrics": ["m2", "gleu"],
        "without": ["IPN"],
        "view": "scatter",
    }
    opened(app, "30_correlation.py", **query)
    assert cache.load_corpus("conll14").has_texts is texts
    found = [text.split("[")[0].split("→")[1].strip() for text in shown(app).split("\n") if text.startswith("r ")]
    assert found == ["0.593", "0.500"]
