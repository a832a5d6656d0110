"""Explanations of metrics with models: tiny ones made here, and the embedded ones where they are installed."""

import pytest
import tiny_models
from conftest import sentence
from tiny_encoder import needs_encoder, save_tiny_bert

from gec_core.explain.blocks import Facts, Tokens
from gec_core.explain.credit import credit
from gec_core.metrics import create
from gec_core.papers.examples import CASES

SCHOOL = CASES["repetition"].sentence
REPEATED = CASES["repetition"].hypotheses["Prediction"]


def values(explanation):
    return {name: value for block in explanation.all(Facts) for name, value in block.values.items()}


@pytest.fixture(scope="module")
def lm(tmp_path_factory):
    return str(tiny_models.causal_lm(tmp_path_factory.mktemp("explain") / "tiny"))


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return str(save_tiny_bert(tmp_path_factory.mktemp("explain") / "bert"))


def test_surprisals_add_up_to_the_perplexity(lm):
    found = create("scribendi", {"model": lm}).explain(SCHOOL, "He is going to school .")
    source, output = found.all(Tokens)
    for tokens, name in ((source, "source"), (output, "output")):
        mean = sum(token.value for token in tokens.tokens) / len(tokens.tokens)
        assert values(found)[f"perplexity of the {name}"] == pytest.approx(2.718281828459045**mean, rel=1e-6)
    assert "".join(token.text for token in output.tokens).replace(" ", "") == "Heisgoingtoschool."


@pytest.mark.parametrize(
    ("output", "threshold", "expected"),
    [(SCHOOL.source, "0.8", "The output is the source: 0."), (REPEATED, "1.0", "−1."), (REPEATED, "0", "1.")],
)
def test_the_way_through_the_rules_is_told(lm, output, threshold, expected):
    found = create("scribendi", {"model": lm, "threshold": threshold}).explain(SCHOOL, output)
    facts = values(found)
    assert facts["decision"].endswith(expected)
    better = facts["perplexity of the source"] > facts["perplexity of the output"]
    if output != SCHOOL.source and not better:
        assert facts["decision"] == "The perplexity is not lower than the source's: −1."
        assert found.score == -1


def test_similarities_are_means_to_precision_and_recall(bert):
    found = create("bertscore", {"model": bert}).explain(sentence("a b c", "a d c"), "a b e c")
    for block, name in zip(found.all(Tokens), ("precision", "recall"), strict=True):
        mean = sum(token.value for token in block.tokens) / len(block.tokens)
        assert values(found)[name] == pytest.approx(mean, abs=1e-6)
    precision, recall = found.all(Tokens)
    assert [token.text for token in precision.tokens] == ["a", "b", "e", "c"]
    assert [token.text for token in recall.tokens] == ["a", "d", "c"]
    assert found.reference == "a d c"


def test_with_the_mean_of_references_each_is_shown(bert):
    found = create("bertscore", {"model": bert, "references": "mean"}).explain(sentence("a b", "a d", "a e"), "a b")
    assert len(list(found.all(Tokens))) == 4
    assert found.reference is None


@needs_encoder
def test_equal_words_are_matched_with_each_other():
    found = create("bertscore").explain(SCHOOL, "He is going to school .")
    for block in found.all(Tokens):
        assert [(token.text, token.partner) for token in block.tokens] == [
            (word, word) for word in ["he", "is", "going", "to", "school", "."]
        ]
        assert [token.value for token in block.tokens] == pytest.approx([1] * 6, abs=1e-5)


def test_asanos_parts_and_their_own_explanations(lm):
    metric = create("asano", {"model": lm})
    if not metric.availability().ready:
        pytest.skip(metric.availability().how)
    found = metric.explain(SCHOOL, "He is going to school .")
    titles = [block.title for block in found.blocks]
    assert titles[0] == "Three parts and their weights"
    assert {title.split(":")[0] for title in titles[1:]} == {"Grammar", "Fluency", "Meaning"}
    parts = [value.split(" × ") for value in found.blocks[0].values.values()]
    assert sum(float(value) * float(weight) for value, weight in parts) == pytest.approx(found.score, abs=1e-3)
    assert values(found)["content words of the output"] == "going, school"


@pytest.mark.parametrize("id", ["scribendi", "bertscore", "ptm2"])
def test_credits_add_up(id, lm, bert):
    metric = create(id, {"model": lm if id == "scribendi" else bert})
    found = credit(metric, sentence("a b c d e f .", "a g c h e f .", "a g c d ."), "a g d h .")
    assert found.exact
    assert len(found.edits) >= 2
    assert sum(edit.credit for edit in found.edits) == pytest.approx(found.score - found.source_score, abs=1e-9)
