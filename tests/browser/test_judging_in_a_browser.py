"""Judges in a real Chromium: phones and laptops, the keyboard, a network that goes away; and the owner's page."""

import json
from typing import TYPE_CHECKING

from visiting import go, in_chromium, new_page, playwright, settled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = in_chromium


def open_session(page: "Page", address: str) -> str:
    """Open a session as its owner and return the link for judges."""
    go(page, address, "/judge?corpus=demo")
    page.get_by_role("button", name="Open the session").click()
    page.locator(".lens-code").wait_for()
    settled(page)
    return page.locator(".lens-code b").first.inner_text()


def join(page: "Page", link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Begin").click()
    page.locator(".output").first.wait_for()


def answer(page: "Page") -> None:
    """Rank the outputs from first to last with the keyboard, and go on."""
    outputs = page.locator(".output").count()
    for rank in range(1, outputs + 1):
        page.keyboard.press(str(rank))
        if outputs == 2:
            return
    page.keyboard.press("Enter")


def test_a_session_from_the_first_item_to_the_ranking(page: "Page", chromium: "Browser", address: str) -> None:
    link = open_session(page, address)
    assert page.locator(".lens-qr").evaluate("image => image.naturalWidth") > 50
    judges = []
    for name, width in (("<img src=x onerror=alert(1)>", 1280), ("Bob", 400)):
        judge = new_page(chromium.new_context(viewport={"width": width, "height": 800}))
        judge.on("dialog", lambda dialog: pytest_fail(dialog.message))
        join(judge, link, name)
        assert judge.evaluate("document.documentElement.scrollWidth <= innerWidth")
        judges.append(judge)
    for number in range(1, 4):
        for judge in judges:
            playwright.expect(judge.locator("#count")).to_have_text(f"{number} of 44")
            answer(judge)
    for judge in judges:
        playwright.expect(judge.locator("#count")).to_have_text("4 of 44")
        assert "CAREFUL" not in judge.locator("body").inner_text()
    page.get_by_text("Results", exact=True).click()
    playwright.expect(page.get_by_text("From 6 judgments")).to_be_visible()
    page.get_by_text("Projector", exact=True).click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open the projector view").click()
    room = opened.value
    playwright.expect(room.get_by_text("of 120 planned judgments by 2 judges")).to_be_visible()
    assert "owner" not in room.url
    assert "CAREFUL" not in room.locator("[data-testid=stMain]").inner_text()
    page.get_by_role("button", name="Reveal names and metrics").click()
    playwright.expect(room.get_by_text("CAREFUL").first).to_be_visible()
    assert room.evaluate("document.documentElement.scrollWidth <= innerWidth")
    room.close()
    for judge in judges:
        judge.context.close()


def test_an_answer_survives_a_network_that_is_gone(page: "Page", chromium: "Browser", address: str) -> None:
    link = open_session(page, address)
    context = chromium.new_context(viewport={"width": 400, "height": 800})
    judge = new_page(context)
    join(judge, link, "Ada")
    context.set_offline(True)
    answer(judge)
    playwright.expect(judge.locator("#status")).to_contain_text("kept on this device")
    assert judge.locator("#count").inner_text() == "1 of 44"  # the next item waits until the answer is stored
    kept = judge.evaluate("Object.entries(localStorage).find(([name]) => name.endsWith('unsent'))[1]")
    assert json.loads(kept)["values"]
    context.set_offline(False)
    playwright.expect(judge.locator("#count")).to_have_text("2 of 44")
    judge.get_by_role("button", name="Undo").click()
    playwright.expect(judge.locator("#count")).to_have_text("1 of 44")
    playwright.expect(judge.locator("[aria-pressed=true]").first).to_be_visible()
    judge.reload()
    playwright.expect(judge.locator("#count")).to_have_text("2 of 44")
    context.close()


def pytest_fail(message: str) -> None:
    raise AssertionError(f"a script of a judge ran: {message}")
