"""Models of a few thousand weights, made and saved as the real ones are, so that loading and arithmetic can be
tested without any download. Their weights are large, so that their opinions differ."""

from pathlib import Path
from typing import Any

import pytest

import gec_core.models.loading  # noqa: F401  # before torch: it settles how torch's threads wait

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *LETTERS, *(f"##{letter}" for letter in LETTERS))
END = "<|endoftext|>"


def causal_lm(folder: Path, architecture: str = "llama", window: int = 128) -> Path:
    """A language model over bytes that begins texts after <|endoftext|>."""
    torch.manual_seed(1)
    tokenizer = _bytes_and(END)
    if architecture == "gpt2":
        sizes = {"n_positions": window, "n_embd": 16, "n_layer": 2, "n_head": 2, "initializer_range": 0.5}
        model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=len(tokenizer), **sizes))
    else:
        sizes = {"max_position_embeddings": window, "num_key_value_heads": 1, **_two_layers()}
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=len(tokenizer), **sizes))
    return _save(model, tokenizer, folder)


def regressor(folder: Path, seed: int = 3, labels: int = 1) -> Path:
    """A BERT over letters that gives one number."""
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), max_position_embeddings=160, num_labels=labels, **_two_layers()
    )
    tokenizer = transformers.BertTokenizer(vocab={piece: number for number, piece in enumerate(PIECES)})
    return _save(transformers.BertForSequenceClassification(config), tokenizer, folder)


def seq2seq(folder: Path) -> Path:
    """A BART over bytes with one layer on each side."""
    torch.manual_seed(4)
    tokenizer = _bytes_and("<s>", "<pad>", "</s>")
    sides = {f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in _one_side().items()}
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        d_model=16,
        max_position_embeddings=128,
        init_std=0.5,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        **sides,
    )
    return _save(transformers.BartForConditionalGeneration(config), tokenizer, folder)


def _two_layers() -> dict[str, float]:
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    return {**sizes, "initializer_range": 0.5}


def _one_side() -> dict[str, int]:
    return {"layers": 1, "attention_heads": 2, "ffn_dim": 32}


def _bytes_and(*marks: str) -> Any:
    """A tokenizer of single bytes, as GPT-2's and BART's are before they join any; three marks are BART's."""
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*marks, *alphabet])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    names = {"bos_token": marks[0], "eos_token": marks[-1], "pad_token": marks[len(marks) // 2]}
    if len(marks) > 1:
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single=f"{marks[0]} $A {marks[-1]}", special_tokens=[(mark, vocabulary[mark]) for mark in marks]
        )
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def _save(
    model: Any,
    tokenizer: Any,
    folder: Path,
) -> Path:
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
