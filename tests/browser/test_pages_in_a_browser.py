# mypy: disable-error-code="index"
"""The dashboard in a real Chromium, as a person uses it."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, needs_conll14
from playwright.sync_api import Browser, Page, expect
from visiting import go, in_chromium, new_page, settled, type_option

from gec_core import corpora
from gec_core.align import errant_pipeline
from gec_core.corpora.folder import save
from gec_core.metrics import create, registry

pytestmark = in_chromium


def text(page: Page) -> str:
    return page.locator("[data-testid=stMain]").inner_text()


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option as a person does: open the list, type, press Enter."""
    type_option(page, label, option)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    settled(page)


@pytest.mark.parametrize(
    "name",
    [
        *("Overview", "Rankings", "Correlation", "Sentence agreement", "Error types", "Disagreements", "Sentence"),
        "Metrics",
    ],
)
def test_every_page_opens_from_the_menu(page: Page, address: str, name: str) -> None:
    go(page, address, "/")
    page.get_by_role("link", name=name, exact=True).click()
    settled(page)
    assert page.locator("h1").inner_text() == name
    assert page.locator("[data-testid=stException], [data-testid=stAlertContentError]").count() == 0


def test_the_ranking_table_is_sorted_by_what_one_chooses(page: Page, address: str) -> None:
    go(page, address, "/rankings?corpus=demo")
    first = page.locator(".lens-table tbody th").first
    assert first.inner_text() == "FLUENT"
    choose(page, "Sort by", "I-measure")
    assert first.inner_text() == "NOARTICLE"
    assert "sort=I-measure" in page.url
    page.locator(".lens-table thead").get_by_role("button", name="Expected Wins").click()
    page.wait_for_function("location.search.includes('sort=Expected+Wins')")
    settled(page)
    assert first.inner_text() == "FLUENT"


def test_an_address_reopens_its_view(page: Page, address: str) -> None:
    go(page, address, "/correlation?corpus=demo&human=ts&metrics=m2&metrics=bleu&without=NOISY&view=leave-one-out")
    assert "If a dot is far from its bar" in text(page)
    assert page.get_by_role("combobox", name="Human ranking").input_value() == "TrueSkill"
    again = page.url
    go(page, address, "/")
    page.goto(again)
    settled(page)
    assert "without=NOISY" in page.url
    assert "If a dot is far from its bar" in text(page)


def test_choices_follow_to_the_next_page(page: Page, address: str) -> None:
    go(page, address, "/rankings?corpus=demo&without=FLUENT&human=ts")
    page.get_by_role("link", name="Correlation", exact=True).click()
    settled(page)
    assert "without=FLUENT" in page.url
    assert "human=ts" in page.url


def test_the_back_button_reopens_the_view_before(page: Page, address: str) -> None:
    go(page, address, "/rankings?corpus=demo")
    go(page, address, "/rankings?corpus=demo&human=ts")
    assert "TrueSkill" in page.locator(".lens-table thead").inner_text()
    page.go_back()
    settled(page)
    assert "Expected Wins" in page.locator(".lens-table thead").inner_text()


