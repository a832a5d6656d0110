# mypy: disable-error-code="union-attr"
"""What the server keeps of a visitor: nothing in words, once the visit is over."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from weakref import ReferenceType, ref

import numpy as np
import pytest
from conftest import wait_for
from streamlit.runtime.caching import clear_session_resource_cache
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.cache import analysis, explain
from dashboard.cache import scoring as cache_scoring
from dashboard.cache.corpora import Briefly
from gec_core import corpora, scoring
from gec_core.analysis.analysis import analyse_metric
from gec_core.analysis.significance import resampled_scores
from gec_core.explain.credit import OutputExplanation
from gec_core.metrics import create
from gec_core.scoring import score
from gec_core.scoring.imported import Imported, ImportedScores
from gec_core.scoring.table import MetricScores, ScoreTable
from gec_core.store import Store
from gec_core.types import Array, Corpus, Sentence

OUTPUT = "my zebrasecret goes home ."
SOURCE = "my zebrasecret go home ."
ASKED = (0, OUTPUT)


def visitors_corpus() -> Corpus:
    return Corpus("mine", (Sentence(SOURCE, (OUTPUT,)),), {"A": (OUTPUT,), "B": (SOURCE,)})


def in_a_visit(act: Any) -> Any:
    """What `act` gives in the session of a visitor."""

    def script(act: "Any", given: "Any") -> None:  # quoted: Streamlit runs its source, without this module's imports
        given.append(act())

    given: list[Any] = []
    app = AppTest.from_function(script, default_timeout=120, kwargs={"act": act, "given": given}).run()
    assert not app.exception, app.exception[0].stack_trace
    return given[0]


def leave() -> None:
    clear_session_resource_cache("test session id")
    gc.collect()


def kept_explanations() -> list[OutputExplanation]:
    # By type: isinstance would ask objects that others let die, and raise.
    return [each for each in gc.get_objects() if type(each) is OutputExplanation and "zebrasecret" in repr(each)]


@pytest.fixture
def _models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every metric counts as one that takes a model."""
    leave()
    monkeypatch.setattr(explain, "quick", lambda metric: False)


@pytest.mark.usefixtures("_models")
def test_what_a_model_said_is_known_for_a_visit_and_no_longer() -> None:
    corpus, metric = visitors_corpus(), create("bleu")
    key = cache.model_key(corpus, metric, *ASKED)
    assert "zebrasecret" not in repr(key)
    assert in_a_visit(lambda: cache.explain_output(corpus, metric, *ASKED)) is None
    in_a_visit(lambda: cache.ask_model(corpus, metric, *ASKED, "A").title)
    wait_for(lambda: not cache.jobs().known(key).active)
    assert in_a_visit(lambda: cache.explain_output(corpus, metric, *ASKED).credits.score) > 0
    assert len(kept_explanations()) == 1
    leave()
    assert kept_explanations() == []
    assert cache.jobs().known(key) is None


@pytest.mark.usefixtures("_models")
def test_what_a_model_said_of_a_corpus_that_everybody_has_outlives_the_visit() -> None:
    corpus, metric = corpora.load("demo"), create("bleu")
    asked = 0, corpus.outputs("EAGER")[0]
    in_a_visit(lambda: cache.ask_model(corpus, metric, *asked, "EAGER").title)
    wait_for(lambda: not cache.jobs().known(cache.model_key(corpus, metric, *asked)).active)
    leave()
    assert in_a_visit(lambda: cache.explain_output(corpus, metric, *asked)) is not None


def test_a_quick_metric_is_asked_in_the_background_until_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, metric = corpora.load("demo"), create("bleu")
    asked = 0, corpus.outputs("EAGER")[0]
    monkeypatch.setattr(metric, "loaded", lambda: False)
    assert cache.needs_model(metric)
    assert in_a_visit(lambda: cache.asked_without_click(corpus, metric, *asked))
    in_a_visit(lambda: cache.ask_model(corpus, metric, *asked, "EAGER").title)
    wait_for(lambda: not cache.jobs().known(cache.model_key(corpus, metric, *asked)).active)
    first = in_a_visit(lambda: cache.explain_output(corpus, metric, *asked))
    monkeypatch.setattr(metric, "loaded", lambda: True)
    assert not cache.needs_model(metric)
    assert repr(in_a_visit(lambda: cache.explain_output(corpus, metric, *asked))) == repr(first)


def test_reading_ahead_finds_what_the_page_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    demo, metric = cache.load_corpus("demo"), create("m2")
    score(demo, [metric], store=Store())
    cache.read_ahead("demo", ["m2"])
    monkeypatch.setattr("dashboard.cache.scoring.known_column", None)
    assert in_a_visit(lambda: [column.metric.id for column in cache.scores(demo, ["m2"]).table.columns]) == ["m2"]


