"""Load models safely (safetensors or weights-only files, never the author's code), choose their device, keep results.

Reading a GGUF file takes half a minute, so a float32 copy is kept in the cache folder. It is written beside its
place and renamed: a copy is complete or absent, and two processes may make it at once.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from gec_core.environment import cache_folder
from gec_core.errors import GecLensError, ModelError
from gec_core.models.places import Place, weight_files
from gec_core.shipped import lookup
from gec_core.store import MemoryStore, Store
from gec_core.types import Array

if TYPE_CHECKING:
    import torch
    import transformers

# Waiting threads must not spin: beside another busy process (a browser is enough) that makes a model up to five times
# slower. OpenMP reads this when torch is imported, which is always after this module.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

T = TypeVar("T")
R = TypeVar("R")
MOST_BYTES = 256 << 20
"""Bytes of rows that this process keeps in memory."""
_recent = MemoryStore(MOST_BYTES)


@cache
def device() -> torch.device:
    """The best device of this machine (cuda, mps or cpu); the first call also sets torch's threads."""
    import torch

    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(cores())
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def cores() -> int:
    """The physical cores that this process may use: hyper-threads do not speed up matrix products."""
    import psutil

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, psutil.cpu_count(logical=False) or allowed))


def each_on_a_core(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Run a model on several inputs, each on one core; yields the results in their order.

    The operations of our models are so small that torch's threads, which share each of them, wait most of the time.
    """
    import torch

    where, threads = device(), torch.get_num_threads()
    if where.type != "cpu" or min(threads, len(items)) < 2:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(min(threads, len(items)), initializer=torch.set_num_threads, initargs=(1,))
    try:
        yield from pool.map(work, items)
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)  # a thread that begins with torch later takes the number that was set last


def remembered(
    store: Store | None, signature: str, payloads: Mapping[bytes, T], compute: Callable[[list[T]], list[Array]]
) -> dict[bytes, Array]:
    """The row of every payload: from memory, the store or the project, or computed, all missing ones in one call.

    Args:
        store: Where rows are kept between processes, if anywhere.
        signature: Everything that the rows depend on besides the payloads, such as the model.
        payloads: The inputs of the model by their keys (see `text_key`).
        compute: The rows of some payloads, in their order; a row is one-dimensional.
    """
    rows = _recent.get(signature, payloads)
    if store is not None and len(rows) < len(payloads):
        stored = store.get(signature, [key for key in payloads if key not in rows])
        _recent.put(signature, stored)
        rows.update(stored)
        if len(rows) < len(payloads):
            ours = lookup(signature, payloads.keys() - rows.keys())
            _recent.put(signature, ours)
            rows.update(ours)
    missing = [key for key in payloads if key not in rows]
    if missing:
        fresh = dict(zip(missing, compute([payloads[key] for key in missing]), strict=True))
        if store is not None:
            store.put(signature, fresh)
        _recent.put(signature, fresh)
        rows.update(fresh)
    return rows


def text_key(*texts: str) -> bytes:
    """The key of one text, or of several in order."""
    return hashlib.blake2b(repr(texts).encode(), digest_size=16).digest()


_one_at_a_time = RLock()
"""transformers is imported lazily and not thread-safe: a second thread may find half of its namespace."""
_VOCABULARIES = (
    *("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model"),
    *("spm.model", "bpe.codes", "tiktoken.model", "merges.txt"),
)
"""Files of which a tokenizer has at least one."""
_LARGEST = {
    **dict.fromkeys(("num_hidden_layers", "n_layer", "num_layers", "encoder_layers", "decoder_layers"), 500),
    **dict.fromkeys(("num_attention_heads", "n_head"), 1_000),
    **dict.fromkeys(("hidden_size", "n_embd", "d_model"), 65_536),
    **dict.fromkeys(("intermediate_size", "encoder_ffn_dim", "decoder_ffn_dim"), 1_000_000),
    "vocab_size": 5_000_000,
    **dict.fromkeys(("max_position_embeddings", "n_positions"), 20_000_000),
}
"""The largest sizes in a configuration that are taken seriously."""
_X86 = ("x86_64", "amd64")
_GROWTH = 6.5
"""The size of a float32 copy as a multiple of a GGUF file's."""
_HEADROOM = 1.3
"""The memory that loading takes, as a multiple of the size of the weights."""


def load_model(place: Place, auto_class: str, *, may_lack: tuple[str, ...] = (), **settings: Any) -> Any:
    """Load a model as float32 on the best device, in evaluation mode.

    Args:
        place: The model.
        auto_class: A class of transformers (AutoModelForCausalLM, …).
        may_lack: Parts of the architecture that the caller does not use.
        **settings: Changes to the configuration.

    Raises:
        ModelError: The model cannot be loaded, or the checkpoint lacks weights, which transformers would fill with
            random numbers.
    """
    with _one_at_a_time, explained(place):
        import torch
        import transformers

        quiet(transformers)
        _check_configuration(place)
        _check_memory(place)
        model, info = getattr(transformers, auto_class).from_pretrained(
            place.path,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
            dtype=torch.float32,
            **settings,
        )
        lacking = [name for name in info["missing_keys"] if not any(part in name for part in may_lack)]
        if lacking or info["mismatched_keys"]:
            wrong = lacking or [str(each[0]) for each in info["mismatched_keys"]]
            raise ModelError(
                f"{place.path}: expected the {place.kind} model {type(model).__name__}, but some of its weights are "
                f"missing or have another shape ({', '.join(sorted(wrong)[:3])}; {len(wrong)} in all)."
            )
        return model.to(device()).eval()


def use_onednn(model: Any, rows: int) -> None:
    """Hand the linear layers of a float32 model on an x86 processor to oneDNN, whose results differ by rounding only.

    Its products take half the time of MKL's on AMD processors, where MKL does without its fastest code. A processor or
    a build of torch without oneDNN keeps the layers as they are.

    Args:
        model: The model; its linear layers are replaced.
        rows: The usual number of rows of their input, for which the weights are laid out.
    """
    import torch

    if device().type != "cpu" or platform.machine().lower() not in _X86:
        return
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return

    class OneDnnLinear(torch.nn.Module):
        def __init__(self, layer: torch.nn.Linear) -> None:
            super().__init__()
            with torch.inference_mode():
                self.weight = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), rows)
            self.bias = layer.bias

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            return torch.ops.mkldnn._linear_pointwise(values, self.weight, self.bias, "none", [], "")

    linear = [
        (parent, name, layer)
        for parent in model.modules()
        for name, layer in parent.named_children()
        if type(layer) is torch.nn.Linear and layer.weight.dtype == torch.float32
    ]
    for parent, name, layer in linear:
        setattr(parent, name, OneDnnLinear(layer))


