# mypy: disable-error-code="func-returns-value"
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from gec_core.errors import MissingInput, ModelError
from gec_core.metrics.asano import grammar
from gec_core.metrics.asano.grammar import Harper, checker, error_counts
from gec_core.models import corrector

SERVER = """#!{python}
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Answer(BaseHTTPRequestHandler):
    def do_GET(self): self.reply([])
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.reply({{"matches": [{{}}, {{}}]}})
    def reply(self, value):
        self.send_response(200); self.end_headers(); self.wfile.write(json.dumps(value).encode())
    def log_message(self, *rest): pass
HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Answer).serve_forever()
"""


class Misspelt(BaseHTTPRequestHandler):
    """Answers as LanguageTool does, with a match for every "teh"; and with nonsense to "nonsense"."""

    def do_POST(self) -> None:
        text = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["text"][0]
        self.send_response(200)
        self.end_headers()
        answer = {"matches": [{"message": "?"}] * text.split().count("teh")}
        self.wfile.write(b"{" if text == "nonsense" else json.dumps(answer).encode())

    def log_message(self, *rest: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    http = HTTPServer(("127.0.0.1", 0), Misspelt)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_port}"
    http.shutdown()
    http.server_close()


@pytest.mark.parametrize(
    ("text", "errors"),
    [("This is an test of the the linter.", 2), ("This is a sentence.", 0), ("I beleive it.", 1), ("", 0)],
)
def test_harper_counts_errors(text: str, errors: int) -> None:
    pytest.importorskip("harper")
    assert Harper().errors(text) == errors


def test_advice_is_no_error() -> None:
    pytest.importorskip("harper")
    long = "The cat and " + "the dog and " * 30 + "the bird sat on the mat."
    assert any(lint.lint_kind == "Readability" for lint in corrector._linter().lint(long))
    assert Harper().errors(long) == 0


def test_a_server_is_asked_if_given(server: str) -> None:
    used = checker(server)
    assert error_counts(used, ["teh cat", "the cat", "teh teh"], None) == {"teh cat": 1, "the cat": 0, "teh teh": 2}
    assert used.signature == f"languagetool-{server.removeprefix('http://').replace(':', '-')}"


def test_a_server_that_answers_nonsense_or_not_at_all_is_reported(server: str) -> None:
    with pytest.raises(ModelError, match="did not give a valid answer"):
        checker(server).errors("nonsense")
    with pytest.raises(ModelError, match="Check that it is running"):
        checker("http://127.0.0.1:9").errors("text")


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for java is a script")
def test_a_jar_is_started_as_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(SERVER.format(python=sys.executable))
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(java.parent), prepend=os.pathsep)
    jar = tmp_path / "LanguageTool-3.5" / "languagetool-server.jar"
    jar.parent.mkdir()
    jar.write_bytes(b"")
    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[-1])
    used = checker(str(jar))
    used.check()
    assert used.signature == "languagetool-LanguageTool-3.5"
    try:
        assert [used.errors("a"), used.errors("b")] == [2, 2]
        assert len(started) == 1
    finally:
        grammar._server.cache_clear()
        for process in started:
            process.terminate()
            process.wait()


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingInput, match="give http://host:port"):
        checker(str(tmp_path / "no.jar")).check()
    (tmp_path / "languagetool-server.jar").write_bytes(b"")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(MissingInput, match="needs Java"):
        checker(str(tmp_path / "languagetool-server.jar")).check()
    monkeypatch.setattr(grammar, "installed", lambda name: False)
    with pytest.raises(MissingInput, match="pip install harper-py"):
        checker("").check()
    assert checker("").signature == "harper-missing"
