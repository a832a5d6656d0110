"""Scoring, correlating and analysing through the door gives the numbers of the command line."""

import json
from pathlib import Path
from typing import Any

import pandas
import pytest

import gec_core as gec
from gec_core.api.results import Results
from gec_core.cli import main
from gec_core.errors import CorpusError, InputError, MissingInput, UnknownMetric
from gec_core.types import Corpus

METRICS = ["m2", "gleu", "imeasure"]


@pytest.fixture(scope="module")
def table() -> Results:
    return gec.score("demo", METRICS, store=False)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--corpus", "demo", "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_scores_are_those_of_the_command_line(table: Results, capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "score", "--metric", ",".join(METRICS))["rows"]
    assert {(row["metric"], row["system"]): row["score"] for row in rows} == {
        (metric, system): value for metric, values in table.values.items() for system, value in values.items()
    }
    assert {row["metric"]: row["signature"] for row in rows} == table.signatures


def test_sentence_scores_are_those_of_the_command_line(table: Results, capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "score", "--metric", "m2", "--level", "sentence")["rows"]
    frame = table.frame("sentence")["m2"]
    assert {(row["system"], row["sentence"]): row["score"] for row in rows} == frame.to_dict()


@pytest.mark.parametrize("human", ["ew", "ts"])
def test_correlations_are_those_of_the_command_line(
    table: Results, human: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = told(capsys, "meta", "--metric", ",".join(METRICS), "--human", human)["rows"]
    assert rows == [row.as_dict() for row in gec.correlate(table, human=human)]


def test_disagreements_are_those_of_the_command_line(table: Results, capsys: pytest.CaptureFixture[str]) -> None:
    found = gec.disagreements(table, "m2", "judges")
    answer = told(capsys, "disagree", "--a", "m2", "--b", "judges", "--top", "5")
    assert answer["counts"]["opposed"] == found.order.opposed
    assert [row["sentence"] for row in answer["rows"]] == [each.sentence for each in found.top(5)]


def test_lists_score_as_the_corpus_does(table: Results) -> None:
    """GLEU reads the references, I-measure the edits that are in them; M2 annotations are not in them."""
    demo = table.corpus
    sources = [each.source for each in demo.sentences]
    references = list(zip(*(each.references for each in demo.sentences), strict=True))
    score = gec.metric("gleu").corpus_score(sources, demo.outputs("FLUENT"), references)
    assert score == table["gleu"].systems["FLUENT"].score
    assert gec.metric("gleu").sentence_scores(sources, demo.outputs("FLUENT"), references) == pytest.approx(
        table["gleu"].sentence_scores("FLUENT")
    )


def test_a_frame_has_a_column_a_metric_and_the_signatures(table: Results) -> None:
    frame = table.frame()
    assert list(frame.columns) == METRICS
    assert list(frame.index) == list(table.corpus.systems)
    assert frame.attrs["signatures"] == table.signatures
    with pytest.raises(InputError, match="level is 'word'; expected 'system' or 'sentence'"):
        table.frame("word")  # type: ignore[arg-type]


def test_human_scores_from_a_dictionary_and_a_file(table: Results, tmp_path: Path) -> None:
    scores = {system: float(place) for place, system in enumerate(table.corpus.systems)}
    file = tmp_path / "people.tsv"
    file.write_text("".join(f"{system}\t{score}\n" for system, score in scores.items()), encoding="utf-8")
    by_file, by_hand = gec.correlate(table, human=file), gec.correlate(table, human=scores)
    assert by_file["m2"].pearson == by_hand["m2"].pearson
    assert gec.correlate(table, human=pandas.Series(scores))["m2"].pearson == by_hand["m2"].pearson
    assert str(by_hand).startswith("m2: r ")
    assert by_hand.frame().loc["m2", "n"] == 7
    with pytest.raises(UnknownMetric, match=r"No correlation of 'bleu'\. There are: m2, gleu, imeasure"):
        by_hand["bleu"]


def test_a_ranking_that_the_corpus_does_not_have(table: Results) -> None:
    lone = Corpus("lone", table.corpus.sentences, table.corpus.systems, human={"FLUENT": 1.0, "EAGER": 2.0})
    with pytest.raises(MissingInput, match=r"lone has no judgments .* It has other rankings: given"):
        gec.correlate(gec.score(lone, "m2", store=False))
    with pytest.raises(MissingInput, match="No human ranking 'best'"):
        gec.correlate(table, human="best")


def test_a_metric_that_cannot_run_is_left_out_with_a_warning() -> None:
    missing = next((each for each in gec.metrics() if not each.available), None)
    if missing is None:
        pytest.skip("all metrics can run here")
    with pytest.warns(UserWarning, match=f"{missing.id} is left out"):
        found = gec.score("demo", ["length", missing.id], store=False)
    assert list(found.values) == ["length"]
    assert missing.id in found.problems
    with pytest.raises(MissingInput):
        gec.score("demo", missing.id, store=False)


def test_imported_scores_are_a_metric(table: Results, tmp_path: Path) -> None:
    file = tmp_path / "other.tsv"
    lines = [f"{system}\t{place}" for place, system in enumerate(table.corpus.systems)]
    file.write_text("\n".join(["system\tscore", *lines]), encoding="utf-8")
    found = gec.score("demo", "m2", scores=[file], store=False)
    assert list(found.values) == ["m2", "other"]


def test_analysis_of_a_system(table: Results) -> None:
    found = gec.analyse(table, "FLUENT", samples=20, store=False)
    assert found.metrics[0].standing("FLUENT").score == table.values["m2"]["FLUENT"]
    assert gec.analyse(table, "FLUENT", "EAGER", samples=20, store=False).rival == "EAGER"


def test_wrong_arguments(table: Results) -> None:
    wrong: Any = "demo"
    with pytest.raises(InputError, match=r"The table is of type str; expected what gec_core\.score returns"):
        gec.correlate(wrong)
    with pytest.raises(InputError, match="a and b are both 'm2'"):
        gec.disagreements(table, "m2", "m2")
    with pytest.raises(UnknownMetric, match=r"No column 'bleu'\. There are: m2, gleu, imeasure\."):
        gec.disagreements(table, "m2", "bleu")
    with pytest.raises(InputError, match="metrics is empty; expected at least one metric"):
        gec.score("demo", [])
    with pytest.raises(InputError, match="The metric is None"):
        gec.score("demo", [None])  # type: ignore[list-item]
    with pytest.raises(CorpusError, match="no system NOBODY"):
        gec.score("demo", "m2", systems=["NOBODY"])
    with pytest.raises(CorpusError, match="no system NOBODY"):
        gec.analyse(table, "NOBODY")
    with pytest.raises(InputError, match="human is a list; expected a dictionary of scores"):
        gec.correlate(table, human=[1, 2])  # type: ignore[arg-type]


def test_a_table_is_shown_in_few_words(table: Results) -> None:
    assert repr(table) == "<scores of 7 systems under m2, gleu, imeasure on demo>"
    assert "<table" in table._repr_html_()


def test_two_sets_of_options_of_a_metric_have_short_names() -> None:
    table = gec.score("demo", ["m2", gec.metric("m2", beta=1), "gleu"], store=False)
    assert list(table.frame()) == ["m2", "m2[beta=1.0]", "gleu"]
    assert table["m2"].metric.signature == table.signatures["m2"]
    assert table["m2[beta=1.0]"] is table[table.signatures["m2[beta=1.0]"]]
    assert [row.metric for row in gec.correlate(table, bootstrap=10)] == list(table.values)
    with pytest.raises(UnknownMetric, match=r"No column 'gleuu'\. There are: m2, .* Did you mean 'gleu'\?"):
        gec.disagreements(table, "m2", "gleuu")


def test_results_are_short_where_a_notebook_shows_them(table: Results) -> None:
    assert repr(table) == "<scores of 7 systems under m2, gleu, imeasure on demo>"
    assert repr(gec.correlate(table, bootstrap=10)).count("\n") == 2
    found = gec.disagreements(table, "m2", "gleu")
    assert repr(found) == "<m2 and gleu: 118 pairs of outputs in opposite order, 927 alike>"
    assert found.frame(2)[["sentence", "systems_a"]].values.tolist()[0] == [72, ("FLUENT",)]
    assert len(found.frame()) == len(found.top())
    assert repr(gec.analyse(table, "FLUENT")) == (
        "<analysis of FLUENT beside NOARTICLE on demo, under m2, gleu, imeasure>"
    )
    compared = gec.compare("demo", "FLUENT", "CAREFUL", "m2", level="sentence")
    assert repr(compared) == "<comparison of FLUENT and CAREFUL on demo, under m2>"
    assert repr(table["m2"]) == "<scores of 7 systems under m2|v1|beta:0.5|max_unchanged:2|sentence:max>"
    score = table["m2"].systems["FLUENT"].score
    assert str(score) == "0.3088 (m2|v1|beta:0.5|max_unchanged:2|sentence:max)"
    assert float(score) == score.value
    assert repr(gec.correlate(table, bootstrap=10)["gleu"]).startswith("gleu: r 0.212 [")
    assert repr(table.corpus.judgments) == "<225 rankings by 3 judges>"
    assert repr(gec.corpus(sources=["a"], systems={"A": ["a"]})) == "<corpus lists: 1 sentence, 1 system>"
