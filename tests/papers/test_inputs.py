# mypy: disable-error-code="func-returns-value"
"""What is missing is named, and looked for once."""

from pathlib import Path
from typing import Any

import pytest
from conftest import sentence

from gec_core.cli import main
from gec_core.errors import MissingInput, ModelError
from gec_core.metrics.base import Availability
from gec_core.metrics.gleu import Gleu
from gec_core.papers.inputs import HumanScores, MetricSpec, PaperInputs, order, spec, tried
from gec_core.papers.rows import Attempt
from gec_core.scoring.table import MetricScores
from gec_core.types import Corpus

CORPUS = Corpus("small", (sentence("a b c d", "a x c d"),), {"one": ("a x c d",), "two": ("a b c d",)})


def inputs(folder: Path | None = None) -> PaperInputs:
    return PaperInputs(CORPUS, folder, None, lambda progress: None, 1)


def test_a_metric_of_the_future_is_missing_by_its_id() -> None:
    with pytest.raises(MissingInput, match="'crystal-ball' is not part of this version"):
        inputs().column(spec("crystal-ball", model="big"))


def test_a_setting_that_a_metric_does_not_have_is_missing() -> None:
    with pytest.raises(MissingInput, match=r"setting.*gleu has no option 'model'"):
        inputs().column(spec("gleu", model="big"))


def test_a_metric_that_cannot_run_here_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gleu, "availability", lambda self: Availability(ready=False, how="Get the weights."))
    with pytest.raises(MissingInput, match="GLEU cannot run here: Get the weights"):
        inputs().column(spec("gleu"))


def test_what_is_missing_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("gec_core.papers.inputs.registry", lambda: asked.append(1) or {})
    small = inputs()
    for _ in range(3):
        with pytest.raises(MissingInput):
            small.column(spec("gleu"))
    assert len(asked) == 1


def test_an_option_may_name_the_folder_of_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {}
    monkeypatch.setattr("gec_core.papers.inputs.create", lambda id, options: given.update(options) or Gleu())
    spec("gleu", idf="{folder}/references", draw="python3").metric(Path("here"))
    assert given == {"idf": "here/references", "draw": "python3"}


def test_systems_are_ordered_from_best_to_worst() -> None:
    assert order(inputs().column(spec("m2")).values) == ["one", "two"]


def test_an_example_is_scored_like_a_corpus_of_one_sentence() -> None:
    found = inputs().example(spec("m2"), "a b c d", ["a x c d", "a b y d"], "a b y d")
    assert found.values == {"output": 1.0}


def labelled(label: str) -> MetricScores:
    return MetricScores(type("Labelled", (Gleu,), {"label": label})(), {})


def models_here(*names: Any) -> Any:
    """A way to score on a machine that has the models of these names, and an embedded one if `auto` is among them."""

    def scored(used: Any) -> MetricScores:
        name = dict(used.options).get("model", "auto")
        if name not in names:
            raise MissingInput(f"{name} is not on this machine")
        return labelled(f"GLEU · {'MiniLM, embedded' if name == 'auto' else name}")

    return scored


def test_the_papers_model_is_used_if_it_is_here() -> None:
    (found,) = tried(spec("gleu", model="big"), models_here("big", "auto"), lambda column: [Attempt(0.5)])
    assert found == Attempt(0.5)


def test_else_the_embedded_one_is_and_is_named_beside_the_papers() -> None:
    (found,) = tried(spec("gleu", model="big"), models_here("auto"), lambda column: [Attempt(0.5, "note")])
    assert found == Attempt(0.5, "note", "MiniLM, embedded, in place of big")
    (found,) = tried(spec("gleu", model="big", rescale="true"), models_here("auto"), lambda column: [Attempt(0.5)])
    assert found.instead == "MiniLM, embedded, in place of big, and not rescaled"


def test_if_neither_is_here_the_papers_is_missing() -> None:
    with pytest.raises(MissingInput, match="big is not on this machine"):
        tried(spec("gleu", model="big"), models_here(), lambda column: [Attempt(0.5)])


def test_what_always_stands_in_for_something_says_so() -> None:
    always = MetricSpec("gleu", instead_of="an abacus")
    (found,) = tried(always, lambda used: labelled(""), lambda column: [Attempt(0.5)])
    assert found.instead == "ours, in place of an abacus"


def test_a_model_that_cannot_be_loaded_makes_its_figures_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(self: Any, pairs: Any, store: Any) -> None:
        raise ModelError("weights.safetensors: cut off")

    monkeypatch.setattr(Gleu, "gather", damaged)
    with pytest.raises(MissingInput, match="cut off"):
        inputs().column(spec("gleu"))


def test_people_as_computed_come_first_and_as_published_second() -> None:
    people = HumanScores("Expected Wins", {"one": 0.5}, {"one": 0.25})
    first, second = people.attempts(lambda scores: scores["one"])
    assert (first.value, first.note, second.value) == (0.5, "", 0.25)
    released = "with the Expected Wins scores that Chollampatt and Ng released"
    assert second.note == f"{released}; with those computed here from the judgments: 0.5000"


def test_without_judgments_the_published_scores_have_to_do() -> None:
    (only,) = HumanScores("TrueSkill", None, {"one": 0.25}).attempts(lambda scores: scores["one"])
    assert only.note == "with the TrueSkill scores that Chollampatt and Ng released: the corpus has no judgments"


def test_a_corpus_that_no_paper_is_about_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--corpus", "demo"]) == 2
    assert "about the 1,312 sentences and 13 systems of CoNLL-2014" in capsys.readouterr().err
