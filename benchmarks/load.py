"""Many visitors at once on CoNLL-2014 with a warm store: websocket clients on this machine, without browsers.

Every visitor opens a session and goes from page to page; a view lasts until the server has sent all of it. All of them
ask for the next page as soon as they have one (`--pause` lets them read), which is far more than a class does. The
seconds of the server's processor per view hold on a busy machine, too.

Options: --visitors 1,20,50 --views 6 --seconds 600 --pause 0 --pages rankings,why --job --address URL --pid N.
A class of fifty for ten minutes, while a model scores a corpus: --visitors 50 --views 1000 --pause 20 --job
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

import numpy as np
import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks._common import ROOT, conll14, parser, run, table
from tools.browser import dashboard

PAGES = (
    *("overview", "rankings", "correlation", "across", "agreement", "robustness", "types", "why"),
    *("disagreements", "sentence", "my_system", "playground", "judge", "tour", "guess", "metrics"),
)
METRICS = "m2,sentm2,errant,imeasure,gleu,bleu,green,scribendi,ptm2"
"""Those that the dashboard begins with; what comes with the project is copied into the store."""
PATIENCE = 300.0
"""Seconds after which a view counts as failed."""


@dataclass
class Seen:
    """What the visitors saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    bytes: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    problems: Counter[str] = field(default_factory=Counter)

    def all(self) -> list[float]:
        """The seconds of every view."""
        return [each for own in self.seconds.values() for each in own]


class Visitor:
    """One session, as a browser has it."""

    def __init__(self, address: str, corpus: str, seen: Seen) -> None:
        self._stream = address.replace("http", "ws", 1) + "/_stcore/stream"
        self._corpus, self._seen = corpus, seen
        self._opened = count()
        self._buttons: dict[str, str] = {}

    async def visit(self, pages: list[str], until: float, pause: float) -> None:
        """Open these pages one after another, until time is up."""
        protocols = [websockets.Subprotocol("streamlit")]
        async with websockets.connect(self._stream, subprotocols=protocols, max_size=None, open_timeout=None) as socket:
            for page in pages:
                if time.perf_counter() > until:
                    return
                begin = time.perf_counter()
                try:
                    size = await asyncio.wait_for(self._open(socket, page), PATIENCE)
                except (TimeoutError, websockets.WebSocketException) as problem:
                    self._seen.problems[f"{page}: {type(problem).__name__}"] += 1
                    return
                self._seen.seconds[page].append(time.perf_counter() - begin)
                self._seen.bytes[page].append(size)
                await asyncio.sleep(pause)

    async def press(self, label: str) -> None:
        """Open the rankings, press the first button with this label, and stay until the page is drawn again."""
        protocols = [websockets.Subprotocol("streamlit")]
        async with websockets.connect(self._stream, subprotocols=protocols, max_size=None, open_timeout=None) as socket:
            await self._open(socket, "rankings")
            if label not in self._buttons:
                sys.exit(f"The page has no button {label!r}, only {', '.join(self._buttons)}.")
            await self._open(socket, "rankings", self._buttons[label])

    async def _open(self, socket: websockets.ClientConnection, page: str, pressed: str = "") -> int:
        ask = BackMsg()
        # A new address each time, as after a link: without it, choices are in what a browser tells of its widgets.
        ask.rerun_script.query_string = f"corpus={self._corpus}&opened={next(self._opened)}"
        ask.rerun_script.page_name = page
        if pressed:
            ask.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
        await socket.send(ask.SerializeToString())
        size = 0
        async for message in socket:
            size += len(message)
            told = ForwardMsg.FromString(message)  # type: ignore[arg-type]  # the server sends bytes only
            kind = told.WhichOneof("type")
            if kind == "delta" and told.delta.new_element.HasField("button"):
                self._buttons.setdefault(told.delta.new_element.button.label, told.delta.new_element.button.id)
            elif kind == "delta" and told.delta.new_element.HasField("exception"):
                self._seen.problems[f"{page}: {told.delta.new_element.exception.type}"] += 1
            elif kind == "delta" and told.delta.new_element.selectbox.label == "Corpus":
                drawn = told.delta.new_element.selectbox
                if drawn.raw_value != self._corpus.partition("&")[0]:
                    self._seen.problems[f"{page}: shows {drawn.raw_value}"] += 1
            elif kind == "script_finished" and told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return size
        raise websockets.ConnectionClosedError(None, None)


async def crowd(address: str, visitors: int, routes: list[list[str]], until: float, pause: float) -> Seen:
    """Let visitors go their ways at the same time; with a pause between pages, they come one after another."""
    seen = Seen()

    async def one(number: int) -> None:
        await asyncio.sleep(pause * number / visitors)
        await Visitor(address, "conll14", seen).visit(routes[number], until, pause)

    await asyncio.gather(*(one(number) for number in range(visitors)))
    return seen


