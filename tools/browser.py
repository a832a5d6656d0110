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
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]

PATIENCE = 300_000
"""Milliseconds to wait for what must happen; long, since a busy machine is slow and waiting costs nothing else."""

# Fields of Streamlit's messages: BackMsg.rerun_script is 11, ForwardMsg.script_finished is 6 (2: another run follows).
_WATCH = """
(() => {
  const runs = window.lensRuns = { asked: 0, answered: 0 };
  const fields = (bytes) => {
    const found = {};
    let at = 0;
    const number = () => {
      let value = 0;
      for (let place = 1; at < bytes.length; place *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * place;
        if (byte < 128) break;
      }
      return value;
    };
    while (at < bytes.length) {
      const tag = number(), kind = tag % 8, value = kind === 1 ? 8 : kind === 5 ? 4 : number();
      found[Math.floor(tag / 8)] = value;
      if (kind !== 0) at += value;
    }
    return found;
  };
  const bytes = (data) => new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
  window.WebSocket = class extends window.WebSocket {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", ({ data }) => {
        if (data instanceof ArrayBuffer && ![undefined, 2].includes(fields(bytes(data))[6])) {
          runs.answered = runs.asked;
        }
      });
    }
    send(data) {
      if (typeof data !== "string" && 11 in fields(bytes(data))) runs.asked += 1;
      super.send(data);
    }
  };
})();
"""
_AT_REST = """
() => document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]')
  && (!window.lensRuns || (lensRuns.asked > 0 && lensRuns.answered === lensRuns.asked))
  && document.querySelector('h1')
  && !document.querySelector('[data-testid=stSpinner], [data-testid=stSkeleton]')
"""

_ACTIVE_OPTION = """
(option) => {
  const active = document.getElementById(document.activeElement.getAttribute('aria-activedescendant'));
  return active && active.innerText.trim() === option;
}
"""


@contextmanager
def dashboard(environment: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a dashboard that runs as long as the block does."""
    port = free_port()
    server = serve(port, environment)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def serve(port: int, environment: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """Start a dashboard on this port; it answers when this returns."""
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "dashboard" / "server.py")]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", server)
    except BaseException:
        server.kill()
        raise
    return server


def wait_until_healthy(address: str, server: "subprocess.Popen[bytes]", seconds: float = 300) -> None:
    """Wait until this address answers, as long as the server runs."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"the dashboard stopped with exit code {server.returncode}")
        try:
            with urllib.request.urlopen(address, timeout=30):
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


def new_page(chromium: Browser | BrowserContext, **options: Any) -> Page:
    """Open a window that waits long enough on a busy machine, and that knows which runs of the script are due."""
    page = chromium.new_page(**options)
    page.set_default_timeout(PATIENCE)
    page.add_init_script(_WATCH)
    return page


def settled(page: Page) -> None:
    """Wait until the server has answered everything that the page asked, and nothing is drawn any more.

    The pause is the page's own timer: what the page itself does a moment later (a text box sends its text after 80 ms)
    comes before its end, however slow the machine is.
    """
    page.wait_for_function(_AT_REST, timeout=PATIENCE)
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 400))")
    page.wait_for_function(_AT_REST, timeout=PATIENCE)


def type_option(page: Page, label: str, option: str) -> None:
    """Open a list and type what to look for, as a person does; Enter then takes it.

    Pressing Enter rather than clicking: the list is drawn anew while the page is, and an option may be replaced
    between being found and being clicked.
    """
    page.get_by_role("combobox", name=label, exact=True).click()
    type_in_list(page, option)


def type_in_list(page: Page, option: str) -> None:
    """Type what to look for into the open list and wait until Enter would take this option.

    An option that is merely there is not enough: before the list has been narrowed down, Enter takes its first one,
    which may be *Select all*.
    """
    page.keyboard.type(option)
    page.wait_for_function(_ACTIVE_OPTION, arg=option, timeout=PATIENCE)
