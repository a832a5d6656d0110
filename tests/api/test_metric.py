"""Metrics on plain lists: every one gives a score, and wrong arguments are told by name."""

from typing import Any

import numpy as np
import pandas
import pytest

import gec_core as gec
from gec_core.api.metric import Scorer
from gec_core.errors import InputError, MissingInput, OptionError, UnknownMetric
from gec_core.metrics.base import Availability

SOURCES = ["This are a sentence ."]
HYPOTHESES = ["This is a sentence ."]
REFERENCES = [["This is a sentence ."]]
FULL = {"imeasure": 100.0, "length": 1.0, "gotoscorer": 0.0}
"""What a perfect correction gets where that is not 1. GoToScorer weights by who fails, and a lone system does not."""
AVAILABLE = [metric for metric in gec.metrics() if metric.available]


@pytest.mark.parametrize("metric", AVAILABLE, ids=lambda metric: metric.id)
def test_every_available_metric_scores_lists_of_strings(metric: Scorer) -> None:
    score = gec.metric(metric.id).corpus_score(SOURCES, HYPOTHESES, REFERENCES)
    if metric.family != "model" or metric.needs != "source":
        assert score.value == pytest.approx(FULL.get(metric.id, 1.0))
    assert score.signature == metric.signature
    assert metric.sentence_scores(SOURCES, HYPOTHESES, REFERENCES) == pytest.approx([score.value])


@pytest.mark.parametrize("metric", [each for each in AVAILABLE if each.family != "model"], ids=lambda each: each.id)
def test_credits_of_edits_sum_to_the_score_less_that_of_the_source(metric: Scorer) -> None:
    found = metric.explain("This are a sentences .", "This is an sentence .", ["This is a sentence ."])
    assert sum(edit.value for edit in found.edits) == pytest.approx(found.score - found.source_score)
    assert found.words
    assert found.frame()["credit"].sum() == pytest.approx(found.score - found.source_score)


def test_a_metric_that_reads_the_source_alone_needs_no_references() -> None:
    assert gec.metric("length").corpus_score(["a b"], ["a"]).value == 0.5
    assert gec.metric("length").corpus_score(["a b"], ["a"], [["a"]]).value == 0.5


def test_the_better_of_two_references_counts() -> None:
    two = [["This are a sentence ."], ["This is a sentence ."]]
    assert gec.metric("m2").corpus_score(SOURCES, HYPOTHESES, two).value == 1.0


def test_plain_references_are_annotated_as_errant_does_it() -> None:
    """ERRANT's own edits of references, not token differences: here they are two, and one difference."""
    given = ["I gone to home yesterday ."], ["I went home yesterday ."], [["I went home yesterday ."]]
    if not gec.metric("errant").available:
        pytest.skip("ERRANT cannot run here")
    usual, auto = (gec.metric("errant", references=each).corpus_score(*given) for each in ("gold", "auto"))
    assert usual.details == auto.details


