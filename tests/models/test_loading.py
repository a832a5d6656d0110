import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
import tiny_models

from gec_core.errors import ModelError
from gec_core.models import loading
from gec_core.models.causal_lm import load_lm
from gec_core.models.encoder import load_regressor
from gec_core.models.loading import each_on_a_core, load_model, unpacked
from gec_core.models.places import Place, locate
from gec_core.models.seq2seq import load_seq2seq


@pytest.fixture
def lm_folder(tmp_path: Path) -> Path:
    return tiny_models.causal_lm(tmp_path / "lm")


def test_a_truncated_weight_file_is_reported(lm_folder: Path) -> None:
    weights = lm_folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])
    with pytest.raises(ModelError, match=r"lm: the model cannot be loaded.*fetch them again"):
        load_lm(locate("causal-lm", str(lm_folder)))


def test_a_damaged_configuration_is_reported(lm_folder: Path) -> None:
    (lm_folder / "config.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_lm(locate("causal-lm", str(lm_folder)))


def test_pickled_code_is_not_run(lm_folder: Path) -> None:
    import torch

    (lm_folder / "model.safetensors").unlink()
    torch.save({"weight": _Evil()}, lm_folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_lm(locate("causal-lm", str(lm_folder)))
    assert not _Evil.ran


class _Evil:
    ran = False

    def __reduce__(self) -> Any:
        return (setattr, (_Evil, "ran", True))


def test_a_model_of_another_architecture_is_refused(lm_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot be loaded|weights are missing"):
        load_seq2seq(locate("seq2seq", str(lm_folder)))
    place = locate("causal-lm", str(tiny_models.regressor(tmp_path / "regressor")))
    with pytest.raises(ModelError, match="BertLMHeadModel, but some of its weights are missing"):
        load_lm(place)
    many = locate("regressor", str(tiny_models.regressor(tmp_path / "many", labels=3)))
    with pytest.raises(ModelError, match="one output, but this model has 3"):
        load_regressor(many, 128)


def test_weights_of_another_shape_are_refused(lm_folder: Path) -> None:
    config = json.loads((lm_folder / "config.json").read_text())
    (lm_folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 48}))
    with pytest.raises(ModelError, match=r"mlp|shape"):
        load_lm(locate("causal-lm", str(lm_folder)))


def test_too_little_memory_is_said_before_it_is_filled(lm_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    with pytest.raises(ModelError, match=r"takes about .* GB of memory, and 0\.0 GB are free"):
        load_model(locate("causal-lm", str(lm_folder)), "AutoModelForCausalLM")


def test_running_out_of_memory_is_explained(lm_folder: Path) -> None:
    with pytest.raises(ModelError, match="not enough memory"), loading.explained(locate("causal-lm", str(lm_folder))):
        raise MemoryError


def test_a_folder_without_a_tokenizer_is_refused(lm_folder: Path) -> None:
    """transformers makes up an empty tokenizer; BERTScore then gave .99999999 instead of .99857, with exit code 0."""
    for path in lm_folder.glob("*token*"):
        path.unlink()
    with pytest.raises(ModelError, match=r"lm: there is no tokenizer \(tokenizer\.json"):
        load_lm(locate("causal-lm", str(lm_folder)))


@pytest.mark.parametrize(("name", "size"), [("num_hidden_layers", 3000), ("hidden_size", 10**9), ("vocab_size", -1)])
def test_sizes_that_no_model_has_are_refused_before_it_is_loaded(lm_folder: Path, name: str, size: int) -> None:
    config = json.loads((lm_folder / "config.json").read_text())
    (lm_folder / "config.json").write_text(json.dumps({**config, name: size}))
    with pytest.raises(ModelError, match=f"{name} is {size:,}"):
        load_model(locate("causal-lm", str(lm_folder)), "AutoModelForCausalLM")


def test_code_of_the_author_is_neither_run_nor_asked_about(lm_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = json.loads((lm_folder / "config.json").read_text())
    theirs = {"model_type": "evil", "auto_map": {"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"}}
    (lm_folder / "config.json").write_text(json.dumps({**config, **theirs}))
    (lm_folder / "evil.py").write_text("raise SystemExit('their code ran')")
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("somebody was asked"))
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_lm(locate("causal-lm", str(lm_folder)))


def packed(tmp_path: Path) -> Place:
    (tmp_path / "model.gguf").write_bytes(b"GGUF, but no more than that")
    return Place("causal-lm", "Tiny", "1", "embedded", tmp_path / "model.gguf")


def test_a_damaged_gguf_file_is_reported_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match=r"model\.gguf: the model cannot be loaded"):
        unpacked(packed(tmp_path))
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_killed_conversion_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    models = tmp_path / "cache" / "models"
    for name in (".Tiny@1-float32.abc", ".Tiny@1-float32.4194305.abc"):  # of an old version; of no process
        (models / name).mkdir(parents=True)
    (models / f".Other@1-float32.{os.getpid()}.abc").mkdir()
    earlier = models / f".Tiny@1-float32.{os.getpid()}.abc"  # of the server that was this container's process then
    earlier.mkdir()
    os.utime(earlier, (1e9, 1e9))
    monkeypatch.setattr(loading, "_save_copy", lambda place, folder: (folder / "config.json").write_text("ours"))
    unpacked(packed(tmp_path))
    assert {path.name for path in models.iterdir()} == {"Tiny@1-float32", f".Other@1-float32.{os.getpid()}.abc"}


def test_a_conversion_by_another_user_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))
    theirs = tmp_path / "cache" / "models" / ".Tiny@1-float32.1.abc"
    theirs.mkdir(parents=True)

    def hidden(process: psutil.Process) -> float:
        raise psutil.AccessDenied(process.pid)

    monkeypatch.setattr(psutil.Process, "create_time", hidden)
    monkeypatch.setattr(loading, "_save_copy", lambda place, folder: (folder / "config.json").write_text("ours"))
    unpacked(packed(tmp_path))
    assert theirs.is_dir()


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_disk_that_is_too_small_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))

    def full(place: Place, folder: Path) -> None:
        with loading.explained(place):
            raise RuntimeError("I/O error: No space left on device (os error 28)")

    monkeypatch.setattr(loading, "_save_copy", full)
    if when == "before":
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10))
    with pytest.raises(ModelError, match=r"cannot be written \(No space left on device\)\. Make room"):
        unpacked(packed(tmp_path))
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_of_two_conversions_at_once_either_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "cache"))

    def slow(place: Any, folder: Path) -> None:
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


