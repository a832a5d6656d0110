"""The page *Why* in a real Chromium: from a rank to a group of edits, to an edit, to its sentence."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect
from visiting import go, in_chromium, settled

pytestmark = in_chromium


def test_from_a_rank_over_a_group_of_edits_to_a_sentence(page: Page, address: str) -> None:
    go(page, address, "/rankings?corpus=demo&human=ew&metrics=m2&metrics=gleu")
    page.locator('[data-pick="why\tm2\tCAREFUL"]').click()
    page.wait_for_url("**/why?**")
    settled(page)
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["first"] == ["CAREFUL"]
    assert asked["sides"] == ["m2", "judges"]
    expect(page.locator(".lens-answer")).to_contain_text("M² puts CAREFUL")
    page.locator("button.lens-name").first.click()
    page.wait_for_url("**group=**")
    settled(page)
    row = page.locator(".lens-evidence tbody tr").first
    number = int(row.locator("td").first.inner_text())
    row.click()
    page.wait_for_url("**/sentence?**")
    opened = parse_qs(urlsplit(page.url).query)
    assert (opened["sentence"], opened["system"]) == ([str(number - 1)], asked["first"])
    assert opened["against"] == asked["second"]
