"""The container's files: the entrypoint runs as somebody else, on a read-only tree, without a home."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

ENTRYPOINT = ROOT / "tools" / "container-entrypoint"


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder with a gec-lens that prints what it is given."""
    stand_in = tmp_path / "bin" / "gec-lens"
    stand_in.parent.mkdir()
    stand_in.write_text('#!/bin/sh\necho "$@"\necho "$NUMBA_CACHE_DIR" "$HOME" "$GEC_LENS_CACHE"\n')
    stand_in.chmod(0o755)
    return stand_in.parent


def entered(commands: Path, keep: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": f"{commands}:{os.environ['PATH']}", "GEC_LENS_CACHE": str(keep)}
    return subprocess.run([ENTRYPOINT, *arguments], env=environment, capture_output=True, text=True, check=True)


def test_it_serves_all_addresses_and_writes_to_its_volume_only(commands: Path, tmp_path: Path) -> None:
    told = entered(commands, tmp_path / "data").stdout.splitlines()
    assert told[0] == "run --address 0.0.0.0 --port 8501"
    assert told[1].split() == [str(tmp_path / "data" / part) for part in ("numba", "home")] + [str(tmp_path / "data")]


def test_any_command_can_be_run(commands: Path, tmp_path: Path) -> None:
    assert entered(commands, tmp_path, "corpora", "list").stdout.startswith("corpora list\n")


def test_a_volume_that_cannot_be_written_is_said(commands: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    done = entered(commands, tmp_path / "data")
    assert "scores are computed, but not kept" in done.stderr
    assert str(tmp_path / "data") not in done.stdout


def test_the_dockerfile_is_slim_non_root_and_pinned() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("FROM")] == ["python:3.11-slim"] * 2
    users = [line.split()[1] for line in lines if line.startswith("USER")]
    assert users == ["10001"]
    assert lines.index("USER 10001") < next(at for at, line in enumerate(lines) if line.startswith("ENTRYPOINT"))
    for part in ("HEALTHCHECK", "VOLUME /data", "--require-hashes", "HF_HUB_OFFLINE=1"):
        assert any(part in line for line in lines), part
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"


def test_the_image_has_the_compiled_loops_of_the_page_sentence() -> None:
    """Compiling them while a visitor waits takes 45 seconds of a processor."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    asked = [line.partition("bin/gec-lens ")[2].split(" >")[0].split() for line in lines if "bin/gec-lens " in line]
    script = f"""
from gec_core.cli import main
for asked in {[each for each in asked if each and each[0] in ("score", "explain")]}:
    assert main(asked) == 0
from gec_core.align.threeway import tally, trace
assert trace.signatures and tally.signatures
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_compose_gives_it_nothing_that_it_does_not_need() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for part in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", 'user: "10001:10001"'):
        assert part in text
    assert re.findall(r'ports: \["([\d.:]+)"\]', text) == ["127.0.0.1:8501:8501"]
