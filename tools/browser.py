"""A running dashboard and a real Chromium, for screenshots, browser tests and measurements."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


@contextmanager
def dashboard(environment: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a dashboard that runs as long as the block does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "dashboard" / "server.py")]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
    server = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/_stcore/health", server)
        yield address
    finally:
        server.terminate()
        server.wait(10)


def _wait_for(address: str, server: "subprocess.Popen[bytes]", seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"the dashboard stopped with exit code {server.returncode}")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"no answer from {address} in {seconds:.0f} seconds")


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium of the system's."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *_QUIET])
        yield chromium
        chromium.close()


def settled(page: Page) -> None:
    """Wait until the app has run and nothing is drawn any more."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
    page.wait_for_selector("h1", timeout=60_000)
    page.wait_for_function("!document.querySelector('[data-testid=stSpinner], [data-testid=stSkeleton]')")
    page.wait_for_timeout(700)


def type_option(page: Page, label: str, option: str) -> None:
    """Open a list and type what to look for, as a person does; Enter then takes it.

    Pressing Enter rather than clicking: the list is drawn anew while the page is, and an option may be replaced
    between being found and being clicked.
    """
    page.get_by_role("combobox", name=label, exact=True).click()
    page.keyboard.type(option)
    page.get_by_role("option", name=option, exact=True).wait_for()
