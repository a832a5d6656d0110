# mypy: disable-error-code="index"
"""The playground, the guessing game and the tour in a real Chromium, as a person uses them."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page
from visiting import go, in_chromium, new_page, playwright, settled

from gec_core.metrics import create

pytestmark = in_chromium
HOSTILE = "<script>document.title='caught'</script> <img src=x onerror=\"document.title='caught'\"> **b** $x$ :smile:"
NAMES_SEEN = """() => {
  // Looked at whenever something is drawn: names that two boxes have at once.
  window.seenTwice = [];
  const look = () => {
    const hosts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated], [data-testid*=BidiComponent]")];
    const names = [...new Set(hosts.flatMap((host) => [host, ...host.querySelectorAll("*")]))]
      .filter((each) => each.shadowRoot).map((each) => each.shadowRoot.querySelector("label")?.textContent);
    window.boxesSeen = names;
    const twice = names.filter((name, place) => name && names.indexOf(name) < place);
    if (twice.length) window.seenTwice.push(twice[0]);
  };
  look();
  new MutationObserver(look).observe(document.querySelector("[data-testid=stApp]"), { childList: true, subtree: true });
}"""
QUICK = "corpus=demo&metrics=m2&metrics=gleu&metrics=imeasure"


def texts(**texts: str | list[str]) -> str:
    return f"/playground?{QUICK}&{urlencode(texts, doseq=True)}"


def cell(metric: str, column: int) -> str:
    """A cell of the score board, as a selector."""
    return f".lens-board tbody tr:has(th:text-is('{metric}')) td >> nth={column}"


def type_at_the_end(page: Page, label: str, text: str) -> None:
    page.get_by_label(label, exact=True).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text, delay=10)


def test_scores_change_while_one_types(page: Page, address: str) -> None:
    """Nobody leaves the box: the focus stays where it was."""
    go(page, address, texts(source="a b c", output="a x", reference="a x c"))
    assert page.locator(cell("M²", 0)).inner_text().startswith("0.556")
    type_at_the_end(page, "Output 1", " c")
    playwright.expect(page.locator(cell("M²", 0))).to_contain_text("1.000")
    playwright.expect(page.locator(cell("I-measure", 0))).to_contain_text("100.00")
    playwright.expect(page.get_by_label("Output 1", exact=True)).to_be_focused()
    assert page.get_by_label("Output 1", exact=True).input_value() == "a x c"
    type_at_the_end(page, "Reference 1", " r")  # a shortcut of Streamlit's elsewhere
    playwright.expect(page.locator(cell("M²", 0))).to_contain_text("0.833")


def test_a_preset_fills_the_boxes(page: Page, address: str) -> None:
    go(page, address, f"/playground?{QUICK}&preset=hospital")
    page.get_by_role("combobox", name="Start from").click()
    page.get_by_role("option", name="Half of each reference").click()
    playwright.expect(page.get_by_label("Hypothesis 3", exact=True)).to_have_value(
        "The senior students who failed has to retake the course next year ."
    )
    settled(page)
    assert "GLEU prefers the ungrammatical third hypothesis" in page.locator("[data-testid=stMain]").inner_text()
    gleu = [float(page.locator(cell("GLEU", column)).inner_text().split()[0]) for column in range(3)]
    assert gleu[2] == max(gleu)
    type_at_the_end(page, "Source", " more")
    page.get_by_role("button", name="Start over").click()
    playwright.expect(page.get_by_label("Source", exact=True)).not_to_have_value(
        "The senior student who failed have to retake the course next year . more"
    )


@pytest.mark.skipif(not create("asano-grammar").availability().ready, reason="Asano's grammar checker is not here")
def test_slow_metrics_follow_when_one_pauses(page: Page, address: str) -> None:
    metrics = "corpus=demo&metrics=m2&metrics=asano-grammar"
    page.goto(f"{address}/playground?{metrics}&{urlencode({'source': 'He go home .', 'output': 'He goes home .'})}")
    settled(page)
    value = re.compile(r"\d\.\d{3}")
    playwright.expect(page.locator(cell("Asano: grammar", 0))).to_have_text(value)
    type_at_the_end(page, "Output 1", " He he go go .")
    playwright.expect(page.locator(cell("Asano: grammar", 0))).to_have_text("when you pause")
    playwright.expect(page.locator(cell("Asano: grammar", 0))).to_have_text(value)


def test_an_output_is_added_and_scored(page: Page, address: str) -> None:
    go(page, address, texts(source="a b c", output="a b c", reference="a x c"))
    page.get_by_role("button", name="Add an output").click()
    page.get_by_label("Output 2", exact=True).wait_for()
    settled(page)
    type_at_the_end(page, "Output 2", "a x c")
    playwright.expect(page.locator(cell("M²", 1))).to_contain_text("1.000")


def test_outputs_and_references_are_removed(page: Page, address: str) -> None:
    go(page, address, texts(source="a b c", output=["a b c", "a x c"], reference=["a y c", "a x c"]))
    type_at_the_end(page, "Output 2", " d")
    page.get_by_role("button", name="Remove Output 1").focus()
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_label("Output 1", exact=True)).to_have_count(0)
    playwright.expect(page.get_by_label("Output 2", exact=True)).to_have_value("a x c d")
    playwright.expect(page.get_by_role("button", name="Remove Output 2")).to_have_count(0)  # the only one left
    settled(page)
    page.get_by_role("button", name="Remove Reference 1").click()
    playwright.expect(page.get_by_label("Reference 2", exact=True)).to_have_count(0)
    playwright.expect(page.get_by_label("Reference 1", exact=True)).to_have_value("a x c")
    playwright.expect(page.locator(cell("M²", 0))).to_contain_text("0.556")
    settled(page)
    page.get_by_role("button", name="Add an output").click()
    playwright.expect(page.get_by_label("Output 1", exact=True)).to_have_value("")


def test_a_box_that_moves_up_keeps_its_name_and_what_is_typed_meanwhile(page: Page, address: str) -> None:
    """Boxes keyed by place let two boxes be called Output 2 for a moment, and lost what one typed into the old one."""
    go(page, address, texts(source="a b c", output=["a b c", "a x c", "a c"], reference=["a y c", "a x c"]))
    page.evaluate(NAMES_SEEN)
    assert page.evaluate("boxesSeen.filter(Boolean).length") == 6
    page.get_by_role("button", name="Remove Output 1").focus()
    page.keyboard.press("Enter")
    type_at_the_end(page, "Output 2", " d")
    playwright.expect(page.get_by_label("Output 1", exact=True)).to_have_count(0)
    playwright.expect(page.get_by_label("Output 2", exact=True)).to_have_value("a x c d")
    page.get_by_role("button", name="Remove Reference 1").click()
    playwright.expect(page.get_by_label("Reference 2", exact=True)).to_have_count(0)
    playwright.expect(page.get_by_label("Reference 1", exact=True)).to_have_value("a x c")
    settled(page)
    assert page.evaluate("seenTwice") == []
    assert "output=a+x+c+d" in page.url


def test_what_one_typed_is_there_after_a_reload_and_on_the_way_back(page: Page, address: str) -> None:
    go(page, address, f"/playground?{QUICK}&preset=quizzes")
    steps = page.evaluate("history.length")
    type_at_the_end(page, "Hypothesis 1", " & more")
    page.wait_for_function("location.search.includes('%26+more')")
    assert page.evaluate("history.length") == steps
    page.reload()
    settled(page)
    typed = page.get_by_label("Hypothesis 1", exact=True)
    playwright.expect(typed).to_have_value(re.compile(r"fun \. & more$"))
    type_at_the_end(page, "Hypothesis 1", " text")
    page.wait_for_function("location.search.includes('more+text')")
    page.get_by_role("radio", name="Step by step").or_(page.get_by_role("button", name="Step by step")).first.click()
    page.wait_for_function("location.search.includes('view=steps')")
    assert "more+text" in page.url
    settled(page)
    page.go_back()
    page.wait_for_function("!location.search.includes('view=steps')")
    settled(page)
    playwright.expect(typed).to_have_value(re.compile("more text$"))


def test_an_edit_is_switched_off_and_on(page: Page, address: str) -> None:
    go(page, address, texts(source="a b c d", output="x b c y", reference="x b c d", view="edits"))
    playwright.expect(page.locator(cell("M²", 1))).to_contain_text("0.556")
    page.locator("[data-testid=stMain]").get_by_role("button", name="d → y").click()
    playwright.expect(page.locator(cell("M²", 1))).to_contain_text("1.000")
    playwright.expect(page.locator(cell("M²", 2))).to_contain_text("0.556")


def test_steps_lead_to_the_score(page: Page, address: str) -> None:
    go(page, address, f"/playground?{QUICK}&preset=hospital&view=steps")
    last = page.get_by_role("button", name="Next")
    while last.is_enabled():
        title = page.locator("h3").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("title => document.querySelector('h3').innerText !== title", arg=title)
        settled(page)
    assert page.locator(".lens-formulas p").last.inner_text().endswith("= 0.7143")
    page.wait_for_function("location.search.includes('part=5')")
    go(page, address, f"/playground?{QUICK}&preset=hospital&view=steps&metric=imeasure&part=3")
    assert page.locator("h3").inner_text() == "Weighted accuracy of the output"


@pytest.mark.parametrize("view", ["scores", "edits", "steps", "guess"])
def test_what_one_types_stays_text(page: Page, address: str, view: str) -> None:
    outputs = [f"{HOSTILE} x", f"{HOSTILE} y"]
    go(page, address, texts(source=HOSTILE, output=outputs, reference=f"{HOSTILE} x", view=view))
    if view == "scores":
        type_at_the_end(page, "Output 1", " <b>bold</b>")
        playwright.expect(page.locator(cell("M²", 0))).to_contain_text("0.556")
    assert page.title() != "caught"
    assert page.locator("img[src=x]").count() == 0
    if view != "scores":
        shown = page.locator("[data-testid=stMain]").inner_text()
        assert all(part in shown for part in ("<script>", "**b**", "$x$", ":smile:"))


def test_a_guess_is_made_before_the_rankings_are_shown(page: Page, address: str) -> None:
    go(page, address, "/guess?corpus=demo&metrics=m2&metrics=gleu")
    reveal = page.get_by_role("button", name="Reveal")
    assert reveal.is_disabled()
    assert page.locator(".lens-table").count() == 0
    for place, letter in enumerate("ABCDE", 1):
        page.get_by_role("radiogroup", name=f"Place of {letter}").get_by_role("radio", name=str(place)).click()
        settled(page)
    reveal.click()
    page.get_by_text("Agreement with your ranking").wait_for()
    assert "the judges" in page.locator(".lens-table").first.inner_text()


def test_the_tour_ends_on_a_disagreement_and_leads_on(page: Page, address: str) -> None:
    go(page, address, "/tour")
    for number in range(2, 9):
        page.get_by_role("button", name="Next").click()
        page.get_by_text(f"Step {number} of 8").wait_for()
        settled(page)
    assert "step=8" in page.url
    assert page.locator("[data-testid=stException], [data-testid=stAlertContentError]").count() == 0
    page.get_by_role("link", name="Compare the two answers").click()
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Sentence'")
    settled(page)
    assert "against=" in page.url
    assert "sentence=" in page.url


def test_these_pages_fit_a_telephone(chromium: Browser, address: str) -> None:
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    for path in ("/playground", "/playground?corpus=demo&view=edits", "/playground?corpus=demo&view=steps", "/guess"):
        go(page, address, path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, path
    for path in ("/playground?corpus=demo&view=steps", "/sentence", "/guess", "/tour"):
        go(page, address, path)
        buttons = [page.get_by_role("button", name=name).bounding_box() for name in ("Previous", "Next")]
        assert buttons[0]["y"] == buttons[1]["y"], path
    page.close()
