"""Load models safely: safetensors or weights-only files, never the author's code.

Reading a GGUF file takes half a minute, so a float32 copy is kept in the cache folder. It is written beside its
place and renamed: a copy is complete or absent, and two processes may make it at once.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from gec_core.environment import cache_folder
from gec_core.errors import GecLensError, ModelError
from gec_core.models.places import Place, weight_files
from gec_core.models.runtime import device

if TYPE_CHECKING:
    import transformers


_one_at_a_time = RLock()
"""transformers is imported lazily and not thread-safe: a second thread may find half of its namespace."""
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
        _check_memory(place)
        model, info = getattr(transformers, auto_class).from_pretrained(
            place.path, local_files_only=True, output_loading_info=True, dtype=torch.float32, **settings
        )
        lacking = [name for name in info["missing_keys"] if not any(part in name for part in may_lack)]
        if lacking or info["mismatched_keys"]:
            wrong = lacking or [str(each[0]) for each in info["mismatched_keys"]]
            raise ModelError(
                f"{place.path}: expected the {place.kind} model {type(model).__name__}, but some of its weights are "
                f"missing or have another shape ({', '.join(sorted(wrong)[:3])}; {len(wrong)} in all)."
            )
        return model.to(device()).eval()


def load_tokenizer(place: Place) -> transformers.PreTrainedTokenizerBase:
    """Load the tokenizer of a model."""
    with _one_at_a_time, explained(place):
        import transformers

        quiet(transformers)
        return transformers.AutoTokenizer.from_pretrained(place.path, local_files_only=True)


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
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
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


def _save_copy(place: Place, target: Path) -> None:
    """Write weights, configuration and tokenizer. The weights pass through a new model, since one that was read
    from GGUF cannot be saved."""
    with explained(place):
        import torch
        import transformers

        quiet(transformers)
        folder, file = place.path.parent, place.path.name
        packed = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)
        config = transformers.AutoConfig.from_pretrained(folder, gguf_file=file)
        if hasattr(config, "quantization_config"):
            del config.quantization_config
        with torch.device("meta"):
            model = type(packed)(config)
        model.load_state_dict(packed.state_dict(), assign=True)
        model.tie_weights()
        model.save_pretrained(target)
        transformers.AutoTokenizer.from_pretrained(folder, gguf_file=file).save_pretrained(target)
