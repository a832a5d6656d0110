"""The dashboard on CoNLL-2014 with a warm store, measured in a real Chromium: from a click to the drawn page.

The last rows are 20 visitors at once, who open a page at the same moment: sessions without a browser, since 20
browsers would measure how fast this machine draws."""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import websockets
from playwright.sync_api import Page
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks._common import conll14, parser, run, table
from tools.browser import browser, dashboard, type_in_list, type_option

PAGES = [
    *("Overview", "Rankings", "Correlation", "Sentence agreement", "Error types", "Disagreements", "Sentence"),
    "Metrics",
]
METRICS = "m2,sentm2,errant,imeasure,gleu,bleu,green,scribendi,ptm2"
"""Those that the dashboard begins with; what comes with the project is copied into the store."""
VISITORS = 20
JUMPS = (700, 199, 1040, 455, 862)
"""Sentences, counted from 1, that are opened by their numbers: nothing has looked ahead to them."""
STEPS = 10
COMPLETE = """(sentence) => location.search.includes(`sentence=${sentence - 1}&`)
    && document.querySelector('.lens-grid-table') && !document.querySelector('.lens-grid-table tr.waiting')"""
DRAWN = """() => document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]')
    && document.querySelector('h1')
    && !document.querySelector('[data-testid=stSpinner], [data-testid=stSkeleton], [data-stale=true]')"""


def main(arguments: Sequence[str]) -> None:
    parser(__file__, __doc__).parse_args(arguments)
    corpus = conll14()
    with tempfile.TemporaryDirectory() as cache:
        run(["score", "--corpus", str(corpus), "--metric", METRICS], Path(cache))
        run(["types", "--corpus", str(corpus)], Path(cache))
        with tempfile.TemporaryDirectory() as folder, browser() as chromium:
            (Path(folder) / "conll14").symlink_to(corpus)
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            started = time.perf_counter()
            with dashboard({"GEC_LENS_CACHE": cache, "GEC_LENS_DATA": folder}) as address:
                page.goto(f"{address}/?corpus=conll14")
                _drawn(page)
                rows: list[list[object]] = [
                    ["from `streamlit run` to the first page", time.perf_counter() - started, 5.0]
                ]
                rows += _pages(page) + _widgets(page) + _why(page, address)
                rows += _visitors(address)
                rows.append(["memory of the server with all embedded models, MB", _memory(address), 2500.0])
            with dashboard({"GEC_LENS_CACHE": cache, "GEC_LENS_DATA": folder}) as address:
                rows += _sentences(page, address)
                rows.append(["a researcher's way: 5 clicks to one sentence's weights", _way(page, address), 15.0])
    table(["what", "seconds", "limit"], rows)


def _drawn(page: Page) -> None:
    page.wait_for_function(DRAWN, timeout=60_000, polling=20)


def _pages(page: Page) -> list[list[object]]:
    for name in PAGES:  # once before measuring: what is computed once is not what a click costs
        _click(page, name)
        # The models of Sentence are unpacked once on a machine, in the background of this visit.
        page.wait_for_function("!document.querySelector('.lens-grid-table tr.waiting')", timeout=60_000)
    return [[f"click: {name}", _click(page, name), 1.5] for name in PAGES]


def _click(page: Page, name: str) -> float:
    started = time.perf_counter()
    page.get_by_role("link", name=name, exact=True).click()
    page.wait_for_function("name => document.querySelector('h1')?.innerText === name", arg=name, polling=20)
    _drawn(page)
    return time.perf_counter() - started


def _widgets(page: Page) -> list[list[object]]:
    _click(page, "Rankings")
    sorting = _choose(
        page, "Sort by", "I-measure", "document.querySelector('.lens-table th.sorted')?.innerText === 'I-measure'"
    )
    _click(page, "Correlation")
    leaving_out = _choose(page, "Leave out", "IPN", "document.body.innerText.includes('12 of 13 systems')")
    _click(page, "Error types")
    typed = _choose(page, "System", "CAMB", "location.search.includes('errors_of=CAMB')")
    return [
        ["widget: sort the rankings", sorting, 1.0],
        ["widget: leave out IPN", leaving_out, 1.0],
        ["widget: errors of another system", typed, 1.0],
    ]


def _why(page: Page, address: str) -> list[list[object]]:
    """Two systems on the page *Why*: opened by its address, from the menu, and one of its groups of edits."""
    pair = f"{address}/why?corpus=conll14&first=NTHU&second=UFC&sides=m2&sides=ptm2"
    table = "document.querySelector('.lens-gap')"
    times = []
    for _ in range(2):  # the first time, credits are read
        started = time.perf_counter()
        page.goto(pair)
        page.wait_for_function(table, polling=20)
        _drawn(page)
        times.append(time.perf_counter() - started)
    _click(page, "Rankings")
    started = time.perf_counter()
    page.get_by_role("link", name="Why", exact=True).click()
    page.wait_for_function(table, polling=20)
    _drawn(page)
    times.append(time.perf_counter() - started)
    started = time.perf_counter()
    page.locator("button.lens-name").first.click()
    page.wait_for_function("location.search.includes('group=')", polling=20)
    _drawn(page)
    times.append(time.perf_counter() - started)
    return [
        ["Why NTHU and UFC: opened by its address", times[1], 1.0],
        ["click: Why", times[2], 1.0],
        ["Why: the edits behind a group", times[3], 1.0],
    ]


