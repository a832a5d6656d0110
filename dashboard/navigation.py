"""The menu: every pages/NN_name.py is a page, titled by the first line of its docstring."""

from __future__ import annotations

import ast
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

FIRST = "overview"
"""The page that opens where the address names none."""
PAGES = Path(__file__).resolve().parent.parent / "pages"


def menu() -> StreamlitPage:
    """Draw the menu and give the page that is open."""
    return st.navigation([_page(path) for path in sorted(PAGES.glob("[0-9]*_*.py"))])


def page(name: str) -> StreamlitPage:
    """The page of that name, for a link to it."""
    (path,) = PAGES.glob(f"[0-9]*_{name}.py")
    return _page(path)


def _page(path: Path) -> StreamlitPage:
    """A page called after its file (its address) and the first line of its docstring (its title)."""
    title = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem).splitlines()[0]
    name = path.stem.split("_", 1)[1]
    return st.Page(path, title=title.rstrip("."), url_path=name, default=name == FIRST)
