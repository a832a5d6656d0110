"""The quantised language model that a package carries, as a float32 copy that loads in two seconds.

Reading GGUF takes half a minute, so it is done once: the copy lies in the cache folder. It is made beside its
place and renamed, so that a copy is there as a whole or not at all, and two processes may make it at once.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from gec_core.errors import ModelError
from gec_core.models.loading import explained, quiet
from gec_core.models.places import Place
from gec_core.paths import cache_folder


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