def test_options_are_checked_and_in_the_signature() -> None:
    assert "beta:1.0" in gec.metric("m2", beta=1).signature
    assert gec.metric("m2", beta=1).options["beta"] == 1.0
    assert gec.metric("m2", beta="1").signature == gec.metric("m2", beta=1.0).signature
    assert (
        gec.metric("m2", beta=np.float32(1), max_unchanged=np.int64(2)).signature == gec.metric("m2", beta=1).signature
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"betta": 1}, "m2 has no option 'betta'.* Did you mean 'beta'"),
        ({"beta": None}, r"m2\.beta=None: expected a string, a number, True or False"),
        ({"beta": "much"}, "'much' is not a number"),
        ({"beta": -1}, "must be at least 0"),
        ({"sentence": "best"}, "choose one of max, chosen"),
    ],
)
def test_wrong_options(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        gec.metric("m2", **options)


@pytest.mark.parametrize(("id", "told"), [("errand", "Did you mean 'errant'"), ("M2", "Did you mean 'm2'"), ("", "")])
def test_an_unknown_metric_gets_a_suggestion(id: str, told: str) -> None:
    with pytest.raises(UnknownMetric, match=rf"No metric {id!r}\. There are: m2, .*{told}"):
        gec.metric(id)


def test_a_metric_that_cannot_run_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Availability(ready=False, how="Install something.")
    monkeypatch.setattr("gec_core.metrics.m2.M2.availability", lambda metric: missing)
    with pytest.raises(MissingInput, match=r"^M² cannot run here\. Install something\.$"):
        gec.metric("m2").corpus_score(SOURCES, HYPOTHESES, REFERENCES)


def test_a_metric_is_named_by_a_string() -> None:
    with pytest.raises(InputError, match="The metric is 2; expected the name of one, such as 'm2'"):
        gec.metric(2)  # type: ignore[arg-type]


WRONG: list[tuple[Any, Any, Any, str]] = [
    ("This are", HYPOTHESES, REFERENCES, r"sources is a string; expected a list of sentences\. Write sources="),
    (SOURCES, "This is", REFERENCES, "hypotheses is a string; expected a list of sentences"),
    (set(SOURCES), HYPOTHESES, REFERENCES, "sources is a set, which has no order; expected a list of sentences"),
    (SOURCES, HYPOTHESES, pandas.DataFrame(REFERENCES), r"references is a DataFrame; .* Take its columns: frame\["),
    (SOURCES, HYPOTHESES, "This is", "references is a string; expected one list of sentences per annotator"),
    (None, HYPOTHESES, REFERENCES, "sources is None; expected a list of sentences"),
    (SOURCES, None, REFERENCES, "hypotheses is None; expected a list of sentences"),
    (SOURCES, HYPOTHESES, None, "references is missing: M² compares hypotheses with references"),
    ([], HYPOTHESES, REFERENCES, "sources is empty; expected at least one sentence"),
    (SOURCES, [], REFERENCES, "hypotheses is empty; expected at least one sentence"),
    (SOURCES, HYPOTHESES, [], "references is empty; expected one list of sentences per annotator"),
    (SOURCES, HYPOTHESES, [[]], r"references\[0\] is empty; expected at least one sentence"),
    (SOURCES, HYPOTHESES * 2, REFERENCES, "hypotheses has 2 sentences, but sources has 1"),
    (SOURCES, HYPOTHESES, [HYPOTHESES, HYPOTHESES * 3], r"references\[1\] has 3 sentences, but sources has 1"),
    (SOURCES, HYPOTHESES, HYPOTHESES, r"references is a flat list of strings.*write references=\[refs\]"),
    ([None], HYPOTHESES, REFERENCES, r"sources\[0\] is None; expected a sentence as a string"),
    (SOURCES, [["This", "is"]], REFERENCES, r"hypotheses\[0\] is a list; .* ' '\.join\(tokens\)"),
    (SOURCES, [b"This is"], REFERENCES, r"hypotheses\[0\] is a bytes; .*\.decode\(\)"),
    (SOURCES, HYPOTHESES, [[3]], r"references\[0\]\[0\] is an int; expected a sentence as a string"),
    (SOURCES, HYPOTHESES, [None], r"references\[0\] is None; expected a list of sentences"),
    (SOURCES, HYPOTHESES, ["This is", None], r"references\[0\] is a string; expected a list of sentences"),
    (["This\nare"], HYPOTHESES, REFERENCES, r"sources\[0\] has a line break \('\\n'\) in 'This\\nare'; .* Split it"),
    (SOURCES, ["This\ris"], REFERENCES, r"hypotheses\[0\] has a line break \('\\r'\)"),
    (SOURCES, HYPOTHESES, [["This\u2028is"]], r"references\[0\]\[0\] has a line break \('\\u2028'\)"),
    ({"a": "b"}, HYPOTHESES, REFERENCES, "sources is a dict; expected a list of sentences"),
    (7, HYPOTHESES, REFERENCES, "sources is an int; expected a list of sentences"),
]


@pytest.mark.parametrize("method", ["corpus_score", "sentence_scores"])
@pytest.mark.parametrize(("sources", "hypotheses", "references", "told"), WRONG, ids=[each[-1] for each in WRONG])
def test_wrong_lists(method: str, sources: Any, hypotheses: Any, references: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        getattr(gec.metric("m2"), method)(sources, hypotheses, references)


def test_a_line_break_may_end_a_sentence_as_in_lines_of_a_file() -> None:
    assert gec.metric("m2").corpus_score([f"{SOURCES[0]}\r\n"], HYPOTHESES, [[f"{HYPOTHESES[0]}\n"]]).value == 1


@pytest.mark.parametrize("metric", AVAILABLE, ids=lambda metric: metric.id)
def test_every_available_metric_refuses_wrong_lists(metric: Scorer) -> None:
    """Before anything is scored, so that no model is loaded for it."""
    cases: list[tuple[Any, str]] = [("This are", "is a string"), ([], "is empty"), (None, "is None")]
    for wrong, told in [*cases, (SOURCES * 2, "sentences?, but")]:
        with pytest.raises(InputError, match=f"hypotheses .*{told}"):
            metric.corpus_score(SOURCES, wrong, REFERENCES)
        with pytest.raises(InputError, match=told):
            metric.sentence_scores(wrong, HYPOTHESES, REFERENCES)
        if metric.needs != "source":
            with pytest.raises(InputError, match="references"):
                metric.corpus_score(SOURCES, HYPOTHESES, [wrong] if isinstance(wrong, list) else wrong)


@pytest.mark.parametrize(
    ("source", "hypothesis", "references", "told"),
    [
        (["This are"], "This is", ["This is"], "source is a list; expected a sentence as a string"),
        ("This are", None, ["This is"], "hypothesis is None; expected a sentence as a string"),
        ("This are", "This is", "This is", "references is a string; expected a list with one reference per annotator"),
        ("This are", "This is", [["This is"]], r"references\[0\] is a list; .* about one sentence"),
        ("This are", "This is", None, "references is missing: M² compares"),
        ("This are", "This is", [], "references is missing: M² compares"),
        (" ", "This is", ["This is"], "source is empty"),
    ],
)
def test_wrong_arguments_of_explain(source: Any, hypothesis: Any, references: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        gec.explain("m2", source, hypothesis, references)


def test_errors_are_value_errors_of_python_too() -> None:
    with pytest.raises(ValueError, match="sources is None"):
        gec.metric("m2").corpus_score(None, [], [])  # type: ignore[arg-type]


def test_any_iterable_of_strings_will_do() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": SOURCES, "hypothesis": HYPOTHESES, "reference": REFERENCES[0]})
    assert gec.metric("m2").corpus_score(frame["source"], frame["hypothesis"], [frame["reference"]]).value == 1.0
    assert gec.metric("m2").corpus_score(tuple(SOURCES), iter(HYPOTHESES), (tuple(HYPOTHESES),)).value == 1.0  # type: ignore[arg-type]


def test_white_space_between_tokens_does_not_matter() -> None:
    assert gec.metric("m2").corpus_score(["This  are a\tsentence . "], HYPOTHESES, REFERENCES).value == 1.0


def test_options_of_explain_go_with_a_name_only() -> None:
    assert "beta:1.0" in gec.explain("m2", "a b", "a c", ["a c"], beta=1).signature
    with pytest.raises(OptionError, match="give options where the metric is made"):
        gec.explain(gec.metric("m2"), "a b", "a c", ["a c"], beta=1)
