import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import tiny_models
from tiny_encoder import save_tiny_bert
from tiny_models import torch, transformers

from gec_core.metrics import create
from gec_core.metrics.base import Metric
from gec_core.scoring import score
from gec_core.scoring.table import Scored
from gec_core.types import Corpus, Sentence

SOURCE, OUTPUTS = "a b c .", ("a b c .", "a b d .", "h h h", "")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("impara")
    quality = tiny_models.regressor(folder / "quality")
    return {"model": str(quality), "encoder": str(save_tiny_bert(folder / "bert"))}


def scored(metric: Metric, outputs: Sequence[str] = OUTPUTS) -> Scored:
    corpus = Corpus("c", (Sentence(SOURCE),) * len(outputs), {"s": tuple(outputs)})
    return score(corpus, [metric]).columns[0].systems["s"]


def mean_vector(folder: str, text: str) -> Any:
    model = transformers.BertModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        return model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0).numpy()


def quality(folder: str, text: str) -> float:
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        return 1 / (1 + math.exp(-float(model(**tokenizer(text, return_tensors="pt")).logits)))


def test_quality_and_similarity_are_those_of_the_two_models(models: dict[str, str]) -> None:
    metric = create("impara", models)
    details = metric.sentence_details(scored(metric).statistics)
    source = mean_vector(models["encoder"], SOURCE)
    for output, found in zip(OUTPUTS, details, strict=True):
        vector = mean_vector(models["encoder"], output)
        cosine = source @ vector / np.linalg.norm(source) / np.linalg.norm(vector)
        assert found == {
            "quality": pytest.approx(quality(models["model"], output), abs=1e-5),
            "similarity": pytest.approx(cosine, abs=1e-5),
        }


def test_what_is_too_different_scores_nothing() -> None:
    metric = create("impara")
    statistics = np.array([[0.7, 0.95, 0], [0.8, 0.9, 0], [0.9, 0.899, 0]])
    assert metric.sentence_scores(statistics).tolist() == [0.7, 0.8, 0]
    result = metric.aggregate(statistics)
    assert result.value == pytest.approx(0.5)
    assert result.details == {"too_different": 1, "truncated": 0}


def test_the_threshold_needs_no_new_run(models: dict[str, str]) -> None:
    lax = create("impara", {**models, "threshold": "-1"})
    assert lax.statistics_signature == create("impara", models).statistics_signature
    assert scored(lax).score.details == {"too_different": 0, "truncated": 0}


def test_without_weights_it_says_what_to_download(models: dict[str, str]) -> None:
    assert "gotutiyan/IMPARA-QE is not on this machine" in create("impara").availability().how
    half = create("impara", {"model": models["model"]})
    assert "bert-base-cased is not on this machine" in half.availability().how
    assert half.signature == f"impara|v1|model:{models['model']}@missing|threshold:0.9"


def test_a_hypothesis_of_2000_tokens_is_cut_and_says_so(models: dict[str, str]) -> None:
    metric = create("impara", models)
    found = scored(metric, [" ".join(["ab"] * 2000)])
    (details,) = metric.sentence_details(found.statistics)
    assert "truncated to 128 word pieces" in details["note"]
    assert found.score.details["truncated"] == 1
