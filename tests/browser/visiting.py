"""What the tests in a real Chromium share, besides the fixtures in conftest; without playwright they are skipped."""

import pytest
from playwright.sync_api import Page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from tools.browser import CHROMIUM, PATIENCE, new_page, settled, type_in_list, type_option  # noqa: E402

__all__ = ["go", "in_chromium", "new_page", "playwright", "settled", "type_in_list", "type_option"]

playwright.expect.set_options(timeout=PATIENCE)

in_chromium = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine (tools/install-chromium gets it)"),
]


def go(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    settled(page)
