"""The sidebar's choices of judgments and systems, which belong to their corpus."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.components.messages import plain
from dashboard.visitors import Uploads

TOML = """
[systems]
pair = ["A", "B"]

[human.one]
title = "first round"

[human.two]
title = "second round"
"""
ITEM = '<x><ranking-item src-id="0" user="ann">{}</ranking-item></x>'
PLACE = '<translation rank="{}" system="{}"/>'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    corpus = tmp_path / "small"
    for name, text in {"A": "It is .", "B": "It was .", "C": "It be .", "INPUT": "It are ."}.items():
        (corpus / "systems").mkdir(parents=True, exist_ok=True)
        (corpus / "systems" / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    (corpus / "references").mkdir()
    (corpus / "references" / "ref0.txt").write_text("It is .\n", encoding="utf-8")
    (corpus / "source.txt").write_text("It are .\n", encoding="utf-8")
    (corpus / "corpus.toml").write_text(TOML, encoding="utf-8")
    (corpus / "human").mkdir()
    for name, order in {"one": "ABC", "two": "CBA"}.items():
        places = "".join(PLACE.format(rank, system) for rank, system in enumerate(order, 1))
        (corpus / "human" / f"{name}.xml").write_text(ITEM.format(places), encoding="utf-8")
    monkeypatch.setenv("GEC_LENS_DATA", str(corpus))
    return corpus


def test_choices_belong_to_their_corpus(app: AppTest, folder: Path) -> None:
    app.query_params["corpus"] = "small"
    app.query_params["metrics"] = "length"
    app.run()
    assert not app.exception
    assert app.selectbox(key="judgments").options == ["first round", "second round"]
    app.selectbox(key="judgments").set_value("two")
    app.selectbox(key="_system_set").set_value("pair").run()
    assert app.session_state["without"] == ["C", "INPUT"]
    app.selectbox(key="corpus").set_value("demo").run()
    assert not app.exception
    assert app.session_state["without"] == []
    app.selectbox(key="corpus").set_value("small").run()
    assert not app.exception
    assert app.session_state["without"] == ["C", "INPUT"]
    assert app.session_state["judgments"] == "two"
    assert app.query_params["judgments"] == "two"


def test_a_visitor_names_a_set_of_systems_and_forgets_it(app: AppTest, folder: Path) -> None:
    app.query_params["corpus"] = "small"
    app.query_params["metrics"] = "length"
    app.run()
    app.multiselect(key="without").set_value(["A"]).run()
    app.text_input(key="_set_name").set_value("pair")
    click(app, "Keep")
    assert [each.value for each in app.error] == [plain("The name 'pair' is taken. Choose another name.")]
    app.text_input(key="_set_name").set_value("rest")
    click(app, "Keep")
    assert not app.exception
    assert app.selectbox(key="_system_set").options == ["rest (yours)", "pair", "all"]
    assert app.selectbox(key="_system_set").value == "rest"
    uploads = app.session_state["_uploads"]
    assert Uploads.restored(json.loads(json.dumps(uploads.as_json()))).system_sets == {
        "small": {"rest": ("B", "C", "INPUT")}
    }
    app.selectbox(key="corpus").set_value("demo").run()
    assert not [each for each in app.selectbox if each.key == "_system_set"]
    app.selectbox(key="corpus").set_value("small").run()
    app.selectbox(key="_system_set").set_value("all").run()
    assert app.session_state["without"] == []
    app.selectbox(key="_system_set").set_value("rest").run()
    assert app.session_state["without"] == ["A"]
    click(app, "Forget the set rest")
    assert app.selectbox(key="_system_set").options == ["pair", "all"]


def click(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
