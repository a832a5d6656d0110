"""The menu. Every pages/NN_name.py is a page: its docstring is the title, its number decides the section."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse
from streamlit.navigation.page import StreamlitPage

FIRST = "overview"
"""The page that opens when the address names none."""
SECTIONS = {"Compare": range(10, 48), "Explain": range(48, 70), "Your own": range(70, 90), "Learn": range(90, 100)}
"""The sections of the menu, with the numbers of their pages."""
PAGES = Path(__file__).resolve().parent.parent / "pages"


def menu() -> StreamlitPage:
    """Draw the menu and return the open page."""
    paths = sorted(PAGES.glob("[0-9]*_*.py"))
    sections = {
        title: [_page(path) for path in paths if int(path.name.split("_")[0]) in numbers]
        for title, numbers in SECTIONS.items()
    }
    return st.navigation(sections, expanded=True)


def load(page: StreamlitPage) -> None:
    """Import the view of a page, which its script would import otherwise."""
    importlib.import_module(f"dashboard.views.{page.url_path or FIRST}")


def page(name: str) -> StreamlitPage:
    """Return the page of that name, for a link to it."""
    (path,) = PAGES.glob(f"[0-9]*_{name}.py")
    return _page(path)


def address(name: str, query: Mapping[str, list[str]]) -> str:
    """Return the address of a page with these choices, for a link within a table."""
    return f"{name}?{urlencode(query, doseq=True)}"


async def to_first_page(request: Request) -> RedirectResponse:
    """Redirect to "/", the only address at which Streamlit finds the page that opens first."""
    return RedirectResponse(f"./?{request.url.query}")


def _page(path: Path) -> StreamlitPage:
    """A page whose address is the name of its file and whose title is the first line of its docstring."""
    name = path.stem.split("_", 1)[1]
    return st.Page(path, title=_title(path, path.stat().st_mtime_ns), url_path=name, default=name == FIRST)


@lru_cache(maxsize=128)
def _title(path: Path, changed: int) -> str:
    """The first line of a page's docstring, read again only when the file has changed."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    return docstring.splitlines()[0].rstrip(".")
