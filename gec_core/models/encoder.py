"""Encoders: the contextual vector of each word piece of a sentence in one layer, or a number for a text.

Of an encoder, only the layers up to that one are loaded and run. A regressor is an encoder with a head that predicts
one number for a text or a pair of texts. Sentences go through the model sorted by length, so that
batches have little padding; the caller passes each distinct sentence once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import ModelError
from gec_core.models.loading import device, each_on_a_core, explained, load_model, load_tokenizer, remembered, text_key
from gec_core.models.places import Place
from gec_core.store import Store
from gec_core.types import Array

Vectors = NDArray[np.float32]
Ids = tuple[int, ...]

PIECES = 2048
"""Word pieces that go through the model together, padding included; more is not faster on a CPU."""
_LAYER_COUNTS = ("num_hidden_layers", "n_layers", "n_layer", "encoder_layers")


class Pieces(NamedTuple):
    """A sentence as word pieces, with the special pieces at its beginning and end."""

    ids: Ids
    cut: bool
    """Whether the end is cut off, because the model reads no more pieces at a time."""


class Encoder:
    """An encoder up to one layer, with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model, self._tokenizer = model, tokenizer
        self.longest = min(tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None) or 512)
        """The most word pieces that the model reads."""
        self.marks = frozenset({tokenizer.cls_token_id, tokenizer.sep_token_id})
        """The pieces that begin and end every sentence."""

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """The word pieces of each text, cut at `longest`."""
        # The space makes tokenizers that mark word beginnings see one at the start, too.
        spaced = [f" {text}" if text else "" for text in texts]
        whole = self._encode(spaced, truncation=False)
        long = [number for number, ids in enumerate(whole) if len(ids) > self.longest]
        shortened = dict(zip(long, self._encode([spaced[number] for number in long], truncation=True), strict=True))
        return [Pieces(tuple(shortened.get(number, ids)), number in shortened) for number, ids in enumerate(whole)]

    def unit_vectors(self, sentences: Iterable[Ids]) -> dict[Ids, Vectors]:
        """The unit vectors of the pieces of each distinct sentence, one row per piece."""
        import torch

        unit = torch.nn.functional.normalize
        return {ids: unit(hidden, dim=-1).cpu().numpy() for ids, hidden in self._each(sentences)}

    def mean_vectors(self, sentences: Iterable[Ids]) -> dict[Ids, Vectors]:
        """The mean of the vectors of the pieces of each distinct sentence."""
        return {ids: hidden.mean(dim=0).cpu().numpy() for ids, hidden in self._each(sentences)}

    def _each(self, sentences: Iterable[Ids]) -> Iterator[tuple[Ids, Any]]:
        """Every distinct sentence with the vectors of its pieces."""
        batches = list(_batches(sorted(set(sentences), key=lambda ids: (len(ids), ids))))
        for batch, vectors in zip(batches, each_on_a_core(self._hidden, batches), strict=True):
            for ids, hidden in zip(batch, vectors, strict=True):
                yield ids, hidden[: len(ids)]

    def _encode(self, texts: list[str], *, truncation: bool) -> list[list[int]]:
        if not texts:
            return []
        # Text is data: a "[SEP]" in it is three words, not the end of the sentence.
        return self._tokenizer(
            texts, truncation=truncation, max_length=self.longest if truncation else None, split_special_tokens=True
        )["input_ids"]

    def _hidden(self, batch: Sequence[Ids]) -> Any:
        """The vectors of the last layer for sentences of about the same length, the longest one last."""
        import torch

        padding = self._tokenizer.pad_token_id or 0
        width = len(batch[-1])
        ids = torch.tensor([[*ids, *[padding] * (width - len(ids))] for ids in batch], device=device())
        lengths = torch.tensor([len(ids) for ids in batch], device=device())
        mask = (torch.arange(width, device=device()) < lengths[:, None]).long()
        with torch.inference_mode():
            return self._model(input_ids=ids, attention_mask=mask).last_hidden_state


