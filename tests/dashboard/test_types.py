"""Error types: the numbers of the `types` command, the errors behind them, and what is said where there are none."""

import json
from pathlib import Path
from typing import Any

import pytest
from errant_cases import needs_errant, no_pipeline  # noqa: F401
from opening import opened, shown
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.views.types import by_frequency
from gec_core.cli import main
from gec_core.meta.error_types import TypeCounts, edits_behind, outcomes, types_metric
from gec_core.store import Store


def table(app: AppTest) -> Any:
    """The counts as the page shows them."""
    (found,) = (each.value for each in app.dataframe if {"system", "tp", "fp", "fn"} <= set(each.value.columns))
    return found.drop(columns="meaning").sort_values(["system", "type"]).to_dict("records")


@needs_errant
@pytest.mark.parametrize("level", ["type", "group", "operation"])
def test_the_numbers_are_those_of_the_command(app: AppTest, capsys: pytest.CaptureFixture[str], level: str) -> None:
    opened(app, "45_types.py", corpus="demo", level=level)
    assert main(["types", "--corpus", "demo", "--level", level, "--format", "json"]) == 0
    assert table(app) == json.loads(capsys.readouterr().out)["rows"]


@needs_errant
def test_difficulty_is_that_of_the_command(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    opened(app, "45_types.py", corpus="demo", level="group")
    (found,) = (each.value for each in app.dataframe if "deviation" in each.value.columns)
    assert main(["types", "--corpus", "demo", "--level", "group", "--difficulty", "--format", "json"]) == 0
    expected = [list(row.values()) for row in json.loads(capsys.readouterr().out)["rows"]]
    assert found.drop(columns="meaning").to_numpy().tolist() == expected
    assert len(expected) > 3


@pytest.fixture
def annotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a corpus `mine` in which annotators gave their edit this type."""
    monkeypatch.setenv("GEC_LENS_DATA", str(tmp_path))

    def make(type_: Any) -> None:
        gold = f"S Two dog bark .\nA 1 2|||{type_}|||dogs|||REQUIRED|||-NONE-|||0\n"
        for name, text in {"gold.m2": gold, "systems/A.txt": "Two dogs bark .\n"}.items():
            path = tmp_path / "mine" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return make


@needs_errant
def test_the_annotators_own_edits_can_be_counted(
    app: AppTest, capsys: pytest.CaptureFixture[str], annotated: Any
) -> None:
    """ERRANT would call it another number of the noun, the annotator calls it spelling."""
    annotated("R:SPELL")
    for references, type_ in (("auto", "R:NOUN:NUM"), ("gold", "R:SPELL")):
        opened(app, "45_types.py", corpus="mine", level="type", references=references)
        assert main(["types", "--corpus", "mine", "--references", references, "--format", "json"]) == 0
        assert table(app) == json.loads(capsys.readouterr().out)["rows"]
        assert [row["type"] for row in table(app)] == [type_]


@needs_errant
def test_types_that_are_not_errants_are_no_choice(app: AppTest, annotated: Any) -> None:
    """Precision would be 1 on all of them, and 0 on ERRANT's, whatever systems do."""
    annotated("Nn")
    opened(app, "45_types.py", corpus="mine", references="gold")
    assert [control.label for control in app.segmented_control] == ["Types", "Measure"]
    assert [row["type"] for row in table(app)] == ["NOUN:NUM"]


@needs_errant
def test_systems_left_out_are_not_shown(app: AppTest) -> None:
    opened(app, "45_types.py", corpus="demo", without=["FLUENT"], level="operation")
    assert {row["system"] for row in table(app)} == set(cache.load_corpus("demo").systems) - {"FLUENT"}


@needs_errant
def test_the_errors_behind_a_number(app: AppTest) -> None:
    """They are as many as the table counts, and all are listed."""
    opened(app, "45_types.py", corpus="demo", errors_of="CAREFUL", type="SPELL")
    (row,) = (row for row in table(app) if (row["system"], row["type"]) == ("CAREFUL", "SPELL"))
    corpus, metric = cache.load_corpus("demo"), types_metric()
    found = [each for each in outcomes(corpus, metric, store=Store())["CAREFUL"] if each.type == "R:SPELL"]
    verdicts = [each.verdict for each in found]
    assert [verdicts.count(kind) for kind in ("correct", "wrong", "missed")] == [row["tp"], row["fp"], row["fn"]]
    text = shown(app)
    for each, edit in zip(found, edits_behind(corpus, metric, "CAREFUL", found, Store()), strict=True):
        word = corpus.sentences[each.sentence].tokens[edit.start]
        assert f"<del>{word}</del><ins>{edit.correction}</ins>" in text


@needs_errant
def test_a_rate_of_0_out_of_0_is_1_without_colour(app: AppTest) -> None:
    """INPUT changes nothing: its precision is 1 by convention, here as in the table, but no merit."""
    opened(app, "45_types.py", corpus="demo", measure="p", level="operation")
    (chart,) = app.get("plotly_chart")
    cells = json.loads(chart.proto.spec)["data"][0]
    column = list(cache.load_corpus("demo").systems).index("INPUT")
    assert [(row[column], shades[column]) for row, shades in zip(cells["text"], cells["z"], strict=True)] == [
        ("1.00", None)
    ] * 3
    assert {row["p"] for row in table(app) if row["system"] == "INPUT"} == {1.0}


@pytest.mark.usefixtures("no_pipeline")
def test_without_a_pipeline_it_says_what_to_install(app: AppTest) -> None:
    opened(app, "45_types.py", corpus="demo")
    assert "pip install" in shown(app).replace("\\", "")


def test_without_texts_it_says_how_to_get_them(app: AppTest) -> None:
    opened(app, "45_types.py", corpus="conll14")
    assert not cache.load_corpus("conll14").has_texts
    assert "corpora fetch conll14" in shown(app)


def test_common_types_come_first() -> None:
    counts = {
        "A": {"PREP": TypeCounts(1, 0, 1), "DET": TypeCounts(2, 0, 1), "SPELL": TypeCounts(0, 5, 0)},
        "B": {"NOUN": TypeCounts(0, 9, 0), "DET": TypeCounts(0, 0, 1)},
    }
    assert by_frequency(counts) == ["DET", "PREP", "NOUN", "SPELL"]
