"""The grid of the page *Sentence* in a real Chromium: positions, colours, folding, narrow screens."""

import re
import time

import pytest
from conftest import needs_conll14
from playwright.sync_api import Locator, Page
from visiting import go, in_chromium, settled, type_in_list, type_option

from dashboard.components.edits import shade
from gec_core import corpora
from gec_core.explain.credit import edit_credits
from gec_core.metrics import create

pytestmark = in_chromium

TWO = "/sentence?corpus=demo&metrics=m2&metrics=gleu&sentence=0&system=EAGER&against=FLUENT"
ONE = "/sentence?corpus=demo&metrics=m2&metrics=gleu&sentence=0&system=EAGER&against=%E2%80%93"


def edges(cell: Locator) -> tuple[float, float]:
    box = cell.bounding_box()
    assert box
    return box["x"], box["x"] + box["width"]


def credit_cells(page: Page) -> list[tuple[Locator, str, float]]:
    """All cells of credits with their edits and numbers."""
    found = []
    for cell in page.locator(".lens-grid-table td.credit:has(span:not(.missed))").all():
        title = cell.locator("span").first.get_attribute("title") or ""
        told = re.search(r", (.* → .*): ([+−]?[\d.]+)$", title)
        assert told, title
        found.append((cell, told[1], float(told[2].replace("−", "-"))))
    return found


@pytest.mark.parametrize("path", [ONE, TWO])
def test_credits_stand_under_the_words_of_their_edits(page: Page, address: str, path: str) -> None:
    go(page, address, path)
    cells = credit_cells(page)
    assert len(cells) >= 2
    for cell, edit, _ in cells:
        before, after = edit.split(" → ")
        output = cell.locator("xpath=ancestor::tr/preceding-sibling::tr[contains(@class, 'output')][1]")
        words = [each for each in output.locator("td.busy:has(.lens-edit)").all() if edges(each) == edges(cell)]
        assert len(words) == 1, edit
        assert words[0].locator("ins").all_inner_texts() == ([] if after == "∅" else [after])
        assert words[0].locator("del").all_inner_texts() == ([] if before == "∅" else [before])


@pytest.mark.parametrize("path", [ONE, TWO])
def test_blue_helps_the_output_that_an_edit_stands_in_and_orange_hurts_it(page: Page, address: str, path: str) -> None:
    go(page, address, path)
    signs = set()
    for cell, edit, value in credit_cells(page):
        style = cell.get_attribute("style") or ""
        expected = "#4A9BD4" if value > 0 else "#E8853D" if value < 0 else ""
        assert expected in style, (edit, value, style)
        signs.add(value > 0)
    assert signs == {True, False} or path == ONE
    assert "#4A9BD4" in shade(1.0)


def test_numbers_are_those_of_explain(page: Page, address: str) -> None:
    go(page, address, TWO)
    corpus = corpora.load("demo")
    expected = [
        edit.value
        for system in ("EAGER", "FLUENT")
        for id in ("m2", "gleu")
        for edit in edit_credits(create(id), corpus.sentences[0], corpus.systems[system][0]).edits
    ]
    assert [value for *_, value in credit_cells(page)] == pytest.approx(expected, abs=5e-5)


def test_unchanged_words_fold_and_unfold(page: Page, address: str) -> None:
    go(page, address, ONE)
    source = page.locator(".lens-grid-table tr.source")
    folded = source.locator("td:visible").count()
    page.locator(".lens-grid-table label:visible").first.click()
    assert source.locator("td:visible").count() > folded
    page.locator(".lens-grid-table label:visible").first.click()
    assert source.locator("td:visible").count() == folded


def test_a_narrow_screen_shows_edit_by_edit(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    go(page, address, TWO)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.locator(".lens-stack section:visible").count() >= 2
    assert "decides for" in page.locator(".lens-stack section").first.inner_text()
    assert not page.locator(".lens-grid-table").is_visible()
    assert page.locator(".lens-stack .scores tr").first.inner_text().split() == ["score", "EAGER", "FLUENT"]
    shown = page.locator(".lens-stack .scores tr").nth(1).inner_text().split()
    assert shown[1:] == [f"{score:.2f}" for score in _m2_scores("EAGER", "FLUENT")]


def _m2_scores(*systems: str) -> list[float]:
    corpus = corpora.load("demo")
    return [edit_credits(create("m2"), corpus.sentences[0], corpus.systems[name][0]).score for name in systems]


def test_what_two_outputs_do_where_it_decides_is_seen_at_once(page: Page, address: str) -> None:
    go(page, address, TWO)
    rows = page.locator(".lens-grid-table tr").evaluate_all("rows => rows.map((row) => row.className)")
    texts = rows[rows.index("output") : rows.index("metric")]
    assert texts == ["output", "beside", "classes"]
    assert page.locator(".lens-grid-table td.decides.main").count()


def test_systems_with_the_same_output_are_named_not_compared(page: Page, address: str) -> None:
    go(page, address, "/sentence?corpus=demo&metrics=m2&sentence=1&system=CAREFUL&against=NOARTICLE")
    assert "CAREFUL and NOARTICLE have the same output here." in page.locator(".lens-verdict-box").inner_text()
    assert not page.locator("[data-testid=stToast]").count()  # the address asks for nothing unknown


@needs_conll14
def test_a_researchers_way_from_the_start_page_takes_at_most_six_clicks(page: Page, address: str) -> None:
    """From the start page to why M² and PT-M² disagree about AMU and CAMB, in one sentence with its edit weights."""
    counting = "addEventListener('click', (event) => { if (event.isTrusted) window.lensClicks++ }, true)"
    page.add_init_script(f"window.lensClicks ??= 0; {counting}")
    started = time.monotonic()
    go(page, address, "/")
    type_option(page, "Corpus", "conll14")
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_role("link", name="Disagreements", exact=True).click()
    settled(page)
    type_option(page, "with", "PT-M² (MiniLM)")
    page.keyboard.press("Enter")
    settled(page)
    for system in ("AMU", "CAMB"):
        if system == "AMU":
            page.get_by_role("combobox", name="Systems", exact=True).click()
        type_in_list(page, system)
        page.keyboard.press("Enter")
        settled(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name=re.compile(r"Open sentence \d+: (AMU and CAMB|CAMB and AMU)")).first.click()
    page.locator(".lens-grid-table tr.weight .lens-bar:visible").first.wait_for()
    verdict = page.locator(".lens-verdict-box").inner_text()
    clicks = page.evaluate("window.lensClicks")
    print(f"{clicks} clicks, {time.monotonic() - started:.1f} s")
    assert 4 <= clicks <= 6
    assert "M² " in verdict
    assert "PT-M² (MiniLM)" in verdict
    assert page.locator(".lens-grid-table td.decides").count()
