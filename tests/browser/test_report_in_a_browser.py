# mypy: disable-error-code="index"
"""From a file of outputs to a report on disk, and the report in a browser that is offline."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from playwright.sync_api import Browser
from visiting import in_chromium, new_page, settled

from gec_core import corpora

pytestmark = in_chromium
METRICS = ("m2", "gleu", "imeasure")


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Outputs that a few rules make of the demo corpus's sources."""
    path = tmp_path_factory.mktemp("outputs") / "RULES.txt"
    sources = (each.source for each in corpora.load("demo").sentences)
    lines = [re.sub(r"\ba (?=[aeiou])", "an ", line).replace("informations", "information") for line in sources]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def downloaded(mine: Path, address: str, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report and the numbers as a visitor gets them: bring a file, add it, click twice."""
    folder = tmp_path_factory.mktemp("downloads")
    asked = "&".join(f"metrics={id}" for id in METRICS)
    page = new_page(chromium, viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    page.goto(f"{address}/my_system?corpus=demo&rival=EAGER&{asked}")
    settled(page)
    page.locator("input[type=file]").first.set_input_files(mine)
    page.get_by_role("button", name="Add this system").click()
    page.wait_for_function("[...document.querySelectorAll('[role=combobox]')].some(box => box.value === 'RULES')")
    settled(page)
    for name, file in (("Report (HTML)", "report.html"), ("Numbers (zip)", "numbers.zip")):
        with page.expect_download() as started:
            page.get_by_role("button", name=name).click()
        started.value.save_as(folder / file)
    page.close()
    return folder


def test_a_costly_sentence_opens_beside_the_best_output(address: str, chromium: Browser) -> None:
    page = new_page(chromium, viewport={"width": 1280, "height": 1000})
    page.goto(f"{address}/my_system?corpus=demo&metrics=m2&view=costly&analyse=EAGER")
    settled(page)
    table = page.locator("[data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    settled(page)
    box = table.bounding_box()
    page.mouse.click(box["x"] + 18, box["y"] + 52)
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Sentence'")
    page.wait_for_function("location.search.includes('system=EAGER')")
    page.close()


def test_the_report_opens_offline_and_asks_for_nothing(downloaded: Path, chromium: Browser) -> None:
    path = downloaded / "report.html"
    context = chromium.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = new_page(context)
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    assert page.locator("h1").inner_text() == "RULES on demo"
    assert page.locator("figure > svg").count() > 5
    link = page.locator("#costly a").first
    link.click()
    assert page.locator(f"#s{link.inner_text()}").is_visible()
    for width, scheme in ((1280, "dark"), (400, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert asked == [path.as_uri()]
    assert not complaints


def test_its_numbers_are_the_command_lines(downloaded: Path, mine: Path, cache: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.zip"
    asked = ["--corpus", "demo", "--system", f"RULES={mine}", "--against", "EAGER", "--metric", ",".join(METRICS)]
    subprocess.run(
        [sys.executable, "-m", "gec_core", "report", *asked, "--out", str(out)],
        check=True,
        cwd=ROOT,
        env=os.environ | {"GEC_LENS_CACHE": str(cache)},
        capture_output=True,
    )
    told, found = (_numbers(path) for path in (out, downloaded / "numbers.zip"))
    by_metric = sorted(told["standings"], key=str)
    assert sorted(found["standings"], key=str) == by_metric
    assert found["about"]["fingerprint"] == told["about"]["fingerprint"]
    for name in ("significance", "costly_sentences", "changes"):
        assert sorted(found[name], key=str) == sorted(told[name], key=str)
    for name in ("error_types", "correction"):
        assert found.get(name) == told.get(name)


def _numbers(path: Path) -> Any:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("numbers.json"))
