"""The package: what the wheel holds, that it works from any folder, and that its ranges hold the pinned versions."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from packaging.requirements import Requirement

from gec_core import __version__
from gec_core.environment import bundled, how_to_get_weights, how_to_install, how_to_run, package_version

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {"models", "errant", "cluster", "tagger"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout; nothing is downloaded."""
    pytest.importorskip("hatchling", reason="pip install -r requirements-dev.txt")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True, capture_output=True)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed."""
    folder = tmp_path_factory.mktemp("site-packages")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return folder


def run(site: Path, folder: Path, *arguments: str) -> str:
    """A command of the installed package, in another folder than the checkout's."""
    environment = {**os.environ, "PYTHONPATH": str(site), "GEC_LENS_CACHE": str(folder / "cache")}
    found = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_the_wheel_has_the_name_and_version_of_the_library(wheel: Path) -> None:
    assert wheel.name == f"gec_lens-{__version__}-py3-none-any.whl"


def test_the_changelog_begins_with_this_version() -> None:
    first = next(line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## ")
    assert first.split()[1] == __version__


def test_the_wheel_holds_everything_under_two_folders(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.split("/")[0] for name in names} == {"gec_core", "gec_lens", f"gec_lens-{__version__}.dist-info"}
    assert {
        "gec_core/py.typed",
        "gec_lens/assets/style.css",
        "gec_lens/dashboard/server.py",
        "gec_lens/dashboard/.streamlit/config.toml",
        "gec_lens/data/demo/source.txt",
        "gec_lens/data/precomputed/conll14/manifest.json",
        "gec_lens/requirements-weights.txt",
    } <= names
    tracked = subprocess.run(
        ["git", "ls-files", "assets", "dashboard", "data", "pages"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if tracked.returncode:
        pytest.skip("not a git checkout")
    assert {f"gec_lens/{path}" for path in tracked.stdout.split()} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_commands_find_their_data_from_another_folder(site: Path, tmp_path: Path) -> None:
    scored = json.loads(
        run(site, tmp_path, "-m", "gec_core", "score", "--corpus", "demo", "--metric", "m2,gleu", "--format", "json")
    )
    assert {row["metric"] for row in scored["rows"]} == {"m2", "gleu"}
    assert "conll14" in run(site, tmp_path, "-m", "gec_core", "corpora", "list")
    paths = run(site, tmp_path, "-c", "import gec_core.environment as e; print(e.bundled('data'), e.__file__)").split()
    assert [Path(path).resolve() for path in paths] == [
        (site / "gec_lens" / "data").resolve(),
        (site / "gec_core" / "environment.py").resolve(),
    ]


def test_the_dashboard_of_the_wheel_draws_a_page(site: Path, tmp_path: Path) -> None:
    code = (
        "from gec_core.environment import bundled\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file(str(bundled('dashboard', 'app.py')), default_timeout=120)\n"
        "app.switch_page(str(bundled('pages', '95_metrics.py'))).run()\n"
        "assert not app.exception, app.exception\n"
        "print(app.title[0].value)"
    )
    assert run(site, tmp_path, "-c", code).strip() == "Metrics"


def test_in_a_checkout_the_bundle_is_the_checkout() -> None:
    assert bundled() == ROOT
    assert bundled("data", "demo").is_dir()


def pins(file: str) -> dict[str | Any, str | Any]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    found = (re.match(r"([\w-]+)==([\w.]+)", line) for line in lines)
    return {match[1]: match[2] for match in found if match}


def test_every_pinned_version_is_in_the_range_of_the_package() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(extras) == EXTRAS
    tested = [own for extra, own in extras.items() if extra != "tagger"]  # a toy, which `make run` does not install
    ranges = [Requirement(text) for text in [*PROJECT["dependencies"], *(one for own in tested for one in own)]]
    pinned = pins("requirements.txt") | pins("requirements-cluster.txt")
    assert {each.name for each in ranges} == set(pinned)
    assert [each for each in ranges if pinned[each.name] not in each.specifier] == []


def test_packages_that_signatures_name_are_pinned() -> None:
    """With other versions, the scores that come with the package would not be found."""
    ranges = [Requirement(text) for text in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["errant"]]]
    exact = {each.name for each in ranges if str(each.specifier).startswith("==")}
    assert exact == {"errant", "harper-py", "spacy", "wordfreq"}


def test_what_needs_no_model_needs_no_torch() -> None:
    base = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert not base & {"torch", "transformers", "spacy", "errant", "distributed"}


def test_commands_to_install_name_the_package_only_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gec_core.environment._is_a_package", lambda: False)
    assert how_to_install("models") == "pip install '.[models]'"
    assert how_to_get_weights("models") == "python -m gec_core install-weights models"
    assert how_to_run("corpora fetch conll14") == "python -m gec_core corpora fetch conll14"
    monkeypatch.setattr("gec_core.environment._is_a_package", lambda: True)
    assert how_to_install("models") == "pip install 'gec-lens[models]'"
    assert how_to_get_weights("models") == "gec-lens install-weights models"
    assert how_to_run("corpora fetch conll14") == "gec-lens corpora fetch conll14"


def test_a_package_that_is_installed_meanwhile_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert package_version("installed-meanwhile") == ""
    about = tmp_path / "installed_meanwhile-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: installed-meanwhile\nVersion: 1.2\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert package_version("installed-meanwhile") == "1.2"


def test_only_one_function_looks_for_bundled_files() -> None:
    climbing = [
        path.relative_to(ROOT).as_posix()
        for folder in ("gec_core", "dashboard")
        for path in (ROOT / folder).rglob("*.py")
        if "parents[" in path.read_text(encoding="utf-8").replace("self.parents[", "")
    ]
    assert climbing == ["gec_core/environment.py"]