def load_tokenizer(place: Place) -> transformers.PreTrainedTokenizerBase:
    """Load the tokenizer of a model."""
    with _one_at_a_time, explained(place):
        import transformers

        quiet(transformers)
        _check_tokenizer(place)
        return transformers.AutoTokenizer.from_pretrained(place.path, local_files_only=True, trust_remote_code=False)


def unpacked(place: Place) -> Place:
    """The model as a folder of safetensors: a converted copy of a GGUF file, or the folder that it is already."""
    if place.path.suffix != ".gguf":
        return place
    folder = cache_folder() / "models" / f"{place.signature}-float32"
    if not folder.is_dir():
        try:
            _convert(place, folder)
        except OSError as problem:
            raise ModelError(
                f"{folder}: a float32 copy of {place.name} (0.5 GB) cannot be written ({problem.strerror}). "
                "Make room, or set GEC_LENS_CACHE to another folder."
            ) from problem
    return replace(place, path=folder)


@contextmanager
def explained(place: Place) -> Iterator[None]:
    """Turn an exception of a library about a model's files into an error that says what to do."""
    try:
        yield
    except GecLensError:
        raise
    except ImportError as problem:
        raise ModelError(f"{place.name}: a package is missing ({problem}). Install requirements.txt.") from problem
    except MemoryError as problem:
        raise ModelError(
            f"{place.name}: not enough memory to load it. Close other programs, or use a smaller model."
        ) from problem
    except Exception as problem:  # damaged files raise errors of json, safetensors, torch, tokenizers alike
        if os.strerror(errno.ENOSPC) in str(problem):  # from safetensors, which has an error of its own
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from problem
        first = "".join(str(problem).strip().splitlines()[:1])
        remedy = "remove this folder, it is then made again" if place.origin == "embedded" else "fetch them again"
        raise ModelError(
            f"{place.path}: the model cannot be loaded ({type(problem).__name__}: {first}). Its files may be damaged "
            f"or of another architecture than a {place.kind} model: {remedy}, or name another model."
        ) from problem