def test_a_copy_that_cannot_be_written_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GEC_LENS_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match="set GEC_LENS_CACHE to another folder"):
        unpacked(packed(tmp_path))


def test_a_conversion_draws_no_progress_bar(capfd: pytest.CaptureFixture[str]) -> None:
    gguf: Any = import_module("transformers.modeling_gguf_pytorch_utils")
    drawn = gguf.tqdm
    with loading._without_conversion_bar():
        assert list(gguf.tqdm([1, 2], desc="Converting")) == [1, 2]
    assert capfd.readouterr().err == ""
    assert gguf.tqdm is drawn


@pytest.fixture
def two_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    monkeypatch.setattr(loading, "device", lambda: torch.device("cpu"))
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_inputs_have_a_core_each_and_results_keep_their_order() -> None:
    import torch

    together = Barrier(2)

    def work(number: int) -> tuple[int, int]:
        together.wait(300)  # nobody passes alone
        return number, torch.get_num_threads()

    assert list(each_on_a_core(work, [1, 2, 3, 4])) == [(1, 1), (2, 1), (3, 1), (4, 1)]
    assert torch.get_num_threads() == 2
    with ThreadPoolExecutor(1) as later:
        assert later.submit(torch.get_num_threads).result() == 2


@pytest.mark.usefixtures("two_threads")
def test_what_fails_on_a_core_is_told() -> None:
    import torch

    def work(number: int) -> int:
        if number == 2:
            raise ModelError("no 2")
        return number

    results = each_on_a_core(work, [1, 2, 3])
    assert next(results) == 1
    with pytest.raises(ModelError, match="no 2"):
        next(results)
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_a_single_input_has_all_cores() -> None:
    import torch

    assert list(each_on_a_core(lambda _: torch.get_num_threads(), ["one"])) == [2]
