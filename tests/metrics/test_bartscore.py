import pytest
import tiny_models
from conftest import score_one, sentence
from tiny_models import torch, transformers

from gec_core.metrics import create
from gec_core.models.places import locate
from gec_core.models.seq2seq import likelihoods, load_seq2seq
from gec_core.scoring import score
from gec_core.types import Corpus, Sentence

PAIRS = [("a cat sat", "a cat sits"), ("a cat sat", "cats"), ("b", "a cat sat"), ("a", ""), ("", "a")]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_models.seq2seq(tmp_path_factory.mktemp("bart") / "tiny-bart"))


def by_definition(folder: str, given: str, text: str) -> float:
    """The mean log-probability of <s> text </s>, token by token, each after </s> and the tokens before it."""
    model = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    encoded = tokenizer(given, return_tensors="pt", return_token_type_ids=False)
    tokens, so_far, total = tokenizer(text)["input_ids"], [2], 0.0
    for token in tokens:
        with torch.inference_mode():
            logits = model(**encoded, decoder_input_ids=torch.tensor([so_far])).logits[0, -1]
        total += float(logits.log_softmax(-1)[token])
        so_far.append(token)
    return total / len(tokens)


def test_a_batch_equals_the_definition(tiny: str) -> None:
    found = likelihoods(locate("seq2seq", tiny), PAIRS, None)
    assert [found[pair].mean for pair in PAIRS] == pytest.approx(
        [by_definition(tiny, *pair) for pair in PAIRS], abs=1e-4
    )
    assert not any(each.cut for each in found.values())


def test_the_likeliest_reference_counts(tiny: str) -> None:
    metric = create("bartscore", {"model": tiny})
    given = sentence("x", "a cat sat", "b")
    values = [by_definition(tiny, reference, "cats") for reference in given.references]
    assert score_one(metric, given, "cats").value == pytest.approx(max(values), abs=1e-4)


def test_a_corpus_gets_the_mean_with_any_number_of_references(tiny: str) -> None:
    metric = create("bartscore", {"model": tiny})
    sentences = (sentence("x", "a cat sat", "b"), sentence("y", "a"))
    column = score(Corpus("c", sentences, {"s": ("cats", "")}), [metric]).columns[0]
    scored = column.systems["s"]
    assert scored.score.value == pytest.approx(metric.sentence_scores(scored.statistics).mean())
    details = metric.sentence_details(scored.statistics)
    assert [len(each["by_reference"]) for each in details] == [2, 1]
    assert details[1]["by_reference"] == pytest.approx([by_definition(tiny, "a", "")], abs=1e-4)


def test_a_hypothesis_of_2000_tokens_is_cut_and_says_so(tiny: str) -> None:
    metric = create("bartscore", {"model": tiny})
    long = " ".join(["ab"] * 2000)
    column = score(Corpus("c", (Sentence("x", ("a",)),), {"s": (long,)}), [metric]).columns[0]
    (details,) = metric.sentence_details(column.systems["s"].statistics)
    assert "truncated" in details["note"]
    assert column.truncation.startswith("1 comparison had a text longer than the model reads")
    load_seq2seq.cache_clear()


def test_without_weights_it_says_how_to_get_them() -> None:
    metric = create("bartscore")
    assert not metric.availability().ready
    assert "facebook/bart-base is not on this machine" in metric.availability().how
    assert metric.signature == "bartscore|v1|model:auto@missing"