def quiet(transformers: Any) -> None:
    """Silence the reports and progress bars of transformers: problems are raised."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _check_tokenizer(place: Place) -> None:
    """Refuse a folder without a vocabulary: transformers would make up an empty tokenizer, and scores near 1."""
    if place.path.is_dir() and not any((place.path / name).is_file() for name in _VOCABULARIES):
        raise ModelError(
            f"{place.path}: there is no tokenizer ({', '.join(_VOCABULARIES[:3])} or the like). Copy its files from "
            "where the model comes from, or fetch the model again."
        )


def _check_configuration(place: Place) -> None:
    """Refuse sizes that no model has, before memory and time are spent on them."""
    path = place.path / "config.json"
    if not path.is_file():
        return
    config = json.loads(path.read_text(encoding="utf-8"))
    for name, most in _LARGEST.items():
        size = config.get(name) if isinstance(config, dict) else None
        if isinstance(size, int | float) and not 0 < size <= most:
            raise ModelError(f"{path}: {name} is {size:,}; models have 1 to {most:,}. Is the file damaged?")


def _check_memory(place: Place) -> None:
    """Refuse a model that would make the system swap or kill the process."""
    import psutil

    needed = _HEADROOM * sum(path.stat().st_size for path in weight_files(place.path))
    free = psutil.virtual_memory().available
    if needed > free:
        raise ModelError(
            f"{place.name}: loading it takes about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. "
            "Close other programs, or use a smaller model."
        )


def _convert(place: Place, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(folder.parent)
    if shutil.disk_usage(folder.parent).free < _GROWTH * place.path.stat().st_size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.{os.getpid()}.", dir=folder.parent))
    try:
        _save_copy(place, staging)
        staging.chmod(0o755)
        staging.rename(folder)
    except OSError:
        # Another process may have finished first: its copy is as good.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _remove_abandoned(models: Path) -> None:
    """Remove unfinished copies of processes that were killed."""
    import psutil

    for staging in models.glob(".*-float32.*"):
        owner = staging.name.rpartition("-float32.")[2].partition(".")[0]
        try:
            begun = psutil.Process(int(owner)).create_time()
        except (ValueError, psutil.NoSuchProcess):
            begun = math.inf
        except psutil.AccessDenied:  # it runs, for another user
            continue
        # In a container, the next server has the number of the one that was killed.
        with suppress(FileNotFoundError):
            if begun > staging.stat().st_mtime:
                shutil.rmtree(staging, ignore_errors=True)


def _save_copy(place: Place, target: Path) -> None:
    """Write weights, configuration and tokenizer. The weights pass through a new model, since one that was read
    from GGUF cannot be saved."""
    with explained(place):
        import torch
        import transformers

        quiet(transformers)
        folder, file = place.path.parent, place.path.name
        ours: dict[str, Any] = {"gguf_file": file, "local_files_only": True, "trust_remote_code": False}
        with _without_conversion_bar():
            packed = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **ours)
        config = transformers.AutoConfig.from_pretrained(folder, **ours)
        if hasattr(config, "quantization_config"):
            del config.quantization_config
        with torch.device("meta"):
            model = type(packed)(config)
        model.load_state_dict(packed.state_dict(), assign=True)
        model.tie_weights()
        model.save_pretrained(target)
        transformers.AutoTokenizer.from_pretrained(folder, **ours).save_pretrained(target)


@contextmanager
def _without_conversion_bar() -> Iterator[None]:
    """Silence the progress bar of converting GGUF, which transformers draws with tqdm itself, whatever `quiet` says."""
    gguf: Any = import_module("transformers.modeling_gguf_pytorch_utils")
    drawn = gguf.tqdm
    gguf.tqdm = partial(drawn, disable=True)
    try:
        yield
    finally:
        gguf.tqdm = drawn
