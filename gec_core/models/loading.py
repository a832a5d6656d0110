"""Load a model safely: safetensors or weights-only files, never the author's code.

Reading GGUF takes half a minute, so it is done once: the copy lies in the cache folder. It is made beside its
place and renamed, so that a copy is there as a whole or not at all, and two processes may make it at once.
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
"""transformers fills its namespace while it is imported; a second thread would find half of it."""
_HEADROOM = 1.3
"""Memory that loading takes, in sizes of the weights."""


def load_model(place: Place, auto_class: str, *, may_lack: tuple[str, ...] = (), **settings: Any) -> Any:
    """The model as float32 on the best device, in evaluation mode.

    `auto_class` is a class of transformers (AutoModelForCausalLM, …). A checkpoint that lacks weights of that
    architecture is refused, since transformers would fill them with random numbers; `may_lack` names parts that
    the caller does not use.
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
                f"{place.path}: the {place.kind} model {type(model).__name__} was expected, but weights of it are "
                f"not there, or have another shape ({', '.join(sorted(wrong)[:3])}; {len(wrong)} in all)."
            )
        return model.to(device()).eval()


def load_tokenizer(place: Place) -> transformers.PreTrainedTokenizerBase:
    """The tokenizer that lies beside the weights."""
    with _one_at_a_time, explained(place):
        import transformers

        quiet(transformers)
        return transformers.AutoTokenizer.from_pretrained(place.path, local_files_only=True)


@contextmanager
def explained(place: Place) -> Iterator[None]:
    """Turns what libraries raise about a model's files into an error that says what to do."""
    try:
        yield
    except GecLensError:
        raise
    except ImportError as problem:
        raise ModelError(f"{place.name}: a package is missing ({problem}). Install requirements.txt.") from problem
    except MemoryError as problem:
        raise ModelError(f"{place.name}: not enough memory to load it. Close something, or use a smaller one.") from (
            problem
        )
    except Exception as problem:  # damaged files surface as errors of json, safetensors, torch, tokenizers alike
        first = "".join(str(problem).strip().splitlines()[:1])
        remedy = "remove this folder, and it is made again" if place.origin == "embedded" else "fetch them again"
        raise ModelError(
            f"{place.path}: the model cannot be loaded ({type(problem).__name__}: {first}). Its files may be damaged "
            f"or of another architecture than a {place.kind} model: {remedy}, or name another model."
        ) from problem


def _check_memory(place: Place) -> None:
    """Refuse before the system begins to swap or ends the process."""
    import psutil

    needed = _HEADROOM * sum(path.stat().st_size for path in weight_files(place.path))
    free = psutil.virtual_memory().available
    if needed > free:
        raise ModelError(
            f"{place.name}: loading it takes about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. "
            "Close something, or use a smaller model."
        )


def quiet(transformers: Any) -> None:
    """What matters about loading is raised; reports and progress bars would only hide it."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def unpacked(place: Place) -> Place:
    """The same model as a folder of safetensors; a place that is one already stays as it is."""
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


def _convert(place: Place, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _save_copy(place, staging)
        staging.chmod(0o755)
        staging.rename(folder)
    except OSError:
        # Another process may have been quicker: its copy is as good.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _save_copy(place: Place, target: Path) -> None:
    """Write weights, configuration and tokenizer; the weights go through a fresh model, since one read from
    GGUF refuses to be saved."""
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
