"""The playground, the guessing game and the tour, without a browser: boxes are filled by links and presets."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import CONLL14, ROOT, needs_conll14, wait_for
from opening import opened, shown
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.cache import explain
from dashboard.views.playground import scores
from dashboard.views.tour import STEPS
from gec_core.errors import ScoreError
from gec_core.metrics import create
from gec_core.metrics.base import Metric
from gec_core.papers.examples import CASES
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Corpus

QUICK = ["m2", "imeasure", "gleu", "bleu", "green"]


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)


def play(app: AppTest, **query: Any) -> AppTest:
    return opened(app, "80_playground.py", **({"corpus": "demo", "metrics": QUICK} | query))


def board(app: AppTest) -> dict[str, list[str]]:
    """The scores on the page: metric, then the cells of its row."""
    rows = shown(app).split("lens-board")[1].split("<tbody>")[1].split("</table>")[0].split("<tr>")[1:]
    cells = {row.split("</th>")[0].split(">")[-1]: row.split("<td>")[1:] for row in rows}
    return {name: [cell.removeprefix("<b>").split("<")[0].strip() for cell in row] for name, row in cells.items()}


@pytest.mark.parametrize("preset", CASES)
def test_every_preset_shows_its_point_and_its_scores(app: AppTest, preset: str) -> None:
    play(app, preset=preset)
    case = CASES[preset]
    assert case.point.split(" ")[0] in shown(app)
    for id in QUICK:
        metric = create(id)
        for place, output in enumerate(case.hypotheses.values()):
            value = metric.explain(case.sentence, " ".join(output.split())).score
            text = f"{value:.2f}" if metric.percent else f"{value:.3f}"
            assert board(app)[metric.name][place] == text.replace("-", "−")


def test_the_metrics_that_an_example_argues_with_are_shown(app: AppTest) -> None:
    play(app, preset="quizzes", metrics=["bleu"])
    assert set(board(app)) == {"BLEU", "M²", "I-measure", "GLEU"}
    assert "Also shown for this example: M², I-measure, GLEU." in shown(app).replace("\\", "")
    play(app, preset="own", metrics=["bleu"], source="a b", output=["a c"], reference=["a c"])
    assert set(board(app)) == {"BLEU"}


def test_a_link_opens_its_texts(app: AppTest) -> None:
    play(app, source="a b c", output=["a x c", "a b c"], reference=["a x c"])
    assert board(app)["M²"] == ["1.000", "0.000"]
    assert "Output 1 is identical to reference 1" in shown(app)
    assert CASES["hospital"].point not in shown(app).replace("\\", "")  # they belong to no example
    assert "Output 2 leaves the source unchanged" in shown(app)


def test_names_of_outputs_come_with_a_link_unless_they_are_strange(app: AppTest) -> None:
    texts = {"preset": "substituted", "source": "a b", "output": ["a c", "a d"], "reference": ["a c"]}
    play(app, **texts, name=["UFC", "Output 1"])
    assert "<th scope=col>UFC</th><th scope=col>Output 1</th>" in shown(app)
    play(app, **texts, name=["UFC", "<b>mine</b>"])
    assert "<th scope=col>UFC</th><th scope=col>&lt;b&gt;mine&lt;/b&gt;</th>" in shown(app)
    for strange in (["UFC", "UFC"], ["UFC", "x" * 41], ["UFC", " "], ["UFC"]):
        play(app, **(texts | {"preset": "own"}), name=strange)
        assert "<th scope=col>Output 1</th><th scope=col>Output 2</th>" in shown(app)


def test_a_link_carries_names_view_and_step_and_needs_no_corpus(app: AppTest) -> None:
    texts: dict[str, str | list[str]] = {
        "source": "a b",
        "output": ["a c", "a d"],
        "reference": ["a c"],
        "name": ["one", "two"],
    }
    opened(app, "80_playground.py", **texts, view="steps", metric="gleu", part="2")
    assert app.selectbox(key="metric").value == "gleu"
    assert "Step 2 of" in shown(app)
    link = next(each.value for each in app.code if "?" in each.value)
    assert all(part in link for part in ("name=one&name=two", "view=steps", "metric=gleu", "part=2", "corpus=demo"))


def test_an_output_can_be_named(app: AppTest) -> None:
    play(app, source="a b", output=["a c", "a d"], reference=["a c"])
    next(each for each in app.text_input if each.label == "Output 2").set_value("mine").run()
    assert "<th scope=col>Output 1</th><th scope=col>mine</th>" in shown(app)
    next(each for each in app.text_input if each.label == "mine").set_value("Output 1").run()
    assert "There is already an output called Output 1" in shown(app).replace("\\", "")


def test_what_is_said_about_an_example_goes_when_its_texts_are_changed(app: AppTest) -> None:
    play(app, preset="hospital")
    point = CASES["hospital"].citation
    assert point in shown(app).replace("\\", "")
    play(app, preset="hospital", source="a b", output=["a c"], reference=["a c"])
    assert point not in shown(app).replace("\\", "")
    assert "does not hold for these" in shown(app)


def test_texts_stand_in_the_address_unless_a_preset_gives_them(app: AppTest) -> None:
    play(app, source="a b c", output=["a x c"], reference=["a x c"])
    _choose_view(app, "edits")
    assert app.query_params["source"] == "a b c"
    next(each for each in app.button if each.label == "Start over").click().run()
    assert "source" not in app.query_params


def test_texts_that_are_too_long_for_an_address_are_told_of(app: AppTest) -> None:
    play(app, source="a b c", output=["é" * 1200], reference=["a x c"])
    assert "reloading the page loses them" in shown(app)
    _choose_view(app, "edits")
    assert "source" not in app.query_params


def _choose_view(app: AppTest, view: str) -> None:
    next(each for each in app.button_group if each.key == "view").set_value(view).run()


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"preset": "own"}, "There is no source yet"),
        ({"source": "a b", "reference": ["a c"]}, "There is no output yet"),
        ({"source": "a b", "output": ["a c"]}, "cannot score these texts without a reference"),
        ({"source": "a " * 200, "output": ["a"]}, "The source has 200 tokens; at most 150 fit"),
    ],
)
def test_what_is_missing_is_told(app: AppTest, query: dict[str, str] | dict[str, Sequence[str]], told: str) -> None:
    play(app, **query)
    assert told in shown(app).replace("\\", "")


def test_an_edit_is_switched_off(app: AppTest) -> None:
    play(app, view="edits", source="a b c d", output=["x b c y"], reference=["x b c d"])
    assert board(app)["M²"] == ["0.000", "0.556", "0.556"]
    next(each for each in app.pills if each.label == "Edits").set_value([0]).run()
    assert board(app)["M²"] == ["0.000", "1.000", "0.556"]


def test_an_output_without_edits_has_none_to_switch(app: AppTest) -> None:
    play(app, view="edits", source="a b", output=["a b"], reference=["a c"])
    assert "there is no edit to switch" in shown(app)


def test_step_by_step_to_the_score(app: AppTest) -> None:
    play(app, view="steps", preset="hospital")
    seen = []
    while True:
        seen.append(shown(app))
        button = next(each for each in app.button if each.label == "Next")
        if button.disabled:
            break
        button.click().run()
        assert not app.exception
    assert "The path through the lattice" in seen[1]
    assert "= 0.7143" in seen[-1]
    assert create("m2").explain(
        CASES["hospital"].sentence, *CASES["hospital"].hypotheses.values()
    ).score == pytest.approx(0.7143, abs=1e-4)


def test_steps_of_a_model_that_fail_can_be_tried_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(cache, "quick", lambda metric: False)
    whole = explain._typed_steps
    monkeypatch.setattr(explain, "_typed_steps", fail)
    play(app, view="steps", preset="hospital")
    assert "M²: failed: ValueError" in _when_done(app)
    monkeypatch.setattr(explain, "_typed_steps", whole)
    app.run()
    assert "M²: failed: ValueError" in _when_done(app)
    next(each for each in app.button if each.label == "Try again").click().run()
    assert "Step 1 of" in _when_done(app)


def _when_done(app: AppTest) -> str:
    """The text of the page, looked at again until the model is done."""
    wait_for(lambda: app.run() and not app.exception and "Computing M²" not in shown(app))
    return shown(app).replace("\\", "")


def test_scores_that_fail_are_tried_once_a_visit(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def fail(corpus: Corpus, metric: Metric) -> None:
        tried.append(metric.id)
        raise ScoreError("out of order")

    monkeypatch.setattr(cache, "quick", lambda metric: False)
    monkeypatch.setattr(scores, "_scored", fail)
    for visit in (app, AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)):
        tried.clear()
        play(visit, source="a b", output=["a zebra"], reference=["a c"], metrics=["m2", "gleu"])
        wait_for(lambda visit=visit: shown(visit.run()).count("out of order") == 2)  # type: ignore[misc]
        assert sorted(tried) == ["gleu", "m2"]


def guess(app: AppTest, places: dict[str, int]) -> None:
    for key, place in places.items():
        next(each for each in app.segmented_control if each.label == f"Place of {key}").set_value(place)
    app.run()
    next(each for each in app.button if each.label == "Reveal").click().run()
    assert not app.exception


def test_the_guess_comes_before_the_rankings(app: AppTest) -> None:
    play(app, view="guess", preset="student", metrics=["m2", "gleu"])
    assert "Agreement with your ranking" not in shown(app)
    assert next(each for each in app.button if each.label == "Reveal").disabled
    guess(app, {"A": 1, "B": 2, "C": 3})
    assert "Agreement with your ranking" in shown(app)


def test_judged_sentences_are_guessed_and_tallied(app: AppTest) -> None:
    opened(app, "92_guess.py", corpus="demo", metrics=["m2", "gleu"])
    assert "the judges" not in shown(app)
    guess(app, {letter: place for place, letter in enumerate("ABCDE", 1)})
    assert "the judges" in shown(app)
    assert "Agreement over" not in shown(app)
    next(each for each in app.button if each.label == "Next").click().run()
    guess(app, {letter: place for place, letter in enumerate("ABCDE", 1)})
    assert "Agreement over 2 sentences" in shown(app)


def test_a_sentence_that_cannot_be_guessed_gives_way_to_the_next_in_the_address_too(app: AppTest) -> None:
    opened(app, "92_guess.py", corpus="demo", metrics=["m2", "gleu"], sentence="30")
    opened(app, "20_rankings.py")
    opened(app, "92_guess.py")
    assert "Sentence 32" in [element.value for element in app.markdown]
    assert app.query_params["sentence"] == "31"


def test_nothing_to_guess_without_judges(app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_DATA", str(tmp_path))
    for name, text in {"source.txt": "a b\n", "references/r.txt": "a x\n", "systems/A.txt": "a x\n"}.items():
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    opened(app, "92_guess.py", corpus="mine", metrics=["m2"])
    assert "judges who ranked outputs" in shown(app)


def test_the_tour_goes_to_the_end(app: AppTest) -> None:
    opened(app, "90_tour.py")
    for number, title in enumerate(STEPS, 1):
        assert f"Step {number} of 8" in shown(app)
        assert title in shown(app)
        if number < len(STEPS):
            next(each for each in app.button if each.label == "Next").click().run()
            assert not app.exception
    assert next(each for each in app.button if each.label == "Next").disabled
    assert "M² prefers" in shown(app)


def test_a_step_of_the_tour_has_an_address(app: AppTest) -> None:
    opened(app, "90_tour.py", corpus="demo", step="7")
    assert "Step 7 of 8" in shown(app)


@pytest.mark.parametrize(("step", "name"), [("4", "tour-ranking"), ("7", "tour-bump-chart")])
def test_a_figure_of_the_tour_names_its_corpus_and_not_the_chosen_one(app: AppTest, step: str, name: str) -> None:
    app.session_state[f"export-figure-{name}"] = True
    opened(app, "90_tour.py", corpus="conll14", step=step)
    (caption,) = (each.value for each in app.code)
    assert " on demo" in caption
    assert "conll14" not in caption


@needs_conll14
def test_conll14_can_be_guessed(app: AppTest, monkeypatch: pytest.MonkeyPatch, conll14: Corpus) -> None:
    monkeypatch.setenv("GEC_LENS_DATA", str(CONLL14.parent))
    score(conll14, [create("gleu")], store=Store())
    opened(app, "92_guess.py", corpus="conll14", metrics=["gleu"])
    assert "Place of" in " ".join(each.label for each in app.segmented_control)