def main(arguments: Sequence[str]) -> None:
    options = parser(__file__, __doc__)
    options.add_argument("--visitors", type=_numbers, default="1,20,50", help="how many at once; several with commas")
    options.add_argument("--views", type=int, default=6, help="the pages that each of them opens (at most 10,000)")
    options.add_argument("--seconds", type=float, default=600, help="the most time for each number of visitors")
    options.add_argument("--pause", type=float, default=0.0, help="the seconds that a visitor reads a page")
    options.add_argument("--pages", type=_pages, default=",".join(PAGES), help="the pages, with commas between them")
    options.add_argument("--address", default="", help="a running dashboard of this machine, with --pid")
    options.add_argument("--pid", type=int, default=0, help="the process of that dashboard")
    options.add_argument("--job", action="store_true", help="have the server score a corpus with a model meanwhile")
    given = options.parse_args(arguments)
    with ExitStack() as stack:
        address, pid = given.address, given.pid
        if not address:
            cache = stack.enter_context(tempfile.TemporaryDirectory())
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            (Path(folder) / "conll14").symlink_to(conll14())
            _unheard(conll14(), Path(folder) / "unheard")
            run(["score", "--corpus", str(conll14()), "--metric", METRICS], Path(cache))
            run(["types", "--corpus", str(conll14())], Path(cache))
            address = stack.enter_context(dashboard({"GEC_LENS_CACHE": cache, "GEC_LENS_DATA": folder}))
            pid = _listening(address)
        server = psutil.Process(pid)
        for _ in range(2):  # what is computed once for all visitors is not what a view costs
            asyncio.run(crowd(address, 1, [given.pages], time.perf_counter() + PATIENCE, 0))
            _rest(server)
        if given.job:
            asyncio.run(Visitor(address, "unheard&metrics=scribendi", Seen()).press("Score"))
        measure(address, server, given)
        if given.job:
            used, begin = _processor(server), time.perf_counter()
            time.sleep(5)
            busy = (_processor(server) - used) / (time.perf_counter() - begin)
            print(f"After the last visitor the job keeps {busy:.1f} processors busy.")


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _pages(text: str) -> list[str]:
    pages = text.split(",")
    if unknown := set(pages) - set(PAGES):
        raise argparse.ArgumentTypeError(f"no page {', '.join(sorted(unknown))}; there are {', '.join(PAGES)}")
    return pages


def _unheard(corpus: Path, folder: Path) -> None:
    """A corpus that nothing is known of: the words of every text in an order of its own, so that no two have a
    beginning in common, and a language model takes longer than the visitors stay."""
    (folder / "systems").mkdir(parents=True)
    random = Random(0)
    for path in [corpus / "source.txt", *sorted((corpus / "systems").glob("*.txt"))]:
        texts = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        shuffled = [" ".join(random.sample(words, len(words))) for words in texts]
        (folder / path.relative_to(corpus)).write_text("\n".join(shuffled) + "\n", encoding="utf-8")


def measure(address: str, server: psutil.Process, given: argparse.Namespace) -> None:
    """Print a table of pages for one visitor, and one of all numbers of visitors."""
    pages = given.pages
    rows: list[list[object]] = []
    for visitors in given.visitors:
        random = Random(visitors)
        views = min(given.views, 10_000)
        routes = [random.choices(pages, k=views) for _ in range(visitors)]
        if visitors == 1:
            routes = [pages * max(1, views // len(pages))]
        memory, used, begin = _memory(server), _processor(server), time.perf_counter()
        seen = asyncio.run(crowd(address, visitors, routes, begin + given.seconds, given.pause))
        lasted, times = time.perf_counter() - begin, seen.all()
        middle, late, last = np.quantile(times, [0.5, 0.95, 0.99])
        cost = (_processor(server) - used) / len(times)
        rows.append(
            [visitors, len(times), middle, late, last, len(times) / lasted, round(cost, 3), memory, _memory(server),
             sum(seen.problems.values())]
        )  # fmt: skip
        for problem, times_seen in seen.problems.most_common(10):
            print(f"{times_seen} times {problem}")
        if visitors == 1:
            _by_page(address, server, pages)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    head = ["visitors", "views", "median s", "95%", "99%", "views/s", "processor s/view"]
    table([*head, "MB at the start", "MB at the end", "errors"], rows)


def _by_page(address: str, server: psutil.Process, pages: list[str], times: int = 4) -> None:
    """What a page costs when it is opened again and again by one visitor after another."""
    rows: list[list[object]] = []
    for page in pages:
        used = _processor(server)
        seen = asyncio.run(crowd(address, 1, [[page] * times], time.perf_counter() + PATIENCE, 0))
        cost = (_processor(server) - used) / times
        rows.append([page, round(cost, 3), float(np.median(seen.all())), int(np.median(seen.bytes[page])) // 1000])
    table(["page", "processor s/view", "seconds", "kB"], rows)


def _processor(server: psutil.Process) -> float:
    used = server.cpu_times()
    return float(used.user + used.system)


def _rest(server: psutil.Process) -> None:
    """Wait until the server has done what pages started in the background, which is no cost of the next view."""
    until = time.perf_counter() + PATIENCE
    while time.perf_counter() < until:
        used = _processor(server)
        time.sleep(2)
        if _processor(server) - used < 0.1:
            return


def _memory(server: psutil.Process) -> int:
    return int(server.memory_info().rss / 1e6)


def _listening(address: str) -> int:
    """The process that `tools.browser` started for this address."""
    port = address.rsplit(":", 1)[1]
    for child in psutil.Process().children(recursive=True):
        if port in child.cmdline():
            return int(child.pid)
    sys.exit(f"No process listens on {address}.")


if __name__ == "__main__":
    os.chdir(ROOT)
    main(sys.argv[1:])
