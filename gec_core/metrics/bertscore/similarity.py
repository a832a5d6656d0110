"""BERTScore of pairs of sentences (Zhang et al. 2020): each word piece is matched with the most similar one.

Precision is the mean over the candidate's pieces of the highest cosine with a piece of the reference, recall the mean
over the reference's pieces. With idf, pieces that are rare in a given set of sentences count more. The special tokens
at both ends may be matched, but do not count. A sentence without pieces scores 0.

Each distinct sentence is encoded once, and the result of each distinct pair is kept in the store: see `scores`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_core.corpora.text import TextFile
from gec_core.environment import expanded
from gec_core.errors import OptionError
from gec_core.models.encoder import Encoder, Ids, Pieces, layer_count, load_encoder
from gec_core.models.loading import remembered, text_key
from gec_core.models.places import Place
from gec_core.store import Store
from gec_core.types import Array

PairOfTexts = tuple[str, str]
"""A candidate and the reference that it is compared with."""
BLOCK = 100_000
"""The number of word pieces whose vectors are in memory at a time (150 MB for the embedded encoder, 300 MB for
BERT-base)."""

LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "distilbert-base-uncased": 5,
    "roberta-base": 10,
    "roberta-large": 17,
}
"""The best layers on WMT16 according to Zhang et al."""


class Similarity(NamedTuple):
    """Precision and recall of a candidate with a reference."""

    precision: float
    recall: float
    cut: bool
    """Whether one of the two was truncated because it is too long for the model."""

    @property
    def f(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0


@dataclass(frozen=True)
class Idf:
    """Inverse document frequencies of word pieces in a set of sentences, usually the references."""

    sentences: tuple[str, ...]

    @classmethod
    def read(cls, path: str) -> Idf:
        """Read sentences from a text file with one sentence per line, or from all .txt files of a folder."""
        place = expanded(path)
        files = sorted(place.glob("*.txt")) if place.is_dir() else [place]
        sentences = tuple(line for file in files for line in TextFile.at(file).lines())
        if not sentences:
            raise OptionError(
                f"idf={path}: no sentences found. Give a .txt file with one sentence per line, or a folder of them."
            )
        return cls(sentences)

    @cached_property
    def signature(self) -> str:
        return blake2b(repr(self.sentences).encode(), digest_size=4).hexdigest()

    def weigher(self, encoder: Encoder) -> Callable[[Ids], Array]:
        """The function that weighs the pieces of a sentence: log((n + 1) / (1 + sentences with the piece))."""
        counts = Counter(piece for pieces in encoder.pieces(self.sentences) for piece in set(pieces.ids))
        documents = len(self.sentences)
        return lambda ids: np.array([math.log((documents + 1) / (counts[piece] + 1)) for piece in ids])


@dataclass(frozen=True)
class BertSimilarity:
    """BERTScore on one layer of one encoder."""

    place: Place
    layer: int
    idf: Idf | None = None

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What the numbers depend on besides the texts, for signatures."""
        idf = self.idf.signature if self.idf else "none"
        return f"model:{self.place.signature}", f"layer:{self.layer}", f"idf:{idf}"

    @property
    def signature(self) -> str:
        return "|".join(["bert-similarity", "v1", *self.parts])

    def scores(self, pairs: Iterable[PairOfTexts], store: Store | None) -> dict[PairOfTexts, Similarity]:
        """Compute the similarity of each distinct pair, or take it from the store."""
        keys = {pair: text_key(*pair) for pair in pairs}
        rows = remembered(store, self.signature, {key: pair for pair, key in keys.items()}, self._rows)
        return {pair: Similarity(rows[key][0], rows[key][1], bool(rows[key][2])) for pair, key in keys.items()}

    def _rows(self, pairs: list[PairOfTexts]) -> list[Array]:
        encoder = load_encoder(self.place, self.layer)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        pieces = dict(zip(texts, encoder.pieces(texts), strict=True))
        weigh = self.idf.weigher(encoder) if self.idf else _equal_weights(encoder)
        rows = []
        for block in _blocks([(pieces[candidate], pieces[reference]) for candidate, reference in pairs]):
            vectors = encoder.unit_vectors(side.ids for pair in block for side in pair)
            weights = {ids: weigh(ids) for ids in vectors}
            for candidate, reference in block:
                cosines = vectors[candidate.ids] @ vectors[reference.ids].T
                matched = _match(cosines, weights[candidate.ids], weights[reference.ids])
                rows.append(np.array([*matched, candidate.cut or reference.cut]))
        return rows


def identity_scores(place: Place, pairs: Iterable[PairOfTexts]) -> dict[PairOfTexts, Similarity]:
    """Compute BERTScore without a model: the similarity of two word pieces is 1 if they are equal, otherwise 0."""
    encoder = load_encoder(place, 0)
    distinct = list(dict.fromkeys(pairs))
    texts = list({text for pair in distinct for text in pair})
    pieces = dict(zip(texts, encoder.pieces(texts), strict=True))
    weigh = _equal_weights(encoder)
    found = {}
    for candidate, reference in distinct:
        sides = pieces[candidate], pieces[reference]
        equal = np.equal.outer(*(np.array(side.ids) for side in sides))
        found[candidate, reference] = Similarity(
            *_match(equal, *(weigh(side.ids) for side in sides)), any(side.cut for side in sides)
        )
    return found


def resolve_layer(place: Place, wanted: str, defaults: dict[str, int], owner: str) -> int:
    """The layer that the option names; `auto` is the one known to work best, or at three quarters of the depth."""
    if wanted == "auto":
        known = LAYERS | defaults
        return known.get(place.name.rsplit("/", 1)[-1], round(0.75 * layer_count(place)))
    if not wanted.isdecimal() or int(wanted) > layer_count(place):
        raise OptionError(f"{owner}.layer={wanted}: write auto, or a number from 0 to {layer_count(place)}.")
    return int(wanted)


def _equal_weights(encoder: Encoder) -> Callable[[Ids], Array]:
    """The function that gives weight 1 to all pieces but the special tokens."""
    return lambda ids: np.array([float(piece not in encoder.marks) for piece in ids])


def _match(cosines: NDArray[Any], candidate: Array, reference: Array) -> tuple[float, float]:
    """Compute precision and recall by greedy matching, from the weights of the pieces on both sides."""
    if not candidate.any() or not reference.any():
        return 0.0, 0.0
    precision = cosines.max(axis=1) @ candidate / candidate.sum()
    recall = cosines.max(axis=0) @ reference / reference.sum()
    return float(precision), float(recall)


def _blocks(pairs: Sequence[tuple[Pieces, Pieces]]) -> Iterator[list[tuple[Pieces, Pieces]]]:
    """Split pairs into runs whose distinct texts have at most BLOCK pieces together."""
    block: list[tuple[Pieces, Pieces]] = []
    seen: set[Ids] = set()
    held = 0
    for pair in pairs:
        new = {side.ids for side in pair} - seen
        size = sum(map(len, new))
        if block and held + size > BLOCK:
            yield block
            block, seen, held = [], set(), 0
            new = {side.ids for side in pair}
            size = sum(map(len, new))
        block.append(pair)
        seen |= new
        held += size
    if block:
        yield block