@lru_cache(maxsize=2)
def load_encoder(place: Place, layer: int) -> Encoder:
    """Load an encoder up to this layer (0: the embeddings, before any layer)."""
    # The pooler reads the last layer only, and is not used.
    model = load_model(place, "AutoModel", may_lack=("pooler",), num_hidden_layers=layer)
    with explained(place):
        encoder = Encoder(model, load_tokenizer(place))
        if None in encoder.marks:
            raise ModelError(f"{place.name}: a {type(model).__name__} is not an encoder. Use BERT or a similar model.")
        return encoder


@lru_cache(maxsize=32)
def layer_count(place: Place) -> int:
    """The number of layers of a model, from its configuration alone."""
    with explained(place):
        config = json.loads((place.path / "config.json").read_text(encoding="utf-8"))
        found = next((config[name] for name in _LAYER_COUNTS if isinstance(config.get(name), int)), None)
        if found is None:
            raise ModelError(f"{place.path / 'config.json'} does not say how many layers the model has.")
        return int(found)


def _batches(by_length: Sequence[Ids]) -> Iterator[Sequence[Ids]]:
    """Batches of neighbours of at most PIECES pieces, with the padding to the longest."""
    start = 0
    for end in range(1, len(by_length) + 1):
        if end == len(by_length) or len(by_length[end]) * (end + 1 - start) > PIECES:
            yield by_length[start:end]
            start = end


Texts = tuple[str, ...]
"""One text, or two that are read together."""
BATCH = 32


class Prediction(NamedTuple):
    """The number that a regressor predicts for a text."""

    value: float
    cut: bool
    """Whether the text was too long for the model, so that its end was cut off."""


class Regressor:
    """A sequence-classification model with one output, and its tokenizer; it reads `longest` word pieces."""

    def __init__(self, model: Any, tokenizer: Any, longest: int) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._longest = min(longest, getattr(model.config, "max_position_embeddings", longest))

    def estimates(self, texts: Sequence[Texts]) -> list[Array]:
        """The prediction for each text (or pair), and whether its end was cut off."""
        import torch

        pieces = [len(self._tokenizer(*each, truncation=False, verbose=False)["input_ids"]) for each in texts]
        order = sorted(range(len(texts)), key=pieces.__getitem__)
        rows: list[Array] = [np.empty(0)] * len(texts)
        with torch.inference_mode():
            for start in range(0, len(order), BATCH):
                batch = order[start : start + BATCH]
                values = self._model(**self._encode([texts[number] for number in batch])).logits[:, 0].tolist()
                for number, value in zip(batch, values, strict=True):
                    rows[number] = np.array([value, pieces[number] > self._longest])
        return rows

    def _encode(self, texts: Sequence[Texts]) -> Any:
        sides = [list(side) for side in zip(*texts, strict=True)]
        return self._tokenizer(
            *sides,
            padding=True,
            truncation=True,
            max_length=self._longest,
            split_special_tokens=True,
            return_tensors="pt",
        ).to(device())


@lru_cache(maxsize=4)
def load_regressor(place: Place, longest: int) -> Regressor:
    """Load a regressor."""
    model = load_model(place, "AutoModelForSequenceClassification")
    with explained(place):
        if model.config.num_labels != 1:
            raise ModelError(
                f"{place.path}: a regressor has one output, but this model has {model.config.num_labels}. "
                "Name another model."
            )
        return Regressor(model, load_tokenizer(place), longest)


def estimates(place: Place, texts: Iterable[Texts], store: Store | None, *, longest: int) -> dict[Texts, Prediction]:
    """The prediction for each distinct text (or pair), from memory or the store where it is known."""
    keys = {each: text_key(*each) for each in texts}
    signature = f"regressor|v1|model:{place.signature}|longest:{longest}"
    payloads = {key: each for each, key in keys.items()}
    rows = remembered(store, signature, payloads, lambda new: load_regressor(place, longest).estimates(new))
    return {each: Prediction(float(rows[key][0]), bool(rows[key][1])) for each, key in keys.items()}