def test_imported_scores_are_known_for_a_visit_and_no_longer() -> None:
    corpus = visitors_corpus()

    def analyse() -> ReferenceType[Imported]:
        scores = ImportedScores({"A": 1.0, "B": 0.0}, {"A": np.array([1.0]), "B": np.array([0.0])})
        metric = Imported("Mine", "mine", scores, file="mine.tsv", digest="0")
        table = ScoreTable(corpus.name, corpus.fingerprint, (metric.column(corpus),))
        (found,) = cache.SharedAnalysis(corpus, table, "A", "B").metrics
        assert found.standing("A").rank == 1
        return ref(metric)

    kept = in_a_visit(analyse)
    gc.collect()
    assert kept() is not None
    leave()
    assert kept() is None


def test_what_may_change_is_looked_up_once_a_second_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, asked = [100.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    known = Briefly[int]()

    def look_up() -> int:
        asked.append(clock[0])
        return len(asked)

    assert [known.get("a", look_up) for _ in range(3)] == [1, 1, 1]
    clock[0] += 1.5
    assert known.get("a", look_up) == 2
    for number in range(2 * Briefly.MOST):
        known.get(number, look_up)
    assert len(known._known) <= Briefly.MOST


def test_one_thread_looks_up_what_may_change_while_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, asked = [100.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    known, began, go_on = Briefly[int](), Event(), Event()

    def look_up() -> int:
        asked.append(clock[0])
        if len(asked) > 1:
            began.set()
            assert go_on.wait(60)
            clock[0] += 5  # as on a busy server: a value holds from when it was found, not from when it was asked for
        return len(asked)

    assert known.get("a", look_up) == 1
    clock[0] += 1.5
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(known.get, "a", look_up)
        assert began.wait(60)
        assert [known.get("a", look_up) for _ in range(50)] == [1] * 50
        clock[0] += Briefly.STALE
        late = pool.submit(known.get, "a", look_up)  # by now the last value is too old to go on with
        assert not late.done()
        go_on.set()
        assert (first.result(60), late.result(60)) == (2, 2)
    assert known.get("a", look_up) == 2
    assert len(asked) == 2


def test_a_value_that_could_not_be_looked_up_is_looked_up_again() -> None:
    known = Briefly[int]()
    with pytest.raises(ZeroDivisionError):
        known.get("a", lambda: 1 // 0)
    assert known.get("a", lambda: 1) == 1


def test_what_is_shared_is_made_once_for_each_content_and_key() -> None:
    made: list[str] = []

    def make(what: str) -> Any:
        def now() -> str:
            made.append(what)
            return what

        return now

    corpus, other = visitors_corpus(), Corpus("other", (Sentence("a b", ("a b",)),), {"A": ("a b",)})
    for _ in range(2):
        assert cache.shared(corpus, ("test", "1"), make("one")) == "one"
        assert cache.shared(corpus, ("test", "2"), make("two")) == "two"
        assert cache.shared(other, ("test", "1"), make("three")) == "three"
    assert made == ["one", "two", "three"]


def test_samples_are_drawn_once_whichever_system_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def draw(column: MetricScores) -> Array:
        drawn.append(1)
        return resampled_scores(column)

    monkeypatch.setattr(analysis, "resampled_scores", draw)
    analysis._any_metric.clear()
    analysis._any_draws.clear()
    corpus = corpora.load("demo")
    table = score(corpus, [create("gleu")], store=None)
    (column,) = table.columns
    for system, rival in list(zip(corpus.systems, list(corpus.systems)[1:], strict=False))[:3]:
        shared = cache.SharedAnalysis(corpus, table, system, rival)
        assert shared.metrics[0] == analyse_metric(column, system, rival)
    assert drawn == [1]


def test_what_is_missing_is_counted_once_for_every_version_of_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, metric, counted = visitors_corpus(), create("gleu"), []

    def known_column(corpus: Corpus, metric: Any, store: Store) -> MetricScores | None:
        counted.append(metric.id)
        return scoring.known_column(corpus, metric, store)

    monkeypatch.setattr(cache_scoring, "known_column", known_column)

    def missing(corpus: Corpus, metric: Any, store: Store) -> int:
        counted.append("missing")
        return scoring.missing(corpus, metric, store)

    monkeypatch.setattr(cache_scoring, "missing", missing)
    monkeypatch.setattr(cache_scoring, "AT_ONCE", 0.0)  # so that nothing is scored before it is asked for
    monkeypatch.setattr(cache_scoring, "UNASKED", 0.0)
    for _ in range(3):
        assert len(in_a_visit(lambda: cache.scores(corpus, ["gleu"])).waiting) == 1
    assert counted == ["gleu", "missing"]
    score(corpus, [metric], store=Store())
    for _ in range(3):
        assert in_a_visit(lambda: cache.scores(corpus, ["gleu"])).table.columns
    assert counted == ["gleu", "missing", "gleu"]
