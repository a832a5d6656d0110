"""Sentence regressors: encoders with a head that predicts one number for a text or a pair of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from gec_core.errors import ModelError
from gec_core.models.loading import explained, load_model, load_tokenizer
from gec_core.models.places import Place
from gec_core.models.runtime import device, remembered, text_key
from gec_core.store import Store
from gec_core.types import Array

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
