"""Every download button on every page is pressed, and every file opened."""

import csv
import io
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT
from playwright.sync_api import Locator, Page
from visiting import go, in_chromium, settled

from gec_core.align import errant_pipeline

pytestmark = in_chromium

QUICK = "corpus=demo&metrics=m2&metrics=gleu&metrics=imeasure"
PAGES = {
    "/": 1,
    "/rankings": 3,
    "/correlation": 2,
    "/correlation?view=scatter": 4,
    "/correlation?view=leave-one-out": 1,
    "/correlation?view=top": 1,
    "/correlation?view=williams": 1,
    "/correlation?view=matrix": 1,
    "/across": 1,
    "/across?view=metric": 1,
    "/across?view=corpus": 1,
    "/across?view=trust": 1,
    "/across?view=table": 1,
    "/agreement": 2,
    "/agreement?view=length": 1,
    "/agreement?view=ties": 1,
    "/agreement?view=tests": 2,
    "/robustness": 2,
    "/why?first=CAREFUL&second=EAGER&sides=m2&sides=gleu&by=operation&group=R": 1,
    "/why?view=ranking&sides=m2": 1,
    "/disagreements": 5,
    "/sentence?sentence=3&system=EAGER&against=FLUENT": 1,
    "/my_system?analyse=EAGER": 2,
    "/playground": 1,
    "/judge": 0,
    "/tour?step=4": 1,
    "/tour?step=7": 1,
    "/guess": 0,
    "/metrics": 0,
} | ({"/types": 1, "/types?type=DET&errors_of=EAGER": 2} if errant_pipeline.find() else {})
"""Pages, and at least how many buttons *Export* each has, also in tabs and in sections that are closed at first."""


def test_every_page_is_here() -> None:
    names = {path.stem.partition("_")[2] for path in (ROOT / "pages").glob("*.py")} - {"overview"}
    if not errant_pipeline.find():
        names -= {"types"}
    assert names == {path.partition("?")[0].strip("/") for path in PAGES} - {""}


@pytest.mark.parametrize("path", PAGES)
def test_every_download_gives_a_file_that_opens(page: Page, address: str, path: str) -> None:
    go(page, address, f"{path}{'&' if '?' in path else '?'}{QUICK}")
    main = page.locator("[data-testid=stMain]")
    exports = main.get_by_role("button", name="Export", exact=True).filter(visible=True)
    if PAGES[path]:
        open_sections(page)
        exports.first.wait_for()  # what a job computes comes later than the page
    pressed = set[str]()
    tabs = main.get_by_role("tab")
    for tab in range(max(tabs.count(), 1)):
        if tabs.count():
            tabs.nth(tab).click()
            settled(page)
        for place in range(exports.count()):
            key = exports.nth(place).evaluate("button => button.closest('[class*=st-key-export-]').classList[0]")
            if key not in pressed:
                pressed.add(key)
                open_export(page, exports.nth(place))
                assert press_all(page, "[data-testid=stPopoverBody]") >= 3
                page.keyboard.press("Escape")
                page.locator("[data-testid=stPopoverBody]").wait_for(state="hidden")
                settled(page)
    assert len(pressed) >= PAGES[path]
    press_all(page, "[data-testid=stMain]")


def open_sections(page: Page) -> None:
    """Open what is closed at first."""
    closed = page.locator("[data-testid=stMain] details:not([open]) > summary").filter(visible=True)
    while closed.count():
        left = closed.count()
        closed.first.click()
        settled(page)
        assert closed.count() < left


def open_export(page: Page, button: Locator) -> None:
    """Open an Export and wait for its files, which are made when it opens."""
    button.click()
    page.mouse.move(0, 0)  # away from the tooltip, which covers what is below it
    page.locator("[data-testid=stPopoverBody] [data-testid=stDownloadButton]").first.wait_for()
    settled(page)


@pytest.mark.parametrize(
    ("path", "export", "labels"),
    [
        ("/rankings?", 0, {"CSV": "csv", "LaTeX": "latex", "Markdown": "markdown"}),
        ("/rankings?without=NOISY&", 1, {"PDF": "", "SVG": ""}),
        ("/correlation?human=ts&without=NOISY&", 1, {"CSV": "csv", "LaTeX": "latex"}),
        ("/correlation?view=scatter&", -1, {"PDF": "", "PNG": ""}),
        ("/correlation?view=leave-one-out&coefficient=spearman&", 0, {"SVG": ""}),
    ],
)
def test_the_command_makes_the_same_file(
    page: Page, address: str, cache: Path, tmp_path: Path, path: str, export: int, labels: dict[str, str]
) -> None:
    go(page, address, f"{path}{QUICK}")
    buttons = page.locator("[data-testid=stMain]").get_by_role("button", name="Export", exact=True)
    open_export(page, buttons.filter(visible=True).nth(export))
    body = page.locator("[data-testid=stPopoverBody]")
    command = shlex.split(body.locator("[data-testid=stCode]").first.inner_text().replace("\n", " "))
    assert command[0] == "gec-lens"
    for label, format in labels.items():
        with page.expect_download() as started:
            body.get_by_role("button", name=label, exact=True).first.click()
        made = tmp_path / started.value.suggested_filename
        asked = [*command[1:-1], str(made), *(["--format", format] if format else [])]
        done = subprocess.run(
            [sys.executable, "-m", "gec_core", *asked],
            capture_output=True, text=True, cwd=ROOT, env=os.environ | {"GEC_LENS_CACHE": str(cache)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert made.read_bytes() == Path(started.value.path()).read_bytes(), label


def press_all(page: Page, where: str) -> int:
    """Press all buttons in a part of the page; how many there are. Pressing one outside a popover closes it."""
    # Streamlit draws the button of a tooltip twice, once where nobody can press it: the first is the visible one.
    buttons = page.locator(f"{where} [data-testid=stDownloadButton]").filter(visible=True)
    for place in range(buttons.count()):
        with page.expect_download() as started:
            buttons.nth(place).locator("button").first.click()
        name = started.value.suggested_filename
        opened(name, Path(started.value.path()).read_bytes())
    return buttons.count()


def opened(name: str, content: bytes) -> None:
    """Refuse a file that is not what its name says."""
    if name.endswith(".csv"):
        rows = list(csv.reader(line for line in io.StringIO(content.decode()) if not line.startswith("# ")))
        assert len(rows) > 1, name
        assert len({len(row) for row in rows}) == 1, name
    elif name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert archive.testzip() is None
            assert archive.namelist(), name
    elif name.endswith(".svg"):
        assert ElementTree.fromstring(content).tag.endswith("svg"), name
    elif name.endswith(".tex"):
        assert content.startswith(b"\\begin{table"), name
        assert b"\\caption{" in content, name
    elif name.endswith(".md"):
        assert content.startswith(b"| "), name
    elif name.endswith(".bib"):
        assert content.startswith(b"@"), name
    elif name.endswith(".pdf"):
        assert content.startswith(b"%PDF-"), name
    elif name.endswith(".png"):
        assert content.startswith(b"\x89PNG"), name
    elif name.endswith(".html"):
        assert content.startswith((b"<!DOCTYPE html>", b"<!doctype html>")), name
    else:
        raise AssertionError(f"a file that no test knows: {name}")