def _sentences(page: Page, address: str) -> list[list[object]]:
    """From opening a sentence to all its numbers, those of models included, on a server that has just started."""
    pair = f"{address}/sentence?corpus=conll14&a=m2&b=ptm2"
    started = time.perf_counter()
    page.goto(f"{pair}&sentence=649&system=NTHU&against=PKU")
    page.wait_for_function("document.querySelector('.lens-grid-table tr.weight')", polling=20)
    first = time.perf_counter() - started
    _complete(page, 650)
    jumps = []
    for sentence in JUMPS:
        started = time.perf_counter()
        page.get_by_label("Sentence (1 to 1,312)").fill(str(sentence))
        page.keyboard.press("Enter")
        _complete(page, sentence)
        jumps.append(time.perf_counter() - started)
    rows = [["sentence: to PT-M²'s weights, first model use", first, 6.0]]
    rows += [["sentence: to all numbers, warm, median of 5", sorted(jumps)[2], 1.5]]
    rows += [["sentence: to all numbers, warm, slowest of 5", max(jumps), 1.5]]
    for pause in (1.0, 0.0):
        _click(page, "Disagreements")
        page.get_by_role("link", name="Open sentence").first.click()
        page.wait_for_function("document.querySelector('.lens-grid-table') && location.search.includes('against=')")
        _drawn(page)
        steps = [_step(page, pause) for _ in range(STEPS)]
        rows.append([f"sentence: {STEPS} × Next after {pause:g} s, slowest", max(steps), 1.0])
    return rows


def _way(page: Page, address: str) -> float:
    """The seconds from the start page to why M² and PT-M² disagree about AMU and CAMB, in one sentence.

    Nobody reads or thinks on this way: it is the time that the dashboard takes. `test_a_researchers_way…` counts the
    clicks.
    """
    started = time.perf_counter()
    page.goto(address)
    _drawn(page)
    type_option(page, "Corpus", "conll14")
    _take(page, "corpus=conll14")
    _click(page, "Disagreements")
    type_option(page, "with", "PT-M² (MiniLM)")
    _take(page, "b=ptm2")
    page.get_by_role("combobox", name="Systems", exact=True).click()
    for system in ("AMU", "CAMB"):
        type_in_list(page, system)
        _take(page, f"only={system}")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Open sentence").first.click()
    page.wait_for_function("document.querySelector('.lens-grid-table tr.weight')", polling=20)
    return time.perf_counter() - started


def _take(page: Page, part: str) -> None:
    """Take the option that is typed, and wait for the page with this part in its address."""
    page.keyboard.press("Enter")
    page.wait_for_function("part => location.search.includes(part)", arg=part, polling=20)
    _drawn(page)


def _step(page: Page, pause: float) -> float:
    """The seconds from *Next* to all numbers of the next sentence of the list."""
    time.sleep(pause)
    before = page.url
    started = time.perf_counter()
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("before => location.href !== before", arg=before, polling=20)
    _complete(page, int(page.url.split("sentence=")[1].split("&")[0]) + 1)
    return time.perf_counter() - started


def _complete(page: Page, sentence: int) -> None:
    page.wait_for_function(COMPLETE, arg=sentence, timeout=60_000, polling=20)
    _drawn(page)


def _choose(page: Page, label: str, option: str, until: str) -> float:
    """The seconds from choosing an option, by keyboard, to what it changes on the page."""
    type_option(page, label, option)
    started = time.perf_counter()
    page.keyboard.press("Enter")
    page.wait_for_function(until, polling=20)
    _drawn(page)
    seconds = time.perf_counter() - started
    page.keyboard.press("Escape")  # some lists stay open, and hide the rest of the page
    return seconds


def _visitors(address: str) -> list[list[object]]:
    """The median and the slowest of 20 visitors who open the rankings at the same moment."""
    with ThreadPoolExecutor(1) as thread:  # playwright has an event loop in this one
        times = sorted(thread.submit(asyncio.run, _all_visits(address)).result())
    half = times[len(times) // 2]
    return [
        [f"{VISITORS} visitors at once, median", half, 4.0],
        [f"{VISITORS} visitors at once, slowest", times[-1], 4.0],
    ]


async def _all_visits(address: str) -> list[float]:
    return list(await asyncio.gather(*(_visit(address) for _ in range(VISITORS))))


async def _visit(address: str) -> float:
    """Open a session as the browser does, ask for the page, and wait until the server has sent all of it."""
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with websockets.connect(stream, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None) as socket:
        started = time.perf_counter()
        ask = BackMsg()
        ask.rerun_script.query_string = "corpus=conll14"
        ask.rerun_script.page_name = "rankings"
        await socket.send(ask.SerializeToString())
        async for message in socket:
            told = ForwardMsg.FromString(message)
            if told.WhichOneof("type") == "script_finished":
                break
        return time.perf_counter() - started


def _memory(address: str) -> float:
    """Resident memory of the process that listens on the address's port."""
    port = address.rsplit(":", 1)[1]
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text().split("\0")
            if "streamlit" in " ".join(command) and port in command:
                pages = int((folder / "statm").read_text().split()[1])
                return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        except OSError:
            continue
    return float("nan")
