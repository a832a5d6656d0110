# mypy: disable-error-code="attr-defined"
"""What every metric with a model does with empty and endless outputs, damaged weights and the wrong model."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from conftest import sentence
from errant_cases import needs_errant
from tiny_encoder import save_tiny_bert

from gec_core.metrics import create, registry
from gec_core.metrics.base import Metric
from gec_core.metrics.model import ModelMetric
from gec_core.models.causal_lm import WINDOW, load_lm, reach
from gec_core.scoring import score
from gec_core.scoring.table import ScoreTable
from gec_core.types import Corpus

LONG = " ".join(["a", "d"] * 1000)
OUTPUTS = ("a d c .", "", LONG, "a b c .")
GIVEN = sentence("a b c .", "a d c .")
MADE = {
    "scribendi": "causal-lm",
    "asano": "causal-lm",
    "asano-fluency": "causal-lm",
    "bertscore": "encoder",
    "ptm2": "encoder",
    "pterrant": "encoder",
    "bartscore": "seq2seq",
    "impara": "regressor",
    "some": "some",
}
"""Which kind of model each metric is given here."""
OTHER = {
    "causal-lm": "regressor",
    "encoder": "causal-lm",
    "seq2seq": "causal-lm",
    "regressor": "causal-lm",
    "some": "some of others",
}
metrics = pytest.mark.parametrize(
    "id", [pytest.param(id, marks=needs_errant) if id == "pterrant" else id for id in MADE], ids=str
)


def make(kind: str, folder: Path) -> Path:
    """A tiny model of this kind."""
    if kind.startswith("some"):
        for part in ("grammer", "fluency", "meaning"):
            make("regressor" if kind == "some" else "causal-lm", folder / part)
        return folder
    makers: dict[str, Callable[[Path], Path]]
    makers = {
        "encoder": save_tiny_bert,
        "causal-lm": tiny_models.causal_lm,
        "seq2seq": tiny_models.seq2seq,
    }
    return makers.get(kind, tiny_models.regressor)(folder)


def options(id: Any, folder: Path) -> dict[str, str]:
    given = {"model": str(folder)}
    if id == "impara":
        given["encoder"] = str(save_tiny_bert(folder.parent / "bert"))
    return given | ({"level": "corpus"} if id in ("ptm2", "pterrant") else {})


def scored(metric: Metric, outputs: Sequence[str] = OUTPUTS) -> ScoreTable:
    corpus = Corpus("c", (GIVEN,) * len(outputs), {"x": tuple(outputs)})
    return score(corpus, [metric, create("m2")])


def test_no_metric_with_a_model_is_left_out() -> None:
    assert set(MADE) == {id for id, cls in registry().items() if issubclass(cls, ModelMetric)}


@metrics
def test_empty_and_endless_outputs_have_defined_scores(id: Any, tmp_path: Path) -> None:
    metric = create(id, options(id, make(MADE[id], tmp_path / "model")))
    table = scored(metric)
    assert table.problems == {}
    found = table.columns[0].systems["x"]
    assert np.isfinite(metric.sentence_scores(found.statistics)).all()
    assert math.isfinite(found.score.value)


@metrics
@pytest.mark.parametrize("damage", ["truncated", "nonsense"])
def test_damaged_weights_are_said_and_the_others_score(id: Any, damage: str, tmp_path: Path) -> None:
    folder = make(MADE[id], tmp_path / "model")
    for weights in folder.rglob("model.safetensors"):
        data = weights.read_bytes()
        weights.write_bytes(data[: len(data) // 2] if damage == "truncated" else b"nonsense" * 100)
    table = scored(create(id, options(id, folder)))
    assert [column.metric.id for column in table.columns] == ["m2"]
    assert "the model cannot be loaded" in table.problems[id]
    assert str(folder) in table.problems[id]
    assert "fetch them again" in table.problems[id]


@metrics
def test_a_model_of_another_kind_is_said_and_the_others_score(id: Any, tmp_path: Path) -> None:
    folder = make(OTHER[MADE[id]], tmp_path / "model")
    table = scored(create(id, options(id, folder)))
    assert [column.metric.id for column in table.columns] == ["m2"]
    problem = table.problems[id]
    assert any(words in problem for words in ("weights are missing", "cannot be loaded", "is not an encoder")), problem


@pytest.mark.parametrize("architecture", ["llama", "gpt2"])
@pytest.mark.parametrize("id", ["scribendi", "asano-fluency"])
def test_reading_in_parts_is_noted_from_the_models_own_window_on(id: str, architecture: str, tmp_path: Path) -> None:
    """A model of single bytes: the begin-of-text token and 63 letters fill its 64 places."""
    metric = create(id, {"model": str(tiny_models.causal_lm(tmp_path / "lm", architecture, window=64))})
    assert reach(metric.place) == load_lm(metric.place).window == 63
    together, apart = metric.sentence_details(scored(metric, ("a" * 63, "a" * 64)).columns[0].systems["x"].statistics)
    assert "note" not in together
    assert "overlapping parts" in apart["note"]


def test_a_large_window_is_not_used_up(tmp_path: Path) -> None:
    place = create("scribendi", {"model": str(tiny_models.causal_lm(tmp_path / "lm", window=5000))}).place
    assert reach(place) == load_lm(place).window == WINDOW - 1
