"""Sequence-to-sequence models: the likelihood of one text given another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from gec_core.models.loading import device, load_model, load_tokenizer, remembered, text_key
from gec_core.models.places import Place
from gec_core.store import Store
from gec_core.types import Array

Given = tuple[str, str]
"""The given text, and the text whose likelihood is computed."""
LONGEST = 1024
BATCH = 16


class Likelihood(NamedTuple):
    """The likelihood of a text given another one."""

    mean: float
    """The mean log-probability of a token, with the special tokens at both ends."""
    cut: bool
    """Whether one of the texts was too long for the model, so that its end was cut off."""


class Seq2Seq:
    """An encoder-decoder model with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._longest = min(LONGEST, getattr(model.config, "max_position_embeddings", LONGEST))

    def likelihoods(self, pairs: Sequence[Given]) -> list[Array]:
        """The mean log-probability of the tokens of each second text, and whether a text was cut."""
        import torch

        pieces = {text: self._length(text) for pair in pairs for text in pair}
        # Pairs with the same given text are adjacent, so that it is encoded once per batch.
        order = sorted(range(len(pairs)), key=lambda each: (pieces[pairs[each][0]], pairs[each]))
        rows: list[Array] = [np.empty(0)] * len(pairs)
        with torch.inference_mode():
            for start in range(0, len(order), BATCH):
                batch = order[start : start + BATCH]
                means = self._means([pairs[number] for number in batch])
                for number, mean in zip(batch, means, strict=True):
                    cut = max(pieces[text] for text in pairs[number]) > self._longest
                    rows[number] = np.array([mean, cut])
        return rows

    def _length(self, text: str) -> int:
        return len(self._tokenizer(text, truncation=False, verbose=False)["input_ids"])

    def _means(self, pairs: Sequence[Given]) -> list[float]:
        import torch

        distinct = list(dict.fromkeys(given for given, _ in pairs))
        rows = torch.tensor([distinct.index(given) for given, _ in pairs], device=device())
        given, wanted = self._encode(distinct), self._encode([text for _, text in pairs])
        states = self._model.get_encoder()(**given).last_hidden_state
        labels, present = wanted["input_ids"], wanted["attention_mask"]
        logits = self._model(
            encoder_outputs=(states[rows],),
            attention_mask=given["attention_mask"][rows],
            decoder_input_ids=self._model.prepare_decoder_input_ids_from_labels(labels),
            use_cache=False,
        ).logits
        found = logits.gather(-1, labels[..., None])[..., 0] - logits.logsumexp(-1)
        return ((found * present).sum(-1) / present.sum(-1)).tolist()

    def _encode(self, texts: list[str]) -> Any:
        return self._tokenizer(
            texts,
            padding=True,
            truncation=True,
            max_length=self._longest,
            split_special_tokens=True,
            return_token_type_ids=False,
            return_tensors="pt",
        ).to(device())


@lru_cache(maxsize=1)
def load_seq2seq(place: Place) -> Seq2Seq:
    """Load a sequence-to-sequence model."""
    return Seq2Seq(load_model(place, "AutoModelForSeq2SeqLM"), load_tokenizer(place))


def likelihoods(place: Place, pairs: Iterable[Given], store: Store | None) -> dict[Given, Likelihood]:
    """The likelihood of the second text of each distinct pair, from memory or the store where it is known."""
    keys = {pair: text_key(*pair) for pair in pairs}
    signature = f"seq2seq|v1|model:{place.signature}"
    payloads = {key: pair for pair, key in keys.items()}
    rows = remembered(store, signature, payloads, lambda new: load_seq2seq(place).likelihoods(new))
    return {pair: Likelihood(float(rows[key][0]), bool(rows[key][1])) for pair, key in keys.items()}
