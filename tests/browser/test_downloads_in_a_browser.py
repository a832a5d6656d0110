"""Every download button on every page is pressed, and every file opened."""

import csv
import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page
from visiting import go, in_chromium, settled

from gec_core.align import errant_pipeline

pytestmark = in_chromium

QUICK = "corpus=demo&metrics=m2&metrics=gleu&metrics=imeasure"
PAGES = {
    "/": 1,
    "/rankings": 1,
    "/correlation": 1,
    "/correlation?view=leave-one-out": 0,
    "/agreement": 1,
    "/disagreements": 1,
    "/my_system?analyse=EAGER": 2,
    "/playground": 1,
    "/tour": 0,
    "/metrics": 0,
} | ({"/types": 1, "/types?type=DET&errors_of=EAGER": 2} if errant_pipeline.find() else {})
"""Pages, and at least how many buttons *Export* each has."""


@pytest.mark.parametrize("path", PAGES)
def test_every_download_gives_a_file_that_opens(page: Page, address: str, path: str) -> None:
    go(page, address, f"{path}{'&' if '?' in path else '?'}{QUICK}")
    exports = page.locator("[data-testid=stMain]").get_by_role("button", name="Export", exact=True)
    assert exports.count() >= PAGES[path]
    for popover in exports.all()[:1]:
        popover.click()
        page.mouse.move(0, 0)  # away from the tooltip, which covers what is below it
        settled(page)
        assert press_all(page, "[data-testid=stPopoverBody]") >= 3
        page.keyboard.press("Escape")
    press_all(page, "[data-testid=stMain]")


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
        assert content.startswith(b"\\begin{table}"), name
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
