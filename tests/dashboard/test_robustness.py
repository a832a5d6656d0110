"""The page Robustness."""

from streamlit.testing.v1 import AppTest

from gec_core import corpora
from gec_core.meta.stress import stress
from gec_core.metrics import create


def test_the_page_shows_what_the_library_finds(app: AppTest) -> None:
    app.query_params.update({"corpus": "demo", "metrics": ["gleu", "length"], "metric": "length", "kind": "repeat"})
    app.run()
    app.switch_page("../pages/43_robustness.py").run()
    assert not app.exception
    [card] = stress(corpora.load("demo"), [create("length")], each=30, kinds=["repeat"]).cards
    [result] = card.kinds
    text = " ".join(each.value for each in app.markdown)
    assert f"should fall; it does in 0 of {result.cases} cases" in text
    frame = app.dataframe[-1].value
    assert list(frame["sentence"]) == [each.case.line + 1 for each in result.failures()[:20]]
    assert frame["open"].str.startswith("playground?source=").all()
