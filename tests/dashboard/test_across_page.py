"""The page Across corpora."""

import pytest
from streamlit.testing.v1 import AppTest

from gec_core.cli import main


def test_every_view_draws_and_links_to_what_it_shows(app: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    app.run()
    app.switch_page("../pages/35_across.py")
    app.run()
    assert not app.exception
    frame = app.dataframe[-1].value
    assert {"seeda", "gmeg-fce", "gmeg-wiki", "tmu-gfm", "conll14"} <= set(frame["corpus"])
    row = frame[(frame["corpus"] == "seeda") & (frame["systems"] == "base") & (frame["metric"] == "SentM²")].iloc[0]
    assert "correlation?corpus=seeda&human=kobayashi2024-edit-ts&metrics=sentm2&without=" in row["open"]
    assert main(["meta", "--corpus", "seeda", "--metric", "sentm2", "--human", row["human"], "--system-set", "base",
                 "--format", "tsv"]) == 0  # fmt: skip
    header, line = capsys.readouterr().out.splitlines()[:2]
    by_meta = dict(zip(header.split("\t"), line.split("\t"), strict=True))
    assert row["pearson"] == pytest.approx(float(by_meta["pearson"]))
    assert row["low"] == pytest.approx(float(by_meta["pearson_low"]))
    for view in ("metric", "corpus"):
        app.query_params["view"] = view
        app.session_state["view"] = view
        app.run()
        assert not app.exception
