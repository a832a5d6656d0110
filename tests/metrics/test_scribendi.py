# mypy: disable-error-code="attr-defined"
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from conftest import score_one, sentence
from paper_examples import HOSPITAL, HOSPITAL_AN

from gec_core.metrics import create
from gec_core.metrics.base import Case
from gec_core.metrics.blocks import Explanation, Facts, Tokens
from gec_core.metrics.scribendi import Scribendi, levenshtein_ratio, token_sort_ratio
from gec_core.models import causal_lm
from gec_core.models.causal_lm import detokenise, load_lm, perplexity
from gec_core.models.places import embedded
from gec_core.papers.examples import CASES
from gec_core.scoring import score
from gec_core.store import Store
from gec_core.types import Corpus, Pair, Sentence

ORDER = (
    "Once the test is done, whether the results should be open to his or her relatives has caused social extensive "
    "controversy ."
)
CANNOT = "We can not let it go ."
DISEASE = "People get certain disease because of genetic changes ."
LOVE = "The basis of a family is that everyone trusts and love each other with no doubts ."
ILLNESS = (
    "More and more illness are discovered to be related to some genes with the development of the medical technology ."
)
ILLNESSES = (
    "With the development of medical technology, more and more illnesses have been discovered to be related to some "
    "genes ."
)
SCHOOL = "He is going school ."

PAPER = [
    (ORDER, ORDER.replace("social extensive", "extensive social"), 104.48, 62.72, 1),
    (CANNOT, "We cannot let it go .", 26.46, 24.299, 1),
    (DISEASE, DISEASE.replace("disease", "diseases"), 148.57, 80.62, 1),
    (LOVE, LOVE.replace("love ", "loves "), 52.92, 44.09, 1),
    (ILLNESS, ILLNESSES, 81.93, 20.232, 1),
]
"""Source, output, the perplexities that Islam and Magnani print, and their verdict."""


def verdict(source: str, output: str, ppl_source: float, ppl_output: float, **options: Any) -> Any:
    row = [ppl_source, ppl_output, token_sort_ratio(source, output), levenshtein_ratio(source, output)]
    return Scribendi(Scribendi.Options(**options)).sentence_scores(np.array([[*row, source == output, 20]]))[0]


@pytest.mark.parametrize(("source", "output", "ppl_source", "ppl_output", "expected"), PAPER)
def test_the_papers_examples_with_its_own_perplexities(
    source: str, output: str, ppl_source: float, ppl_output: float, expected: int
) -> None:
    assert verdict(source, output, ppl_source, ppl_output) == expected
    assert verdict(output, source, ppl_output, ppl_source) == -1


def test_the_papers_ratios() -> None:
    assert token_sort_ratio(*PAPER[0][:2]) == 1
    assert levenshtein_ratio(*PAPER[0][:2]) == pytest.approx(0.94308, abs=1e-5)
    assert token_sort_ratio(*PAPER[1][:2]) == pytest.approx(0.8205, abs=1e-4)
    assert levenshtein_ratio(*PAPER[1][:2]) == pytest.approx(0.9767, abs=1e-4)
    assert token_sort_ratio(*PAPER[4][:2]) == pytest.approx(0.929, abs=5e-4)
    assert levenshtein_ratio(*PAPER[4][:2]) == pytest.approx(0.554, abs=5e-4)


@pytest.mark.parametrize(
    ("output", "ppl_output", "expected"),
    [
        ("He He He He He He .", 5.0, -1),
        (SCHOOL, 100.0, 0),
        ("He is going to school .", 99.9, 1),
        ("He is going to school .", 100.0, -1),
        ("He is going to school .", 100.1, -1),
        ("", math.inf, -1),
    ],
)
def test_the_decision_table(output: str, ppl_output: float, expected: int) -> None:
    assert verdict(SCHOOL, output, 100.0, ppl_output) == expected


def test_the_threshold_is_met_by_either_ratio() -> None:
    source, output = ILLNESS, ILLNESSES
    assert verdict(source, output, 2.0, 1.0, threshold=0.92) == 1
    assert verdict(source, output, 2.0, 1.0, threshold=0.94) == -1


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_models.causal_lm(tmp_path_factory.mktemp("scribendi") / "tiny", window=1100))


def test_a_corpus_gets_the_sum_and_the_counts(tiny: str, tmp_path: Path) -> None:
    sources = ("a cat sat .", "a dog ran .", "no change .")
    outputs = ("the cat sat .", "the dog ran .", "no change .")
    corpus = Corpus("c", tuple(map(Sentence, sources)), {"x": outputs, "y": (outputs[0], "", sources[2])})
    metric = Scribendi(Scribendi.Options(model=tiny))
    column = score(corpus, [metric], store=Store(tmp_path / "store.sqlite")).columns[0]
    read = [detokenise(text) for text in sources + outputs]
    nats = dict(zip(sources + outputs, load_lm(metric.place).nats(read), strict=True))
    better = [
        perplexity(nats[source]) > perplexity(nats[output]) for source, output in zip(sources, outputs, strict=True)
    ]
    expected = [1 if better[0] else -1, 1 if better[1] else -1, 0]
    scored = column.systems["x"]
    assert metric.sentence_scores(scored.statistics).tolist() == expected
    assert scored.score.value == sum(expected)
    assert scored.score.details["zero"] == 1
    assert scored.score.details["mean"] == pytest.approx(sum(expected) / 3)
    first, empty, same = metric.sentence_details(column.systems["y"].statistics)
    assert first["ppl_output"] == pytest.approx(perplexity(nats[outputs[0]]), rel=1e-6)
    assert (empty["ppl_output"], empty["tsr"], empty["ldr"], empty["verdict"]) == (math.inf, 0, 0, "not better")
    assert (same["verdict"], same["ldr"]) == ("unchanged", 1)


