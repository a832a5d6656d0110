"""What is read before a browser has loaded the page that needs it."""

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from dashboard import ahead, cache


async def _page(request: Request) -> PlainTextResponse:
    return PlainTextResponse("page")


def _always(begun: SimpleQueue[str]) -> Callable[[str], bool]:
    """Stands in for `ahead.read_ahead`: remembers what is asked, and finds all of it."""

    def read(name: str) -> bool:
        begun.put(name)
        return True

    return read


def test_the_corpus_of_a_page_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(ahead, "read_ahead", _always(begun))
    browser = TestClient(ahead.ReadingAhead(Starlette(routes=[Route("/{path:path}", _page)])))
    for address in ("/rankings?corpus=conll14", "/rankings?corpus=conll14&a=m2", "/", "/why"):
        assert browser.get(address, headers={"Accept": "text/html,*/*"}).text == "page"
    assert browser.get("/static/a.js?corpus=demo", headers={"Accept": "*/*"}).text == "page"
    assert {begun.get(timeout=300), begun.get(timeout=300)} == {"conll14", ""}
    assert begun.empty()


def test_names_without_end_start_no_threads_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(ahead, "read_ahead", _always(begun))
    browser = TestClient(ahead.ReadingAhead(Starlette(routes=[Route("/{path:path}", _page)])))
    for number in range(ahead.MOST + 10):
        browser.get(f"/?corpus=c{number}", headers={"Accept": "text/html"})
    assert {begun.get(timeout=300) for _ in range(ahead.MOST)} == {f"c{number}" for number in range(ahead.MOST)}
    assert begun.empty()


def test_invented_names_do_not_use_up_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: SimpleQueue[str] = SimpleQueue()

    def read(name: str) -> bool:
        begun.put(name)
        return name == "demo"

    monkeypatch.setattr(ahead, "read_ahead", read)
    browser = TestClient(ahead.ReadingAhead(Starlette(routes=[Route("/{path:path}", _page)])))
    for number in range(ahead.MOST):
        browser.get(f"/?corpus=c{number}", headers={"Accept": "text/html"})
        assert begun.get(timeout=300) == f"c{number}"
    while any(thread.name == "read-ahead" for thread in threading.enumerate()):
        time.sleep(0.01)
    browser.get("/?corpus=demo", headers={"Accept": "text/html"})
    assert begun.get(timeout=300) == "demo"


@pytest.mark.parametrize(("asked", "read"), [("demo", ["demo"]), ("", ["demo"]), ("../../etc", [])])
def test_only_corpora_that_are_there_are_read(monkeypatch: pytest.MonkeyPatch, asked: str, read: list[str]) -> None:
    found: list[str] = []
    monkeypatch.setattr(cache, "corpus_names", lambda: ["demo", "other"])
    monkeypatch.setattr(cache, "read_ahead", lambda name, ids: found.append(name))
    assert ahead.read_ahead(asked) is bool(read)
    assert found == read
