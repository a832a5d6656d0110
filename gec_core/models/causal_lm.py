"""Causal language models: the surprisal of each token of a sentence.

Sentences are read after a begin-of-text token. Outputs of several systems for one source differ in a word or
two, so sentences go through the model as tries (see `tries`): on the 13 systems of CoNLL-2014 that is three fifths
of the tokens, without any padding, and takes five eighths of the time of batches by length.

Four fifths of the time are matrix products of float32. They go to oneDNN, not to MKL, which torch uses by itself and
which is half as fast on AMD processors (`use_onednn`).

A trie is one sequence of nodes. In the attention mask every node sees only its ancestors and itself, and its
position is its depth: it gets the same vector as in its own sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gec_core.errors import ModelError
from gec_core.models.loading import (
    device,
    each_on_a_core,
    explained,
    load_model,
    load_tokenizer,
    remembered,
    text_key,
    unpacked,
    use_onednn,
)
from gec_core.models.places import Place
from gec_core.store import Store
from gec_core.types import Array

if TYPE_CHECKING:
    import torch


WINDOW = 1024
"""The most tokens that a model reads together; in a longer text each token sees at least half as many."""
NODES = 160
"""Nodes of a trie that go through the model together: fewer repeat more beginnings, more make attention slower."""
END_OF_TEXT = "<|endoftext|>"
_LEFT = re.compile(r"""[.,;:?!%)\]}]+|\.\.\.|n't|'(?:s|m|d|re|ve|ll)|''""", re.IGNORECASE)
"""Tokens without a space before them."""
_RIGHT = re.compile(r"[(\[{$#]+|``")
"""Tokens without a space after them."""
_WRITTEN = {"``": '"', "''": '"'}


class CausalLM:
    """A language model with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, begin: int) -> None:
        self._model, self._tokenizer, self._begin = model, tokenizer, begin
        longest = getattr(model.config, "max_position_embeddings", None) or WINDOW
        self.window = min(WINDOW, longest) - 1
        """Tokens of text that fit beside the begin-of-text token."""

    def tokens(self, text: str) -> list[str]:
        """The model's tokens of a text, each decoded."""
        return [self._tokenizer.decode([token]) for token in self._encode(text)]

    def nats(self, texts: Sequence[str]) -> list[Array]:
        """The surprisal of each token of each text: its negative log-probability, in nats."""
        windows = [_windows(self._encode(text), self.window) for text in texts]
        pieces = [piece for each in windows for piece in each]
        found = [np.empty(0)] * len(pieces)
        whole = list(tries([tokens for tokens, _ in pieces], self._begin, NODES))
        for trie, nodes in zip(whole, each_on_a_core(self._node_nats, whole), strict=True):
            for number, path in trie.paths.items():
                found[number] = nodes[path][pieces[number][1] :]
        ordered = iter(found)
        return [np.concatenate([next(ordered) for _ in each]) for each in windows]

    def _encode(self, text: str) -> list[int]:
        return self._tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]

    def _node_nats(self, trie: Trie) -> Array:
        """The surprisal of every node's token after its ancestors; that of the root has no meaning."""
        import torch

        with torch.inference_mode():
            inner, rows = np.unique(trie.parents, return_inverse=True)
            logits = self._logits(trie, inner)
            targets = torch.tensor(trie.tokens, device=device())
            nats = -logits.log_softmax(-1)[torch.from_numpy(rows).to(device()), targets]
        return np.asarray(nats.cpu().numpy(), np.float64)

    def _logits(self, trie: Trie, nodes: NDArray[np.int64]) -> torch.Tensor:
        """The logits after some nodes of a trie: the output layer is a fifth of the work."""
        import torch

        blocked = torch.from_numpy(~trie.sees()).to(device())
        mask = torch.zeros(blocked.shape, device=device()).masked_fill_(blocked, torch.finfo(torch.float32).min)
        return self._model(
            input_ids=torch.tensor([trie.tokens], device=device()),
            attention_mask=mask[None, None],
            position_ids=torch.tensor([trie.depths], device=device()),
            use_cache=False,
            logits_to_keep=torch.from_numpy(nodes).to(device()),
        ).logits[0]


@lru_cache(maxsize=2)
def load_lm(place: Place) -> CausalLM:
    """Load a language model and check that it can read tries."""
    copy = unpacked(place)
    model, tokenizer = load_model(copy, "AutoModelForCausalLM"), load_tokenizer(copy)
    with explained(copy):
        use_onednn(model, NODES)
        lm = CausalLM(model, tokenizer, _begin_token(place, tokenizer))
        _check_reads_tries(place, lm)
    return lm


def token_nats(place: Place, texts: Iterable[str], store: Store | None) -> dict[str, Array]:
    """The surprisals of each distinct text, from memory or the store where they are known."""
    keys = {text: text_key(text) for text in texts if text}
    signature = f"token-nats|v1|model:{place.signature}|window:{WINDOW}"
    rows = remembered(store, signature, {key: text for text, key in keys.items()}, lambda new: load_lm(place).nats(new))
    return {"": np.empty(0), **{text: rows[key] for text, key in keys.items()}}


def surprisals(place: Place, text: str, store: Store | None = None) -> list[tuple[str, float]]:
    """The model's tokens of a text, each with its surprisal in nats."""
    nats = token_nats(place, [text], store)[text]
    return list(zip(load_lm(place).tokens(text), nats.tolist(), strict=True))


