"""Errors and texts as Streamlit shows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import NoReturn

import streamlit as st

from gec_core.environment import how_to_run
from gec_core.errors import GecLensError
from gec_core.types import Corpus


class _End(Exception):
    """Raised where the rest of the page cannot be drawn."""


def end_page() -> NoReturn:
    """Draw no more of this page. Unlike st.stop, this lets the app write the address."""
    raise _End


@contextmanager
def problems_shown() -> Iterator[None]:
    """Show errors that a person can fix as their message instead of a traceback."""
    try:
        yield
    except _End:
        pass
    except GecLensError as error:
        st.error(plain(str(error)), icon=":material/error:")


def plain(text: str) -> str:
    """Escape a text so that Streamlit shows it as it is, without markdown, colours and formulas."""
    return "".join(f"\\{character}" if character in r"\`*_{}[]()<>#+-.!|~$:^" else character for character in text)


def problem_text(problem: BaseException) -> str:
    """Return the message of an error from background work; of an unexpected one, its class."""
    return str(problem) if isinstance(problem, GecLensError) else f"failed: {type(problem).__name__}"


def in_markdown(text: str) -> str:
    """Escape a text and set what stands between backticks, words of a corpus, in bold."""
    parts = text.split("`")
    return "".join(
        f"**{plain(part)}**" if index % 2 and part.strip() else plain(part) for index, part in enumerate(parts)
    )


def in_html(text: str) -> str:
    """Return a text as HTML, with what stands between backticks, words of a corpus, in italics."""
    parts = escape(text).split("`")
    return "".join(f"<i dir=auto>{part}</i>" if index % 2 else part for index, part in enumerate(parts))


def without_texts(corpus: Corpus) -> str:
    """Say why sentences cannot be opened, and how to get the texts."""
    return (
        "The texts of this corpus are not on this machine, so its sentences cannot be opened. "
        f"Get them with `{how_to_run(f'corpora fetch {corpus.name}')}`."
    )
