"""Uploads in a real Chromium: good files, bad ones, hostile ones, and two visitors at once."""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from conftest import ROOT
from playwright.sync_api import Browser, FilePayload, Page
from visiting import go, in_chromium, new_page, settled

from gec_core import corpora

pytestmark = in_chromium

HOSTILE = "<img src=x onerror=document.title='caught'>"
PANEL = "/my_system?corpus=demo&metrics=m2&metrics=gleu"
DEMO = corpora.load("demo")
MINE = [output.replace(" the ", " a ") for output in DEMO.outputs("CAREFUL")]


UNTOUCHED = [number for number, line in enumerate(MINE) if line == DEMO.sentences[number].source]


def lined(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return packed.getvalue()


def drop(page: Page, files: dict[str, bytes]) -> None:
    page.set_input_files(
        "[data-testid=stFileUploaderDropzoneInput]",
        [FilePayload(name=name, mimeType="text/plain", buffer=content) for name, content in files.items()],
    )


def add(page: Page, address: str, name: str = "mine.txt", lines: list[str] = MINE) -> None:
    go(page, address, PANEL)
    drop(page, {name: lined(lines)})
    page.get_by_role("button", name="Add this system").click()
    page.get_by_role("heading", name="Your uploads").wait_for()
    settled(page)


def systems(page: Page) -> list[str]:
    return page.locator(".lens-table tbody th").all_inner_texts()


def follow(page: Page, link: str) -> None:
    page.get_by_role("link", name=link, exact=True).click()
    page.wait_for_function(f"document.querySelector('h1')?.innerText === {json.dumps(link)}")
    settled(page)


def test_an_uploaded_system_is_ranked_with_the_numbers_of_the_command_line(
    page: Page, address: str, cache: Path, tmp_path: Path
) -> None:
    add(page, address)
    follow(page, "Rankings")
    row = page.locator(".lens-table tbody tr").filter(has_text="mine").inner_text()
    (tmp_path / "mine.txt").write_bytes(lined(MINE))
    command = [sys.executable, "-m", "gec_core", "score", "--m2", "data/demo/gold.m2", "--metric", "m2"]
    told = subprocess.run(
        [*command, "--hyp", f"mine={tmp_path / 'mine.txt'}", "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"GEC_LENS_CACHE": str(cache)},
    )
    assert f"{json.loads(told.stdout)['rows'][0]['score']:.3f}" in row


def raw(lines: Iterable[str]) -> list[str]:
    return [re.sub(r" ([.,?!])", r"\1", line) for line in lines]


FORMS = {
    "clean.txt": lined(MINE),
    "raw.txt": lined(raw(MINE)),
    "windows.txt": "".join(f"{line.replace(chr(39), '’')}\r\n" for line in raw(MINE)).encode(),
    "preamble.txt": lined(["Here is the corrected text:", "", *raw(MINE)]),
    "shuffled.jsonl": lined(
        json.dumps({"id": number, "text": line}) for number, line in reversed([*enumerate(raw(MINE), 1)])
    ),
    "chatty.jsonl": lined(json.dumps({"response": f"Sure! Here you go:\n\n{line}"}) for line in raw(MINE)),
    "missing.txt": lined(line for number, line in enumerate(raw(MINE)) if number not in UNTOUCHED[:2]),
}
"""The same outputs, as people bring them; those that are missing equal their source."""


def test_every_form_of_the_same_outputs_ends_in_the_same_scores(page: Page, address: str) -> None:
    go(page, address, PANEL)
    drop(page, FORMS)
    page.get_by_role("button", name=f"Add {len(FORMS) - 1} systems").wait_for()
    page.get_by_text("Take the source where an output is missing").click()
    page.get_by_role("button", name=f"Add {len(FORMS)} systems").wait_for()
    settled(page)
    assert page.get_by_role("radiogroup", name="Tokenise").count() == len(FORMS) - 1
    page.get_by_role("button", name=f"Add {len(FORMS)} systems").click()
    page.get_by_role("heading", name="Your uploads").wait_for()
    follow(page, "Rankings")
    rows = [page.locator(".lens-table tbody tr").filter(has_text=name.split(".")[0]).inner_text() for name in FORMS]
    assert len({row.partition("\t")[2] for row in rows}) == 1, rows


def test_what_is_taken_against_advice_is_marked_on_every_page(chromium: Browser, address: str) -> None:
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    go(page, address, PANEL)
    drop(page, {"joined.txt": lined(raw(MINE))})
    page.get_by_text("As it is", exact=True).click()
    settled(page)
    page.get_by_role("button", name="Add this system").click()
    page.get_by_role("heading", name="Your uploads").wait_for()
    settled(page)
    chosen = page.url.partition("?")[2]
    for name in ("rankings", "types", "why", "disagreements", "sentence", "my_system"):
        go(page, address, f"/{name}?{chosen}")
        told = page.locator("[data-testid=stMain]").inner_text()
        assert "joined † not tokenised like the sources" in told, name
    page.context.close()


BAD = {
    "short.txt": (lined(MINE[:-1]), "short.txt: 85 lines, but demo has 86 sentences."),
    "shifted.txt": (lined([*MINE[:9], *MINE[10:]]), "shifted.txt: 85 lines, but demo has 86 sentences. Line 10 looks"),
    "latin1.txt": (b"caf\xe9\n" * 86, "latin1.txt:1: not UTF-8: byte 0xE9"),
    "mixed.txt": (
        "café\n".encode() * 85 + b"caf\xe9\n",
        "mixed.txt:86: not UTF-8: byte 0xE9, the 4th of the line. Other",
    ),
    "nul.txt": (lined(MINE).replace(b"\n", b"\x00\n", 3), "nul.txt:1: found a NUL byte: this is not a text file."),
    "picture.txt": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "picture.txt: this is a picture."),
    "wide.txt": (b"a " * 2001 + b"\n", "wide.txt:1: 2,001 tokens"),
    "long.txt": (b"a\n" * 100_001, "long.txt: 100,001 lines; at most 100,000 are allowed."),
    "broken.txt.gz": (gzip.compress(lined(MINE))[:-9], "broken.txt.gz: not a complete gzip file"),
    "bomb.zip": (zip_of({"a.txt": b"a" * 30_000_000}), "bomb.zip: unpacks to more than 200 times its size"),
    "source.txt": (lined(s.source for s in DEMO.sentences), "source.txt: equals the source in every line."),
    "joined.txt": (
        lined(m.replace(" .", ".") for m in MINE),
        "These outputs are not tokenised like the sources: ",
    ),
    f"{HOSTILE}.txt": (lined([HOSTILE, *MINE[1:]]), ""),
}


def test_what_is_bad_or_hostile_is_told_file_by_file(page: Page, address: str) -> None:
    """All at once: one file that is refused keeps no other out."""
    go(page, address, PANEL)
    drop(page, {name: content for name, (content, _) in BAD.items()})
    page.get_by_role("button", name="Add 3 systems").wait_for()
    settled(page)
    text = page.locator("[data-testid=stMain]").inner_text()
    for name, (_, message) in BAD.items():
        assert message in text, name
    assert page.title() != "caught"
    assert page.locator("img[src=x]").count() == 0
    page.get_by_role("button", name="Add 3 systems").click()
    page.get_by_role("heading", name="Your uploads").wait_for()
    follow(page, "Rankings")
    assert any(HOSTILE[:20] in name for name in systems(page))
    follow(page, "Sentence")
    assert page.title() != "caught"
    assert page.locator("img[src=x]").count() == 0


def test_two_visitors_do_not_see_each_others_uploads(chromium: Browser, address: str) -> None:
    first, second = (new_page(chromium.new_context()) for _ in range(2))
    add(first, address, "first.txt")
    add(second, address, "second.txt", [line.replace(" a ", " an ") for line in MINE])
    for page, own, other in ((first, "first", "second"), (second, "second", "first")):
        follow(page, "Rankings")
        assert own in systems(page)
        assert other not in systems(page)
    second.goto(first.url)
    settled(second)
    assert "This address refers to the system first, uploaded by another visitor." in second.inner_text("body")
    assert "first" not in systems(second)
    first.context.close()
    second.context.close()


def test_uploads_survive_a_reload_for_this_browser_alone_until_they_are_deleted(
    chromium: Browser, address: str, cache: Path
) -> None:
    page, other = new_page(chromium), new_page(chromium)
    before = set(cache.glob("visitors/*"))
    add(page, address)
    (kept,) = set(cache.glob("visitors/*")) - before
    page.reload()
    settled(page)
    assert "system for demo" in page.locator("[data-testid=stMain]").inner_text()
    assert "for 24 hours after your last visit" in page.locator("[data-testid=stMain]").inner_text()
    (cookie,) = (each for each in page.context.cookies() if each["name"] == "gec_lens_visitor")
    assert cookie["httpOnly"]
    assert cookie["value"] not in str(list(cache.rglob("*")))
    assert MINE[0] not in page.url
    go(other, address, page.url.removeprefix(address))  # the other browser opens the very address
    told = other.locator("[data-testid=stMain]").inner_text()
    assert "uploaded by another visitor" in told
    assert "Your uploads" not in told
    page.get_by_role("button", name="Delete all my uploads").click()
    page.get_by_role("heading", name="Your uploads").wait_for(state="detached")
    settled(page)
    assert not kept.exists()
    page.reload()
    settled(page)
    assert "Your uploads" not in page.locator("[data-testid=stMain]").inner_text()
    page.context.close()
    other.context.close()


def test_what_was_brought_can_be_saved_and_opened_again(page: Page, address: str, tmp_path: Path) -> None:
    add(page, address)
    with page.expect_download() as started:
        page.get_by_role("button", name="Save as a corpus folder").click()
    saved = tmp_path / "again.zip"
    started.value.save_as(saved)
    assert corpora.load(saved).systems["mine"] == tuple(" ".join(line.split()) for line in MINE)
    page.get_by_text("A corpus of my own").click()
    page.get_by_text("Files of a corpus").wait_for()
    drop(page, {"again.zip": saved.read_bytes()})
    page.get_by_role("button", name="Open this corpus").click()
    page.get_by_text("again, corpus", exact=False).or_(
        page.get_by_text("corpus, 86 sentences, 8 systems")
    ).first.wait_for()
    follow(page, "Rankings")
    assert "mine" in systems(page)


def test_imported_scores_stand_in_the_table(page: Page, address: str) -> None:
    go(page, address, f"{PANEL}&bring=scores")
    rows = "".join(f"{name}\t{number}\n" for number, name in enumerate(DEMO.systems))
    drop(page, {f"{HOSTILE}.tsv": f"system\tscore\n{rows}".encode()})
    page.get_by_role("button", name="Add this metric").click()
    page.get_by_role("heading", name="Your uploads").wait_for()
    follow(page, "Rankings")
    assert HOSTILE[:20] in page.locator(".lens-table thead").inner_text()
    assert page.title() != "caught"
    assert page.locator("img[src=x]").count() == 0


def test_the_panel_fits_a_telephone(chromium: Browser, address: str) -> None:
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    go(page, address, PANEL)
    drop(page, {"a-very-long-name-" * 5 + ".txt": lined(MINE), "latin1.txt": BAD["latin1.txt"][0]})
    page.get_by_role("button", name="Add this system").wait_for()
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.close()
