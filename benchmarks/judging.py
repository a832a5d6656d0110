"""Many judges at once, and a server that is killed in the middle (options: --judges, --seconds, --pause).

Every judge logs the answers that the server accepted. Afterwards the database is compared with the logs: no accepted
answer may be missing, and none may be there twice.

`--browser` has judges in Chromium instead, two of them on narrow screens, who judge to the end; the session is
exported, opened on a fresh server, and both rankings are compared. `--curves FILE CORPUS[:SET]…` draws how many
judgments each order of items needs (docs/judging.svg).
"""

from __future__ import annotations

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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, get_args

import numpy as np

from benchmarks._common import parser
from gec_core import corpora
from gec_core.judging.database import JudgingDatabase
from gec_core.judging.session import Order, Plan, Texts
from gec_core.judging.simulation import curves_svg, judgments_for, simulate
from gec_core.types import Corpus

WARM_UP = 15
"""Seconds after a start in which the server still imports packages."""
REPEATED = 20
"""How often the sentences of the demo corpus are in the corpus that is judged."""
ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Log:
    """What one judge saw."""

    accepted: dict[int, list[int]] = field(default_factory=dict)
    seconds: list[tuple[float, float]] = field(default_factory=list)
    """For each answer: when it was sent, and how long it took."""
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
                log.seconds.append((begin, time.perf_counter() - begin))


def main(arguments: Sequence[str]) -> None:
    options = parser(__file__, __doc__)
    options.add_argument("--judges", type=int, default=30)
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--pause", type=float, default=1.0, help="seconds that a judge thinks, on average")
    options.add_argument("--browser", action="store_true", help="five judges in Chromium")
    options.add_argument("--curves", nargs="+", metavar="FILE", help="draw the simulation of these corpora")
    given = options.parse_args(arguments)
    if given.curves:
        draw_curves(Path(given.curves[0]), given.curves[1:])
        return
    with tempfile.TemporaryDirectory() as name:
        if given.browser:
            in_browsers(Path(name))
        else:
            run(Path(name), given.judges, given.seconds, given.pause)


