"""Disagreements with their filters, and the way through them from sentence to sentence."""

import re
from typing import Any

import pytest
from opening import opened, shown, unfold
from streamlit.testing.v1 import AppTest

from dashboard.components.disagreement import Dispute
from dashboard.views.disagreements.rows import differences
from gec_core import corpora
from gec_core.meta.disagreement import disagreements
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.types import Edit

EVERYTHING = Dispute("m2", "judges", ("A", "B"), "R:DET", (5, 40), True, "b")
LIST: dict[str, Any] = {"corpus": "demo", "metrics": ["m2", "gleu"], "a": "m2", "b": "gleu"}


@pytest.mark.parametrize("dispute", [EVERYTHING, Dispute("m2", "gleu"), Dispute("m2", "gleu", error="DET")])
def test_an_address_says_it_all(dispute: Dispute) -> None:
    assert Dispute.read(dispute.address) == dispute


def test_nonsense_in_an_address_is_passed_over() -> None:
    assert Dispute.read({"a": ["m2"]}) is None
    found = Dispute.read({"a": ["m2"], "b": ["gleu"], "length": ["x-4"], "tied": ["c"], "agreement": ["some"]})
    assert found == Dispute("m2", "gleu")


@pytest.mark.parametrize("length", ["1" * 5000 + "-4", "4-" + "9" * 5000])
@pytest.mark.parametrize("page", ["50_disagreements.py", "60_sentence.py"])
def test_a_length_that_nobody_can_have_chosen(app: AppTest, page: str, length: str) -> None:
    assert Dispute.read({"a": ["m2"], "b": ["gleu"], "length": [length]}) == Dispute("m2", "gleu")
    opened(app, page, **LIST, length=length)


def test_numbers_that_nobody_can_have_chosen(app: AppTest) -> None:
    opened(app, "60_sentence.py", **LIST, sentence="9" * 5000)
    opened(app, "80_playground.py", **LIST, view="steps", preset="hospital", part="9" * 5000)


def test_filters_are_counted_and_narrow() -> None:
    corpus = corpora.load("demo")
    table = score(corpus, [create("m2"), create("gleu")])
    scores = [(id, {name: table[id].sentence_scores(name) for name in corpus.systems}) for id in ("m2", "gleu")]
    whole = disagreements(corpus, *scores)
    asked = Dispute("m2", "gleu", ("EAGER", "FLUENT", "NOISY"), length=(0, 10))
    assert asked.filters == 2
    narrowed = asked.narrow(whole, ["NOISY"])
    assert 0 < len(narrowed) < len(whole)
    for row in narrowed.top():
        assert len(corpus.sentences[row.sentence].tokens) <= 10
        assert {name for names in row.outputs for name in names} & {"EAGER", "FLUENT"}


def test_the_page_shows_what_its_address_asks_for(app: AppTest) -> None:
    opened(app, "50_disagreements.py", **LIST, only=["EAGER", "FLUENT"], length="0-12", agreement="unanimous")
    assert "Only pairs of EAGER, FLUENT; sources of 0 to 12 tokens; pairs on which all judges agree" in shown(
        app
    ).replace("\\", "")


def test_next_goes_through_the_list_and_not_through_all_sentences(app: AppTest) -> None:
    opened(app, "60_sentence.py", **LIST, sentence="0")
    listed = re.findall(r"<thead><tr><th scope=col>(\d+)</th>", shown(opened(app, "50_disagreements.py")))
    first, second = map(int, listed[:2])  # counted from 1, unlike in the address
    opened(app, "60_sentence.py", **LIST, sentence=str(first - 1))
    assert "1 of " in shown(app)
    next(button for button in app.button if button.label == "Next").click().run()
    assert app.number_input[0].value == second
    assert "2 of " in shown(app)
    next(button for button in app.button if button.label == "Go through all sentences").click().run()
    assert "in the disagreements" not in shown(app)
    next(button for button in app.button if button.label == "Next").click().run()
    assert app.number_input[0].value == second + 1


def test_a_list_that_cannot_be_made_any_more_is_told(app: AppTest) -> None:
    opened(app, "60_sentence.py", corpus="demo", metrics=["m2"], a="m2", b="ptm2", sentence="1")
    assert "This sentence is not in the disagreements" in shown(app)


def test_one_system_is_compared_with_all_others(app: AppTest) -> None:
    corpus = corpora.load("demo")
    table = score(corpus, [create("m2"), create("gleu")])
    sides = [(id, {name: table[id].sentence_scores(name) for name in corpus.systems}) for id in ("m2", "gleu")]
    rows = Dispute("m2", "gleu", ("EAGER",)).narrow(disagreements(corpus, *sides), []).top()
    assert rows
    for row in rows:
        assert any(
            corpus.systems[names[0]][row.sentence] == corpus.systems["EAGER"][row.sentence] for names in row.outputs
        )
    opened(app, "50_disagreements.py", **LIST, only=["EAGER"])
    assert "Only EAGER against all others" in shown(app)


def test_contributions_are_shares_of_the_whole_disagreement() -> None:
    corpus = corpora.load("demo")
    table = score(corpus, [create("m2"), create("gleu")])
    sides = [(id, {name: table[id].sentence_scores(name) for name in corpus.systems}) for id in ("m2", "gleu")]
    rows = disagreements(corpus, *sides).top(by="contribution")
    shares = [row.contribution for row in rows]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)


def test_a_row_shows_what_only_one_output_changes() -> None:
    source = "a b c d e f g h"
    shown_edits = differences(source, [Edit(3, 4, "x"), Edit(7, 8, "y")], [Edit(7, 8, "y")])
    assert shown_edits == "a b c <span class=lens-edit><del>d</del><ins>x</ins></span> e f g …"
    assert differences(source, [Edit(7, 8, "y")], [Edit(7, 8, "y")]) == "<i>nothing</i>"
    assert "&lt;b&gt;" in differences("a <b> c", [Edit(0, 1, "x")], [])


def test_the_way_back_from_another_page_leads_to_the_same_two_outputs(app: AppTest) -> None:
    opened(app, "60_sentence.py", corpus="demo", metrics=["m2"], sentence="0", system="EAGER", against="FLUENT")
    for name in list(app.query_params):
        del app.query_params[name]  # as a click on the menu does
    opened(app, "95_metrics.py")
    for name in list(app.query_params):
        del app.query_params[name]
    opened(app, "60_sentence.py")
    assert [box.value for box in app.selectbox if box.label in ("Output of", "Compared with")] == ["EAGER", "FLUENT"]


def test_other_sentences_begin_with_an_instructive_one(app: AppTest) -> None:
    opened(app, "60_sentence.py", corpus="demo", metrics=["m2", "gleu"])
    instructive = _sentence(app)
    app.session_state["sentences"] = f"1-{instructive - 1},{instructive + 1}-"
    app.run()
    app.number_input[0].set_value(_sentence(app) % 5 + 1).run()
    app.session_state["sentences"] = ""
    app.run()
    assert _sentence(app) == instructive


def _sentence(app: AppTest) -> int:
    return int(app.number_input[0].value or 0)


def test_what_is_folded_is_drawn_when_it_is_opened(app: AppTest) -> None:
    opened(app, "50_disagreements.py", **LIST)
    assert not app.get("plotly_chart")
    assert not app.dataframe
    unfold(app, "plot", "tallies")
    assert app.get("plotly_chart")
    assert app.segmented_control(key="tied").options
    assert app.dataframe
