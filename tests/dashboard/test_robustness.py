"""The page Robustness."""

from typing import Any

import pytest
from conftest import wait_for
from opening import opened, shown
from scripted_endpoint import scores, scripted
from streamlit.testing.v1 import AppTest

from dashboard import cache
from gec_core import corpora
from gec_core.meta.judge_trial import trial
from gec_core.meta.stress import stress
from gec_core.metrics import create
from gec_core.metrics.llm import LLMJudge


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


def test_without_an_endpoint_the_trial_says_what_to_set(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEC_LENS_LLM_URL", raising=False)
    text = shown(opened(app, "43_robustness.py", corpus="demo", view="trial", metrics=["length"]))
    assert "GEC\\_LENS\\_LLM\\_URL" in text or "GEC_LENS_LLM_URL" in text


def test_a_judge_is_put_on_trial_when_asked_and_not_before(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: dict[str, Any]) -> str:
        return scores(request, lambda source, text: 1 + len(text) % 5)

    with scripted(answer) as server:
        monkeypatch.setenv("GEC_LENS_LLM_URL", server.url)
        monkeypatch.setenv("GEC_LENS_LLM_MODEL", "script")
        cache.all_metrics.clear()  # type: ignore[attr-defined]
        opened(app, "43_robustness.py", corpus="demo", view="trial", first="3", metrics=["length"])
        assert not server.requests
        assert any(each.label == "Put on trial" for each in app.button)
        demo, judge = corpora.load("demo"), create("llm-sentence")
        assert isinstance(judge, LLMJudge)
        key = ("trial", demo.fingerprint, judge.signature, 3)  # the button is in a fragment, which AppTest cannot rerun
        job = cache.jobs().start(key, "Trial", lambda follow: trial(demo, judge, sentences=3, on_progress=follow))
        wait_for(lambda: not job.active)
        app.run()
        assert not app.exception
        frame = next(each.value for each in app.dataframe if "reading" in each.value.columns)
        assert frame["what"].tolist() == [row["what"] for row in job.result.rows()]
        assert frame["value"].tolist()[0] == 0  # it scores by length, wherever an output stands
