"""Many judges at once, and a server that is killed in the middle (options: --judges, --seconds, --pause).

Every judge logs the answers that the server accepted. Afterwards the database is compared with the logs: no accepted
answer may be missing, and none may be there twice.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import numpy as np

from gec_core import corpora
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.plan import Plan, Texts

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Log:
    """What one judge saw."""

    accepted: dict[int, list[int]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    retries: int = 0


def serve(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start the dashboard and wait until it answers."""
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "dashboard" / "server.py")]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    environment = os.environ | {"GEC_LENS_CACHE": str(folder)}
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=quiet, stderr=quiet)
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
            return server
        except OSError:
            time.sleep(0.2)


def post(address: str, what: str, token: str, content: dict[str, Any]) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{address}/{what}", json.dumps(content).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as reply:
        return dict(json.load(reply))


def judge(address: str, number: int, pause: float, over: Event, log: Log) -> None:
    """Join and answer until time is up, trying again whenever the server does not answer."""
    random = Random(number)

    def ask(what: str, token: str, content: dict[str, Any]) -> dict[str, Any] | None:
        while not over.is_set():
            try:
                return post(address, what, token, content)
            except urllib.error.HTTPError as problem:
                raise RuntimeError(problem.read().decode()) from None
            except OSError:
                log.retries += 1
                over.wait(0.3)
        return None

    joined = ask("join", "", {"name": f"judge {number}"})
    while joined and not over.is_set():
        token = joined["token"]
        said = ask("next", token, {})
        if said is None or said.get("done"):
            return
        item = said["item"]
        values = [random.randint(1, len(item["outputs"])) for _ in item["outputs"]]
        over.wait(pause * (0.5 + random.random()))
        begin, before = time.perf_counter(), log.retries
        answer = {"item": item["id"], "values": values, "request": f"{number}-{item['id']}", "seconds": pause}
        stored = ask("answer", token, answer)
        if stored is not None:
            log.accepted[item["id"]] = values
            if log.retries == before:  # a killed server answers nobody, which is not its latency
                log.seconds.append(time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judges", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds that a judge thinks, on average")
    given, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        run(Path(name), given.judges, given.seconds, given.pause)


def run(folder: Path, judges: int, seconds: float, pause: float) -> None:
    """Judge for a while, kill the server halfway, and compare the database with the logs."""
    os.environ["GEC_LENS_CACHE"] = str(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    demo = corpora.load("demo")
    everything = tuple(range(len(demo)))
    plan = Plan("load", demo.name, demo.fingerprint, "ranking", tuple(demo.systems), everything,
                judgments_per_sentence=10**6, items_per_judge=10**6)  # fmt: skip
    database = JudgingDatabase()
    owned = database.create(plan, Texts.of(demo, plan))
    server = serve(port, folder)
    over, logs = Event(), [Log() for _ in range(judges)]
    address = f"http://127.0.0.1:{port}/j/{owned.session.code}"
    with ThreadPoolExecutor(judges) as pool:
        work = [pool.submit(judge, address, number, pause, over, log) for number, log in enumerate(logs)]
        over.wait(seconds / 2)
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = serve(port, folder)
        over.wait(seconds / 2)
        over.set()
        for each in work:
            each.result()
    server.terminate()
    server.wait()
    kept = {answer.item.id: list(answer.values) for answer in database.answers(owned.session)}
    accepted = {id: values for log in logs for id, values in log.accepted.items()}
    lost = [id for id, values in accepted.items() if kept.get(id) != [float(value) for value in values]]
    waits = np.array([wait for log in logs for wait in log.seconds])
    median, late = np.quantile(waits, [0.5, 0.99])
    print(f"{judges} judges, {seconds:.0f} s, one kill -9: {len(accepted):,} answers accepted, {len(kept):,} kept")
    print(f"lost or changed: {len(lost)}; requests sent again: {sum(log.retries for log in logs)}")
    print(f"an answer takes {median * 1000:.0f} ms at the median, {late * 1000:.0f} ms at the 99th percentile")
    if lost:
        sys.exit(1)


if __name__ == "__main__":
    main()
