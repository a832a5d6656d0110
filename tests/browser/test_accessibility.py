"""Who sees little or uses no mouse: contrast of all texts in both themes, and controls that the keyboard reaches."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from visiting import go, in_chromium, new_page, playwright

pytestmark = in_chromium

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Any:
    """One for all of these tests, which only look."""
    return new_page(chromium, viewport={"width": 1280, "height": 900})


@pytest.mark.parametrize(
    "path",
    [
        "/?corpus=demo",
        "/rankings?corpus=demo&highlight=FLUENT",
        "/correlation?corpus=demo",
        "/correlation?corpus=demo&view=top",
        "/agreement?corpus=demo&view=ties",
        "/types?corpus=demo",
        "/disagreements?corpus=demo",
        "/sentence?corpus=demo&sentence=7",
        "/metrics?corpus=demo",
    ],
)
def test_all_texts_can_be_read_in_both_themes(page: Page, address: str, path: str) -> None:
    go(page, address, path)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"getComputedStyle(document.querySelector('.stApp')).colorScheme === '{scheme}'")
        assert hard_to_read(page) == {}, scheme


def hard_to_read(page: Page) -> Any:
    """Texts with too little contrast, once whatever is being drawn is drawn: that is pale for a moment."""
    with suppress(playwright.TimeoutError):
        page.wait_for_function(f"Object.keys(({CONTRAST})()).length === 0")
    return page.evaluate(CONTRAST)


def test_the_keyboard_reaches_all_controls_in_the_order_of_the_page(page: Page, address: str) -> None:
    go(page, address, "/rankings?corpus=demo")
    reached = []
    for _ in range(70):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "() => { const one = document.activeElement;"
                " return one.getAttribute('aria-label') || one.innerText || one.tagName; }"
            )
        )
    wanted: tuple[str, ...]
    wanted = (
        "Overview",
        "Error types",
        "Corpus",
        "Human ranking",
        "Metrics: ",
        "Leave out",
        "Sort by",
        "Highlight",
    )
    wanted += ("Export", "Data")
    places = {each: next((place for place, name in enumerate(reached) if each in name), None) for each in wanted}
    assert None not in places.values(), (places, reached)
    assert sorted(places, key=places.__getitem__) == list(wanted)  # type: ignore[arg-type]