def run(folder: Path, judges: int, seconds: float, pause: float) -> None:
    """Judge for a while, kill the server halfway, and compare the database with the logs."""
    os.environ["GEC_LENS_CACHE"] = str(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    demo = corpora.load("demo")
    systems = {name: outputs * REPEATED for name, outputs in demo.systems.items()}
    demo = Corpus("load", demo.sentences * REPEATED, systems)  # so many that nobody is done before time is up
    everything = tuple(range(len(demo)))
    plan = Plan("load", demo.name, demo.fingerprint, "ranking", tuple(demo.systems), everything,
                judgments_per_sentence=10**6, items_per_judge=10**6)  # fmt: skip
    database = JudgingDatabase()
    owned = database.create(plan, Texts.of(demo, plan))
    server = serve(port, folder)
    started = [time.perf_counter()]
    over, logs = Event(), [Log() for _ in range(judges)]
    address = f"http://127.0.0.1:{port}/j/{owned.session.code}"
    with ThreadPoolExecutor(judges) as pool:
        work = [pool.submit(judge, address, number, pause, over, log) for number, log in enumerate(logs)]
        over.wait(seconds / 2)
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = serve(port, folder)
        started.append(time.perf_counter())
        over.wait(seconds / 2)
        over.set()
        for each in work:
            each.result()
    server.terminate()
    server.wait()
    kept = {answer.item.id: list(answer.values) for answer in database.answers(owned.session)}
    accepted = {id: values for log in logs for id, values in log.accepted.items()}
    lost = [id for id, values in accepted.items() if kept.get(id) != [float(value) for value in values]]
    every = [each for log in logs for each in log.seconds]
    settled = [wait for at, wait in every if all(not 0 <= at - begin < WARM_UP for begin in started)]
    print(f"{judges} judges, {seconds:.0f} s, one kill -9: {len(accepted):,} answers accepted, {len(kept):,} kept")
    print(f"lost or changed: {len(lost)}; requests sent again: {sum(log.retries for log in logs)}")
    after = sum(at > started[-1] for log in logs for at, _ in log.seconds)
    print(f"accepted after the restart: {after:,}")
    for what, waits in (("all answers", [wait for _, wait in every]), (f"after {WARM_UP} s of a start", settled)):
        median, late = np.quantile(waits, [0.5, 0.99])
        print(f"{what}: {median * 1000:.0f} ms at the median, {late * 1000:.0f} ms at the 99th percentile")
    if lost or len(kept) != len(accepted) or not after:
        sys.exit(1)


ITEMS, NAMES = 44, ("Ada", "Bob", "Eve", "Dan", "Zoë")  # 40 items, and four of them again


def in_browsers(folder: Path) -> None:
    """Open a session in Chromium, judge it to the end with five judges at once, and move it to a fresh server."""
    from playwright.sync_api import expect

    from tools.browser import PATIENCE, browser, dashboard, new_page, settled

    expect.set_options(timeout=PATIENCE)
    exported = folder / "session.zip"
    begin = time.perf_counter()
    with browser() as chromium:
        with dashboard({"GEC_LENS_CACHE": str(folder / "first")}) as address:
            owner = new_page(chromium, viewport={"width": 1280, "height": 900})
            owner.goto(f"{address}/judge?corpus=demo")
            settled(owner)
            owner.get_by_label("Judgments per sentence", exact=True).fill(str(len(NAMES)))
            owner.get_by_role("button", name="Open the session").click()
            link = owner.locator(".lens-code b").first.inner_text()
            owner.get_by_text("Results", exact=True).click()
            judges = []
            for number, name in enumerate(NAMES):
                width, scheme = (400 if number < 2 else 1280), ("dark" if number % 2 else "light")
                page = new_page(chromium, viewport={"width": width, "height": 800}, color_scheme=scheme)
                page.goto(link)
                page.get_by_label("Your name").fill(name)
                page.get_by_role("button", name="Begin").click()
                judges.append(page)
            seen = []
            for item in range(1, ITEMS + 1):
                for number, page in enumerate(judges):
                    expect(page.locator("#count")).to_have_text(f"{item} of {ITEMS}")
                    outputs = page.locator(".output").count()
                    ranks = Random(f"{number}-{item}").choices(range(1, outputs + 1), k=outputs)
                    for rank in ranks[: 1 if outputs == 2 else outputs]:
                        page.keyboard.press(str(rank))
                    if outputs > 2:
                        page.keyboard.press("Enter")
                if item in (1, ITEMS // 2):
                    expect(owner.get_by_text(f"From {item * len(NAMES)} judgments")).to_be_visible()
                    seen.append(item * len(NAMES))
            for page in judges:
                expect(page.get_by_text("You have judged all your items")).to_be_visible()
            expect(owner.get_by_text(f"From {ITEMS * len(NAMES)} judgments")).to_be_visible()
            first = owner.locator(".lens-judged").first.inner_text()
            owner.get_by_text("Manage", exact=True).click()
            with owner.expect_download() as download:
                owner.get_by_role("button", name="Download the judgments").click()
            download.value.save_as(exported)
        with dashboard({"GEC_LENS_CACHE": str(folder / "second")}) as address:
            owner = new_page(chromium, viewport={"width": 1280, "height": 900})
            owner.goto(f"{address}/judge?corpus=demo")
            settled(owner)
            owner.get_by_text("Open an exported session").click()
            owner.locator("input[type=file]").first.set_input_files(exported)
            owner.get_by_role("button", name="Open it").click()
            owner.locator(".lens-code").wait_for()
            owner.get_by_text("Results", exact=True).click()
            expect(owner.get_by_text(f"From {ITEMS * len(NAMES)} judgments")).to_be_visible()
            second = owner.locator(".lens-judged").first.inner_text()
    print(f"{len(NAMES)} judges, {ITEMS} items each, {time.perf_counter() - begin:.0f} s; results seen live: {seen}")
    print("exported, opened on a fresh server: the same table" if first == second else "the rankings differ")
    if first != second:
        print(first, second, sep="\n\n")
        sys.exit(1)


def draw_curves(picture: Path, corpora_given: list[str], runs: int = 20) -> None:
    """Simulate both orders with two and with up to five outputs at a time."""
    panels = []
    for given in corpora_given:
        name, _, judgments = given.partition(":")
        corpus = corpora.load(name)
        corpus = corpus.judged_by(judgments) if judgments else corpus
        assert corpus.judgments is not None
        for outputs in (2, 5):
            points = simulate(corpus.judgments, outputs=outputs, runs=runs)
            title = f"{corpus.name}, {'two' if outputs == 2 else 'up to five'} outputs at a time"
            panels.append((title, points))
            for rho in (0.7, 0.8, 0.85, 0.9, 0.95):
                needed = {order: judgments_for(points, order, rho) for order in get_args(Order)}
                print(f"{title}: rho {rho}: {needed}")
    picture.write_text(curves_svg(panels), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
