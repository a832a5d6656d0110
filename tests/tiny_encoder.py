"""A BERT and a BART small enough to be made in a test, and what tests with the embedded encoder need."""

from pathlib import Path

import pytest

from gec_core.models.places import Place, embedded, locate

needs_encoder = pytest.mark.skipif(
    embedded("encoder") is None, reason="the embedded encoder is not installed (requirements-weights.txt)"
)
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh", "x", ".", "[", "]", "sep")
LONGEST = 12


def save_tiny_bert(folder: Path, *, layers: int = 2, seed: int = 0) -> Path:
    """A BERT with random weights and a vocabulary of single letters, which reads 12 pieces."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=LONGEST,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return _with_tokenizer(folder)


def save_tiny_bart(folder: Path) -> Path:
    """A BART with random weights and the same vocabulary."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {"d_model": 8, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2}
    marks = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "decoder_start_token_id": 3}
    sizes |= {"vocab_size": len(WORDS), "max_position_embeddings": 64}
    config = transformers.BartConfig(init_std=0.5, **sizes, **heads, **marks)
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    return _with_tokenizer(folder)


def _with_tokenizer(folder: Path) -> Path:
    import transformers

    numbers = {word: number for number, word in enumerate(WORDS)}
    transformers.BertTokenizer(vocab=numbers, model_max_length=LONGEST).save_pretrained(folder)
    return folder


def tiny_place(folder: Path, **settings: int) -> Place:
    return locate("encoder", str(save_tiny_bert(folder, **settings)))
