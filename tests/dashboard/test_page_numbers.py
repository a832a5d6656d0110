"""The numbers on the pages are those of the command line, or come out the same by another road."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from errant_cases import needs_errant
from opening import opened
from streamlit.testing.v1 import AppTest

from dashboard import url_state
from dashboard.views.agreement import edits
from gec_core import corpora
from gec_core.align.errant_edits import TextPair, edits_of
from gec_core.align.errant_types import group
from gec_core.cli import main
from gec_core.human.pairs import unexpanded
from gec_core.meta.agreement import pair_agreement
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.store import Store

NAMES = {"m2": "M²", "gleu": "GLEU"}
QUERY: dict[str, Any] = {"corpus": "demo", "metrics": list(NAMES), "without": ["NOISY"]}


def told(capsys: pytest.CaptureFixture[str], *more: str) -> list[Any]:
    """What `meta` says of these metrics, by name."""
    command = ["meta", "--corpus", "demo", "--metric", ",".join(NAMES), "--without", "NOISY", "--format", "json", *more]
    assert main(command) == 0
    return [row | {"metric": NAMES[row["metric"]]} for row in json.loads(capsys.readouterr().out)["rows"]]


def table(app: AppTest, *columns: Any) -> Any:
    (found,) = (each.value for each in app.dataframe if set(columns) <= set(each.value.columns))
    return found.to_dict("records")


@pytest.mark.parametrize("human", ["ew", "ts"])
def test_correlations_and_their_intervals(app: AppTest, capsys: pytest.CaptureFixture[str], human: str) -> None:
    opened(app, "30_correlation.py", **QUERY, human=human)
    shown = table(app, "pearson", "spearman", "kendall")
    for row, expected in zip(shown, told(capsys, "--human", human), strict=True):
        assert row == {name: expected["n" if name == "systems" else name.replace(" ", "_")] for name in row}


def test_agreement_on_sentences(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    opened(app, "40_agreement.py", **QUERY)
    expected = sorted(told(capsys, "--level", "sentence"), key=lambda row: (row["set"], row["metric"], row["variant"]))
    shown = sorted(table(app, "set", "variant", "tau"), key=lambda row: (row["set"], row["metric"], row["variant"]))
    assert shown == [{name: row[name] for name in shown[0]} for row in expected]


@needs_errant
def test_agreement_by_error_type(app: AppTest) -> None:
    """The cell of M² and prepositions, from the pairs of sentences in whose references ERRANT finds one."""
    opened(app, "40_agreement.py", corpus="demo", metrics=["m2"], view="type")
    (chart,) = app.get("plotly_chart")
    (cells,) = json.loads(chart.proto.spec)["data"]
    place = next(place for place, head in enumerate(cells["x"]) if head.startswith("PREP<"))
    corpus = corpora.load("demo")
    found = edits_of(
        (TextPair(each.source, reference) for each in corpus.sentences for reference in each.references), Store()
    )
    having = [
        any(group(edit.type) == "PREP" for text in each.references for edit in found[TextPair(each.source, text)])
        for each in corpus.sentences
    ]
    pairs = unexpanded(corpus.judgments)  # type: ignore[arg-type]
    column = score(corpus, [create("m2")], store=Store()).columns[0]
    scores = {system: column.sentence_scores(system) for system in corpus.systems}
    expected = pair_agreement(pairs.where(np.array(having)[pairs.sentence]), scores, "NoTies")
    assert cells["text"][0][place] == f"{expected.tau:.2f}"
    assert cells["x"][place] == f"PREP<br>{expected.pairs:,} pairs"


def test_credits_of_single_edits_have_a_true_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the list is drawn, of made-up credits: those of SEEDA are computed in the background."""
    drawn: list[Any] = []
    monkeypatch.setattr(st, "dataframe", lambda frame, **_: drawn.append(frame))
    monkeypatch.setattr(st, "selectbox", lambda _, titles, **__: titles[0])
    monkeypatch.setattr(url_state, "choice", lambda *_: "mistaken")
    monkeypatch.setattr(edits, "csv_button", lambda *_: None)
    monkeypatch.setattr(edits, "_row", lambda _, __, judged, credit: {"open": "", "edit": judged, "credit": credit})
    mistaken: Any = SimpleNamespace(mistakes=lambda _: [("a → b", -0.5), ("c → d", 0.25)])
    found: Any = SimpleNamespace(corpus=SimpleNamespace(name="seeda"))
    edits._mistakes(found, [("M²", mistaken)])
    written = drawn[0].to_html()
    assert "−0.500" in written
    assert "+0.250" in written
