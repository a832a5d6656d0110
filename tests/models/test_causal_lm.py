# mypy: disable-error-code="attr-defined"
"""Causal language models: surprisals, tries, and text without the tokeniser's spaces."""

import math
import platform
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import torch, transformers

from gec_core.errors import ModelError
from gec_core.models import causal_lm as module
from gec_core.models.causal_lm import detokenise, load_lm, perplexity, surprisals, token_nats, tries
from gec_core.models.places import Place, locate
from gec_core.store import Store

TEXTS = [
    "The cat sat .",
    "The cat sits .",
    "The cats sat on it .",
    "A",
    "",
    "naïve <|endoftext|> text",
    "The cat sat .",
]


@pytest.fixture(scope="module", params=["llama", "gpt2"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp(request.param) / "tiny"
    return locate("causal-lm", str(tiny_models.causal_lm(folder, request.param, window=64)))


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return locate("causal-lm", str(tiny_models.causal_lm(tmp_path_factory.mktemp("lm") / "tiny", window=64)))


def by_definition(place: Place, text: str) -> Any:
    """-log p of every token after <|endoftext|> (0) and those before it, from one plain pass."""
    model = transformers.AutoModelForCausalLM.from_pretrained(place.path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(place.path)
    ids = torch.tensor([0, *tokenizer(text, split_special_tokens=True, add_special_tokens=False)["input_ids"]])
    with torch.inference_mode():
        logs = model(ids[None]).logits[0].log_softmax(-1)
    return -logs[torch.arange(len(ids) - 1), ids[1:]].numpy()


def test_sentences_together_get_what_each_gets_by_definition(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NODES", 30)
    for text, found in zip(TEXTS, load_lm(place).nats(TEXTS), strict=True):
        np.testing.assert_allclose(found, by_definition(place, text), atol=1e-4)


def test_a_text_may_be_longer_than_the_models_window(place: Place) -> None:
    text = "abcdefghij" * 20
    (found,) = load_lm(place).nats([text])
    assert len(found) == 200
    window = load_lm(place).window
    assert window == 63
    np.testing.assert_allclose(found[:window], by_definition(place, text[:window]), atol=1e-4)
    # The second window begins 31 tokens later; what is new in it is counted from there.
    again = by_definition(place, text[31 : 31 + window])
    np.testing.assert_allclose(found[window : 31 + window], again[window - 31 :], atol=1e-4)


def test_windows_overlap_and_leave_nothing_out() -> None:
    for window in (1, 2, 5, 8):
        for length in range(40):
            pieces = module._windows(list(range(length)), window)
            assert [token for piece, seen in pieces for token in piece[seen:]] == list(range(length))
            assert all(len(piece) <= window for piece, _ in pieces)


def test_perplexity_is_exp_of_the_mean_and_infinite_for_nothing() -> None:
    assert perplexity(np.log([2.0, 8.0])) == pytest.approx(4)
    assert perplexity(np.empty(0)) == math.inf


def test_surprisals_name_the_tokens(llama: Place) -> None:
    found = surprisals(llama, "cat é")
    assert [token for token, _ in found][:4] == ["c", "a", "t", " "]
    np.testing.assert_allclose([nats for _, nats in found], by_definition(llama, "cat é"), atol=1e-4)


def test_what_the_store_has_is_not_computed_again(
    llama: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "store.sqlite")
    first = token_nats(llama, ["one", "two", ""], store)
    monkeypatch.setattr(module, "load_lm", lambda place: pytest.fail("the model was loaded"))
    monkeypatch.setattr("gec_core.models.loading._recent", type(module.remembered.__globals__["_recent"])(1 << 20))
    again = token_nats(llama, ["two", "one", ""], store)
    assert {text: row.tolist() for text, row in again.items()} == {text: row.tolist() for text, row in first.items()}
    assert again[""].tolist() == []


def test_a_model_that_ignores_masks_is_refused(llama: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    load_lm.cache_clear()
    ignore = module.CausalLM._logits

    def logits(self: Any, trie: Any, nodes: Any) -> Any:
        monkeypatch.setattr(type(trie), "sees", lambda self: np.ones((len(self.tokens),) * 2, bool))
        return ignore(self, trie, nodes)

    monkeypatch.setattr(module.CausalLM, "_logits", logits)
    with pytest.raises(ModelError, match="architecture"):
        load_lm(llama)
    load_lm.cache_clear()


ROOT = 99
sequences = st.lists(st.lists(st.integers(0, 2), max_size=8), max_size=12)


def test_a_common_beginning_is_there_once() -> None:
    (trie,) = tries([[1, 2, 3], [1, 2, 4], [1, 2]], ROOT, most_nodes=100)
    assert trie.tokens == [ROOT, 1, 2, 3, 4]
    assert trie.parents == [0, 0, 1, 2, 2]
    assert trie.depths == [0, 1, 2, 3, 3]
    assert trie.paths == {2: [1, 2], 0: [1, 2, 3], 1: [1, 2, 4]}
    assert np.flatnonzero(trie.sees()[4]).tolist() == [0, 1, 2, 4]


def test_a_sequence_longer_than_the_limit_gets_a_trie_of_its_own() -> None:
    sizes = [len(trie.tokens) for trie in tries([[1] * 9, [2], [3]], ROOT, most_nodes=4)]
    assert sizes == [10, 3]


def test_a_trie_ends_where_little_is_shared() -> None:
    found = list(tries([[1, 2, 3, 4], [1, 2, 3, 5], [6, 7, 8], [6, 7, 9]], ROOT, most_nodes=9))
    assert [sorted(trie.paths) for trie in found] == [[0, 1], [2, 3]]  # not [0, 1, 2], which has 9 nodes, and [3]


def test_only_nodes_with_children_get_logits(llama: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    plain = module.CausalLM._logits

    def logits(self: Any, trie: Any, nodes: Any) -> Any:
        asked.append(nodes.tolist())
        return plain(self, trie, nodes)

    monkeypatch.setattr(module.CausalLM, "_logits", logits)
    load_lm(llama).nats(["ab", "ac"])
    assert asked[-1] == [0, 1]


@given(sequences, st.integers(1, 30))
def test_every_sequence_is_read_off_its_path(given_sequences: Any, most_nodes: Any) -> None:
    found = {}
    for trie in tries(given_sequences, ROOT, most_nodes):
        assert len(trie.tokens) <= max(most_nodes, 9)
        sees = trie.sees()
        for number, path in trie.paths.items():
            found[number] = [trie.tokens[node] for node in path]
            if path:
                assert np.flatnonzero(sees[path[-1]]).tolist() == [0, *path]
                assert [trie.depths[node] for node in path] == list(range(1, len(path) + 1))
    assert found == dict(enumerate(given_sequences))


@pytest.mark.parametrize(
    ("tokenised", "written"),
    [
        ("It works , does n't it ?", "It works, doesn't it?"),
        ("The students ' books ( and pens ) are Mary 's .", "The students' books (and pens) are Mary's."),
        ('He said , " we go , " and left .', 'He said, "we go," and left.'),
        ("`` Yes '' , he said : ' no ' !", "\"Yes\", he said: 'no'!"),
        ("It costs $ 5 , or 10 % .", "It costs $5, or 10%."),
        ("face-to-face - or he / she ...", "face-to-face - or he / she..."),
        ('An open " quotation', 'An open "quotation'),
        ("", ""),
        (".", "."),
    ],
)
def test_spaces_of_the_tokeniser_go(tokenised: str, written: str) -> None:
    assert detokenise(tokenised) == written


def test_onednn_changes_nothing_but_rounding(llama: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["The cat sat .", "The cats sat on it .", "A"]
    with_it = load_lm.__wrapped__(llama)
    monkeypatch.setattr(module, "use_onednn", lambda model, rows: None)
    without = load_lm.__wrapped__(llama)
    linear = [layer for layer in without._model.modules() if isinstance(layer, torch.nn.Linear)]
    kept = [layer for layer in with_it._model.modules() if isinstance(layer, torch.nn.Linear)]
    assert linear
    assert not kept or not torch.backends.mkldnn.is_available() or platform.machine().lower() not in ("x86_64", "amd64")
    for one, other in zip(with_it.nats(texts), without.nats(texts), strict=True):
        assert one == pytest.approx(other, abs=1e-4)
