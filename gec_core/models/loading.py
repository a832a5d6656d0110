"""Loading a model: safetensors or weights-only files, never code of the model's author; clear words when it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from gec_core.errors import GecLensError, ModelError
from gec_core.models.device import device
from gec_core.models.places import Place, weight_files

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
