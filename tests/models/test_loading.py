import json
from types import SimpleNamespace

import pytest
import tiny_models

from gec_core.errors import ModelError
from gec_core.models import loading
from gec_core.models.causal_lm import load_lm
from gec_core.models.loading import load_model, unpacked
from gec_core.models.places import Place, locate
from gec_core.models.regressor import load_regressor
from gec_core.models.seq2seq import load_seq2seq


@pytest.fixture
def lm_folder(tmp_path):
    return tiny_models.causal_lm(tmp_path / "lm")


def test_a_truncated_weight_file_is_reported(lm_folder):
    weights = lm_folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])
    with pytest.raises(ModelError, match=r"lm: the model cannot be loaded.*fetch them again"):
        load_lm(locate("causal-lm", str(lm_folder)))


def test_a_damaged_configuration_is_reported(lm_folder):
    (lm_folder / "config.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_lm(locate("causal-lm", str(lm_folder)))


def test_pickled_code_is_not_run(lm_folder):
    import torch

    (lm_folder / "model.safetensors").unlink()
    torch.save({"weight": _Evil()}, lm_folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_lm(locate("causal-lm", str(lm_folder)))
    assert not _Evil.ran


class _Evil:
    ran = False

    def __reduce__(self):
        return (setattr, (_Evil, "ran", True))


def test_a_model_of_another_architecture_is_refused(lm_folder, tmp_path):
    with pytest.raises(ModelError, match=r"cannot be loaded|weights are missing"):
        load_seq2seq(locate("seq2seq", str(lm_folder)))
    place = locate("causal-lm", str(tiny_models.regressor(tmp_path / "regressor")))
    with pytest.raises(ModelError, match="BertLMHeadModel, but some of its weights are missing"):
        load_lm(place)
    many = locate("regressor", str(tiny_models.regressor(tmp_path / "many", labels=3)))
    with pytest.raises(ModelError, match="one output, but this model has 3"):
        load_regressor(many, 128)


def test_weights_of_another_shape_are_refused(lm_folder):
    config = json.loads((lm_folder / "config.json").read_text())
    (lm_folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 48}))
    with pytest.raises(ModelError, match=r"mlp|shape"):
        load_lm(locate("causal-lm", str(lm_folder)))


def test_too_little_memory_is_said_before_it_is_filled(lm_folder, monkeypatch):
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    with pytest.raises(ModelError, match=r"takes about .* GB of memory, and 0\.0 GB are free"):
        load_model(locate("causal-lm", str(lm_folder)), "AutoModelForCausalLM")


def test_running_out_of_memory_is_explained(lm_folder):
    with pytest.raises(ModelError, match="not enough memory"), loading.explained(locate("causal-lm", str(lm_folder))):
        raise MemoryError


def packed(tmp_path):
    (tmp_path / "model.gguf").write_bytes(b"GGUF, but no more than that")
    return Place("causal-lm", "Tiny", "1", "embedded", tmp_path / "model.gguf")


def test_a_damaged_gguf_file_is_reported_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match=r"model\.gguf: the model cannot be loaded"):
        unpacked(packed(tmp_path))
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_of_two_conversions_at_once_either_is_fine(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))

    def slow(place, folder):
        (folder / "config.json").write_text("ours")
        theirs = folder.parent / "Tiny@1-float32"
        theirs.mkdir()
        (theirs / "config.json").write_text("theirs")

    monkeypatch.setattr(loading, "_save_copy", slow)
    copy = unpacked(packed(tmp_path))
    assert (copy.path / "config.json").read_text() == "theirs"
    assert [path.name for path in copy.path.parent.iterdir()] == ["Tiny@1-float32"]
    monkeypatch.setattr(loading, "_save_copy", lambda place, folder: pytest.fail("converted again"))
    assert unpacked(packed(tmp_path)) == copy


def test_a_copy_that_cannot_be_written_says_what_to_do(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match="set GEC_LENS_CACHE to another folder"):
        unpacked(packed(tmp_path))
