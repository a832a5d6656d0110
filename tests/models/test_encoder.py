# mypy: disable-error-code="func-returns-value"
"""The encoder: the vectors of one layer, the same however sentences are batched, and clear words when it fails."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_encoder import LONGEST, needs_encoder, save_tiny_bert, tiny_place

from gec_core.errors import ModelError
from gec_core.models import encoder as module
from gec_core.models.encoder import Encoder, layer_count, load_encoder
from gec_core.models.places import Place, locate

TEXTS = ["a b c", "a", "c b a d e f", "h h", "x ."]


@pytest.fixture
def tiny(tmp_path: Path) -> Place:
    return tiny_place(tmp_path / "tiny")


def vectors(encoder: Encoder, texts: list[str]) -> list[Any]:
    pieces = encoder.pieces(texts)
    found = encoder.unit_vectors(each.ids for each in pieces)
    return [found[each.ids] for each in pieces]


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_vectors_are_those_of_the_layer_at_length_1(tiny: Place, layer: int) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    encoder = load_encoder(tiny, layer)
    whole = transformers.AutoModel.from_pretrained(tiny.path).eval()
    for text, found in zip(TEXTS, vectors(encoder, TEXTS), strict=True):
        ids = torch.tensor([encoder.pieces([text])[0].ids])
        with torch.inference_mode():
            expected = whole(input_ids=ids, output_hidden_states=True).hidden_states[layer][0].numpy()
        np.testing.assert_allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-5)


def test_layers_above_are_not_loaded(tiny: Place) -> None:
    names = [name for name, _ in load_encoder(tiny, 1)._model.named_parameters()]
    assert any("layer.0." in name for name in names)
    assert not any("layer.1." in name for name in names)


@pytest.mark.parametrize("batch", [1, 8, 2048])
def test_a_batch_gives_what_single_sentences_give(tiny: Place, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_encoder(tiny, 2)
    alone = [vectors(encoder, [text])[0] for text in TEXTS]
    monkeypatch.setattr(module, "PIECES", batch)
    for single, together in zip(alone, vectors(encoder, TEXTS), strict=True):
        np.testing.assert_allclose(together, single, atol=1e-5)


@needs_encoder
def test_a_batch_gives_what_single_sentences_give_with_the_embedded_encoder() -> None:
    texts = ["He go home .", "She has gone to the market , which is far away from here .", "Yes"]
    encoder = load_encoder(locate("encoder"), 3)
    for text, together in zip(texts, vectors(encoder, texts), strict=True):
        np.testing.assert_allclose(together, vectors(encoder, [text])[0], atol=1e-5)


def test_each_distinct_sentence_goes_through_the_model_once(tiny: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, seen = load_encoder(tiny, 2), []
    run = encoder._hidden
    monkeypatch.setattr(encoder, "_hidden", lambda batch: seen.extend(batch) or run(batch))
    vectors(encoder, [*TEXTS, *TEXTS, "A"])
    assert len(seen) == len(set(seen)) == len(TEXTS), '"A" and "a" are the same word piece'


def test_batches_hold_neighbours_in_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECES", 6)
    sentences = [(1,), (1, 2), (1, 2, 3), (4, 5, 6), (1,) * 7]
    assert [list(batch) for batch in module._batches(sentences)] == [
        [(1,), (1, 2)],
        [(1, 2, 3), (4, 5, 6)],
        [(1,) * 7],
    ]


def test_texts_that_are_too_long_are_cut_and_say_so(tiny: Place) -> None:
    short, long = load_encoder(tiny, 2).pieces(["a " * (LONGEST - 2), "a " * (LONGEST - 1)])
    assert (len(short.ids), short.cut) == (LONGEST, False)
    assert (len(long.ids), long.cut) == (LONGEST, True)
    assert long.ids == short.ids


def test_an_empty_text_has_only_the_marks_of_its_ends(tiny: Place) -> None:
    encoder = load_encoder(tiny, 2)
    (empty,) = encoder.pieces([""])
    assert set(empty.ids) == encoder.marks


def test_a_mark_in_the_text_is_text(tiny: Place) -> None:
    encoder = load_encoder(tiny, 2)
    (pieces,) = encoder.pieces(["a [SEP] b"])
    assert [piece in encoder.marks for piece in pieces.ids] == [True, *[False] * 5, True]


def test_the_number_of_layers_is_read_from_the_configuration(tmp_path: Path) -> None:
    assert layer_count(tiny_place(tmp_path / "five", layers=5)) == 5


@pytest.mark.parametrize("damage", ["truncated", "nonsense"])
def test_damaged_weights_are_named(tmp_path: Path, damage: str) -> None:
    folder = save_tiny_bert(tmp_path / "damaged")
    weights = folder / "model.safetensors"
    data = weights.read_bytes()
    weights.write_bytes(data[: len(data) // 2] if damage == "truncated" else b"nonsense" * 100)
    with pytest.raises(ModelError, match=r"damaged: the model cannot be loaded.*fetch them again"):
        load_encoder(locate("encoder", str(folder)), 2)


def test_weights_of_another_architecture_are_refused(tmp_path: Path) -> None:
    folder = save_tiny_bert(tmp_path / "other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "distilbert"}))
    with pytest.raises(ModelError, match="some of its weights are missing"):
        load_encoder(locate("encoder", str(folder)), 2)


def test_a_configuration_without_layers_is_refused(tmp_path: Path) -> None:
    folder = save_tiny_bert(tmp_path / "bare")
    (folder / "config.json").write_text("{}")
    with pytest.raises(ModelError, match="how many layers"):
        layer_count(locate("encoder", str(folder)))