def test_a_table_is_downloaded_with_the_numbers_of_the_command_line(page: Page, address: str, cache: Path) -> None:
    go(page, address, "/rankings?corpus=demo")
    page.locator("[data-testid=stMain]").get_by_role("button", name="Export", exact=True).first.click()
    page.mouse.move(0, 0)  # away from the tooltip, which covers what is below it
    with page.expect_download() as started:
        page.locator("[data-testid=stPopoverBody]").get_by_role("button", name="CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(started.value.path().read_text(encoding="utf-8"))))
    told = subprocess.run(
        [sys.executable, "-m", "gec_core", "score", "--corpus", "demo", "--metric", "m2,gleu", "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"GEC_LENS_CACHE": str(cache)},
    )
    for row in json.loads(told.stdout)["rows"]:
        column = {"m2": "M²", "gleu": "GLEU"}[row["metric"]]
        (found,) = (each[column] for each in rows if each["system"] == row["system"])
        assert float(found) == row["score"]


@pytest.mark.parametrize(
    "path",
    [
        *("/?", "/rankings?", "/correlation?", "/agreement?", "/types?level=operation&type=M&", "/disagreements?"),
        *("/sentence?", "/metrics?"),
    ],
)
def test_text_of_a_corpus_is_shown_as_text(page: Page, address: str, path: str) -> None:
    seen = []
    page.on("dialog", lambda dialog: seen.append(dialog.message))
    go(page, address, f"{path}corpus=hostile&metrics=m2&metrics=imeasure&metrics=gleu")
    assert page.title() != "caught"
    assert page.locator("img[src=x]").count() == 0
    assert not seen
    notice = page.locator("[data-testid=stSidebar]").inner_text()
    for part in ("<script>", "<img src=x", "**bold**", "$x$", ":smile:"):
        assert part in notice
    if path == "/rankings?":
        assert "<b>A" in page.locator(".lens-table").inner_text()
    if path.startswith("/types") and errant_pipeline.find():
        assert "<script>" in text(page)
        assert "**bold** $x$ :smile:" in text(page)


def test_the_page_fits_a_telephone(chromium: Browser, address: str) -> None:
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    for path in ("/", "/rankings", "/correlation", "/agreement", "/types", "/disagreements", "/sentence", "/metrics"):
        go(page, address, path)
        assert sideways(page) == 0, path
    page.close()


def sideways(page: Page) -> int:
    """How many pixels of the page are beyond its right edge; it is not the document that scrolls."""
    hidden = "document.querySelector('[data-testid=stMain]')"
    return int(page.evaluate(f"{hidden}.scrollWidth - {hidden}.clientWidth"))


def test_a_token_of_400_characters_makes_no_page_scroll_sideways(chromium: Browser, address: str, data: Path) -> None:
    token, folder = "Donau" + "dampfschifffahrts" * 24, data / "long-token"
    save(corpora.load("demo"), folder)
    for file in folder.rglob("*.txt"):
        lines = file.read_text(encoding="utf-8").splitlines()
        file.write_text("".join(f"{line} {token}\n" for line in lines), encoding="utf-8")
    gold = (folder / "gold.m2").read_text(encoding="utf-8").splitlines()
    gold = [f"{line} {token}" if line.startswith("S ") else line for line in gold]
    (folder / "gold.m2").write_text("".join(f"{line}\n" for line in gold), encoding="utf-8")
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    for path in (
        "",
        "agreement",
        "types",
        "why",
        "disagreements",
        "sentence",
        "my_system",
        "tour",
        "guess",
        "playground",
    ):
        go(page, address, f"/{path}?corpus=long-token")
        assert page.locator("[data-testid=stException], [data-testid=stAlertContentError]").count() == 0
        assert sideways(page) == 0, path
    page.close()
    shutil.rmtree(folder)


def test_what_is_wider_than_its_place_says_so(page: Page, address: str) -> None:
    """A table in HTML, one that can be sorted, a figure; on a wide page none of them scrolls, and nothing is said."""
    cue = "box => getComputedStyle(box, '::before').maxHeight !== '0px' && box.offsetWidth > 0"
    for width, told in ((1280, False), (400, True)):
        page.set_viewport_size({"width": width, "height": 800})
        go(page, address, "/rankings?corpus=demo")  # nine metrics
        assert page.locator(".lens-scroll").evaluate(cue) is told
        assert page.locator("[class*=st-key-wide-]").evaluate(cue) is told
        go(page, address, "/correlation?corpus=demo&metrics=m2&metrics=gleu")
        assert page.locator("[data-testid=stDataFrame]").evaluate(cue) is told


def test_the_list_of_metrics_leads_to_a_card(page: Page, address: str) -> None:
    go(page, address, "/metrics?corpus=demo")
    page.locator("[data-testid=stMain]").get_by_role("link", name="Length ratio", exact=True).click()
    page.wait_for_function("document.querySelector('#length').getBoundingClientRect().top < innerHeight / 2")


def test_the_formulas_of_every_card_are_set(page: Page, address: str) -> None:
    cards = [metric.card for metric in registry().values() if metric.card]
    formulas = sum(len(re.findall(r"\$\$.+?\$\$|\$.+?\$", card, re.DOTALL)) for card in cards)
    go(page, address, "/metrics")
    folded = page.locator("[data-testid=stExpander] summary", has_text="Formula, strengths and known failures")
    expect(folded).to_have_count(len(cards))
    assert page.locator(".katex").count() == 0, "a browser takes long to set them, so they wait for the click"
    for card in range(len(cards)):
        folded.nth(card).click()
        settled(page)
    expect(page.locator(".katex")).to_have_count(formulas)
    assert page.locator(".katex-error").count() == 0


def on_page(page: Page, title: str) -> None:
    page.wait_for_function(f"document.querySelector('h1')?.innerText === '{title}'")
    settled(page)


def open_first(page: Page) -> None:
    """Choose the first row of the list of disagreements."""
    settled(page)
    row = page.locator("[class*=st-key-dispute-]").first
    row.wait_for()
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    on_page(page, "Sentence")


def test_from_the_rankings_to_an_alignment_and_back(page: Page, address: str) -> None:
    """Two clicks to the alignment; next goes through the list, whose address is part of the sentence's."""
    go(page, address, "/rankings?corpus=demo&metrics=m2&metrics=gleu&metrics=imeasure")
    page.get_by_role("link", name="Disagreements", exact=True).click()
    settled(page)
    choose(page, "with", "GLEU")
    page.wait_for_function("location.search.includes('b=gleu')")
    open_first(page)
    assert page.locator(".lens-grid-table .lens-class").count() > 1
    assert "1 of " in text(page)
    assert "in the disagreements of M² and GLEU" in text(page)
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("document.body.innerText.includes('2 of ')")
    settled(page)
    again, outputs = page.url, page.locator(".lens-grid-table").inner_text()
    go(page, address, "/")
    page.goto(again)
    on_page(page, "Sentence")
    assert "2 of " in text(page)
    assert page.locator(".lens-grid-table").inner_text() == outputs
    page.get_by_role("link", name="Back to the list").click()
    on_page(page, "Disagreements")
    assert page.get_by_role("combobox", name="with", exact=True).input_value() == "GLEU"


def test_a_point_of_the_scatter_opens_its_sentence(page: Page, address: str) -> None:
    go(page, address, "/disagreements?corpus=demo&metrics=m2&metrics=gleu&a=m2&b=gleu&only=EAGER&only=FLUENT")
    page.get_by_text("pair by pair").click()
    points = page.locator(".scatterlayer .trace").last.locator("path.point")
    points.first.wait_for()
    points.first.scroll_into_view_if_needed()
    box = points.first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    on_page(page, "Sentence")
    assert "only=EAGER" in page.url
    assert ", with 1 filter" in text(page)


@pytest.mark.skipif(errant_pipeline.find() is None, reason="ERRANT is not installed")
def test_from_a_cell_of_the_error_types_to_its_sentences(page: Page, address: str) -> None:
    go(page, address, "/types?corpus=demo&level=operation")
    cells = page.locator(".heatmaplayer image").bounding_box()
    page.mouse.click(cells["x"] + cells["width"] / 14, cells["y"] + cells["height"] * 5 / 6)
    page.wait_for_function("location.search.includes('type=U')")
    settled(page)
    assert "errors_of=CAREFUL" in page.url
    line = page.locator("[data-testid=stPageLink]").first
    label = line.inner_text()
    line.get_by_role("link").click()
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Sentence'")
    settled(page)
    assert f"sentence={int(label.split()[-1]) - 1}&" in f"{page.url}&"  # counted from 0 in the address
    assert "system=CAREFUL" in page.url


def test_metrics_are_chosen_by_family(page: Page, address: str) -> None:
    go(page, address, "/rankings?corpus=demo&metrics=m2&metrics=gleu")
    page.get_by_role("button", name="Metrics: 2").click()
    page.get_by_role("button", name="BLEU", exact=True).click()
    page.wait_for_function("document.querySelector('.lens-table thead')?.innerText.includes('BLEU')")
    settled(page)
    page.get_by_role("button", name="None", exact=True).click()
    page.wait_for_function("location.search.includes('metrics=none')")
    settled(page)
    assert "Choose at least one metric" in text(page)


def test_the_arrow_keys_go_from_sentence_to_sentence(page: Page, address: str) -> None:
    go(page, address, "/sentence?corpus=demo&sentence=5&metrics=m2")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('sentence=6')")
    settled(page)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("location.search.includes('sentence=5')")


def test_the_arrow_keys_go_through_the_list_one_came_from(page: Page, address: str) -> None:
    go(page, address, "/disagreements?corpus=demo&metrics=m2&metrics=gleu&a=m2&b=gleu")
    open_first(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.body.innerText.includes('2 of ')")
    settled(page)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.body.innerText.includes('1 of ')")


def test_a_sentence_of_60_tokens_is_readable(page: Page, address: str) -> None:
    """On a wide page unchanged words are folded; on a telephone edits stand one below the other."""
    path = "/sentence?corpus=long&metrics=m2&metrics=imeasure&metrics=gleu&system=A&against=B"
    go(page, address, path)
    grid = page.locator(".lens-grid .lens-scroll")
    assert grid.evaluate("box => box.scrollWidth <= box.clientWidth")  # unchanged words are folded
    page.locator(".lens-grid-table label:visible").first.click()
    assert page.locator(".lens-grid-table tr.source").inner_text().count("word") > 8
    page.set_viewport_size({"width": 400, "height": 800})
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert not grid.is_visible()
    assert page.locator(".lens-stack section:visible").count() >= 2


@pytest.mark.skipif(not create("ptm2").availability().ready, reason="the encoder of PT-M² is not installed")
def test_models_are_asked_without_a_click(page: Page, address: str) -> None:
    go(page, address, "/sentence?corpus=demo&metrics=m2&metrics=ptm2&sentence=3&system=EAGER&against=FLUENT")
    page.wait_for_function("!document.body.innerText.includes('Not scored yet')")
    settled(page)
    page.locator(".lens-grid-table tr.weight").first.wait_for()
    page.reload()
    on_page(page, "Sentence")
    assert page.locator(".lens-grid-table tr.weight").count() >= 1


@needs_conll14
def test_leaving_ipn_out_gives_the_published_correlations(page: Page, address: str) -> None:
    """Table 2 of Chollampatt and Ng (2018): .593 for M2 and .500 for GLEU against Expected Wins without IPN."""
    go(page, address, "/correlation?corpus=conll14&human=chollampatt2018-ew&metrics=m2&metrics=gleu&view=scatter")
    page.wait_for_function("document.body.innerText.includes('r 0.691')")
    choose(page, "Leave out", "IPN")
    page.wait_for_function("document.body.innerText.includes('→ 0.593')")
    assert "r 0.691 with all → 0.500" in text(page)
    assert "12 of 13 systems, without IPN" in text(page)