def test_the_model_may_read_tokenised_text(tiny: str) -> None:
    for option, text in (("true", "a cat."), ("false", "a cat .")):
        metric = create("scribendi", {"model": tiny, "detokenise": option})
        (row,) = metric.statistics([Pair(Sentence("a cat ."), "a cat .")])
        (nats,) = load_lm(metric.place).nats([text])
        assert row[:2] == pytest.approx([perplexity(nats)] * 2)


def test_another_threshold_needs_no_model(tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus("c", (Sentence("a cat sat ."),), {"x": ("the cat sat .",)})
    store = Store(tmp_path / "store.sqlite")
    score(corpus, [create("scribendi", {"model": tiny})], store=store)
    monkeypatch.setattr(causal_lm, "load_lm", lambda place: pytest.fail("the model was used again"))
    column = score(corpus, [create("scribendi", {"model": tiny, "threshold": "0.99"})], store=store).columns[0]
    assert column.systems["x"].score.value == -1


def test_a_hypothesis_of_2000_tokens_is_read_in_parts(tiny: str) -> None:
    metric = create("scribendi", {"model": tiny})
    assert score_one(metric, sentence("a cat sat ."), "ab " * 2000).value == -1
    corpus = Corpus("c", (Sentence("a cat sat ."),), {"x": (" ".join(["ab"] * 2000),)})
    statistics = score(corpus, [metric]).columns[0].systems["x"].statistics
    (details,) = metric.sentence_details(statistics)
    assert math.isfinite(details["ppl_output"])
    assert "overlapping parts" in details["note"]


def test_signature_and_label_name_the_model(tiny: str) -> None:
    metric = create("scribendi", {"model": tiny})
    assert metric.signature == f"scribendi|v1|model:tiny@{metric.place.revision}|detokenise:true|threshold:0.8"
    assert metric.label == "Scribendi Score · tiny"
    missing = create("scribendi", {"model": "no/such-model"})
    assert missing.signature.startswith("scribendi|v1|model:no/such-model@missing|")
    assert missing.label == "Scribendi Score"
    assert "no/such-model is not on this machine" in missing.availability().how


@pytest.mark.skipif(embedded("causal-lm") is None, reason="the embedded language model is not installed")
def test_the_embedded_model_prefers_most_of_the_papers_corrections() -> None:
    metric = create("scribendi")
    assert metric.label == "Scribendi Score · SmolLM2-135M, embedded"
    lm = load_lm(metric.place)
    sources, outputs = [case[0] for case in PAPER], [case[1] for case in PAPER]
    together = [perplexity(nats) for nats in lm.nats([*sources, *outputs])]
    alone = [perplexity(lm.nats([text])[0]) for text in (*sources, *outputs)]
    assert together == pytest.approx(alone, rel=1e-4)
    better = [source > output for source, output in zip(together[:5], together[5:], strict=True)]
    # The second pair, "We can not" and "We cannot", goes the other way here than in the paper.
    assert better == [True, False, True, True, True]


def values(explanation: Explanation) -> dict[Any, Any]:
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


REPEATED = CASES["repetition"].hypotheses["Prediction"]


def test_surprisals_add_up_to_the_perplexity(tiny: str) -> None:
    found = create("scribendi", {"model": tiny}).explain(Sentence(SCHOOL), "He is going to school .")
    source, output = found.all(Tokens)
    for tokens, name in ((source, "source"), (output, "output")):
        mean = sum(token.value for token in tokens.tokens) / len(tokens.tokens)
        assert values(found)[f"perplexity of the {name}"] == pytest.approx(2.718281828459045**mean, rel=1e-6)
    assert "".join(token.text for token in output.tokens).replace(" ", "") == "Heisgoingtoschool."


@pytest.mark.parametrize(
    ("output", "threshold", "expected"),
    [(SCHOOL, "0.8", "The output equals the source: 0."), (REPEATED, "1.0", "−1."), (REPEATED, "0", "1.")],
)
def test_the_way_through_the_rules_is_told(tiny: str, output: str, threshold: str, expected: str) -> None:
    found = create("scribendi", {"model": tiny, "threshold": threshold}).explain(Sentence(SCHOOL), output)
    facts = values(found)
    assert facts["decision"].endswith(expected)
    better = facts["perplexity of the source"] > facts["perplexity of the output"]
    if output != SCHOOL and not better:
        assert facts["decision"] == "The perplexity is not lower than that of the source: −1."
        assert found.score == -1


@pytest.mark.parametrize("output", [HOSPITAL_AN, HOSPITAL.source, "Thus Thus Thus"])
def test_scribendi_reads_twice_and_decides(tiny: str, output: str) -> None:
    case = Case(create("scribendi", {"model": tiny}), HOSPITAL, output)
    found = case.metric.steps(case.sentence, case.output)
    assert found[-1].value == case.score
    perplexities = [step.value for step in found if step.title.startswith("Perplexity")]
    assert perplexities[0] == pytest.approx(case.details["ppl_source"], rel=1e-6)
    assert perplexities[-1] == pytest.approx(case.details["ppl_output"], rel=1e-6)
