"""The sidebar's choice of sentences: it belongs to its corpus, is in the address, and every page says it."""

from io import BytesIO
from pathlib import Path

import pytest
from opening import NAMES, opened, shown
from streamlit.testing.v1 import AppTest

from gec_core import corpora
from gec_core.corpora.selection import JUDGED, as_ranges, positions, select
from gec_core.metrics import create
from gec_core.scoring import score

DEMO = corpora.load("demo")
JUDGED_LINES = positions(DEMO, JUDGED)


def _address(app: AppTest) -> str:
    """Which sentences the address names."""
    found = app.query_params["sentences"]
    return found if isinstance(found, str) else found[0]


@pytest.mark.parametrize("page", NAMES)
def test_every_page_says_how_many_sentences_are_chosen(app: AppTest, page: str) -> None:
    found = opened(app, page, corpus="demo", sentences="2-9", metrics=["length"])
    assert f"**8 of {len(DEMO):,} sentences**" in shown(found)
    assert _address(found) == "2-9"


def test_scores_are_those_of_the_part(app: AppTest) -> None:
    opened(app, "20_rankings.py", corpus="demo", sentences="2-9", metrics=["length"])
    part = select(DEMO, "2-9")
    expected = score(part, [create("length")]).columns[0].values
    text = shown(app)
    for value in expected.values():
        assert f"{value:.3f}"[1:] in text or f"{value:.4f}"[1:] in text


def test_the_choice_belongs_to_its_corpus(app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    (other / "systems").mkdir(parents=True)
    (other / "source.txt").write_text("It are .\nIt am .\n", encoding="utf-8")
    (other / "systems" / "A.txt").write_text("It is .\nIt is .\n", encoding="utf-8")
    monkeypatch.setenv("GEC_LENS_DATA", str(other))
    opened(app, "10_overview.py", corpus="demo", sentences=JUDGED, metrics=["length"])
    app.selectbox(key="corpus").set_value("other").run()
    assert not app.exception
    assert "of 2 sentences" not in shown(app)
    assert "sentences" not in app.query_params
    app.selectbox(key="corpus").set_value("demo").run()
    assert not app.exception
    assert _address(app) == JUDGED


@pytest.mark.parametrize(
    ("asked", "told"), [("1-99999", "counted from 1"), ("/etc/passwd", "no list of ranges"), ("0", "counted from 1")]
)
def test_what_the_address_cannot_mean_is_told(app: AppTest, asked: str, told: str) -> None:
    """A name of a file in an address is no file of the server."""
    text = shown(opened(app, "10_overview.py", corpus="demo", sentences=asked, metrics=["length"]))
    assert told in text
    assert "All sentences are shown" in text
    assert f"of {len(DEMO):,} sentences**" not in text


def test_choose_judged_then_numbers_then_all(app: AppTest) -> None:
    opened(app, "10_overview.py", corpus="demo", metrics=["length"])
    if JUDGED_LINES:
        app.selectbox(key="_sentences_way").set_value(JUDGED).run()
        assert f"**{len(JUDGED_LINES):,} of {len(DEMO):,} sentences**, those judged by people" in shown(app)
    app.selectbox(key="_sentences_way").set_value("numbers").run()
    assert not app.exception
    app.text_input(key="_sentences_numbers").set_value("1-3, 7").run()
    assert f"**4 of {len(DEMO):,} sentences**" in shown(app)
    assert _address(app) == "1-3,7"
    app.text_input(key="_sentences_numbers").set_value("x").run()
    assert "no list of ranges" in shown(app)
    app.selectbox(key="_sentences_way").set_value("").run()
    assert "sentences" not in app.query_params


def test_numbers_from_a_file_become_ranges(app: AppTest) -> None:
    opened(app, "10_overview.py", corpus="demo", metrics=["length"])
    app.selectbox(key="_sentences_way").set_value("numbers").run()
    app.file_uploader[0].upload("ids.txt", BytesIO(b"3\n1\n2\n\n9\n").getvalue(), "text/plain").run()
    assert not app.exception
    assert _address(app) == "1-3,9"


def test_ranges_are_the_shortest_text_for_numbers() -> None:
    assert as_ranges([5, 1, 2, 3, 9, 3]) == "1-3,5,9"
    assert positions(DEMO, as_ranges(range(1, len(DEMO) + 1))) == list(range(len(DEMO)))
