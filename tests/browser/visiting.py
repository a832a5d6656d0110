"""What the tests in a real Chromium share, besides the fixtures in conftest; without playwright they are skipped."""

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from tools.browser import CHROMIUM, settled, type_option  # noqa: E402

__all__ = ["go", "in_chromium", "playwright", "settled", "type_option"]

in_chromium = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine (tools/install-chromium gets it)"),
]


def go(page, address, path):
    page.goto(address + path)
    settled(page)