@lru_cache(maxsize=32)
def reach(place: Place) -> int:
    """The tokens that a model reads together, from its configuration alone; longer texts are read in parts."""
    longest = None
    if place.path.is_dir():  # the configuration inside a GGUF file is not read: the embedded model reads 2,048
        with explained(place):
            config = json.loads((place.path / "config.json").read_text(encoding="utf-8"))
            longest = config.get("max_position_embeddings") or config.get("n_positions")
    return min(WINDOW, longest or WINDOW) - 1


def perplexity(nats: Array) -> float:
    """exp of the mean surprisal of a token; infinite for an empty text."""
    return float(np.exp(nats.mean())) if len(nats) else float("inf")


def detokenise(text: str) -> str:
    """The text without the spaces that a tokeniser puts before punctuation and clitics and inside quotes."""
    written: list[str] = []
    tokens = text.split()
    open_quotes: set[str] = set()
    close = True
    for index, token in enumerate(tokens):
        left, right = bool(_LEFT.fullmatch(token)), bool(_RIGHT.fullmatch(token))
        if token in ('"', "'"):
            left = token in open_quotes or _is_possessive(tokens, index)
            right = not left
            open_quotes ^= {token} if right or token in open_quotes else set()
        written.append(("" if close or left else " ") + _WRITTEN.get(token, token))
        close = right
    return "".join(written)


@dataclass(frozen=True, eq=False)
class Trie:
    """Token sequences that share a root; node 0 is the root, and a parent comes before its children."""

    tokens: list[int]
    parents: list[int] = field(default_factory=lambda: [0])
    depths: list[int] = field(default_factory=lambda: [0])
    paths: dict[int, list[int]] = field(default_factory=dict)
    """The nodes of the tokens of every sequence, by its number."""

    def add(self, number: int, tokens: Sequence[int], shared: Sequence[int]) -> None:
        """Add a sequence that begins with the nodes `shared`."""
        path = list(shared)
        for token in tokens[len(shared) :]:
            self.parents.append(path[-1] if path else 0)
            self.depths.append(len(path) + 1)
            path.append(len(self.tokens))
            self.tokens.append(token)
        self.paths[number] = path

    def sees(self) -> NDArray[np.bool_]:
        """The attention mask, node × node: whether the first sees the second."""
        seen = np.eye(len(self.tokens), dtype=np.bool_)
        for node in range(1, len(self.tokens)):
            seen[node] |= seen[self.parents[node]]
        return seen


def tries(sequences: Sequence[Sequence[int]], root: int, most_nodes: int) -> Iterator[Trie]:
    """All sequences in tries of at most `most_nodes` nodes; a longer sequence is a trie of its own."""
    order = sorted(range(len(sequences)), key=lambda each: list(sequences[each]))
    shared = [0, *(_shared(sequences[one], sequences[other]) for one, other in pairwise(order)), 0]
    added = [len(sequences[number]) - common for number, common in zip(order, shared, strict=False)]
    begin = 0
    while begin < len(order):
        end = _cut(begin, shared, added, most_nodes)
        trie, before = Trie([root]), -1
        for place in range(begin, end):
            common = shared[place] if place > begin else 0
            trie.add(order[place], sequences[order[place]], trie.paths[before][:common] if common else [])
            before = order[place]
        yield trie
        begin = end


def _cut(begin: int, shared: Sequence[int], added: Sequence[int], most_nodes: int) -> int:
    """Find the end of a trie: once it is half full, before the sequence that shares least with the one before it.

    What they share is in both tries.
    """
    end, best = begin + 1, begin + 1
    nodes = 1 + shared[begin] + added[begin]
    while end < len(added) and nodes + added[end] <= most_nodes:
        nodes += added[end]
        end += 1
        if nodes - added[end - 1] < most_nodes / 2 or shared[end] <= shared[best]:
            best = end
    return best


def _begin_token(place: Place, tokenizer: Any) -> int:
    """The token before a text: in training that is the end of another text, which may differ from `bos_token`."""
    end = tokenizer.get_vocab().get(END_OF_TEXT)
    for token in (end, tokenizer.bos_token_id, tokenizer.eos_token_id):
        if token is not None:
            return int(token)
    raise ModelError(f"{place.name}: its tokenizer has no token for the beginning of a text. Use another model.")


def _check_reads_tries(place: Place, lm: CausalLM) -> None:
    """Refuse an architecture that ignores masks or positions and would give wrong numbers."""
    texts = ["a b c d", "a b d c"]
    for together, alone in zip(lm.nats(texts), (lm.nats([text])[0] for text in texts), strict=True):
        if not np.allclose(together, alone, atol=1e-3):
            raise ModelError(
                f"{place.name}: its architecture does not support attention masks for tries. Use GPT-2 or Llama."
            )


def _windows(tokens: list[int], window: int) -> list[tuple[list[int], int]]:
    """A text in overlapping pieces of `window` tokens, each with the number of its tokens in the piece before."""
    step = max(1, window // 2)
    starts = range(0, max(1, len(tokens) - window + step), step)
    return [(tokens[start : start + window], 0 if start == 0 else window - step) for start in starts]


def _shared(first: Sequence[int], second: Sequence[int]) -> int:
    """The length of the common prefix of two sequences."""
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length


def _is_possessive(tokens: list[str], index: int) -> bool:
    """Whether a lone apostrophe is the possessive of a plural, not an opening quote."""
    return tokens[index] == "'" and index > 0 and tokens[index - 1][-1:] == "s" and "'" not in tokens[index + 1 :]
