"""What is missing is named, and looked for once."""

from pathlib import Path

import pytest
from conftest import sentence

from gec_core import metrics
from gec_core.cli import main
from gec_core.errors import MissingInput
from gec_core.metrics.base import Availability
from gec_core.metrics.gleu import Gleu
from gec_core.reproduce.bench import Bench, People, order, spec
from gec_core.types import Corpus

CORPUS = Corpus("small", (sentence("a b c d", "a x c d"),), {"one": ("a x c d",), "two": ("a b c d",)})


def bench(folder=None):
    return Bench(CORPUS, folder, None, lambda progress: None, 1)


def test_a_metric_of_the_future_is_missing_by_its_id():
    with pytest.raises(MissingInput, match="'crystal-ball' is not part of this version"):
        bench().column(spec("crystal-ball", model="big"))


def test_a_setting_that_a_metric_does_not_have_is_missing():
    with pytest.raises(MissingInput, match=r"setting.*gleu has no option 'model'"):
        bench().column(spec("gleu", model="big"))


def test_a_metric_that_cannot_run_here_says_what_it_needs(monkeypatch):
    monkeypatch.setattr(Gleu, "availability", lambda self: Availability(ready=False, how="Get the weights."))
    with pytest.raises(MissingInput, match="GLEU cannot run here: Get the weights"):
        bench().column(spec("gleu"))


def test_what_is_missing_is_looked_for_once(monkeypatch):
    asked = []
    monkeypatch.setattr(metrics, "registry", lambda: asked.append(1) or {})
    small = bench()
    for _ in range(3):
        with pytest.raises(MissingInput):
            small.column(spec("gleu"))
    assert len(asked) == 1


def test_an_option_may_name_the_folder_of_the_corpus(monkeypatch):
    given = {}
    monkeypatch.setattr(metrics, "create", lambda id, options: given.update(options) or Gleu())
    spec("gleu", idf="{folder}/references", draw="python3").metric(Path("here"))
    assert given == {"idf": "here/references", "draw": "python3"}


def test_systems_are_ordered_from_best_to_worst():
    assert order(bench().column(spec("m2")).values) == ["one", "two"]


def test_an_example_is_scored_like_a_corpus_of_one_sentence():
    found = bench().example(spec("m2"), "a b c d", ["a x c d", "a b y d"], "a b y d")
    assert found.values == {"output": 1.0}


def test_people_as_computed_come_first_and_as_published_second():
    people = People("Expected Wins", {"one": 0.5}, {"one": 0.25})
    first, second = people.attempts(lambda scores: scores["one"])
    assert (first.value, first.note, second.value) == (0.5, "", 0.25)
    assert (
        second.note == "with the Expected Wins scores as published; with those computed here from the judgments: 0.5000"
    )


def test_without_judgments_the_published_scores_have_to_do():
    (only,) = People("TrueSkill", None, {"one": 0.25}).attempts(lambda scores: scores["one"])
    assert only.note == "with the TrueSkill scores as published: the corpus has no judgments"


def test_a_corpus_that_no_paper_is_about_is_refused(capsys):
    assert main(["reproduce", "--corpus", "demo"]) == 2
    assert "about the 1,312 sentences and 13 systems of CoNLL-2014" in capsys.readouterr().err
