"""Compiled code on disk: files of other versions, changed callees, and installations that cannot be written."""

import importlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from conftest import ROOT
from numba.core.caching import FunctionCache

CALLEE = "from gec_core.compiled import compiled\n\n\n@compiled\ndef one(x):\n    return x + {}\n"
CALLER = "from callee import one\n" + CALLEE.replace("one(x)", "two(x)").replace("x + {}", "one(x) * 2")


class Moved:
    """Stands for a type whose module is gone when the file is read again."""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "callee.py").write_text(CALLEE.format(1))
    (tmp_path / "caller.py").write_text(CALLER)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def two(x: int) -> int:
    """Call the function as a new process would."""
    for name in ("caller", "callee"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    found: int = importlib.import_module("caller").two(x)
    return found


def test_machine_code_is_kept_and_found_again(modules: Path) -> None:
    assert two(3) == 8
    assert list(modules.glob("__pycache__/caller.two-*.nbc"))
    two(3)
    assert sum(sys.modules["caller"].two.stats.cache_hits.values()) == 1


def test_a_change_of_a_called_function_in_another_module_is_noticed(modules: Path) -> None:
    assert two(3) == 8
    (modules / "callee.py").write_text(CALLEE.format(10))
    for file in modules.glob("__pycache__/*.pyc"):
        file.unlink()
    assert two(3) == 26


@pytest.mark.parametrize("content", ["moved", "cut", "empty"])
def test_files_that_cannot_be_read_are_replaced(modules: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    """An index pickled before an upgrade may name a class that is gone: AttributeError, without a guard."""
    assert two(3) == 8
    (index,) = modules.glob("__pycache__/caller.two-*.nbi")
    whole = index.read_bytes()
    if content == "moved":
        stale = pickle.dumps(numba.__version__, protocol=-1) + pickle.dumps(("stamp", {Moved: "x"}))
        monkeypatch.delattr(sys.modules[__name__], "Moved")
    else:
        stale = whole[: len(whole) // 2] if content == "cut" else b""
    index.write_bytes(stale)
    assert two(3) == 8
    assert index.read_bytes() != stale
    two(3)
    assert sum(sys.modules["caller"].two.stats.cache_hits.values()) == 1


def test_without_a_place_of_its_own_it_goes_into_the_cache_folder(
    modules: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("GEC_LENS_CACHE", str(cache))
    _no_place(monkeypatch)
    assert two(3) == 8
    assert list(cache.rglob("compiled/**/caller.two-*.nbc"))
    assert not list(modules.rglob("*.nbc"))


def test_without_any_place_it_is_compiled_every_time(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (modules / "file").write_text("")
    monkeypatch.setenv("GEC_LENS_CACHE", str(modules / "file"))
    _no_place(monkeypatch)
    assert two(3) == 8
    assert not list(modules.rglob("*.nbc"))


def _no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a read-only installation of a user without a home folder; tests run as root, who may write anywhere."""
    locators = [each for each in FunctionCache._impl_class._locator_classes if "UserProvided" in each.__name__]
    monkeypatch.setattr(FunctionCache._impl_class, "_locator_classes", locators)


def test_a_read_only_installation_without_a_home_scores(tmp_path: Path) -> None:
    """As in a container. Tests may run as root, who may write anywhere: files stand where folders would be made."""
    for folder in ("gec_core", "data", "assets"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "precomputed"))
    for package in {file.parent for file in (tmp_path / "gec_core").rglob("*.py")}:
        (package / "__pycache__").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "gec_core", "score", "--corpus", "demo", "--metric", "gleu", "--format", "tsv"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": "/dev/null/nobody"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.count("\n") == 8
