"""What the server does before the first visitor comes."""

import asyncio
import os
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
from conftest import ROOT
from starlette.requests import Request

from dashboard.navigation import to_first_page
from tools.browser import free_port, wait_until_healthy

ASKED = """
import sys
def watch(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        asked = str(given[1][0] if event == "socket.connect" else given[0])
        if asked not in ("0.0.0.0", "127.0.0.1", "localhost", "None"):
            print("asked", event, asked, flush=True)
sys.addaudithook(watch)
"""
CODE = """
import sys
sys.path.insert(0, "dashboard")  # as `streamlit run` does
import server
server._prepare()
from streamlit.testing.v1 import AppTest
testing = set(sys.modules)
app = AppTest.from_file("dashboard/app.py", default_timeout=120).run()
assert not app.exception, app.exception[0].stack_trace
print([name for name in ("torch", "transformers", "spacy", "numba", "scipy") if name in sys.modules])
print([name for name in set(sys.modules) - testing if name.startswith(("gec_core", "dashboard", "pandas."))])
"""


def test_the_first_page_finds_its_modules_there() -> None:
    found = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, cwd=ROOT)
    heavy, late = found.stdout.splitlines()[-2:]
    assert heavy == "[]"
    assert late == "[]"


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_no_outside_address_is_looked_for(tmp_path: Path, address: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(ASKED)
    port, surroundings = free_port(), os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT}", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "gec_core", "run", "--address", address, "--port", str(port)]
    with open(tmp_path / "said", "wb") as said:
        server = subprocess.Popen(command, cwd=tmp_path, env=surroundings, stdout=said, stderr=said)
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", server)
            stranger = {"Origin": "https://example.org", "Connection": "Upgrade", "Upgrade": "websocket"}
            stranger |= {"Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw==", "Sec-WebSocket-Version": "13"}
            visit = HTTPConnection("127.0.0.1", port, timeout=300)
            visit.request("GET", "/_stcore/stream", headers=stranger)
            assert visit.getresponse().status == 403
            visit.close()
        finally:
            server.terminate()
            server.wait(60)
    assert (tmp_path / "said").read_text().startswith(f"GEC Lens: http://{address}:{port}")
    assert "asked" not in (tmp_path / "said").read_text()


def test_the_first_page_is_found_by_its_name_too() -> None:
    asked = Request({"type": "http", "path": "/overview", "query_string": b"corpus=demo", "headers": []})
    assert asyncio.run(to_first_page(asked)).headers["location"] == "./?corpus=demo"


GUARDED = """
import importlib.abc, os, pathlib, sys, threading
root = pathlib.Path.cwd()
sys.path.insert(0, "dashboard")  # as `streamlit run` does
import server
from dashboard import IMPORTING

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("dashboard", "gec_core") and not IMPORTING._is_owned():
            print("unguarded", name, "in", threading.current_thread().name)

sys.meta_path.insert(0, Watch())
server._prepare()
ended = threading.Event()
ended.set()
server._sweep(ended)
from streamlit.testing.v1 import AppTest
app = AppTest.from_file(root / "dashboard" / "app.py", default_timeout=120).run()
for page in ("20_rankings", "70_my_system"):
    app.switch_page(str(root / "pages" / f"{page}.py")).run()
    assert not app.exception, app.exception[0].stack_trace
print("pages are imported:", "dashboard.views.my_system" in sys.modules)
for thread in threading.enumerate():
    if thread.name == "gec-lens-warm":
        thread.join()
        print("models are warm:", "gec_core.align.errant_alignment" in sys.modules)
sys.stdout.flush()
os._exit(0)
"""


def test_threads_of_the_server_and_pages_import_modules_of_ours_in_turn() -> None:
    """One of them would get half a module: the deleting of old uploads and the preparations ended so at the start."""
    found = subprocess.run([sys.executable, "-c", GUARDED], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.splitlines() == ["pages are imported: True", "models are warm: True"]
