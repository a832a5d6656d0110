from collections.abc import Sequence
from pathlib import Path

import pytest
import tiny_models
from tiny_models import torch, transformers

from gec_core.errors import MissingInput
from gec_core.metrics import create
from gec_core.metrics.base import Metric
from gec_core.scoring import score
from gec_core.scoring.table import Scored
from gec_core.types import Corpus, Sentence

SOURCE, OUTPUTS = "a cat sat .", ("the cat sat .", "", "a cat sat .")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("some") / "gfm-models"
    for seed, part in enumerate(("grammer", "fluency", "meaning")):
        tiny_models.regressor(folder / part, seed=seed)
    return folder


def by_definition(folder: Path, *texts: str) -> float:
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        return float(model(**tokenizer(*([text] for text in texts), return_tensors="pt")).logits[0, 0])


def scored(metric: Metric, outputs: Sequence[str] = OUTPUTS) -> Scored:
    corpus = Corpus("c", (Sentence(SOURCE),) * len(outputs), {"s": tuple(outputs)})
    return score(corpus, [metric]).columns[0].systems["s"]


def test_three_regressors_are_mixed(models: Path) -> None:
    metric = create("some", {"model": str(models)})
    expected = []
    for output in OUTPUTS:
        grammar, fluency = (by_definition(models / part, output) for part in ("grammer", "fluency"))
        meaning = by_definition(models / "meaning", SOURCE, output)
        expected.append(0.55 * (grammar - 1) / 3 + 0.43 * (fluency - 1) / 3 + 0.02 * (meaning - 1) / 3)
    found = scored(metric)
    assert metric.sentence_scores(found.statistics) == pytest.approx(expected, abs=1e-5)
    assert found.score.value == pytest.approx(sum(expected) / 3, abs=1e-5)


def test_weights_are_options_and_need_no_new_run(models: Path) -> None:
    plain = create("some", {"model": str(models)})
    fluency = create("some", {"model": str(models), "grammar": "0", "fluency": "1", "meaning": "0"})
    assert fluency.statistics_signature == plain.statistics_signature
    assert fluency.signature.endswith("|grammar:0.0|fluency:1.0|meaning:0.0")
    found = scored(fluency)
    assert found.score.value == pytest.approx(found.score.details["fluency"])


def test_a_hypothesis_of_2000_tokens_is_cut_and_says_so(models: Path) -> None:
    metric = create("some", {"model": str(models)})
    found = scored(metric, [" ".join(["ab"] * 2000)])
    (details,) = metric.sentence_details(found.statistics)
    assert "truncated to 128 word pieces" in details["note"]
    assert found.score.details["truncated"] == 1


def test_without_weights_it_says_what_to_download_and_where_to_put_it(models: Path) -> None:
    metric = create("some")
    assert metric.signature == "some|v1|model:auto@missing|grammar:0.55|fluency:0.43|meaning:0.02"
    assert "kokeman/SOME" in metric.availability().how
    assert "gfm-models" in metric.availability().how
    with pytest.raises(MissingInput, match="SOME cannot run here"):
        scored(metric)
    half = create("some", {"model": str(models.parent)})
    assert "grammar, fluency, meaning not in" in half.availability().how


def test_label_and_signature_change_with_any_of_the_three(models: Path, tmp_path: Path) -> None:
    metric = create("some", {"model": str(models)})
    assert metric.label == "SOME · gfm-models"
    for seed, part in enumerate(("grammar", "fluency", "meaning")):
        tiny_models.regressor(tmp_path / "gfm-models" / part, seed=seed + (part == "meaning"))
    other = create("some", {"model": str(tmp_path / "gfm-models")})
    assert other.availability().ready
    assert other.signature != metric.signature
