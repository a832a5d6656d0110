"""The page *Why*: its words, its picture and its lists, without a browser."""

import json
import re
import statistics
from html import unescape
from typing import Any

import pytest
from errant_cases import needs_errant
from opening import clickable, opened, shown
from streamlit.testing.v1 import AppTest

import gec_core
from gec_core.cli import main
from gec_core.formatting import MINUS, minus

pytestmark = needs_errant

PAGE = "48_why.py"
PAIR = {"first": "NOARTICLE", "second": "EAGER"}


def answer(capsys: pytest.CaptureFixture[str], metrics: str, by: str, *more: str) -> Any:
    """What the command line says of the pair; it also computes credits, which the page then finds in the store."""
    systems = [] if "--systems" in more else ["--systems", ",".join(PAIR.values())]
    command = ["why", "--corpus", "demo", *systems, "--metric", metrics, "--by", by, "--format", "json"]
    assert main([*command, *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_numbers_are_those_of_the_command_line(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    expected = answer(capsys, "m2,gleu", "fate", "--human", "ew")
    sides = ["m2", "gleu", "judges"]
    opened(app, PAGE, corpus="demo", human="ew", **PAIR, sides=sides, by="fate", unit="points")
    table = clickable(app)
    for side in expected["sides"]:
        for group in side["groups"]:
            cell = re.search(rf'data-pick="{group["name"]}\t{side["side"]}">(.*?)</button>', table)
            assert minus(f"{group['contribution']:+.4f}") in (cell[1] if cell else table)
            assert cell or group["name"] == "no edit"
        assert "gap " + minus(f"{side['gap']:+.4f}") in table
    assert unescape(shown(app)).count(expected["words"][0]) == 1


def test_the_first_pair_is_a_swap(app: AppTest) -> None:
    opened(app, PAGE, corpus="demo", human="ew", metrics=["m2", "gleu"])
    assert app.title[0].value.endswith("swap")
    assert app.multiselect(key="sides").value == ["m2", "judges"]


def test_a_chosen_group_lists_its_edits(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    (side,) = answer(capsys, "m2", "fate")["sides"]
    opened(app, PAGE, corpus="demo", metrics=["m2"], **PAIR, sides="m2", by="fate", group="elsewhere")
    strongest = max(
        (each for each in side["edits"] if each["fate"] == "elsewhere"), key=lambda e: abs(e["contribution"])
    )
    heading = next(each for each in app.subheader if each.anchor == "edits")
    assert f"[↓ {heading.value} below](#edits)" in shown(app)
    rows = clickable(app).split("lens-evidence")[1].split("<tr ")[1:]
    assert f"<td class=n>{strongest['sentence'] + 1}</td>" in rows[0]
    assert minus(f"{strongest['contribution']:+.5f}") in rows[0]


def test_without_the_fewest_sentences_the_order_turns(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    pair = ["--systems", "FLUENT,CAREFUL", "--level", "sentence"]
    (fewest,) = answer(capsys, "m2", "fate", *pair)["counterfactuals"]
    opened(app, PAGE, corpus="demo", metrics=["m2"], first="FLUENT", second="CAREFUL", sides="m2", what="sentences-m2")
    assert f"Without these {len(fewest['sentences'])} sentences" in shown(app)
    assert f"<b>{fewest['after'][0]:.4f}</b>" in shown(app)


def test_a_corpus_without_texts_shows_types_and_numbers(app: AppTest) -> None:
    opened(
        app,
        PAGE,
        corpus="conll14",
        metrics=["m2", "sentm2"],
        first="NTHU",
        second="UFC",
        sides=["m2", "sentm2"],
        group="DET",
    )
    assert "M² puts NTHU above UFC" in shown(app)
    assert "NOUN:NUM" in clickable(app)
    assert "M:DET" in clickable(app)
    assert "not on this machine" in shown(app)


def test_the_whole_ranking(app: AppTest) -> None:
    opened(app, PAGE, corpus="demo", metrics=["m2"], view="ranking", metric="m2", human="ew")
    assert "compared with the system with the mean counts" in shown(app)
    assert clickable(app).count("<tr tabindex=0") == 7
    said = re.search(r"That system would score (\S+); the mean of the scores is (\S+)\.", shown(app))
    assert said
    corpus = gec_core.corpus("demo")
    values = gec_core.score(corpus, ["m2"]).table.columns[0].values
    mean = float(said[1])
    assert float(said[2]) == pytest.approx(statistics.fmean(values.values()), abs=5e-4)
    assert f"from mean counts ({said[1]})" in clickable(app)
    for name, value in values.items():
        row = clickable(app).split(f"<th scope=row>{name}</th>")[1]
        told = re.search(r"font-weight:600'>([^<]+)<", row)
        assert told
        from_mean = float(told[1].replace(MINUS, "-"))
        assert from_mean == pytest.approx((value - mean) / statistics.pstdev(values.values()), abs=0.02)


def test_the_edits_to_leave_out_are_counted_as_in_the_table(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    """Some of them are in sentences that both systems corrected in the same way."""
    (side,) = answer(capsys, "m2", "type", "--systems", "NOARTICLE,REPEAT")["sides"]
    pair = {"first": "NOARTICLE", "second": "REPEAT"}
    opened(app, PAGE, corpus="demo", metrics=["m2"], **pair, sides="m2", by="type", group="NOUN:NUM")
    found = re.findall(r"without the (\d+) (\S+) edits? of both systems(?:, (\d+) of them where both)?", clickable(app))
    assert found
    for everywhere, name, alike in found:
        counts = next(group["edits"] for group in side["groups"] if group["name"] == name)
        assert int(everywhere) - int(alike or 0) == counts
    assert any(alike for _, _, alike in found)


def test_scores_of_elsewhere_have_no_edits(app: AppTest) -> None:
    """Without judgments or credits there are sentences, and a reason."""
    opened(app, PAGE, corpus="conll14", human="napoles2015", metrics=["m2"], sides=["m2", "judges"])
    assert "published without judgments of sentences" in shown(app)


def test_an_answer_that_is_not_there_any_more_opens_none(app: AppTest) -> None:
    opened(app, PAGE, corpus="demo", metrics=["m2"], **PAIR, sides="m2", what="accepted")
    assert "What would turn the order around" in shown(app)
    assert "order then" not in shown(app)
